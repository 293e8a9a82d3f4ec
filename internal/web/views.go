package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"muster/internal/desk"
	"muster/internal/door"
)

// A viewTab is a view with its total.
type viewTab struct {
	Title   string
	Href    string
	Total   int
	Current bool
	Saved   *desk.SavedView // nil for those that are always there
}

// tabs returns the views of a section with their totals, those that people have
// saved last.
func (s *section) tabs(c *call, values url.Values, total int) (tabs []viewTab, err error) {
	for _, v := range s.viewsFor(c) {
		tabs = append(tabs, s.tab(c.t(v.title), v.query, without(values, "sort_by", "sort_order", "per_page")))
	}
	saved, err := c.web.Desk.SavedViews(c.Context(), c.who(), s.path)
	if err != nil {
		return nil, err
	}
	for i := range saved {
		tab := s.tab(saved[i].Name, saved[i].Query, without(values, "per_page"))
		tab.Saved = &saved[i]
		tabs = append(tabs, tab)
	}
	for i := range tabs {
		if err := s.count(c, &tabs[i], total); err != nil {
			return nil, err
		}
	}
	return tabs, nil
}

// tab returns a view; now is what the list shows of it.
func (s *section) tab(title, query string, now url.Values) viewTab {
	wanted, err := url.ParseQuery(query)
	if err != nil {
		wanted = url.Values{}
	}
	return viewTab{Title: title, Href: addressAs(query, "/"+s.path, wanted), Current: wanted.Encode() == now.Encode()}
}

// count sets how many records a view has. One that was saved and asks for what
// there is no more has none.
func (s *section) count(c *call, tab *viewTab, total int) (err error) {
	if tab.Current {
		tab.Total = total
		return nil
	}
	u, err := url.Parse(tab.Href)
	if err != nil {
		return err
	}
	tab.Total, err = s.total(c, u.Query())
	if e, ok := translate(err).(*door.Error); ok && e.Status == http.StatusBadRequest && tab.Saved != nil {
		return nil
	}
	return err
}

// total returns how many records match a query.
func (s *section) total(c *call, values url.Values) (int, error) {
	q, err := s.query(c, values)
	if err != nil {
		return 0, err
	}
	return c.web.Desk.Total(c.Context(), c.who(), s.kind, q)
}

// saveView saves the list that the form names, or changes or removes one that was
// saved.
func (s *section) saveView(c *call) (*answer, error) {
	if c.form.Get("do") == "remove" {
		return s.removeView(c)
	}
	query := c.form.Get("query")
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, door.Fault(http.StatusBadRequest, "the query does not parse: %v", err)
	}
	values = without(values, "page", "per_page", "after", "add", "find")
	if _, err := s.query(c, values); err != nil {
		return nil, err
	}
	v := desk.SavedView{Section: s.path, Name: c.form.Get("name"), Query: encodeAs(query, values), Shared: c.form.Get("shared") != ""}
	if id := c.form.Get("id"); id != "" {
		if v.ID, err = strconv.ParseInt(id, 10, 64); err != nil {
			return nil, door.Fault(http.StatusBadRequest, "%q is no id of a view", id)
		}
	}
	if _, err := c.web.Desk.SaveView(c.Context(), c.who(), v); err != nil {
		return nil, err
	}
	c.say(c.t("The view %s was saved", v.Name))
	return c.goTo(addressAs(query, "/"+s.path, values))
}

// removeView removes a saved view, which cannot be undone: those who may are asked
// before.
func (s *section) removeView(c *call) (*answer, error) {
	id := number(c.form, "id")
	if c.form.Get("sure") == "" {
		views, err := c.web.Desk.SavedViews(c.Context(), c.who(), s.path)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(views, func(v desk.SavedView) bool { return v.ID == id && v.Removes }); i >= 0 {
			return s.askRemoveView(c, views[i])
		}
	}
	if err := c.web.Desk.RemoveView(c.Context(), c.who(), id); err != nil {
		return nil, err
	}
	c.say(c.t("The view was removed"))
	return c.goTo("/" + s.path)
}

// askRemoveView asks before a view is removed, and tells who loses it.
func (s *section) askRemoveView(c *call, v desk.SavedView) (*answer, error) {
	text := c.t("You alone have it. The records in it stay as they are.")
	if v.Shared {
		text = c.t("All who see this list have it, and lose it with you. The records in it stay as they are.")
	}
	return c.confirm("/"+s.path, confirmPage{
		Title: c.t("Remove the view %s?", v.Name), Texts: []string{text}, Do: c.t("Remove view"), Keep: c.t("Keep"), Back: s.tab(v.Name, v.Query, nil).Href,
		Action: "/" + s.path + "/views", Fields: []pair{{"id", strconv.FormatInt(v.ID, 10)}, {"do", "remove"}, {"sure", "yes"}},
	})
}
