package web

import (
	"net/url"
	"slices"
	"strconv"

	"muster/internal/kind"
)

// defaultRows is how many rows a list has when the person has not chosen.
const defaultRows = 50

// rowChoices are the numbers of rows that a list offers.
var rowChoices = []int{25, 50, 100, 250}

// A listPage is what the page of a list shows.
type listPage struct {
	Icon   string
	Title  string
	Path   string
	Total  int
	Views  []viewTab
	Query  url.Values // of the list, without the page
	Search string
	Chips  []chip
	More   []filterChoice // filters that can be added
	Heads  []head
	Rows   []row
	Pager  pager
	Rest   []pair // of the query, for forms that change another part of it
	Add    string // on the button that makes a record, "" for none
	Narrow bool   // something limits the list
}

// A pair is a parameter of an address.
type pair struct{ Name, Value string }

// A viewTab is a view with its total.
type viewTab struct {
	Title   string
	Href    string
	Total   int
	Current bool
}

// A head is the head of a column.
type head struct {
	Title string
	Class string
	Href  string // that sorts by it, "" where lists cannot be
	Sort  string // ascending or descending, "" when the list is not sorted by it
}

// A row is one record of a list.
type row struct {
	ID    int64
	Name  string
	Href  string
	Cells []cell
}

// list shows a page of a section's records.
func (s *section) list(c *call) (*answer, error) {
	values := s.tidy(c.URL.Query())
	q, err := s.query(c, values)
	if err != nil {
		return nil, err
	}
	found, err := c.web.Desk.List(c.Context(), c.who(), s.kind, q)
	if err != nil {
		return nil, err
	}
	rest := without(values, "page", "after")
	p := listPage{
		Icon: s.icon, Title: c.t(s.title), Path: "/" + s.path, Total: found.Total, Query: rest, Search: values.Get("q"),
		Heads: s.heads(c, q, rest), Rows: s.rows(c, found.Records), Pager: newPager(found.Position, "/"+s.path, rest), Narrow: q.Search != nil || len(q.Conds) > 0,
		Rest: pairs(without(values, "page", "after", "q")),
	}
	if !c.user.ReadOnly.V && s.add != "" {
		p.Add = c.t(s.add)
	}
	if p.Views, err = s.tabs(c, rest, found.Total); err != nil {
		return nil, err
	}
	if p.Chips, err = s.chips(c, q, rest, c.URL.Query().Get("add")); err != nil {
		return nil, err
	}
	p.More = s.moreFilters(c, rest)
	return c.show("list", page{Title: p.Title, Here: p.Path, Data: p})
}

// query reads what the address of a list asks for.
func (s *section) query(c *call, values url.Values) (*kind.Query, error) {
	values = without(values, "add")
	if !values.Has("sort_by") && s.sort != "" && !values.Has("after") {
		defaults, err := url.ParseQuery(s.sort)
		if err != nil {
			panic(err) // it is declared above
		}
		for name, given := range defaults {
			values[name] = given
		}
	}
	q, err := s.kind.ParseQuery(values.Encode(), c.web.Now())
	if err == nil && !q.Sized {
		q.PerPage = defaultRows
	}
	return q, err
}

// tidy leaves out what a form sends without a value and what means nothing then.
// A value that lists can be counted by may be empty: it asks for records without
// one.
func (s *section) tidy(values url.Values) url.Values {
	out := url.Values{}
	for name, given := range values {
		f := s.filter(name)
		for _, value := range given {
			if value != "" || f != nil && f.Field.Countable() && !f.Field.Rare {
				out.Add(name, value)
			}
		}
	}
	return out
}

// filter returns the filter of a parameter, nil for none.
func (s *section) filter(param string) *kind.Filter {
	i := slices.IndexFunc(s.kind.Filters, func(f *kind.Filter) bool { return f.Param == param })
	if i < 0 {
		return nil
	}
	return s.kind.Filters[i]
}

// without returns a query without some parameters.
func without(values url.Values, names ...string) url.Values {
	out := url.Values{}
	for name, given := range values {
		if !slices.Contains(names, name) {
			out[name] = given
		}
	}
	return out
}

// with returns a query with one parameter set.
func with(values url.Values, name string, given ...string) url.Values {
	out := without(values, name)
	if len(given) > 0 {
		out[name] = given
	}
	return out
}

// address returns a path with a query.
func address(path string, values url.Values) string {
	if len(values) == 0 {
		return path
	}
	return path + "?" + values.Encode()
}

// pairs returns the parameters of a query in a fixed order.
func pairs(values url.Values) (all []pair) {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range values[name] {
			all = append(all, pair{name, value})
		}
	}
	return all
}

// heads returns the heads of the columns.
func (s *section) heads(c *call, q *kind.Query, values url.Values) (heads []head) {
	for _, col := range s.columns {
		f := s.kind.Field(col.field)
		h := head{Title: c.label(f), Class: col.class}
		if f.Sortable() {
			order := "ASC"
			if q.Sort == f {
				h.Sort = "ascending"
				if q.Desc {
					h.Sort = "descending"
				} else {
					order = "DESC"
				}
			}
			h.Href = address("/"+s.path, with(with(values, "sort_by", f.Column()), "sort_order", order))
		}
		heads = append(heads, h)
	}
	return heads
}

// rows returns records as a list shows them.
func (s *section) rows(c *call, records []any) []row {
	rows := make([]row, 0, len(records))
	for _, rec := range records {
		r := row{ID: s.kind.Meta(rec).ID, Name: s.name(rec)}
		r.Href = s.recordPath(r.ID)
		for _, col := range s.columns {
			one := c.cell(s.kind.Values(rec), s.kind.Field(col.field))
			one.Class = col.class
			if col.field == s.lead {
				one.Look, one.Text, one.Href = "name", r.Name, r.Href
			}
			r.Cells = append(r.Cells, one)
		}
		rows = append(rows, r)
	}
	return rows
}

// name returns what a record is called.
func (s *section) name(rec any) string {
	if name := s.kind.Values(rec).Format(s.kind.Field(s.lead)); name != "" {
		return name
	}
	return s.kind.Noun + " " + strconv.FormatInt(s.kind.Meta(rec).ID, 10)
}

// tabs returns the views of a section with their totals.
func (s *section) tabs(c *call, values url.Values, total int) (tabs []viewTab, err error) {
	now := without(values, "sort_by", "sort_order", "per_page", "add").Encode()
	for _, v := range s.views {
		wanted, err := url.ParseQuery(v.query)
		if err != nil {
			panic(err) // it is declared
		}
		tab := viewTab{Title: c.t(v.title), Href: address("/"+s.path, wanted), Current: wanted.Encode() == now, Total: total}
		if !tab.Current {
			if tab.Total, err = s.total(c, wanted); err != nil {
				return nil, err
			}
		}
		tabs = append(tabs, tab)
	}
	return tabs, nil
}

// total returns how many records match a query.
func (s *section) total(c *call, values url.Values) (int, error) {
	q, err := s.query(c, values)
	if err != nil {
		return 0, err
	}
	return c.web.Desk.Total(c.Context(), c.who(), s.kind, q)
}
