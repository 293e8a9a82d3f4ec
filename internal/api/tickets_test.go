package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/mustertest"
)

// ticket puts fields into the document of a ticket.
func ticket(fields string) string { return "<ticket>" + fields + "</ticket>" }

// open makes a ticket and returns its path.
func (sc *scene) open(t *testing.T, fields string) string {
	t.Helper()
	path, _ := sc.post(t, inventory.Tickets.Schema, "<name>a</name>"+fields)
	return path
}

// TestTicketStates goes from each state to each other.
func TestTicketStates(t *testing.T) {
	t.Parallel()
	const then, now = "2026-01-31T09:30:00Z", "2026-01-31T10:30:00Z"
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		sc := &scene{Server: s, Client: s.Admin()}
		for _, from := range inventory.TicketStates {
			for _, to := range inventory.TicketStates {
				path := sc.open(t, "<state>"+from+"</state>")
				first := sc.Get(path)
				s.Clock.Advance(time.Hour)
				r := sc.Do("PUT", path, ticket("<state>"+strings.ToUpper(to)+"</state>"))
				what := from + " to " + to
				resolved, closed := "nil", "nil"
				switch {
				case from == inventory.TicketClosed && to == inventory.TicketResolved:
					refused(t, what, r, http.StatusUnprocessableEntity,
						"State can't go from Closed to Resolved: reopen the ticket first")
					r, to, closed = sc.Get(path), from, then
				case from == to && from == inventory.TicketResolved:
					resolved = then
				case from == to && from == inventory.TicketClosed:
					closed = then
				case to == inventory.TicketResolved:
					resolved = now
				case to == inventory.TicketClosed:
					closed = now
				}
				if from == inventory.TicketResolved && to == inventory.TicketClosed {
					resolved = then
				}
				equal(t, what, []string{value(t, r.Body, "state"), value(t, r.Body, "resolved-at"), value(t, r.Body,
					"closed-at")}, []string{to, resolved, closed})
				if from == to {
					equal(t, what, r.Body, first.Body)
				}
				s.Clock.Advance(-time.Hour)
			}
		}
		reopened(t, sc)
	})
}

// reopened follows a ticket that was resolved, closed and opened again.
func reopened(t *testing.T, sc *scene) {
	path := sc.open(t, "")
	for _, state := range []string{"Resolved", "Closed", "New"} {
		sc.Clock.Advance(time.Hour)
		equal(t, state, sc.Do("PUT", path, ticket("<state>"+state+"</state>")).Status, http.StatusOK)
	}
	a := sc.lastAudit(t, inventory.Tickets.Schema, "update")
	equal(t, "message", a.child("message").Text,
		"State changed from Closed to New; Resolved at cleared, was 2026-01-31T10:30:00Z; Closed at cleared, was 2026-01-31T11:30:00Z")
	equal(t, "changes", len(a.child("changes").Nodes), 3)
}

// TestTicketAssigned: a new ticket that somebody gets is Assigned, unless its
// document says something else.
func TestTicketAssigned(t *testing.T) {
	t.Parallel()
	const anna, bert = "<assignee>anna@example.com</assignee>", "<assignee>bert@example.com</assignee>"
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		people(s)
		sc := &scene{Server: s, Client: s.Admin()}
		for _, test := range []struct{ post, put, want string }{
			{"", "", "New"},
			{anna, "", "Assigned"},
			{anna + "<state>New</state>", "", "Assigned"},
			{anna + "<state>on hold</state>", "", "On Hold"},
			{anna + "<state>Resolved</state>", "", "Resolved"},
			{"", anna, "Assigned"},
			{"", anna + "<state>New</state>", "Assigned"}, // as one who sends the whole ticket back
			{"", anna + "<state>Awaiting Input</state>", "Awaiting Input"},
			{"<state>On Hold</state>", anna, "On Hold"},
			{"<state>On Hold</state>", anna + "<state>New</state>", "New"},
			{anna, "<assignee/>", "Assigned"},
			{anna, "<state>New</state>", "New"},
			{anna, bert, "Assigned"},
		} {
			path := sc.open(t, test.post)
			r := sc.Do("PUT", path, ticket(test.put))
			equal(t, test.post+" then "+test.put, value(t, r.Body, "state"), test.want)
		}
		path := sc.open(t, anna)
		sc.Do("PUT", path, ticket("<state>New</state>"))
		equal(t, "New with another assignee", value(t, sc.Do("PUT", path, ticket(bert)).Body, "state"), "Assigned")
	})
}

