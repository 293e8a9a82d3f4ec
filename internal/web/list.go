package web

import (
	"html/template"
	"net/url"
	"slices"
	"strconv"

	"muster/internal/kind"
	"muster/internal/pointing"
)

// defaultRows is how many rows a list has when the person has not chosen.
const defaultRows = 50

// rowChoices are the numbers of rows that a list offers.
var rowChoices = []int{25, 50, 100, 250}

// A listPage is what the page of a list shows.
type listPage struct {
	Icon    string
	Title   string
	Path    string
	Total   int
	Of      int // how many there are without any filter, 0 when nothing limits the list
	Views   []viewTab
	View    *viewTab // the saved one that is shown, nil for none
	Save    bool     // what is shown is no view yet
	Share   bool     // the person may share views
	Query   string   // of the list, as saved views have it
	Search  string
	Chips   []chip
	Asked   *chip       // the filter that was asked for, which is open
	More    []menuGroup // filters that can be added
	Long    bool        // names are sentences, which need the room
	Heads   []head
	Rows    template.HTML // of the table, nothing when there are none
	Feed    []feedDay     // in place of a table, where records tell what was done
	Select  bool          // rows can be ticked
	Bulk    []bulkField   // what can be changed of the ticked ones
	Columns columnsForm
	Pager   pager
	Rest    []pair // of the query, for forms that change another part of it
	Add     string // on the button that makes a record, "" for none
	Remove  string // the address without the last filter, "" when nothing limits the list
	Curl    string // the same list through the API
	Trust   string // the file that curl needs to trust the server, "" for none
	CSV     string // all of it as a file
	XLSX    string
	Labels  string     // of all of it, "" where nothing can be stuck on
	Begin   *beginning // of a list without any records
}

// list shows a page of a section's records.
func (s *section) list(c *call) (*answer, error) {
	if address := c.absolute("/" + s.path); address != "" {
		return c.goTo(address)
	}
	values := s.tidy(c.URL.Query())
	q, err := s.query(c, values)
	if err != nil {
		return nil, err
	}
	found, err := c.web.Desk.List(c.Context(), c.who(), s.kind, q)
	if err != nil {
		return nil, err
	}
	if a := c.lastPage(found.Position, len(found.Records)); a != nil {
		return a, nil
	}
	p, err := s.listPage(c, q, without(values, "page", "after", "add", "find"), found)
	if err != nil {
		return nil, err
	}
	return c.show("list", page{Title: p.Title, Here: p.Path, Scripts: []string{"list.js", "form.js"}, Data: p})
}

// listPage returns what the page of found records shows; values are those of the
// list as a whole.
func (s *section) listPage(c *call, q *kind.Query, values url.Values, found kind.Page) (*listPage, error) {
	shown := s.shownColumns(c)
	if s.listColumns != nil && s.usualColumns(c) {
		shown = s.listColumns(shown, values)
	}
	p := &listPage{
		Icon: s.icon, Title: c.t(s.title), Path: "/" + s.path, Total: found.Total, Search: values.Get("q"), Long: !s.shortName,
		Heads: s.heads(c, q, values, shown), Columns: s.columnsForm(c, values, shown),
		Pager: c.newPager(found.Position, "/"+s.path, values), Rest: pairsAs(c.URL.RawQuery, without(values, "q")),
	}
	p.Select, p.Bulk = s.canSelect(c), s.bulkFields(c)
	switch {
	case len(found.Records) > 0 && s.kind.Chained:
		p.Feed = c.feed(found.Records)
	case len(found.Records) > 0:
		p.Rows = s.rows(c, found.Records, shown, listPlace{values, p.Pager.From, p.Select})
	default:
		p.Begin = s.beginning(c)
	}
	if !c.user.ReadOnly.V && s.add != "" {
		p.Add = c.t(s.add)
	}
	s.showAPI(c, p, values, q)
	return p, s.narrowing(c, p, q, values)
}

// narrowing sets the views and filters of a list.
func (s *section) narrowing(c *call, p *listPage, q *kind.Query, values url.Values) (err error) {
	if p.Views, err = s.tabs(c, values, p.Total); err != nil {
		return err
	}
	p.Query, p.Share, p.Save = encodeAs(c.URL.RawQuery, without(values, "per_page")), !c.user.ReadOnly.V, true
	for i := range p.Views {
		if p.Views[i].Current {
			p.Save = false
			if p.Views[i].Saved != nil {
				p.View = &p.Views[i]
			}
		}
	}
	if p.Chips, err = s.chips(c, q, values); err != nil {
		return err
	}
	if p.Asked, err = s.asked(c, q, values); err != nil {
		return err
	}
	p.More = s.moreFilters(c, values)
	if p.Remove = s.withoutLast(c, values); p.Remove == "" {
		return nil
	}
	if p.Of, err = s.total(c, url.Values{}); p.Of == 0 {
		p.Remove = "" // no other filter would find more
	}
	return err
}

// query reads what the address of a list asks for.
func (s *section) query(c *call, values url.Values) (*kind.Query, error) {
	values = without(values, "add", "find")
	if !values.Has("sort_by") && s.sort != "" && !values.Has("after") {
		defaults, err := url.ParseQuery(s.sort)
		if err != nil {
			panic(err) // it is declared above
		}
		for name, given := range defaults {
			values[name] = given
		}
	}
	q, err := s.kind.ParseQuery(s.meant(c, values).Encode(), c.web.Now())
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
			if value != "" || f != nil && look(f) == "choices" {
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

// showAPI tells how the same list is read through the API, and as a file.
func (s *section) showAPI(c *call, p *listPage, values url.Values, q *kind.Query) {
	asked := with(with(values, "page", strconv.Itoa(q.Page)), "per_page", strconv.Itoa(q.PerPage))
	if q.Sort != nil {
		asked = with(asked, "sort_by", q.Sort.Column())
		if q.Desc {
			asked = with(asked, "sort_order", "DESC")
		}
	}
	whole := without(values, "per_page")
	p.CSV, p.XLSX = address("/"+s.path+"/export.csv", whole), address("/"+s.path+"/export.xlsx", whole)
	asked = s.meant(c, asked)
	if s.labelled() {
		p.Labels = "/" + s.path + "/labels?" + url.Values{"all": {"yes"}, "query": {whole.Encode()}}.Encode()
	}
	at := c.web.Hosts.Base(c.Request) + "/" + s.kind.Path()
	p.Curl, p.Trust = "curl --digest --user "+pointing.ShellQuote(c.user.Email)+c.trust()+" \\\n  "+pointing.ShellQuote(address(at+".xml", asked)), c.authority()
}
