package records

import (
	"html/template"
	"net/url"
	"slices"
	"strconv"

	"muster/internal/agentsetup"
	"muster/internal/desk/exports"
	"muster/internal/kind"
	"muster/internal/web/activity"
	"muster/internal/web/page"
)

// nameTo returns the name of a record as the person reads it.
func nameTo(s *Section, c *page.Call, rec any) string {
	if s.NameFor != nil {
		return s.NameFor(c, rec)
	}
	return s.Name(rec)
}

// DefaultRows is how many rows a list has whose address has no per_page. The numbers that
// a person can choose are rowChoices in internal/web/page/pager.go, and the limits in
// internal/kind/query.go.
const DefaultRows = 50

// A ListPage is what the page of a list shows.
type ListPage struct {
	Icon    string
	Title   string
	Path    string
	Total   int
	Of      int // how many there are without any filter, 0 when nothing limits the list
	Views   []ViewTab
	View    *ViewTab // the saved one that is shown, nil for none
	Save    bool     // what is shown is not saved as a view yet
	Share   bool     // the person may share views
	Query   string   // of the list, as saved views have it
	Search  string
	Chips   []chip
	Asked   *chip       // the filter that was asked for, which is open
	More    []menuGroup // filters that can be added
	Long    bool        // names are sentences, which need the room
	Heads   []head
	Rows    template.HTML      // of the table, nothing when there are none
	Feed    []activity.FeedDay // in place of a table, for audit records
	Select  bool               // rows can be ticked
	Bulk    []bulkField        // what can be changed of the ticked ones
	Columns columnsForm
	Pager   page.Pager
	Rest    []page.Pair // of the query, for forms that change another part of it
	Add     string      // on the button that makes a record, "" for none
	Remove  string      // the address without the last filter, "" when nothing limits the list
	Curl    string      // the same list through the API
	Trust   string      // the file that curl needs to trust the server, "" for none
	CSV     string      // all of it as a file
	XLSX    string
	ByJob   bool       // which a job writes, since there are many
	Labels  string     // of all of it, "" where nothing can be stuck on
	Begin   *Beginning // of a list without any records
}

// List shows a page of a section's records.
func (s *Section) List(c *page.Call) (*page.Answer, error) {
	if address := absolute(c, "/"+s.Path); address != "" {
		return c.GoTo(address)
	}
	values := s.Tidy(c.URL.Query())
	q, err := s.Query(c, values)
	if err != nil {
		return nil, err
	}
	found, err := c.App.Desk.List(c.Context(), c.Who(), s.Kind, q)
	if err != nil {
		return nil, err
	}
	if a := c.LastPage(found.Position, len(found.Records)); a != nil {
		return a, nil
	}
	p, err := listPage(s, c, q, page.Without(values, "page", "after", "add", "find"), found)
	if err != nil {
		return nil, err
	}
	return c.Show("list", page.Page{Title: p.Title, Here: p.Path, Scripts: []string{"list.js", "form.js"}, Data: p})
}

// listPage returns what the page of found records shows; values are those of the
// list as a whole.
func listPage(s *Section, c *page.Call, q *kind.Query, values url.Values, found kind.Page) (*ListPage, error) {
	shown := s.shownColumns(c)
	if s.ListColumns != nil && s.usualColumns(c) {
		shown = s.ListColumns(shown, values)
	}
	p := &ListPage{
		Icon: s.Icon, Title: c.T(s.Title), Path: "/" + s.Path, Total: found.Total, Search: values.Get("q"),
		Long:  !s.ShortName,
		Heads: s.heads(c, q, values, shown), Columns: s.columnsForm(c, values, shown),
		Pager: c.NewPager(found.Position, "/"+s.Path, values),
		Rest:  page.PairsAs(c.URL.RawQuery, page.Without(values, "q")),
	}
	p.Select, p.Bulk = canSelect(s, c), bulkFields(s, c)
	switch {
	case len(found.Records) > 0 && s.Feed != nil:
		p.Feed = s.Feed(c, found.Records)
	case len(found.Records) > 0:
		p.Rows = s.rows(c, found.Records, shown, listPlace{values, p.Pager.From, p.Select})
	default:
		p.Begin = s.Beginning(c)
	}
	if !c.User.ReadOnly.V && s.Add != "" {
		p.Add = c.T(s.Add)
	}
	showAPI(s, c, p, values, q)
	return p, narrowing(s, c, p, q, values)
}

