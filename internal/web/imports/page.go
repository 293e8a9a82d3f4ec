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

// newImportHead returns what every page of an import shows.
func newImportHead(c *page.Call, st *imports.State) importHead {
	section := records.SectionOf(c.App, st.Kind)
	h := importHead{Job: pathOf(st.ID), Title: c.T("Import: %s", c.T(section.Title)),
		Section: "/" + section.Path, List: c.T(section.Title), Fault: c.Fault(st.Fault)}
	h.File = c.T("%s, %s KB", st.File, c.Number((st.Size+1023)/1024))
	h.Step = map[imports.Stage]int{imports.Matching: 2, imports.Checking: 3, imports.Checked: 3, imports.Writes: 4,
		imports.Written: 5, imports.TakingBack: 5, imports.TakenBack: 5}[st.Stage]
	return h
}

// Show shows how far an import is.
func Show(c *page.Call) (*page.Answer, error) {
	st, err := stateOf(c)
	if err != nil {
		return nil, err
	}
	if st.Stage == imports.Matching {
		return columnsPage(c, st, http.StatusOK, c.Fault(st.Fault))
	}
	return rowsPage(c, st)
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
func columnsPage(c *page.Call, st *imports.State, status int, fault string) (*page.Answer, error) {
	choice := st.Choice
	choice.Key = "" // one that the person has chosen may be none
	plan, err := c.App.Imports.Plan(c.Context(), st.ID, st.Kind, choice, c.Writing())
	if err != nil {
		return nil, err
	}
	p := importColumns{importHead: newImportHead(c, st), Clear: st.Choice.Clear, Rows: st.Rows}
	p.Fault = fault
	for at, name := range plan.Table.Columns {
		col := importColumn{ID: "column." + strconv.Itoa(at), Name: name, Sample: sample(plan, at)}
		for _, f := range imports.Fields(st.Kind) {
			col.Fields = append(col.Fields,
				records.Option{Value: imports.Name(st.Kind, f), Label: columnLabel(c.Locale, st.Kind, f),
					Chosen: f == plan.Fields[at]})
		}
		p.Columns = append(p.Columns, col)
	}
	if number := imports.NumberKey(plan.Fields); number != "" && st.Choice.Chosen == "" {
		p.Number = c.Label(st.Kind.Field(number))
	}
	var usual string
	for _, key := range imports.Keys(st.Kind) {
		label, err := keyLabel(c, st.Kind, key)
		switch {
		case err != nil:
			return nil, err
		case !slices.Contains(imports.UsualKeys(st.Kind), key):
		case usual == "":
			usual = label
		default:
			usual = c.T("%s, or else %s", usual, label)
		}
		p.Keys = append(p.Keys, records.Option{Value: key, Label: label, Chosen: key == st.Choice.Chosen})
	}
	if usual != "" {
		p.Keys = slices.Insert(p.Keys, 0,
			records.Option{Value: usualKey, Label: c.T("%s, as in the file", usual), Chosen: st.Choice.Chosen == usualKey})
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
		if text := strings.TrimSpace(row.Cell(column)); text != "" && len(values) < sampleValues {
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
	Stoppable  bool   // it can be stopped
	Writes     bool   // what is written is taken back then
	What       string // the server does
	Done, Rows int
	Tabs       []records.ViewTab
	Heads      []string
	Shown      []importRow
	Pager      page.Pager
	Refused    int
	Left       int
	Stay       int  // rows that were not taken back
	Good       int  // rows that are or were written
	Whole      bool // all or nothing is possible
	Over       bool // it is done
	Warns      bool // not all of it went well
	Undoable   bool
	Until      *page.Moment // when it can no longer be undone
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
	imports.RowBack:    {lang.Msg("Taken back"), lang.Msg("Taken back"), lang.Msg("Taken back"), "ring"},
	imports.RowStays:   {lang.Msg("Stays"), lang.Msg("Stays"), lang.Msg("Stay"), "warn"},
	imports.RowGone:    {lang.Msg("Deleted since"), lang.Msg("Deleted since"), lang.Msg("Deleted since"), "ring"},
}

// What the server does at the stages at which it is at work.
var atWork = map[imports.Stage]string{
	imports.Checking:   lang.Msg("Checking rows"),
	imports.Writes:     lang.Msg("Writing rows"),
	imports.TakingBack: lang.Msg("Taking the import back"),
}

// rowsPage shows how far the server is, or what becomes of the rows.
func rowsPage(c *page.Call, st *imports.State) (*page.Answer, error) {
	p := importRows{importHead: newImportHead(c, st), Running: st.Stage.Runs(), Done: st.Done, Rows: st.Total,
		Over: st.Stage >= imports.Written, Undoable: st.Undoable}
	if p.Running {
		p.What, p.Stoppable = c.T(atWork[st.Stage]), st.Stage != imports.TakingBack
		p.Writes = st.Stage == imports.Writes
		return c.Show("import-rows",
			page.Page{Title: p.Title, Here: p.Section, Scripts: []string{"import.js"}, Data: p})
	}
	at, err := fillRows(c, &p, st)
	if err != nil {
		return nil, err
	}
	if a := c.LastPage(at, len(p.Shown)); a != nil {
		return a, nil
	}
	return c.Show("import-rows", page.Page{Title: p.Title, Here: p.Section, Data: p})
}

// fillRows fills the page with what becomes of the rows of an import, and returns which
// page of rows is asked for.
func fillRows(c *page.Call, p *importRows, st *imports.State) (at kind.Position, err error) {
	count := st.Count
	p.Refused, p.Left, p.Stay = count[imports.RowRefused], count[imports.RowLeft], count[imports.RowStays]
	p.Good, p.Rows = count[imports.RowNew]+count[imports.RowChanged], st.Rows
	p.Whole, p.Warns = p.Refused == 0, p.Refused+p.Left+p.Stay > 0 || st.Broken
	p.Summary = summary(c, st)
	if st.Undoable {
		p.Until = c.Moment(st.Until)
	}
	fate := p.tabs(c, st)
	plan, err := c.App.Imports.Plan(c.Context(), st.ID, st.Kind, st.Choice, c.Writing())
	if err != nil {
		return at, err
	}
	columns := shownColumns(plan)
	for _, column := range columns {
		p.Heads = append(p.Heads, columnLabel(c.Locale, st.Kind, plan.Fields[column]))
	}
	at.Total = st.Rows
	if fate != nil {
		at.Total = count[*fate]
	}
	at.Number, at.PerPage = c.Place(previewRows)
	rows, err := c.App.Imports.Rows(c.Context(), st, fate, (at.Number-1)*at.PerPage, at.PerPage)
	for _, row := range rows {
		p.Shown = append(p.Shown, newImportRow(c, st, plan, row, columns))
	}
	p.Pager = c.NewPager(at, p.Job, page.Without(c.URL.Query(), "page"))
	return at, err
}

// summary says what has become of an import that is done.
func summary(c *page.Call, st *imports.State) string {
	count := st.Count
	switch st.Stage {
	case imports.Written:
		return c.T("%s added, %s changed, %s the same, %s refused, %s not written",
			c.Number(count[imports.RowNew]), c.Number(count[imports.RowChanged]),
			c.Number(count[imports.RowSame]), c.Number(count[imports.RowRefused]), c.Number(count[imports.RowLeft]))
	case imports.TakenBack:
		said := c.T("%s taken back, %s stay, since somebody has changed or used them meanwhile",
			c.TN(count[imports.RowBack], "%s row", "%s rows"), c.Number(count[imports.RowStays]))
		if n := count[imports.RowGone]; n > 0 {
			said += "; " + c.TN(n, "the record of %s row had been deleted by others", "the records of %s rows had been deleted by others")
		}
		if n := count[imports.RowNew] + count[imports.RowChanged]; n > 0 {
			said += "; " + c.TN(n, "%s row is not taken back yet", "%s rows are not taken back yet")
		}
		return said
	}
	return ""
}

// tabs fills the tabs, and returns the fate of the rows that are asked for, nil for all.
func (p *importRows) tabs(c *page.Call, st *imports.State) (chosen *imports.RowFate) {
	show := c.URL.Query().Get("show")
	p.Tabs = []records.ViewTab{{Title: c.T("All"), Href: p.Job, Total: st.Rows}}
	for at, tone := range rowTones {
		fate, name := imports.RowFate(at), strconv.Itoa(at)
		if show == name {
			chosen = &fate
		}
		if st.Count[fate] > 0 || fate == imports.RowRefused {
			p.Tabs = append(p.Tabs, records.ViewTab{
				Title: c.T(tone.tab), Href: p.Job + "?show=" + name, Total: st.Count[fate], Current: show == name,
			})
		}
	}
	p.Tabs[0].Current = chosen == nil
	return chosen
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
func newImportRow(c *page.Call, st *imports.State, plan *imports.Import, is imports.Place, columns []int) importRow {
	from, tone, section := plan.Table.Rows[is.At], rowTones[is.Fate], records.SectionOf(c.App, st.Kind)
	r := importRow{Number: from.Number, Tone: tone.tone, Fate: c.T(tone.will), Remark: activity.TranslateChanges(c,
		st.Kind, is.Changes, is.Says), Faults: c.EachFault(is.Faults)}
	if st.Stage >= imports.Written {
		r.Fate = c.T(tone.was)
	}
	removed := is.Fate == imports.RowGone || is.Fate == imports.RowBack && is.Made
	if is.ID != 0 && !removed {
		r.Href = section.RecordPath(is.ID)
	}
	for _, column := range columns {
		f := plan.Fields[column]
		cell := importCell{Text: brief(strings.TrimSpace(from.Cell(column))), Wrong: slices.Contains(is.Wrong, column),
			Name: f == st.Kind.Field(section.Lead)}
		if f.Secret && cell.Text != "" {
			cell.Text = "••••••"
		}
		r.Cells = append(r.Cells, cell)
	}
	return r
}
