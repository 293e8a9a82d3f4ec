package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/mustertest"
)

// comment puts fields into the document of a comment.
func comment(fields string) string { return "<comment>" + fields + "</comment>" }

// TestComments writes and reads comments, below tickets and below incidents.
func TestComments(t *testing.T) {
	t.Parallel()
	for _, kind := range []struct{ path, item string }{{"/tickets", "ticket"}, {"/incidents", "incident"}} {
		t.Run(kind.item, func(t *testing.T) {
			mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
				s := start(t, db)
				sc := &scene{Server: s, Client: s.Admin()}
				first, other := kind.path+strings.TrimPrefix(sc.open(t, ""), "/tickets"),
					kind.path+strings.TrimPrefix(sc.open(t, ""), "/tickets")
				tag := sc.Get(first).Header.Get("ETag")
				s.Clock.Advance(time.Hour)
				list := strings.TrimSuffix(value(t, sc.Get(first).Body, "comments-href"), ".xml")
				equal(t, "comments-href", list, s.Base+first+"/comments")

				r := sc.Do("POST", first+"/comments.xml",
					comment("<body> <![CDATA[one <b>]]>\n two</body><id>7</id><user>nobody</user><created-at>x</created-at>"))
				equal(t, "POST", []string{fmt.Sprint(r.Status), r.Header.Get("Location")},
					[]string{"201", s.Base + first + "/comments/1.xml"})
				for name, want := range map[string]string{
					"id": "1", "href": s.Base + first + "/comments/1.xml", "body": " one <b>\n two",
					"is-private": "false",
					"created-at": "2026-01-31T10:30:00Z", "updated-at": "2026-01-31T10:30:00Z",
				} {
					equal(t, name, value(t, r.Body, name), want)
				}
				equal(t, "user", value(t, r.Body, "user", "email"), "admin@localhost")
				equal(t, "fields", parse(t, r.Body).names(),
					[]string{"id", "href", "body", "is-private", "user", "created-at", "updated-at"})
				equal(t, "GET", sc.Get(first+"/comments/1").Body, r.Body)
				now := sc.Get(first)
				equal(t, "the ticket is changed", value(t, now.Body, "updated-at"), "2026-01-31T10:30:00Z")
				if now.Header.Get("ETag") == tag {
					t.Error("the ticket's ETag: got the same after a comment, want another")
				}

				s.Clock.Advance(time.Hour)
				private := sc.Do("POST", first+"/comments", comment("<body>two</body><is_private>1</is_private>"))
				equal(t, "a private one", value(t, private.Body, "is-private"), "true")
				equal(t, "the ticket is not changed by it", value(t, sc.Get(first).Body, "updated-at"),
					"2026-01-31T10:30:00Z")
				sc.Do("POST", other+"/comments", comment("<body>three</body>"))

				commentLists(t, sc, first, other)
				for _, c := range []struct{ doc, says string }{
					{comment(""), "Body can't be blank"}, {comment("<body> </body>"), "Body can't be blank"},
					{comment("<body>a</body><colour>red</colour>"), "colour"},
					{comment("<body>" + strings.Repeat("x", 64<<10+1) + "</body>"), "Body is too long"},
					{comment("<body>a</body><is-private>maybe</is-private>"), "Is private is not"},
					{ticket("<name>a</name>"), "want <comment>"},
					{comment("<body>a</body><ticket>2</ticket>"), "ticket"},
				} {
					refused(t, c.doc[:min(60, len(c.doc))], sc.Do("POST", first+"/comments", c.doc),
						http.StatusUnprocessableEntity, c.says)
				}
				commentsGo(t, sc, first, other)
			})
		})
	}
}

