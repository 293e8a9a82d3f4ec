package records

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/internal/desk/views"
	"muster/internal/front"
	"muster/internal/kind"
	"muster/internal/web/page"
)

// Words in addresses for the person who reads the page, and for the time of reading. So
// a view can be sent to somebody else.
const (
	Me  = "me"
	now = "now"
)

// resolveWords returns what the query of a list asks for: who me is, and when now.
func resolveWords(s *Section, c *page.Call, values url.Values) url.Values {
	out := values
	for _, f := range s.Kind.Filters {
		word, text := "", ""
		switch {
		case f.Field.Type == kind.PersonRef:
			word, text = Me, c.User.Email
		case f.Field.Type == kind.Time && !f.Days():
			word, text = now, c.App.Now().UTC().Format(time.RFC3339)
		}
		given := values[f.Param]
		if i := slices.Index(given, word); i >= 0 && word != "" {
			given = slices.Clone(given)
			given[i] = text
			out = page.With(out, f.Param, given...)
		}
	}
	return out
}

// ViewsFor returns the views of a section for the person: one of a department
// only if they have one.
func (s *Section) ViewsFor(c *page.Call) (views []View) {
	for _, v := range s.Views {
		if strings.Contains(v.Query, "{department}") {
			if c.User.Department == "" {
				continue
			}
			v.Query = strings.ReplaceAll(v.Query, "{department}", url.QueryEscape(c.User.Department))
		}
		views = append(views, v)
	}
	return views
}

// A ViewTab is a view with its total.
type ViewTab struct {
	Title   string
	Href    string
	Total   int
	Current bool
	Saved   *views.View // nil for those that are always there
}

// viewTabs returns the views of a section with their totals, those that people have
// saved last.
func viewTabs(s *Section, c *page.Call, values url.Values, total int) (tabs []ViewTab, err error) {
	for _, v := range s.ViewsFor(c) {
		tabs = append(tabs, s.Tab(c.T(v.Title), v.Query, page.Without(values, "sort_by", "sort_order", "per_page")))
	}
	saved, err := views.List(c.Context(), c.App.Desk, c.Who(), s.Path)
	if err != nil {
		return nil, err
	}
	for i := range saved {
		tab := s.Tab(saved[i].Name, saved[i].Query, page.Without(values, "per_page"))
		tab.Saved = &saved[i]
		tabs = append(tabs, tab)
	}
	for i := range tabs {
		if err := countTab(s, c, &tabs[i], total); err != nil {
			return nil, err
		}
	}
	return tabs, nil
}

// Tab returns a view; now is what the list shows of it.
func (s *Section) Tab(title, query string, now url.Values) ViewTab {
	wanted, err := url.ParseQuery(query)
	if err != nil {
		wanted = url.Values{}
	}
	return ViewTab{
		Title: title, Href: page.AddressAs(query, "/"+s.Path, wanted), Current: wanted.Encode() == now.Encode(),
	}
}

// countTab sets how many records a view has. A saved view whose query is no longer valid
// has none.
func countTab(s *Section, c *page.Call, tab *ViewTab, total int) (err error) {
	if tab.Current {
		tab.Total = total
		return nil
	}
	u, err := url.Parse(tab.Href)
	if err != nil {
		return err
	}
	tab.Total, err = s.Total(c, u.Query())
	if e, ok := page.Translate(err).(*front.Error); ok && e.Status == http.StatusBadRequest && tab.Saved != nil {
		return nil
	}
	return err
}

// Total returns how many records match a query.
func (s *Section) Total(c *page.Call, values url.Values) (int, error) {
	q, err := s.Query(c, values)
	if err != nil {
		return 0, err
	}
	return c.App.Desk.Total(c.Context(), c.Who(), s.Kind, q)
}

// SaveView saves the list that the form names, or changes or removes one that was
// saved.
func (s *Section) SaveView(c *page.Call) (*page.Answer, error) {
	if c.Form.Get("do") == "remove" {
		return removeView(s, c)
	}
	query := c.Form.Get("query")
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, front.Fault(http.StatusBadRequest, "the query does not parse: %v", err)
	}
	values = page.Without(values, "page", "per_page", "after", "add", "find")
	if _, err := s.Query(c, values); err != nil {
		return nil, err
	}
	v := views.View{Section: s.Path, Name: c.Form.Get("name"), Query: page.EncodeAs(query, values),
		Shared: c.Form.Get("shared") != ""}
	if id := c.Form.Get("id"); id != "" {
		if v.ID, err = strconv.ParseInt(id, 10, 64); err != nil {
			return nil, front.Fault(http.StatusBadRequest, "%q is no id of a view", id)
		}
	}
	if _, err := views.Save(c.Context(), c.App.Desk, c.Who(), v); err != nil {
		return nil, err
	}
	c.Notify(c.T("The view %s was saved", v.Name))
	return c.GoTo(page.AddressAs(query, "/"+s.Path, values))
}

// removeView removes a saved view after asking to confirm it, since it cannot be undone.
func removeView(s *Section, c *page.Call) (*page.Answer, error) {
	id := page.Number(c.Form, "id")
	if c.Form.Get("sure") == "" {
		saved, err := views.List(c.Context(), c.App.Desk, c.Who(), s.Path)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(saved, func(v views.View) bool { return v.ID == id && v.Removes }); i >= 0 {
			return askRemoveView(s, c, saved[i])
		}
	}
	if err := views.Remove(c.Context(), c.App.Desk, c.Who(), id); err != nil {
		return nil, err
	}
	c.Notify(c.T("The view was removed"))
	return c.GoTo("/" + s.Path)
}

// askRemoveView asks to confirm that a view is removed, and names who loses it.
func askRemoveView(s *Section, c *page.Call, v views.View) (*page.Answer, error) {
	text := c.T("Only you have this view. The records in it are not changed.")
	if v.Shared {
		text = c.T("Everyone who sees this list has this view, and loses it too. The records in it are not changed.")
	}
	return c.Confirm("/"+s.Path, page.ConfirmPage{
		Title: c.T("Remove the view %s?", v.Name), Texts: []string{text}, Do: c.T("Remove view"), Keep: c.T("Keep"),
		Back:   s.Tab(v.Name, v.Query, nil).Href,
		Action: "/" + s.Path + "/views", Fields: []page.Pair{{Name: "id", Value: strconv.FormatInt(v.ID, 10)}, {
			Name: "do", Value: "remove",
		}, {Name: "sure", Value: "yes"}},
	})
}
