package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
)

// TestProbes: a requester who names somebody or something that is there gets
// the answer of one who names nothing.
func TestProbes(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		w := newFieldWorld(t, db)
		mustertest.Insert(w.Server, inventory.Users,
			&inventory.User{Email: "carl1@example.com", FirstName: "Carl"},
			&inventory.User{Email: "carl2@example.com", FirstName: "Carl"})
		for _, test := range []struct {
			field  string
			there  []string
			absent string
			create int // status of a new ticket with it
		}{
			{"<requester><id>%s</id></requester>", []string{"1", "3", "4"}, "999", 403},
			{"<requester>%s</requester>", []string{"bert@example.com", "Bert", "Carl", "admin@localhost"}, "nobody",
				403},
			{"<assignee><id>%s</id></assignee>", []string{"2", "3"}, "999", 403},
			{"<assignee><email>%s</email></assignee>", []string{"bert@example.com", "anna@example.com"},
				"nobody@example.com", 403},
			{"<assignee><name>%s</name></assignee>", []string{"Bert", "Carl"}, "Nobody", 403},
			{"<other-assets><other-asset><id>%s</id></other-asset></other-assets>", []string{
				w.private, w.spare["other-asset"],
			}, "999", 403},
			{"<hardwares><hardware><id>%s</id></hardware></hardwares>", []string{w.foreign}, "999", 422},
		} {
			for _, request := range []string{
				"POST /tickets", "PUT /tickets/" + w.ticket, "POST /incidents", "PUT /incidents/" + w.ticket,
				"PUT /tickets/" + w.spare["ticket"],
			} {
				verb, path, _ := strings.Cut(request, " ")
				item := kindAt(strings.Split(path, "/")[1]).Item
				send := func(value string) *mustertest.Response {
					r := w.anna.Do(verb, path, "<"+item+"><name>n</name>"+fmt.Sprintf(test.field, value)+"</"+item+">")
					r.Body = strings.ReplaceAll(r.Body, ": "+value+"<", ": VALUE<")
					return r
				}
				want := send(test.absent)
				status := map[string]int{"POST": test.create, "PUT": http.StatusForbidden}[verb]
				if strings.HasSuffix(path, w.spare["ticket"]) {
					status = http.StatusNotFound
				}
				equal(t, request+" with "+test.field+" of none", want.Status, status)
				for _, value := range test.there {
					got := send(value)
					equal(t, request+" with "+fmt.Sprintf(test.field, value), []any{got.Status, got.Body},
						[]any{want.Status, want.Body})
				}
			}
		}
	})
}

// TestRequesterWrites what a requester may, also in more words than needed.
func TestRequesterWrites(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		w := newFieldWorld(t, db)
		for _, test := range []struct {
			path, doc string
			status    int
		}{
			{"/tickets", "<ticket><name>n</name><state>new</state><requester>anna@example.com</requester><is/></ticket>", 422},
			{"/tickets", "<ticket><name>n</name><state>new</state><requester>ANNA@example.com</requester></ticket>",
				201},
			{"/tickets", "<ticket><name>n</name><requester><id>2</id></requester><assignee/><hardwares/><other-assets/><due-at/></ticket>", 201},
			{"/tickets", "<ticket><name>n</name><due-at>soon</due-at></ticket>", 403},
			{"/tickets", "<ticket><name>n</name><priority>soon</priority></ticket>", 422},
			{"/tickets", "<ticket><priority>High</priority></ticket>", 422},
			{"/tickets/" + w.ticket + "/comments", "<comment><body>b</body><is-private>false</is-private></comment>",
				201},
			{"/tickets/" + w.ticket + "/comments", "<comment><body>b</body><is-private/></comment>", 201},
			{"/tickets/" + w.ticket + "/comments", "<comment><body>b</body><is-private>true</is-private></comment>",
				403},
			{"/tickets/" + w.ticket + "/comments", "<comment><is-private>false</is-private></comment>", 422},
			{"/tickets/" + w.spare["ticket"] + "/comments", "<comment><body>b</body></comment>", 404},
			{"/hardwares/" + w.spare["hardware"] + "/tickets", "<ticket><name>n</name></ticket>", 201},
			{"/hardwares/" + w.spare["hardware"] + "/tickets", "<ticket><name>n</name><hardwares><hardware><id>" +
				w.foreign + "</id></hardware></hardwares></ticket>", 422},
			{"/hardwares/" + w.foreign + "/tickets", "<ticket><name>n</name></ticket>", 404},
		} {
			r := w.anna.Do("POST", test.path, test.doc)
			equal(t, "POST "+test.path+" "+test.doc+" "+r.Body, r.Status, test.status)
		}
		path := "/tickets/" + w.ticket
		w.boss.Do("PUT", "/users/2", "<user><first-name>Anna</first-name></user>")
		mustertest.Insert(w.Server, inventory.Users, &inventory.User{Email: "anna2@example.com", FirstName: "Anna"})
		byName := "<ticket><name>n</name><requester><name>anna</name></requester></ticket>"
		equal(t, "POST by a name that another has too", w.anna.Do("POST", "/tickets", byName).Status,
			http.StatusCreated)
		equal(t, "PUT by a name that another has too", w.anna.Do("PUT", path, byName).Status, http.StatusOK)
		before, seen := w.boss.Get(path), w.anna.Get(path)
		back := w.anna.Do("PUT", path, seen.Body)
		equal(t, "PUT of the own GET", []any{back.Status, back.Body}, []any{http.StatusOK, seen.Body})
		same(t, "PUT of the own GET", w.boss.Get(path), before)
	})
}