// commentLists reads the comments of two tickets.
func commentLists(t *testing.T, sc *scene, first, other string) {
	t.Helper()
	equal(t, "the list", ids(t, sc.Get(first+"/comments.xml").Body), "1 2")
	equal(t, "root", parse(t, sc.Get(first+"/comments.xml").Body).names()[3:], []string{"comment", "comment"})
	equal(t, "href in the list", parse(t, sc.Get(first+"/comments").Body).child("comment").child("href").Text,
		sc.Base()+first+"/comments/1.xml")
	equal(t, "the other's", ids(t, sc.Get(other+"/comments").Body), "3")
	for query, want := range map[string]string{
		"is_private=true": "2", "is_private=false": "1", "user=admin*": "1 2", "user=": "", "sort_by=body": "1 2",
		"sort_by=body&sort_order=DESC": "2 1",
		"per_page=1&page=2":            "2", "after=1": "2", "updated_since=2026-01-31T11:00:00Z": "2",
	} {
		equal(t, query, ids(t, sc.Get(first+"/comments?"+query).Body), want)
	}
	link := sc.Get(first + "/comments?per_page=1").Header.Get("Link")
	if !strings.Contains(link, "<"+sc.Base()+first+"/comments.xml?page=2&per_page=1>; rel=\"next\"") {
		t.Errorf("Link: got %s, want addresses below %s", link, first)
	}
	var inside []string
	for _, c := range parse(t, sc.Get(first).Body).child("comments").Nodes {
		inside = append(inside, strings.Join(c.names(), " ")+": "+c.child("id").Text+" "+c.child("is-private").Text)
	}
	equal(t, "in the ticket", inside,
		[]string{"id body is-private user created-at: 1 false", "id body is-private user created-at: 2 true"})
	equal(t, "in the list of tickets", strings.Contains(sc.Get(first[:strings.LastIndexByte(first, '/')]).Body,
		"<comments "), false)
	for _, target := range []string{first + "/comments/3", other + "/comments/1.xml", first + "/comments/99",
		first + "/comments/x", first + "9/comments", "/hardwares/1/comments"} {
		equal(t, target, sc.Get(target).Status, http.StatusNotFound)
	}
	equal(t, "POST to no ticket", sc.Do("POST", first+"9/comments", comment("<body>a</body>")).Status,
		http.StatusNotFound)
	for _, verb := range []string{"PUT", "DELETE"} {
		r := sc.Do(verb, first+"/comments/1", comment("<body>x</body>"))
		equal(t, verb, []any{r.Status, r.Header.Get("Allow")}, []any{http.StatusMethodNotAllowed, "GET, HEAD, OPTIONS"})
	}
	equal(t, "JSON", sc.Get(first+"/comments/1.json").Status, http.StatusOK)
	a := sc.lastAudit(t, inventory.Comments.Schema, "create")
	equal(t, "audit", []string{a.child("message").Text, a.child("record-href").Text},
		[]string{"Comment added to ticket a", sc.Base() + "/tickets/2/comments/3.xml"})
}

// commentsGo deletes a ticket with its comments.
func commentsGo(t *testing.T, sc *scene, first, other string) {
	t.Helper()
	same := sc.Get(first).Body
	equal(t, "PUT of its own GET", sc.Do("PUT", first, same).Body, same)
	equal(t, "DELETE", []any{sc.Do("DELETE", first, "").Body}, []any{same})
	equal(t, "its comments", sc.Get(first+"/comments").Status, http.StatusNotFound)
	equal(t, "its comment", sc.Get(first+"/comments/1").Status, http.StatusNotFound)
	equal(t, "the other's", ids(t, sc.Get(other+"/comments").Body), "3")
	equal(t, "comments stored", len(sc.stored(t, inventory.Comments.Schema)), 1)
	audit := parse(t, sc.Get("/audits?record_type=comment&record_id=1").Body).child("audit")
	equal(t, "the comment's audit record", audit.child("record-href").canon(), "[nil=true]")
}

