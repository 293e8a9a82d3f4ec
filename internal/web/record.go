package web

import (
	"strconv"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// A recordPage is what the page of a record shows.
type recordPage struct {
	ID      int64
	List    string // the path of its section
	Path    string
	Title   string // of the section
	Name    string
	State   cell
	Facts   []facts
	Texts   []fact // of several lines
	Parts   []part
	Lists   []relatedList
	Changes []change
	History string // the path of all changes
	Change  bool   // the person may change it
	API     string // path of its document
}

// Facts are a part of a record's fields.
type facts struct {
	Title string
	Items []fact
}

// A fact is the value of a field, with its name.
type fact struct {
	Name  string // of the field
	Label string
	Cell  cell
	Set   bool // by a person, so that no report changes it
}

// A part is a nested collection of a record.
type part struct {
	Title string
	Heads []string
	Rows  [][]cell
}

// A relatedList is the beginning of a list that belongs to a record.
type relatedList struct {
	Title string
	Total int
	Rows  []row
}

// A change is an audit record as the pages of others tell it.
type change struct {
	Text string
	Who  string
	When *moment
}

// show shows one record.
func (s *section) show(c *call) (*answer, error) {
	id, err := c.id(s.kind)
	if err != nil {
		return nil, err
	}
	rec, err := c.web.Desk.Get(c.Context(), c.who(), s.kind, id)
	if err != nil {
		return nil, err
	}
	p := s.newRecordPage(c, rec)
	if p.Lists, err = s.related(c, id); err != nil {
		return nil, err
	}
	if p.Changes, err = c.changesOf(s.kind, id); err != nil {
		return nil, err
	}
	return c.show("record", page{Title: p.Name, Here: "/" + s.path, Data: p})
}

// newRecordPage returns what a record's page shows of the record itself.
func (s *section) newRecordPage(c *call, rec any) *recordPage {
	id := s.kind.Meta(rec).ID
	p := &recordPage{
		ID: id, List: "/" + s.path, Path: s.recordPath(id), Title: c.t(s.title), Name: s.name(rec), Change: s.add != "" && !c.user.ReadOnly.V,
		History: "/activity?record_type=" + s.kind.Item + "&record_id=" + strconv.FormatInt(id, 10), API: s.kind.PathOf(rec),
	}
	if s.state != "" {
		p.State = c.cell(s.kind.Values(rec), s.kind.Field(s.state))
	}
	p.Facts, p.Texts = s.factsOf(c, rec)
	p.Parts = s.parts(c, rec)
	return p
}

// factsOf returns the fields of a record in the groups of the section, and apart
// those of several lines.
func (s *section) factsOf(c *call, rec any) (groups []facts, long []fact) {
	told := map[*kind.Field]bool{}
	for _, g := range s.facts {
		group := facts{Title: c.t(g.title)}
		for _, name := range g.fields {
			f := s.kind.Field(name)
			told[f] = true
			group.Items = append(group.Items, c.fact(s.kind, f, rec))
		}
		groups = append(groups, group)
	}
	rest := facts{Title: c.t("Details")}
	for _, f := range s.kind.Fields {
		switch {
		case told[f] || !shown(f) || f.Name == s.lead && !f.Long:
		case f.Long:
			if one := c.fact(s.kind, f, rec); one.Cell.Text != "" {
				long = append(long, one)
			}
		default:
			rest.Items = append(rest.Items, c.fact(s.kind, f, rec))
		}
	}
	return append(groups, rest), long
}

// shown reports whether pages show a field as a fact.
func shown(f *kind.Field) bool {
	switch f.Type {
	case kind.Link, kind.List, kind.ID, kind.Address:
		return false
	}
	return !f.Hidden && !f.Secret
}

// fact returns the value of a field with its name.
func (c *call) fact(k *kind.Schema, f *kind.Field, rec any) fact {
	one := fact{Name: f.Name, Label: c.label(f), Cell: c.cell(k.Values(rec), f)}
	if computer, ok := rec.(*inventory.Computer); ok {
		one.Set = f.Reported && computer.Sets(f)
	}
	return one
}

// parts returns the nested collections of a record that have items.
func (s *section) parts(c *call, rec any) (parts []part) {
	v := s.kind.Values(rec)
	for _, f := range s.kind.Fields {
		if f.Type != kind.List || f.Hidden || f.Tied || f.Included {
			continue
		}
		one := part{Title: c.label(f)}
		var fields []*kind.Field
		for _, sub := range f.Items.Fields {
			if shown(sub) {
				fields = append(fields, sub)
				one.Heads = append(one.Heads, c.label(sub))
			}
		}
		for item := range v.Items(f) {
			var cells []cell
			for _, sub := range fields {
				cells = append(cells, c.cell(item, sub))
			}
			one.Rows = append(one.Rows, cells)
		}
		if f.Targets != nil {
			one.link(c, *v.Links(f))
		}
		if len(one.Rows) > 0 {
			parts = append(parts, one)
		}
	}
	return parts
}

// link makes the names of linked records lead to these.
func (p *part) link(c *call, links []kind.Linked) {
	p.Heads, p.Rows = []string{c.t("Name")}, nil
	for _, l := range links {
		one := cell{Look: "text", Text: l.Name}
		if k := inventory.Find(l.Item); k != nil {
			one = cell{Look: "link", Text: l.Name, Href: c.recordPath(k, l.ID.V)}
		}
		p.Rows = append(p.Rows, []cell{one})
	}
}

// relation returns the list of records of another section that belongs to a
// record, nil for none.
func (s *section) relation(path string) *desk.Relation {
	for _, r := range desk.Relations(s.kind) {
		if of := sectionOf(r.Kind); of != nil && of.path == path {
			return r
		}
	}
	return nil
}

// relatedRows is how many records of a list a page of another record shows.
const relatedRows = 5

// related returns the beginnings of the lists that belong to a record.
func (s *section) related(c *call, id int64) (lists []relatedList, err error) {
	for _, r := range desk.Relations(s.kind) {
		of := sectionOf(r.Kind)
		if of == nil {
			continue
		}
		q, err := r.Kind.ParseQuery("per_page="+strconv.Itoa(relatedRows), c.web.Now())
		if err != nil {
			return nil, err
		}
		found, err := c.web.Desk.ListOf(c.Context(), c.who(), desk.Place{Relation: r, ID: id}, q)
		if err != nil {
			return nil, err
		}
		list := relatedList{Title: c.t(of.title), Total: found.Total}
		for _, rec := range found.Records {
			one := row{ID: r.Kind.Meta(rec).ID, Name: of.name(rec)}
			one.Href = of.recordPath(one.ID)
			if of.state != "" {
				one.Cells = []cell{c.cell(r.Kind.Values(rec), r.Kind.Field(of.state))}
			}
			list.Rows = append(list.Rows, one)
		}
		lists = append(lists, list)
	}
	return lists, nil
}

// latestChanges is how many changes a record's page shows.
const latestChanges = 6

// changesOf returns the latest changes of a record.
func (c *call) changesOf(k *kind.Schema, id int64) (changes []change, err error) {
	if k.Chained {
		return nil, nil
	}
	q, err := inventory.Audits.ParseQuery("record_type="+k.Item+"&record_id="+strconv.FormatInt(id, 10)+
		"&sort_by=id&sort_order=DESC&per_page="+strconv.Itoa(latestChanges), c.web.Now())
	if err != nil {
		return nil, err
	}
	found, err := c.web.Desk.List(c.Context(), c.who(), inventory.Audits.Schema, q)
	for _, rec := range found.Records {
		a := rec.(*inventory.Audit)
		changes = append(changes, change{a.Message, c.doer(a), c.moment(a.CreatedAt)})
	}
	return changes, err
}

// doer returns who or what made a change.
func (c *call) doer(a *inventory.Audit) string {
	if a.User.ID != 0 || a.User.Email != "" {
		return personName(&a.User)
	}
	switch a.Origin {
	case "agent":
		return c.t("Agent")
	case "rule":
		return c.t("Rule")
	}
	return c.t("System")
}
