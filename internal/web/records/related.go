package records

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"muster/internal/desk"
	"muster/internal/front"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/web/page"
)

// A Related is a list that belongs to a record: that of a relation, or one that a
// query of another section finds.
type Related struct {
	Of       *Section
	Title    string
	Path     string         // below the record, of a relation
	Relation *desk.Relation // nil for a query
	Query    url.Values
}

// Relations returns the lists of the records of a section that have addresses of
// their own.
func (s *Section) Relations(w *page.App) (all []Related) {
	for _, r := range desk.Relations(s.Kind) {
		if of := SectionOf(w, r.Kind); of != nil {
			all = append(all, Related{Of: of, Title: of.Title, Path: of.Path, Relation: r})
		}
	}
	if s.Special.Relations != nil {
		all = append(all, s.Special.Relations(w)...)
	}
	return all
}

// relatedTo returns all lists that belong to a record and that the person may
// see.
func (s *Section) relatedTo(c *page.Call, rec any) (all []Related) {
	all = s.Relations(c.App)
	if s.Special.Related != nil {
		all = s.Special.Related(c, s, rec, all)
	}
	return slices.DeleteFunc(all, func(r Related) bool { return !r.Of.Access.Allows(c.User) })
}

// page returns a page of the list.
func (r Related) page(c *page.Call, id int64, asked url.Values) (kind.Page, error) {
	values := page.Without(asked)
	for name, given := range r.Query {
		values[name] = given
	}
	q, err := r.Of.Query(c, values)
	if err != nil {
		return kind.Page{}, err
	}
	if r.Relation == nil {
		return c.App.Desk.List(c.Context(), c.Who(), r.Of.Kind, q)
	}
	return c.App.Desk.ListOf(c.Context(), c.Who(), desk.Place{Relation: r.Relation, ID: id}, q)
}

// href returns where the whole list is.
func (r Related) href(record string) string {
	if r.Relation == nil {
		return page.Address("/"+r.Of.Path, r.Query)
	}
	return record + "/" + r.Path
}

// RelatedRows is how many records of a list a page of another record shows.
const RelatedRows = 5

// Related returns the beginnings of the lists that belong to a record.
func (s *Section) Related(c *page.Call, rec any) (lists []RelatedList, err error) {
	id := s.Kind.Meta(rec).ID
	for _, r := range s.relatedTo(c, rec) {
		found, err := r.page(c, id, url.Values{"per_page": {strconv.Itoa(RelatedRows)}})
		if err != nil {
			return nil, err
		}
		list := RelatedList{Title: c.T(r.Title), Total: found.Total}
		if s.hasPage(c, r) {
			list.Href = r.href(s.RecordPath(id))
		}
		for _, rec := range found.Records {
			one := Row{ID: r.Of.Kind.Meta(rec).ID, Name: r.Of.Name(rec)}
			one.Href = r.Of.RecordPath(one.ID)
			if v := r.Of.Kind.Field("version"); v != nil {
				one.Cells = append(one.Cells, c.Cell(r.Of.Kind.Values(rec), v))
			}
			if r.Of.State != "" {
				one.Cells = append(one.Cells, c.Cell(r.Of.Kind.Values(rec), r.Of.Kind.Field(r.Of.State)))
			}
			list.Rows = append(list.Rows, one)
		}
		lists = append(lists, list)
	}
	return lists, nil
}

// hasPage reports whether a list has a page.
func (s *Section) hasPage(c *page.Call, r Related) bool {
	return r.Relation == nil || c.App.Router.Has("/"+s.Path+"/{id}/"+r.Path)
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
	Rows          []Row
	Pager         page.Pager
}

// ShowRelation shows a page of a list that belongs to a record.
func (s *Section) ShowRelation(c *page.Call, path string) (*page.Answer, error) {
	rec, err := s.Get(c)
	if err != nil {
		return nil, err
	}
	id := s.Kind.Meta(rec).ID
	all := s.relatedTo(c, rec)
	at := slices.IndexFunc(all, func(r Related) bool { return r.Relation != nil && r.Path == path })
	if at < 0 {
		return nil, front.Fault(http.StatusNotFound, "the %s %d has no such list", message.Word(s.Kind.Noun), id)
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
	if a := c.LastPage(found.Position, len(found.Records)); a != nil {
		return a, nil
	}
	p := relationPage{
		List: "/" + s.Path, Section: c.T(s.Title), Path: s.RecordPath(id), Name: s.Name(rec), Title: c.T(r.Title),
		Icon: r.Of.Icon, Total: found.Total, Long: !r.Of.ShortName,
		Rows:  r.rows(c, found.Records),
		Pager: c.NewPager(found.Position, r.href(s.RecordPath(id)), page.Without(asked, "page", "after")),
	}
	for _, col := range r.Of.Columns {
		p.Heads = append(p.Heads, head{Title: c.Label(r.Of.Kind.Field(col.Field)), Class: col.Class})
	}
	return c.Show("relation", page.Page{Title: p.Title + " · " + p.Name, Here: "/" + s.Path, Data: p})
}

// rows returns the records of a list that belongs to another record.
func (r Related) rows(c *page.Call, records []any) (rows []Row) {
	for _, rec := range records {
		one := Row{ID: r.Of.Kind.Meta(rec).ID, Name: r.Of.Name(rec)}
		one.Href = r.Of.RecordPath(one.ID)
		for _, col := range r.Of.Columns {
			value := r.Of.CellOf(c, r.Of.Kind.Values(rec), r.Of.Kind.Field(col.Field))
			if col.Field == r.Of.Lead {
				value = page.Cell{Look: "name", Text: one.Name, Href: one.Href}
			}
			value.Class = col.Class
			one.Cells = append(one.Cells, value)
		}
		rows = append(rows, one)
	}
	return rows
}