// TestManyComments: a ticket shows the newest of its comments and how many there are, its list has all, and it goes with
// all of them at the cost of a few statements.
func TestManyComments(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		requester := s.AddUser("ask@example.com", inventory.Requester, false)
		sc := &scene{Server: s, Client: s.Admin()}
		path := sc.open(t, "<requester><email>ask@example.com</email></requester>")
		const last = inventory.NewestComments + 12
		for n := range last {
			doc := comment(fmt.Sprintf("<body>word%d</body><is-private>%t</is-private>", n+1, n%100 == 99))
			equal(t, "POST", sc.Do("POST", path+"/comments", doc).Status, http.StatusCreated)
		}
		for _, reader := range []struct {
			*mustertest.Client
			name  string
			total int
			first string
		}{{sc.Client, "staff", last, "13"}, {requester, "requester", last - 2, "11"}} {
			one := parse(t, reader.Get(path).Body)
			all := one.child("comments").Nodes
			equal(t, reader.name+": comments-count", one.child("comments-count").Text, fmt.Sprint(reader.total))
			equal(t, reader.name+": the newest", []any{len(all), all[0].child("id").Text, all[len(all)-1].child("id").Text},
				[]any{inventory.NewestComments, reader.first, fmt.Sprint(last)})
			list := reader.Get(path + "/comments?per_page=1000")
			equal(t, reader.name+": the list", len(strings.Fields(ids(t, list.Body))), reader.total)
		}
		before := s.Store().Stats().Ran
		equal(t, "DELETE", sc.Do("DELETE", path, "").Status, http.StatusOK)
		if cost := s.Store().Stats().Ran - before; cost > 60 {
			t.Errorf("DELETE: got %d statements for %d comments, want a few", cost, last)
		}
		equal(t, "comments stored", len(sc.stored(t, inventory.Comments.Schema)), 0)
		other := sc.open(t, "")
		equal(t, "a search for what is gone", ids(t, sc.Get("/tickets?q=word7").Body), "")
		equal(t, "a ticket without comments", value(t, sc.Get(other).Body, "comments-count"), "0")
	})
}

// TestIncidents: an incident is a ticket under another name.
func TestIncidents(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		sc := &scene{Server: s, Client: s.Admin()}
		r := sc.Do("POST", "/incidents.xml", "<incident><name>one</name></incident>")
		equal(t, "POST", []string{fmt.Sprint(r.Status), r.Header.Get("Location")},
			[]string{"201", s.Base + "/incidents/1.xml"})
		asTicket := sc.Get("/tickets/1.xml").Body
		renamed := strings.NewReplacer("<incident>", "<ticket>", "</incident>", "</ticket>", "/incidents/",
			"/tickets/").Replace(r.Body)
		equal(t, "the same record as a ticket", asTicket, renamed)
		equal(t, "its version", sc.Get("/incidents/1").Header.Get("ETag")[:4],
			sc.Get("/tickets/1").Header.Get("ETag")[:4])
		refused(t, "a ticket's document", sc.Do("PUT", "/incidents/1", ticket("<name>x</name>")),
			http.StatusUnprocessableEntity, "want <incident>")
		refused(t, "an incident's document", sc.Do("PUT", "/tickets/1", "<incident/>"), http.StatusUnprocessableEntity,
			"want <ticket>")
		equal(t, "PUT", value(t, sc.Do("PUT", "/incidents/1", "<incident><state>Closed</state></incident>").Body,
			"closed-at"), "2026-01-31T09:30:00Z")
		equal(t, "as a ticket", value(t, sc.Get("/tickets/1").Body, "state"), "Closed")
		refused(t, "rules of tickets", sc.Do("PUT", "/incidents/1", "<incident><state>Resolved</state></incident>"),
			http.StatusUnprocessableEntity, "State can't go")
		sc.open(t, "<tag>second</tag>")
		root := parse(t, sc.Get("/incidents.xml?tag=SECOND&sort_by=number").Body)
		equal(t, "list", root.XMLName.Local+" "+root.Nodes[3].XMLName.Local+" "+root.Nodes[3].child("href").Text,
			"incidents incident "+s.Base+"/incidents/2.xml")
		a := sc.lastAudit(t, inventory.Tickets.Schema, "update")
		equal(t, "audit", a.child("record-href").Text, s.Base+"/tickets/1.xml")
		equal(t, "DELETE", sc.Do("DELETE", "/incidents/1", "").Status, http.StatusOK)
		equal(t, "as a ticket", sc.Get("/tickets/1").Status, http.StatusNotFound)
	})
}
