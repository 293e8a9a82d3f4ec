package tickets

import (
	"context"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// A queuePage is a list of tickets that notifies of new ones.
type queuePage struct {
	*records.ListPage
	Since int64  // the second in which it was read
	Seen  string // what had changed in that second already
}

// List shows a queue. Without a query it is the person's own, or all that
// is open if they have none.
func List(c *page.Call) (*page.Answer, error) {
	s := records.SectionOf(c.App, inventory.Tickets.Schema)
	if c.URL.RawQuery == "" {
		return startQueue(c, s)
	}
	since, seen, wrong := seenNow(s, c, c.URL.Query()) // before it is read: what comes meanwhile is new
	a, err := s.List(c)
	if err != nil {
		return nil, err
	}
	if p, ok := a.Page.Data.(*records.ListPage); ok { // it leads nowhere else
		a.Template, a.Page.Scripts, a.Page.Data = "queue", append(a.Page.Scripts, "queue.js"),
			queuePage{p, since, seen.String()}
		err = wrong
	}
	return a, err
}

// seenTickets are the versions, by id, of tickets that changed in the second in which a
// page was read. Times have a resolution of a second, so the versions distinguish
// changes before the reading, such as a bulk change, from those after it.
type seenTickets map[int64]int64

// maxSeen is how many of them a page names. If there are more it names none, and misses
// changes in the rest of the second.
const maxSeen = 100

// seenNow returns the present second, or the next if there is too much in this
// one, and the tickets of a queue that have changed in it.
func seenNow(s *records.Section, c *page.Call, list url.Values) (since int64, seen seenTickets, err error) {
	since = c.App.Now().Unix()
	q, err := changedQuery(s, c, list, since, since)
	if err != nil {
		return 0, nil, err
	}
	q.Page, q.PerPage = 1, maxSeen
	found, err := c.App.Desk.List(c.Context(), c.Who(), s.Kind, q)
	if err != nil || found.Total > maxSeen {
		return since + 1, nil, err
	}
	seen = seenTickets{}
	for _, rec := range found.Records {
		seen[s.Kind.Meta(rec).ID] = s.Kind.Meta(rec).Version
	}
	return since, seen, nil
}

// changedQuery returns the query for the tickets of a queue that last changed between
// two seconds, ordered by that time, for which the database has an index.
func changedQuery(s *records.Section, c *page.Call, list url.Values, from, to int64) (*kind.Query, error) {
	q, err := s.Query(c, s.Tidy(page.Without(list, "page", "per_page", "after", "add", "find")))
	if err == nil {
		q.Sort = s.Kind.Field("updated-at")
		q.Conds = append(q.Conds, kind.Cond{Field: q.Sort, Any: []kind.Test{{Range: true, Min: from, Max: to}}})
	}
	return q, err
}

// String returns them as an address has them: 7.2,9.1.
func (seen seenTickets) String() string {
	var all []string
	for _, id := range slices.Sorted(maps.Keys(seen)) {
		all = append(all, fmt.Sprintf("%d.%d", id, seen[id]))
	}
	return strings.Join(all, ",")
}

// readSeen parses what String has written. It skips invalid parts.
func readSeen(text string) seenTickets {
	seen := seenTickets{}
	for one := range strings.SplitSeq(text, ",") {
		id, version, _ := strings.Cut(one, ".")
		n, err := strconv.ParseInt(id, 10, 64)
		v, bad := strconv.ParseInt(version, 10, 64)
		if err == nil && bad == nil && len(seen) < maxSeen {
			seen[n] = v
		}
	}
	return seen
}

// A queueNews is what is new in a queue since somebody looked at it.
type queueNews struct {
	Since int64  `json:"since"`
	New   int    `json:"new"`
	Text  string `json:"text"`
}

// FollowQueue notifies the page of a queue of how many of its tickets are new or have
// changed since it was read, or from now on if the address does not say when.
func FollowQueue(c *page.Call) (*page.Answer, error) {
	list, err := url.ParseQuery(c.URL.Query().Get("list"))
	if err != nil {
		return nil, &kind.BadQuery{Text: message.New("the list does not parse")}
	}
	s := records.SectionOf(c.App, inventory.Tickets.Schema)
	since, seen := page.Number(c.URL.Query(), "since"), readSeen(c.URL.Query().Get("seen"))
	if since == 0 {
		if since, seen, err = seenNow(s, c, list); err != nil {
			return nil, err
		}
	}
	isOver := false // the second, for those that were seen
	return follow(c, func(ctx context.Context, who desk.Caller) (any, error) {
		q, err := changedQuery(s, c, list, since, math.MaxInt64)
		if err != nil {
			return nil, err
		}
		n, err := c.App.Desk.Total(ctx, who, s.Kind, q)
		if err == nil && n > 0 && len(seen) > 0 {
			now, same := c.App.Now().Unix(), 0
			same, err = unchanged(s, ctx, c, who, list, since, seen, isOver)
			n, isOver = max(n-same, 0), now > since && err == nil
		}
		return queueNews{since, n, c.TN(n, "%s new or changed", "%s new or changed")}, err
	})
}

// unchanged returns how many of the tickets that were seen are as they were, and
// forgets the others. When the second is over no other version can come within it,
// and a count is enough.
func unchanged(s *records.Section, ctx context.Context, c *page.Call, who desk.Caller, list url.Values, since int64,
	seen seenTickets, isOver bool) (n int, err error) {
	q, err := changedQuery(s, c, list, since, since)
	if err != nil {
		return 0, err
	}
	these := kind.Cond{Field: s.Kind.Field("id")}
	for id := range seen {
		these.Any = append(these.Any, kind.Test{Range: true, Min: id, Max: id})
	}
	q.Conds = append(q.Conds, these)
	if isOver {
		return c.App.Desk.Total(ctx, who, s.Kind, q)
	}
	q.Page, q.PerPage = 1, maxSeen
	found, err := c.App.Desk.List(ctx, who, s.Kind, q)
	if err != nil {
		return 0, err
	}
	now := seenTickets{}
	for _, rec := range found.Records {
		now[s.Kind.Meta(rec).ID] = s.Kind.Meta(rec).Version
	}
	maps.DeleteFunc(seen, func(id, version int64) bool { return now[id] != version })
	return len(seen), nil
}