// narrowing sets the views and filters of a list.
func narrowing(s *Section, c *page.Call, p *ListPage, q *kind.Query, values url.Values) (err error) {
	if p.Views, err = viewTabs(s, c, values, p.Total); err != nil {
		return err
	}
	p.Query, p.Share, p.Save = page.EncodeAs(c.URL.RawQuery, page.Without(values, "per_page")), !c.User.ReadOnly.V, true
	for i := range p.Views {
		if p.Views[i].Current {
			p.Save = false
			if p.Views[i].Saved != nil {
				p.View = &p.Views[i]
			}
		}
	}
	if p.Chips, err = chips(s, c, q, values); err != nil {
		return err
	}
	if p.Asked, err = askedChip(s, c, q, values); err != nil {
		return err
	}
	p.More = moreFilters(s, c, values)
	if p.Remove = withoutLast(s, c, values); p.Remove == "" {
		return nil
	}
	if p.Of, err = s.Total(c, url.Values{}); p.Of == 0 {
		p.Remove = "" // no other filter would find more
	}
	return err
}

// Query reads what the address of a list asks for.
func (s *Section) Query(c *page.Call, values url.Values) (*kind.Query, error) {
	q, err := s.Kind.ParseQuery(s.asked(c, values).Encode(), c.App.Now())
	if err == nil && !q.Sized {
		q.PerPage = DefaultRows
	}
	return q, err
}

// asked returns what the address of a list asks for, with the usual order and without words that mean something else to
// others or later.
func (s *Section) asked(c *page.Call, values url.Values) url.Values {
	values = page.Without(values, "add", "find")
	if !values.Has("sort_by") && s.Sort != "" && !values.Has("after") {
		defaults, err := url.ParseQuery(s.Sort)
		if err != nil {
			panic(err) // it is declared above
		}
		for name, given := range defaults {
			values[name] = given
		}
	}
	return resolveWords(s, c, values)
}

// Tidy leaves out what a form sends without a value and what means nothing then.
// An empty value of a filter that offers values, or of a time with two bounds, asks for
// records without one.
func (s *Section) Tidy(values url.Values) url.Values {
	out := url.Values{}
	for name, given := range values {
		f := filterOf(s, name)
		for _, value := range given {
			if value != "" || f != nil && (look(f) == "choices" || filterOf(s, name+"_from") != nil) {
				out.Add(name, value)
			}
		}
	}
	return out
}

// filterOf returns the filter of a parameter, nil for none.
func filterOf(s *Section, param string) *kind.Filter {
	i := slices.IndexFunc(s.Kind.Filters, func(f *kind.Filter) bool { return f.Param == param })
	if i < 0 {
		return nil
	}
	return s.Kind.Filters[i]
}

// showAPI shows how to read the same list through the API and as a file.
func showAPI(s *Section, c *page.Call, p *ListPage, values url.Values, q *kind.Query) {
	asked := page.With(page.With(values, "page", strconv.Itoa(q.Page)), "per_page", strconv.Itoa(q.PerPage))
	if q.Sort != nil {
		asked = page.With(asked, "sort_by", q.Sort.Column())
		if q.Desc {
			asked = page.With(asked, "sort_order", "DESC")
		}
	}
	whole := page.Without(values, "per_page")
	p.CSV, p.XLSX = page.Address("/"+s.Path+"/export.csv", whole), page.Address("/"+s.Path+"/export.xlsx", whole)
	p.ByJob = p.Total > exports.AtOnce
	asked = resolveWords(s, c, asked)
	if s.Labelled() {
		p.Labels = "/" + s.Path + "/labels?" + url.Values{"all": {"yes"}, "query": {whole.Encode()}}.Encode()
	}
	at := c.App.Hosts.Base(c.Request) + "/" + s.Kind.Path()
	p.Curl, p.Trust = "curl --digest --user "+agentsetup.ShellQuote(c.User.Email)+c.Trust()+" \\\n  "+
		agentsetup.ShellQuote(page.Address(at+".xml", asked)), c.Authority()
}
