package web

import (
	"errors"
	"net/url"
	"strconv"

	"muster/internal/inventory"
	"muster/internal/kind"
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
func (c *call) queueOf(id int64, values url.Values) (q queuePlace, err error) {
	at := int(number(values, "n"))
	query, bad := url.ParseQuery(values.Get("list"))
	if at < 1 || bad != nil {
		return queuePlace{}, nil
	}
	s := sectionOf(inventory.Tickets.Schema)
	q = queuePlace{Queue: values.Get("list"), At: at}
	here, total, err := s.nth(c, query, at)
	if _, wrong := errors.AsType[*kind.BadQuery](err); wrong {
		return queuePlace{}, nil // no list of ours
	}
	if err != nil {
		return queuePlace{}, err
	}
	q.Total, q.QueueHref = total, addressAs(q.Queue, "/tickets", query)
	if q.QueueTitle, err = s.viewTitle(c, query); err != nil {
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
func (q *queuePlace) neighbour(c *call, s *section, query url.Values, at int) (string, error) {
	if at < 1 {
		return "", nil
	}
	id, _, err := s.nth(c, query, at)
	if err != nil || id == 0 {
		return "", err
	}
	return address(ticketPath(id), queueValues(url.Values{"list": {q.Queue}, "n": {strconv.Itoa(at)}})), nil
}

// queueValues returns the part of a form or an address that names the list from
// which somebody came.
func queueValues(values url.Values) url.Values {
	if number(values, "n") < 1 {
		return url.Values{}
	}
	if values.Get("list") == "" {
		return formOf(values, "n")
	}
	return formOf(values, "n", "list")
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
func (s *section) nth(c *call, query url.Values, at int) (id int64, total int, err error) {
	q, err := s.query(c, without(query, "page", "per_page", "after"))
	if err != nil {
		return 0, 0, err
	}
	q.Page, q.PerPage = at, 1
	found, err := c.web.Desk.List(c.Context(), c.who(), s.kind, q)
	if err != nil || len(found.Records) == 0 {
		return 0, found.Total, err
	}
	return s.kind.Meta(found.Records[0]).ID, found.Total, nil
}

// viewTitle returns the title of the view that a query is, "" for none. One that
// was saved has an order of its own; the others have any.
func (s *section) viewTitle(c *call, query url.Values) (title string, err error) {
	now := without(query, "per_page", "page", "after")
	unsorted := without(now, "sort_by", "sort_order")
	for _, v := range s.viewsFor(c) {
		if s.tab("", v.query, unsorted).Current {
			title = c.t(v.title)
		}
	}
	if title != "" && len(unsorted) == len(now) {
		return title, nil
	}
	saved, err := c.web.Desk.SavedViews(c.Context(), c.who(), s.path)
	for _, v := range saved {
		if s.tab("", v.Query, now).Current {
			return v.Name, nil
		}
	}
	return title, err
}
