package imports

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"muster/internal/desk/imports"
	"muster/internal/kind"
	"muster/internal/web/activity"
	"muster/internal/web/lang"
	"muster/internal/web/page"
	"muster/internal/web/records"
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

// newImportHead returns what every page of an import shows. The import must be locked.
func newImportHead(c *page.Call, j *importJob) importHead {
	h := importHead{Job: Path + "/" + j.id, Title: c.T("Import: %s", c.T(j.section.Title)),
		Section: "/" + j.section.Path, List: c.T(j.section.Title), Fault: c.Fault(j.fault)}
	h.File = c.T("%s, %s KB", j.file, c.Number((j.size+1023)/1024))
	h.Step = map[stage]int{matching: 2, checking: 3, checked: 3, writing: 4, written: 5}[j.stage]
	return h
}

// Show shows how far an import is.
func (all *Jobs) Show(c *page.Call) (*page.Answer, error) {
	j, err := all.jobOf(c)
	if err != nil {
		return nil, err
	}
	j.mu.Lock()
	stage, fault := j.stage, j.fault
	j.mu.Unlock()
	if stage == matching {
		return columnsPage(c, j, http.StatusOK, c.Fault(fault))
	}
	return rowsPage(c, j)
}

// An importColumns is what the page shows on which columns are matched.
type importColumns struct {
	importHead
	Columns []importColumn
	Keys    []records.Option
	Number  string // what people call a key that the file has and nobody has chosen, "" for none
	Clear   bool
	Rows    int
}

// An importColumn is a column of the file, with some of its values.
type importColumn struct {
	ID, Name string
	Sample   string
	Fields   []records.Option
}

// columnsPage shows the page on which columns are matched.
func columnsPage(c *page.Call, j *importJob, status int, fault string) (*page.Answer, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	p := importColumns{importHead: newImportHead(c, j), Clear: j.plan.Clear, Rows: len(j.plan.Table.Rows)}
	p.Fault = fault
	for at, name := range j.plan.Table.Columns {
		col := importColumn{ID: "column." + strconv.Itoa(at), Name: name, Sample: sample(&j.plan, at)}
		for _, f := range imports.Fields(j.plan.Kind) {
			col.Fields = append(col.Fields,
				records.Option{Value: imports.Name(j.plan.Kind, f), Label: columnLabel(c.Locale, j.plan.Kind, f),
					Chosen: f == j.plan.Fields[at]})
		}
		p.Columns = append(p.Columns, col)
	}
	if number := imports.NumberKey(j.plan.Fields); number != "" && j.key == "" {
		p.Number = c.Label(j.plan.Kind.Field(number))
	}
	var usual string
	for _, key := range imports.Keys(j.plan.Kind) {
		label, err := keyLabel(c, j.plan.Kind, key)
		switch {
		case err != nil:
			return nil, err
		case !slices.Contains(imports.UsualKeys(j.plan.Kind), key):
		case usual == "":
			usual = label
		default:
			usual = c.T("%s, or else %s", usual, label)
		}
		p.Keys = append(p.Keys, records.Option{Value: key, Label: label, Chosen: key == j.key})
	}
	if usual != "" {
		p.Keys = slices.Insert(p.Keys, 0,
			records.Option{Value: usualKey, Label: c.T("%s, as in the file", usual), Chosen: j.key == usualKey})
	}
	return &page.Answer{
		Status: status, Template: "import-columns", Page: page.Page{Title: p.Title, Here: p.Section, Data: p},
	}, nil
}

// keyLabel returns what people call the fields of a key.
func keyLabel(c *page.Call, k *kind.Schema, key string) (string, error) {
	fields, err := imports.KeyFields(k, key)
	var labels []string
	for _, f := range fields {
		labels = append(labels, c.Label(f))
	}
	return strings.Join(labels, " + "), err
}

// columnLabel returns what people call a field that a column can be: of a part with
// what that is.
func columnLabel(t *lang.Locale, k *kind.Schema, f *kind.Field) string {
	if list := imports.PartsOf(k, f); list != nil {
		return lang.Capital(t.T(list.Items.Noun)) + ": " + t.Label(f)
	}
	return t.Label(f)
}

// sampleValues is how many values of a column are shown.
const sampleValues = 3

