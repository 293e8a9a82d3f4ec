package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/kind"
)

// An importHead is what every page of an import shows.
type importHead struct {
	Job     string
	Title   string
	Section string // its path
	List    string // its title
	File    string
	Step    int
	Fault   string
}

// importHead returns what every page of an import shows. The import is held.
func (c *call) importHead(j *importJob) importHead {
	h := importHead{Job: importPath + "/" + j.id, Title: c.t("Import: %s", c.t(j.section.title)), Section: "/" + j.section.path, List: c.t(j.section.title), Fault: c.fault(j.fault)}
	h.File = c.t("%s, %s KB", j.file, c.number((j.size+1023)/1024))
	h.Step = map[stage]int{matching: 2, checking: 3, checked: 3, writing: 4, written: 5}[j.stage]
	return h
}

// show shows how far an import is.
func (all *imports) show(c *call) (*answer, error) {
	j, err := all.jobOf(c)
	if err != nil {
		return nil, err
	}
	j.mu.Lock()
	stage, fault := j.stage, j.fault
	j.mu.Unlock()
	if stage == matching {
		return c.columnsPage(j, http.StatusOK, c.fault(fault))
	}
	return c.rowsPage(j)
}

// An importColumns is what the page shows on which columns are matched.
type importColumns struct {
	importHead
	Columns []importColumn
	Keys    []option
	Number  string // what people call a key that the file has and nobody has chosen, "" for none
	Clear   bool
	Rows    int
}

// An importColumn is a column of the file, with some of its values.
type importColumn struct {
	ID, Name string
	Sample   string
	Fields   []option
}

// columnsPage shows the page on which columns are matched.
func (c *call) columnsPage(j *importJob, status int, fault string) (*answer, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	p := importColumns{importHead: c.importHead(j), Clear: j.plan.Clear, Rows: len(j.plan.Table.Rows)}
	p.Fault = fault
	for at, name := range j.plan.Table.Columns {
		col := importColumn{ID: "column." + strconv.Itoa(at), Name: name, Sample: sample(&j.plan, at)}
		for _, f := range desk.ImportFields(j.plan.Kind) {
			col.Fields = append(col.Fields, option{Value: desk.ImportName(j.plan.Kind, f), Label: c.columnLabel(j.plan.Kind, f), Chosen: f == j.plan.Fields[at]})
		}
		p.Columns = append(p.Columns, col)
	}
	if number := desk.NumberKey(j.plan.Fields); number != "" && j.key == "" {
		p.Number = c.label(j.plan.Kind.Field(number))
	}
	var usual string
	for _, key := range desk.ImportKeys(j.plan.Kind) {
		label, err := c.keyLabel(j.plan.Kind, key)
		switch {
		case err != nil:
			return nil, err
		case !slices.Contains(desk.UsualKeys(j.plan.Kind), key):
		case usual == "":
			usual = label
		default:
			usual = c.t("%s, or else %s", usual, label)
		}
		p.Keys = append(p.Keys, option{Value: key, Label: label, Chosen: key == j.key})
	}
	if usual != "" {
		p.Keys = slices.Insert(p.Keys, 0, option{Value: usualKey, Label: c.t("%s, as the file has it", usual), Chosen: j.key == usualKey})
	}
	return &answer{status: status, template: "import-columns", page: page{Title: p.Title, Here: p.Section, Data: p}}, nil
}

// keyLabel returns what people call the fields of a key.
func (c *call) keyLabel(k *kind.Schema, key string) (string, error) {
	fields, err := desk.ImportKeyFields(k, key)
	var labels []string
	for _, f := range fields {
		labels = append(labels, c.label(f))
	}
	return strings.Join(labels, " + "), err
}

// columnLabel returns what people call a field that a column can be: of a part with
// what that is.
func (t *tongue) columnLabel(k *kind.Schema, f *kind.Field) string {
	if list := desk.PartsOf(k, f); list != nil {
		return capital(t.t(list.Items.Noun)) + ": " + t.label(f)
	}
	return t.label(f)
}

// sampleValues is how many values of a column are shown.
const sampleValues = 3

// sample returns the first values of a column, none of a secret.
func sample(i *desk.Import, column int) string {
	if f := i.Fields[column]; f != nil && f.Secret {
		return "••••••"
	}
	var values []string
	for _, row := range i.Table.Rows[:min(len(i.Table.Rows), 50)] {
		if text := strings.TrimSpace(row.Cells[column]); text != "" && len(values) < sampleValues {
			values = append(values, brief(text))
		}
	}
	return strings.Join(values, " · ")
}

// brief returns the beginning of a text.
func brief(text string) string {
	if letters := []rune(text); len(letters) > 60 {
		return string(letters[:60]) + "…"
	}
	return text
}

// An importRows is what the page shows with what becomes of rows.
type importRows struct {
	importHead
	Running    bool
	What       string // the server does
	Done, Rows int
	Tabs       []viewTab
	Heads      []string
	Shown      []importRow
	Pager      pager
	Refused    int
	Left       int
	Good       int  // rows that are or were written
	Whole      bool // all or nothing is possible
	Over       bool // it is done
	Summary    string
}