// TestRequesterStates: a requester closes a ticket and opens it again, and
// brings it into no other state.
func TestRequesterStates(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		w := newFieldWorld(t, db)
		path := "/tickets/" + w.ticket
		put := func(c *mustertest.Client, state string) *mustertest.Response {
			return c.Do("PUT", path, "<ticket><state>"+state+"</state></ticket>")
		}
		for _, from := range inventory.TicketStates {
			for _, to := range append(inventory.TicketStates, "Gone", "") {
				put(w.boss, "New")
				equal(t, from, value(t, put(w.boss, from).Body, "state"), from)
				got := put(w.anna, to)
				what := "from " + from + " to " + to
				switch {
				case to == "":
					refused(t, what, got, http.StatusUnprocessableEntity, "State can't be blank")
				case to == from || slices.Contains([]string{"Closed", "New"}, to):
					equal(t, what, []any{got.Status, value(t, got.Body, "state")}, []any{http.StatusOK, to})
				default:
					refused(t, what, got, http.StatusForbidden, "a requester may not set state of a ticket to "+to)
				}
			}
		}
	})
}

// TestKeysOfOthers: a key of one user reveals nothing to another.
func TestKeysOfOthers(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		anna, bert := s.AddUser("anna@example.com", inventory.Requester, false),
			s.AddUser("bert@example.com", inventory.Requester, false)
		post := func(c *mustertest.Client, name string) *mustertest.Response {
			return c.Do("POST", "/tickets", "<ticket><name>"+name+"</name></ticket>", "Idempotency-Key", "k")
		}
		first := post(anna, "a")
		again := post(anna, "a")
		equal(t, "her own", []any{again.Header.Get(replayed), again.Body}, []any{"true", first.Body})
		other := post(bert, "a")
		equal(t, "another's", []any{
			other.Status, other.Header.Get(replayed), value(t, other.Body, "requester", "email"),
		}, []any{201, "", "bert@example.com"})
		equal(t, "another document", post(bert, "b").Status, http.StatusUnprocessableEntity)
		equal(t, "tickets", []string{
			anna.Get("/tickets").Header.Get("X-Total-Count"), bert.Get("/tickets").Header.Get("X-Total-Count"),
		}, []string{"1", "1"})
	})
}

// TestManyLinks: a requester reads and closes a ticket that is tied to more
// computers than one statement can name.
func TestManyLinks(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		w := newFieldWorld(t, db)
		const many = 1100
		fleet(w.Server, many) // behind three others
		var all strings.Builder
		for id := range many + 3 {
			fmt.Fprintf(&all, "<hardware><id>%d</id></hardware>", id+1)
		}
		ticket := "/tickets/" + w.post(t, "/tickets",
			"<name>n</name><requester>anna@example.com</requester><hardwares>"+all.String()+"</hardwares>")
		equal(t, "computers for the administrator", strings.Count(w.boss.Get(ticket).Body, "<hardware>"), many+3)
		equal(t, "computers for anna", strings.Count(w.anna.Get(ticket).Body, "<hardware>"), 2)
		equal(t, "computers for anna in lists", strings.Count(w.anna.Get("/tickets?name=n").Body, "<hardware>"), 3)
		equal(t, "closed by anna", w.anna.Do("PUT", ticket, "<ticket><state>Closed</state></ticket>").Status,
			http.StatusOK)
		equal(t, "computers afterwards", strings.Count(w.boss.Get(ticket).Body, "<hardware>"), many+3)
	})
}