// sample returns the first values of a column, none of a secret.
func sample(i *imports.Import, column int) string {
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
	Tabs       []records.ViewTab
	Heads      []string
	Shown      []importRow
	Pager      page.Pager
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

// Limits of the preview: the rows of a page, unless the person chooses another number,
// and the columns.
const (
	previewRows    = 100
	previewColumns = 8
)

// rowTones are the words and looks of what becomes of rows: before they are written, and after.
var rowTones = [...]struct{ will, was, tab, tone string }{
	imports.RowNew:     {lang.Msg("New"), lang.Msg("Added"), lang.Msg("New"), "good"},
	imports.RowChanged: {lang.Msg("Change"), lang.Msg("Changed"), lang.Msg("Changes"), "info half"},
	imports.RowSame:    {lang.Msg("Same"), lang.Msg("Same"), lang.Msg("Same"), "ring"},
	imports.RowRefused: {lang.Msg("Problem"), lang.Msg("Refused"), lang.Msg("Problems"), "bad"},
	imports.RowLeft:    {lang.Msg("Not written"), lang.Msg("Not written"), lang.Msg("Not written"), "warn"},
}

// rowsPage shows how far the server is, or what becomes of the rows.
func rowsPage(c *page.Call, j *importJob) (*page.Answer, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	p := importRows{
		importHead: newImportHead(c, j), Running: j.stage.runs(), What: c.T("Checking rows"), Done: j.done,
		Rows: len(j.plan.Table.Rows),
		Over: j.stage == written,
	}
	if j.stage == writing {
		p.What = c.T("Writing rows")
	}
	if !p.Running && j.report != nil {
		at := fillRows(c, &p, j)
		if a := c.LastPage(at, len(p.Shown)); a != nil {
			return a, nil
		}
	}
	var scripts []string
	if p.Running {
		scripts = []string{"import.js"}
	}
	return c.Show("import-rows", page.Page{Title: p.Title, Here: p.Section, Scripts: scripts, Data: p})
}

// fillRows fills the page with what becomes of the rows of an import, and returns which
// page of rows is asked for. The import must be locked.
func fillRows(c *page.Call, p *importRows, j *importJob) kind.Position {
	count := j.report.Count
	p.Refused, p.Left, p.Good = count[imports.RowRefused], count[imports.RowLeft],
		count[imports.RowNew]+count[imports.RowChanged]
	p.Whole = p.Refused == 0 && p.Rows <= imports.MaxWhole
	if p.Over {
		p.Summary = c.T("%s added, %s changed, %s the same, %s refused, %s not written",
			c.Number(count[imports.RowNew]), c.Number(count[imports.RowChanged]),
			c.Number(count[imports.RowSame]), c.Number(p.Refused), c.Number(p.Left))
	}
	show := c.URL.Query().Get("show")
	p.Tabs = []records.ViewTab{{Title: c.T("All"), Href: p.Job, Total: p.Rows, Current: show == ""}}
	for fate, tone := range rowTones {
		name := strconv.Itoa(fate)
		if count[fate] > 0 || imports.RowFate(fate) == imports.RowRefused {
			p.Tabs = append(p.Tabs, records.ViewTab{
				Title: c.T(tone.tab), Href: p.Job + "?show=" + name, Total: count[fate], Current: show == name,
			})
		}
	}
	columns := shownColumns(&j.plan)
	for _, at := range columns {
		p.Heads = append(p.Heads, columnLabel(c.Locale, j.plan.Kind, j.plan.Fields[at]))
	}
	var rows []int
	for at := range j.report.Rows {
		if show == "" || show == strconv.Itoa(int(j.report.Rows[at].Fate)) {
			rows = append(rows, at)
		}
	}
	at := kind.Position{Total: len(rows)}
	at.Number, at.PerPage = c.Place(previewRows)
	from := min((at.Number-1)*at.PerPage, len(rows))
	for _, row := range rows[from:min(from+at.PerPage, len(rows))] {
		p.Shown = append(p.Shown, newImportRow(c, p, j, row, columns))
	}
	p.Pager = c.NewPager(at, p.Job, page.Without(c.URL.Query(), "page"))
	return at
}

// shownColumns returns the columns that the preview shows.
func shownColumns(i *imports.Import) (columns []int) {
	for at, f := range i.Fields {
		if f != nil && len(columns) < previewColumns {
			columns = append(columns, at)
		}
	}
	return columns
}

// newImportRow returns a row as the preview shows it.
func newImportRow(c *page.Call, p *importRows, j *importJob, at int, columns []int) importRow {
	from, is := j.plan.Table.Rows[at], j.report.Rows[at]
	tone := rowTones[is.Fate]
	r := importRow{Number: from.Number, Tone: tone.tone, Fate: c.T(tone.will), Remark: activity.TranslateChanges(c,
		j.plan.Kind, is.Changes, is.Says), Faults: c.EachFault(is.Faults)}
	if p.Over {
		r.Fate = c.T(tone.was)
	}
	if is.ID != 0 {
		r.Href = j.section.RecordPath(is.ID)
	}
	for _, column := range columns {
		f := j.plan.Fields[column]
		cell := importCell{
			Text: brief(strings.TrimSpace(from.Cells[column])), Name: f == j.plan.Kind.Field(j.section.Lead),
		}
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
