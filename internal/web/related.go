package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"muster/internal/desk"
	"muster/internal/door"
	"muster/internal/kind"
	"muster/internal/message"
)

// A related is a list that belongs to a record: that of a relation, or one that a
// query of another section finds.
type related struct {
	of       *section
	title    string
	path     string         // below the record, of a relation
	relation *desk.Relation // nil for a query
	query    url.Values
}

// relations returns the lists of the records of a section that have addresses of
// their own.
func (s *section) relations(c *call) (all []related) {
	for _, r := range desk.Relations(s.kind) {
		if of := sectionOf(r.Kind); of != nil {
			all = append(all, related{of: of, title: of.title, path: of.path, relation: r})
		}
	}
	if s.special.relations != nil {
		all = append(all, s.special.relations(c)...)
	}
	return all
}

// relatedTo returns all lists that belong to a record and that the person may
// see.
func (s *section) relatedTo(c *call, rec any) (all []related) {
	all = s.relations(c)
	if s.special.related != nil {
		all = s.special.related(c, s, rec, all)
	}
	return slices.DeleteFunc(all, func(r related) bool { return !r.of.access.admits(c.user) })
}

// page returns a page of the list.
func (r related) page(c *call, id int64, asked url.Values) (kind.Page, error) {
	values := without(asked)
	for name, given := range r.query {
		values[name] = given
	}
	q, err := r.of.query(c, values)
	if err != nil {
		return kind.Page{}, err
	}
	if r.relation == nil {
		return c.web.Desk.List(c.Context(), c.who(), r.of.kind, q)
	}
	return c.web.Desk.ListOf(c.Context(), c.who(), desk.Place{Relation: r.relation, ID: id}, q)
}

// href returns where the whole list is.
func (r related) href(record string) string {
	if r.relation == nil {
		return address("/"+r.of.path, r.query)
	}
	return record + "/" + r.path
}

// relatedRows is how many records of a list a page of another record shows.
const relatedRows = 5

// related returns the beginnings of the lists that belong to a record.
func (s *section) related(c *call, rec any) (lists []relatedList, err error) {
	id := s.kind.Meta(rec).ID
	for _, r := range s.relatedTo(c, rec) {
		found, err := r.page(c, id, url.Values{"per_page": {strconv.Itoa(relatedRows)}})
		if err != nil {
			return nil, err
		}
		list := relatedList{Title: c.t(r.title), Total: found.Total}
		if s.hasPage(c, r) {
			list.Href = r.href(s.recordPath(id))
		}
		for _, rec := range found.Records {
			one := row{ID: r.of.kind.Meta(rec).ID, Name: r.of.name(rec)}
			one.Href = r.of.recordPath(one.ID)
			if v := r.of.kind.Field("version"); v != nil {
				one.Cells = append(one.Cells, c.cell(r.of.kind.Values(rec), v))
			}
			if r.of.state != "" {
				one.Cells = append(one.Cells, c.cell(r.of.kind.Values(rec), r.of.kind.Field(r.of.state)))
			}
			list.Rows = append(list.Rows, one)
		}
		lists = append(lists, list)
	}
	return lists, nil
}

// hasPage reports whether a list has a page.
func (s *section) hasPage(c *call, r related) bool {
	return r.relation == nil || c.web.router.Has("/"+s.path+"/{id}/"+r.path)
}

// A relationPage is what the page of a whole list shows that belongs to a record.
type relationPage struct {
	List, Section string // path and title of the section
	Path, Name    string // of the record
	Title         string
	Icon          string
	Total         int
	Long          bool // names are sentences, which need the room
	Heads         []head
	Rows          []row
	Pager         pager
}

// relationRoutes are the pages of lists that belong to records.
func (w *Web) relationRoutes(s *section) {
	for _, r := range s.relations(nil) {
		w.route("/"+s.path+"/{id}/"+r.path, s.access, verbs{"GET": func(c *call) (*answer, error) { return s.showRelation(c, r.path) }})
	}
}

// showRelation shows a page of a list that belongs to a record.
func (s *section) showRelation(c *call, path string) (*answer, error) {
	rec, err := s.get(c)
	if err != nil {
		return nil, err
	}
	id := s.kind.Meta(rec).ID
	all := s.relatedTo(c, rec)
	at := slices.IndexFunc(all, func(r related) bool { return r.relation != nil && r.path == path })
	if at < 0 {
		return nil, door.Fault(http.StatusNotFound, "the %s %d has no such list", message.Word(s.kind.Noun), id)
	}
	r, asked := all[at], url.Values{}
	for _, name := range []string{"page", "per_page", "after"} {
		if given := c.URL.Query()[name]; given != nil {
			asked[name] = given
		}
	}
	found, err := r.page(c, id, asked)
	if err != nil {
		return nil, err
	}
	if a := c.lastPage(found.Position, len(found.Records)); a != nil {
		return a, nil
	}
	p := relationPage{
		List: "/" + s.path, Section: c.t(s.title), Path: s.recordPath(id), Name: s.name(rec), Title: c.t(r.title), Icon: r.of.icon, Total: found.Total, Long: !r.of.shortName,
		Rows: r.rows(c, found.Records), Pager: c.newPager(found.Position, r.href(s.recordPath(id)), without(asked, "page", "after")),
	}
	for _, col := range r.of.columns {
		p.Heads = append(p.Heads, head{Title: c.label(r.of.kind.Field(col.field)), Class: col.class})
	}
	return c.show("relation", page{Title: p.Title + " · " + p.Name, Here: "/" + s.path, Data: p})
}

// rows returns the records of a list that belongs to another record.
func (r related) rows(c *call, records []any) (rows []row) {
	for _, rec := range records {
		one := row{ID: r.of.kind.Meta(rec).ID, Name: r.of.name(rec)}
		one.Href = r.of.recordPath(one.ID)
		for _, col := range r.of.columns {
			value := r.of.cellOf(c, r.of.kind.Values(rec), r.of.kind.Field(col.field))
			if col.field == r.of.lead {
				value = cell{Look: "name", Text: one.Name, Href: one.Href}
			}
			value.Class = col.class
			one.Cells = append(one.Cells, value)
		}
		rows = append(rows, one)
	}
	return rows
}
