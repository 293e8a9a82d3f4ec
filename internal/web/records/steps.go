package records

import (
	"net/url"
	"strconv"

	"muster/internal/web/page"
)

// Steps lead through the list that one came from.
type steps struct {
	N, Of      int
	Prev, Next string // addresses, "" where there is none
	List       string
}

// Steps returns where in the list that one came from a record is, nil when it is
// there no more.
func (s *Section) Steps(c *page.Call, id int64) (*steps, error) {
	query := c.URL.Query()
	n, err := strconv.Atoi(query.Get("n"))
	list := query.Get("list")
	values, bad := url.ParseQuery(list)
	if err != nil || bad != nil || n < 1 {
		return nil, nil
	}
	q, err := s.Query(c, page.Without(s.Tidy(values), "page", "per_page", "after"))
	if err != nil {
		return nil, nil // the list is none any more
	}
	first := 0
	q.PerPage, q.Page, first = around(n)
	found, err := c.App.Desk.List(c.Context(), c.Who(), s.Kind, q)
	at := n - 1 - first
	if err != nil || at >= len(found.Records) || s.Kind.Meta(found.Records[at]).ID != id {
		return nil, err
	}
	to := func(i, n int) string {
		if i < 0 || i >= len(found.Records) {
			return ""
		}
		return page.Address(s.RecordPath(s.Kind.Meta(found.Records[i]).ID),
			page.With(page.Without(query, "on"), "n", strconv.Itoa(n)))
	}
	return &steps{N: n, Of: found.Total, Prev: to(at-1, n-1), Next: to(at+1, n+1), List: page.AddressAs(list,
		"/"+s.Path, values)}, nil
}

// around returns the size and number of a page that has the record of a number
// with those before and after it, and how many records come before that page.
func around(n int) (size, page, first int) {
	for size = 3; ; size++ {
		if at := (n - 1) % size; n == 1 || at > 0 && at < size-1 {
			return size, (n-1)/size + 1, (n - 1) / size * size
		}
	}
}