// TestTicketAnswered: a ticket that awaits the input of its requester is somebody's
// work again when that comes, and with nothing else.
func TestTicketAnswered(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		asks := s.AddUser("asks@example.com", inventory.Requester, false)
		sc := &scene{Server: s, Client: s.Admin()}
		for _, test := range []struct {
			fields string
			writes *mustertest.Client
			body   string
			want   string
		}{
			{"<state>Awaiting Input</state>", asks, "<body>here</body>", "New"},
			{"<state>Awaiting Input</state><assignee>admin@localhost</assignee>", asks, "<body>here</body>",
				"Assigned"},
			{"<state>Awaiting Input</state>", sc.Client, "<body>please</body>", "Awaiting Input"},
			{"<state>Awaiting Input</state>", sc.Client, "<body>note</body><is-private>true</is-private>",
				"Awaiting Input"},
			{"<state>On Hold</state>", asks, "<body>here</body>", "On Hold"},
			{"<state>Resolved</state>", asks, "<body>thanks</body>", "Resolved"},
		} {
			path := sc.open(t, "<requester>asks@example.com</requester>"+test.fields)
			equal(t, "comment", test.writes.Do("POST", path+"/comments", comment(test.body)).Status, http.StatusCreated)
			r := sc.Get(path)
			equal(t, test.fields+" then "+test.body, value(t, r.Body, "state"), test.want)
		}
		history := sc.Get("/audits.xml?q=Awaiting").Body
		if !strings.Contains(history, "State changed from Awaiting Input to Assigned") {
			t.Errorf("got %s, want the change in the history", history)
		}
	})
}

// TestTicketFirstValues are those of a ticket about which little is said.
func TestTicketFirstValues(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		people(s)
		c := s.AddUser("tech@example.com", inventory.Technician, false)
		r := c.Do("POST", "/tickets",
			ticket("<name>a</name><number>99</number><origin>web</origin><resolved-at>2020-01-01T00:00:00Z</resolved-at>"+
				"<created-by><email>anna@example.com</email></created-by><requester/><state> </state><priority nil='true'/>"))
		for name, want := range map[string]string{
			"number": "1", "state": "New", "priority": "Medium", "origin": "api", "resolved-at": "nil",
			"closed-at": "nil", "due-at": "nil", "assignee": "nil",
			"comments-href": s.Base + "/tickets/1/comments.xml",
		} {
			equal(t, name, value(t, r.Body, name), want)
		}
		equal(t, "requester", value(t, r.Body, "requester", "email"), "tech@example.com")
		equal(t, "created-by", value(t, r.Body, "created-by", "email"), "tech@example.com")
		r = c.Do("PUT", "/tickets/1",
			ticket("<requester>Anna Berg</requester><due-at>2026-03-01T12:00:00+02:00</due-at><category>Hardware</category>"+
				"<subcategory>Screens</subcategory><created-by>bert@example.com</created-by>"))
		equal(t, "requester", value(t, r.Body, "requester", "email"), "anna@example.com")
		equal(t, "created-by", value(t, r.Body, "created-by", "email"), "tech@example.com")
		equal(t, "due-at", value(t, r.Body, "due-at"), "2026-03-01T10:00:00Z")
		for query, want := range map[string]string{
			"due_at=2026-03-01": "1", "due_at_from=2026-03-01T10:00:01Z": "", "due_at_to=2026-03-01": "1",
			"requester=anna*": "1", "number=1": "1", "number=2": "",
			"category=hardware&subcategory=screens&origin=API": "1",
		} {
			equal(t, query, ids(t, c.Get("/tickets?"+query).Body), want)
		}
		refused(t, "a requester who is cleared", c.Do("PUT", "/tickets/1", ticket("<requester/>")),
			http.StatusUnprocessableEntity, "Requester can't be blank")
	})
}

// TestTicketNumbersTogether: eight clients open tickets at once, by both names, some
// twice under one key and some that are refused; the numbers are without a gap.
func TestTicketNumbersTogether(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		var wg sync.WaitGroup
		for i := range 8 {
			c := s.Admin()
			wg.Go(func() {
				for j := range 8 {
					path, item, key := "/tickets", "ticket", fmt.Sprintf("%d-%d", i/2, j)
					switch j % 4 {
					case 0:
						path, item = "/incidents", "incident"
					case 1: // nobody can have it
						r := c.Do("POST", path, ticket("<name>a</name><assignee>nobody@example.com</assignee>"))
						equal(t, "nobody's", r.Status, http.StatusUnprocessableEntity)
						continue
					case 2:
						r := c.Do("POST", path, ticket("<name>a</name>"), "Idempotency-Key", key)
						if r.Status != http.StatusCreated && r.Status != http.StatusConflict {
							t.Errorf("with a key: got %d %s", r.Status, r.Body)
						}
						continue
					}
					r := c.Do("POST", path, fmt.Sprintf("<%s><name>a</name></%s>", item, item))
					equal(t, path, r.Status, http.StatusCreated)
				}
			})
		}
		wg.Wait()
		const made = 8*4 + 4*2
		root := parse(t, s.Admin().Get("/tickets?per_page=1000").Body)
		var numbers []int
		for _, n := range root.Nodes[3:] {
			number, _ := strconv.Atoi(n.child("number").Text)
			numbers = append(numbers, number)
		}
		slices.Sort(numbers)
		want := make([]int, made)
		for i := range want {
			want[i] = i + 1
		}
		equal(t, "numbers", numbers, want)
	})
}
