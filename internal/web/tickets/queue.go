package tickets

import (
	"errors"
	"net/url"
	"strconv"

	"muster/internal/desk/views"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// A queuePlace is where in a list a ticket stands that somebody opened from it.
type queuePlace struct {
	Queue      string // the query of the list
	At         int    // the ticket's place in it, from 1; 0 when the person came from elsewhere
	Total      int
	QueueTitle string // of a view, "" for another list
	QueueHref  string // the page of the list with the ticket
	Prev, Next string // neighbours, "" for none
}

// queueOf finds the neighbours of a ticket in the list that an address or a form
// names. A ticket that has left the list has made room for its follower.
func queueOf(c *page.Call, id int64, values url.Values) (q queuePlace, err error) {
	at := int(page.Number(values, "n"))
	query, bad := url.ParseQuery(values.Get("list"))
	if at < 1 || bad != nil {
		return queuePlace{}, nil
	}
	s := records.SectionOf(c.App, inventory.Tickets.Schema)
	q = queuePlace{Queue: values.Get("list"), At: at}
	here, total, err := nth(s, c, query, at)
	if _, wrong := errors.AsType[*kind.BadQuery](err); wrong {
		return queuePlace{}, nil // not a list of tickets
	}
	if err != nil {
		return queuePlace{}, err
	}
	q.Total, q.QueueHref = total, page.AddressAs(q.Queue, "/tickets", query)
	if q.QueueTitle, err = viewTitle(s, c, query); err != nil {
		return queuePlace{}, err
	}
	next := at + 1
	if here != id {
		next = at
	}
	if q.Next, err = q.neighbour(c, s, query, next); err == nil {
		q.Prev, err = q.neighbour(c, s, query, at-1)
	}
	return q, err
}

// neighbour returns the address of the ticket at a place of a list, "" for none.
func (q *queuePlace) neighbour(c *page.Call, s *records.Section, query url.Values, at int) (string, error) {
	if at < 1 {
		return "", nil
	}
	id, _, err := nth(s, c, query, at)
	if err != nil || id == 0 {
		return "", err
	}
	return page.Address(ticketPath(id), queueValues(url.Values{"list": {q.Queue}, "n": {strconv.Itoa(at)}})), nil
}

// queueValues returns the part of a form or an address that names the list from
// which somebody came.
func queueValues(values url.Values) url.Values {
	if page.Number(values, "n") < 1 {
		return url.Values{}
	}
	if values.Get("list") == "" {
		return FormOf(values, "n")
	}
	return FormOf(values, "n", "list")
}

// cameFrom returns queueValues of the address of a page.
func cameFrom(to string) url.Values {
	u, err := url.Parse(to)
	if err != nil {
		return url.Values{}
	}
	return queueValues(u.Query())
}

// nth returns the id of the record at a place of a list, from 1, and how many
// the list has; no id when it has less.
func nth(s *records.Section, c *page.Call, query url.Values, at int) (id int64, total int, err error) {
	q, err := s.Query(c, page.Without(query, "page", "per_page", "after"))
	if err != nil {
		return 0, 0, err
	}
	q.Page, q.PerPage = at, 1
	found, err := c.App.Desk.List(c.Context(), c.Who(), s.Kind, q)
	if err != nil || len(found.Records) == 0 {
		return 0, found.Total, err
	}
	return s.Kind.Meta(found.Records[0]).ID, found.Total, nil
}

// viewTitle returns the title of the view that a query is, "" for none. One that
// was saved has an order of its own; the others have any.
func viewTitle(s *records.Section, c *page.Call, query url.Values) (title string, err error) {
	now := page.Without(query, "per_page", "page", "after")
	unsorted := page.Without(now, "sort_by", "sort_order")
	for _, v := range s.ViewsFor(c) {
		if s.Tab("", v.Query, unsorted).Current {
			title = c.T(v.Title)
		}
	}
	if title != "" && len(unsorted) == len(now) {
		return title, nil
	}
	saved, err := views.List(c.Context(), c.App.Desk, c.Who(), s.Path)
	for _, v := range saved {
		if s.Tab("", v.Query, now).Current {
			return v.Name, nil
		}
	}
	return title, err
}
