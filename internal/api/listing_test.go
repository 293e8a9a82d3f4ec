package api_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"muster/internal/mustertest"
)

// TestQueriesThatComeAgain sees that a query means the same when it comes again, unless it counts from now, and that of
// another kind something else.
func TestQueriesThatComeAgain(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		office(s)
		c := s.Admin()
		madeAt(t, c, "/contracts", "<contract><name>c</name><end-date>2026-01-31</end-date></contract>")
		for _, test := range []struct {
			target, want string
			passes       time.Duration // before
		}{
			{"/hardwares.xml?not_reporting=10", "3 4", 0},
			{"/hardwares.xml?name=*t*", "2 4", 0},
			{"/vendors.xml?name=*t*", "", 0},
			{"/hardwares.xml?not_reporting=10", "3 4", 0},
			{"/hardwares.xml?name=*t*", "2 4", 0},
			{"/hardwares.xml?not_reporting=10", "1 3 4", time.Second},
			{"/hardwares.xml?name=*t*", "2 4", 0},
			{"/hardwares.xml?not_reporting=10", "1 3 4", 0},
			{"/contracts.xml?status=Active", "1", 0},
			{"/contracts.xml?status=Expired", "", 0},
			{"/contracts.xml?status=Active", "", 24 * time.Hour},
			{"/contracts.xml?status=Expired", "1", 0},
		} {
			s.Clock.Advance(test.passes)
			equal(t, test.target, ids(t, c.Get(test.target).Body), test.want)
		}
	})
}

// TestManyQueries sees that there may be more queries in a second than are kept, and that their links are their own.
func TestManyQueries(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	office(s)
	c := s.Admin()
	for i := range 600 {
		page := 1 + i%300
		target := fmt.Sprintf("/hardwares.xml?per_page=2&page=%d", page)
		r := c.Get(target)
		equal(t, "page of "+target, value(t, r.Body, "page"), fmt.Sprint(page))
		if link := r.Header.Get("Link"); page > 1 &&
			!strings.Contains(link, fmt.Sprintf("page=%d&per_page=2>; rel=\"prev\"", min(page-1, 3))) {
			t.Errorf("%s: got links %s, want one to the page before", target, link)
		}
	}
}