// An importRow is one row of the file.
type importRow struct {
	Number int
	Tone   string
	Fate   string
	Cells  []importCell
	Remark string
	Faults []string
	Href   string // of the record, "" when there is none
}

// An importCell is one value of a row.
type importCell struct {
	Text  string
	Wrong bool
	Name  bool
}

// Of the preview: how many rows a page has, unless the person says so, and how many
// columns are shown.
const (
	previewRows    = 100
	previewColumns = 8
)

// rowTones are the words and looks of what becomes of rows: before they are written, and after.
var rowTones = [...]struct{ will, was, tab, tone string }{
	desk.RowNew:     {"New", "Added", "New", "good"},
	desk.RowChanged: {"Change", "Changed", "Changes", "info half"},
	desk.RowSame:    {"Same", "Same", "Same", "ring"},
	desk.RowRefused: {"Problem", "Refused", "Problems", "bad"},
	desk.RowLeft:    {"Not written", "Not written", "Not written", "warn"},
}

// rowsPage shows how far the server is, or what becomes of the rows.
func (c *call) rowsPage(j *importJob) (*answer, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	p := importRows{
		importHead: c.importHead(j), Running: j.stage.runs(), What: c.t("Checking rows"), Done: j.done, Rows: len(j.plan.Table.Rows),
		Over: j.stage == written,
	}
	if j.stage == writing {
		p.What = c.t("Writing rows")
	}
	if !p.Running && j.report != nil {
		at := c.fillRows(&p, j)
		if a := c.lastPage(at, len(p.Shown)); a != nil {
			return a, nil
		}
	}
	var scripts []string
	if p.Running {
		scripts = []string{"import.js"}
	}
	return c.show("import-rows", page{Title: p.Title, Here: p.Section, Scripts: scripts, Data: p})
}

// fillRows tells what becomes of the rows of an import, which is held, and returns
// which page of them is asked for.
func (c *call) fillRows(p *importRows, j *importJob) kind.Position {
	count := j.report.Count
	p.Refused, p.Left, p.Good = count[desk.RowRefused], count[desk.RowLeft], count[desk.RowNew]+count[desk.RowChanged]
	p.Whole = p.Refused == 0 && p.Rows <= desk.MaxWhole
	if p.Over {
		p.Summary = c.t("%s added, %s changed, %s the same, %s refused, %s not written", c.number(count[desk.RowNew]), c.number(count[desk.RowChanged]),
			c.number(count[desk.RowSame]), c.number(p.Refused), c.number(p.Left))
	}
	show := c.URL.Query().Get("show")
	p.Tabs = []viewTab{{Title: c.t("All"), Href: p.Job, Total: p.Rows, Current: show == ""}}
	for fate, tone := range rowTones {
		name := strconv.Itoa(fate)
		if count[fate] > 0 || desk.RowFate(fate) == desk.RowRefused {
			p.Tabs = append(p.Tabs, viewTab{Title: c.t(tone.tab), Href: p.Job + "?show=" + name, Total: count[fate], Current: show == name})
		}
	}
	columns := shownColumns(&j.plan)
	for _, at := range columns {
		p.Heads = append(p.Heads, c.columnLabel(j.plan.Kind, j.plan.Fields[at]))
	}
	var rows []int
	for at := range j.report.Rows {
		if show == "" || show == strconv.Itoa(int(j.report.Rows[at].Fate)) {
			rows = append(rows, at)
		}
	}
	at := kind.Position{Total: len(rows)}
	at.Number, at.PerPage = c.place(previewRows)
	from := min((at.Number-1)*at.PerPage, len(rows))
	for _, row := range rows[from:min(from+at.PerPage, len(rows))] {
		p.Shown = append(p.Shown, c.importRow(p, j, row, columns))
	}
	p.Pager = c.newPager(at, p.Job, without(c.URL.Query(), "page"))
	return at
}

// shownColumns returns the columns that the preview shows.
func shownColumns(i *desk.Import) (columns []int) {
	for at, f := range i.Fields {
		if f != nil && len(columns) < previewColumns {
			columns = append(columns, at)
		}
	}
	return columns
}

// importRow returns a row as the preview shows it.
func (c *call) importRow(p *importRows, j *importJob, at int, columns []int) importRow {
	from, is := j.plan.Table.Rows[at], j.report.Rows[at]
	tone := rowTones[is.Fate]
	r := importRow{Number: from.Number, Tone: tone.tone, Fate: c.t(tone.will), Remark: c.retold(j.plan.Kind, is.Changes, is.Tells), Faults: c.eachFault(is.Faults)}
	if p.Over {
		r.Fate = c.t(tone.was)
	}
	if is.ID != 0 {
		r.Href = j.section.recordPath(is.ID)
	}
	for _, column := range columns {
		f := j.plan.Fields[column]
		cell := importCell{Text: brief(strings.TrimSpace(from.Cells[column])), Name: f == j.plan.Kind.Field(j.section.lead)}
		if f.Secret && cell.Text != "" {
			cell.Text = "••••••"
		}
		for _, wrong := range is.Wrong {
			cell.Wrong = cell.Wrong || wrong == column
		}
		r.Cells = append(r.Cells, cell)
	}
	return r
}
