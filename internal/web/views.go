package web

import (
	"net/url"
)

// A viewTab is a view with its total.
type viewTab struct {
	Title   string
	Href    string
	Total   int
	Current bool
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
