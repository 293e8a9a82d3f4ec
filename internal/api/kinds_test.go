package api_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/kindtest"
	"muster/internal/markup"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// A scene is a server with what drawn records refer to.
type scene struct {
	*mustertest.Server
	*mustertest.Client // of the administrator
	world              kindtest.World
}

// startScene starts a server on a new database and makes two users, vendors,
// computers, other assets and tickets.
func startScene(t *testing.T, db mustertest.Database) *scene {
	t.Helper()
	s := start(t, db)
	anna, bert := people(s)
	sc := &scene{Server: s, Client: s.Admin()}
	there := map[*kind.Schema][]kind.Linked{}
	for _, k := range []*kind.Schema{
		inventory.Vendors.Schema, inventory.Computers.Schema, inventory.OtherAssets.Schema, inventory.Tickets.Schema,
	} {
		for _, name := range []string{"First <" + k.Item + "> & co", "second " + k.Item} {
			_, body := sc.post(t, k, "<name>"+string(markup.AppendText(nil, name))+"</name>")
			id, _ := strconv.ParseInt(value(t, body, "id"), 10, 64)
			there[k] = append(there[k], kind.Linked{Item: k.Item, ID: kind.Some(id), Name: name})
		}
	}
	sc.world = kindtest.World{
		People: []kind.Person{anna.Person(), bert.Person()}, Today: s.Clock.Now(),
		Linked: func(target *kind.Schema) []kind.Linked { return there[target] },
	}
	for _, v := range there[inventory.Vendors.Schema] {
		sc.world.Refs = append(sc.world.Refs, kind.Ref{ID: v.ID.V, Name: v.Name})
	}
	return sc
}

// post makes a record from fields, and returns its path and document.
func (sc *scene) post(t *testing.T, k *kind.Schema, fields string) (path, body string) {
	t.Helper()
	return sc.send(t, k, fmt.Sprintf("<%s>%s</%s>", k.Item, fields, k.Item))
}

// send makes a record from a document, and returns its path and document.
func (sc *scene) send(t *testing.T, k *kind.Schema, doc string) (path, body string) {
	t.Helper()
	r := sc.Do("POST", "/"+k.Path(), doc)
	if r.Status != http.StatusCreated {
		t.Fatalf("POST /%s: got %d %s, want 201 for\n%s", k.Path(), r.Status, r.Body, doc)
	}
	path = strings.TrimSuffix(strings.TrimPrefix(r.Header.Get("Location"), sc.Base()), ".xml")
	return path, r.Body
}

// Base returns the server's address.
func (sc *scene) Base() string { return sc.Server.Base }

// draw returns the document of record number n, and what its answer must contain of
// the fields that documents can set.
func (sc *scene) draw(t *testing.T, k *kind.Schema, n int) (doc string, want *node) {
	rec, writable := sc.world.Example(k, n)
	for _, r := range []any{rec, writable} {
		v := k.Values(r)
		for _, f := range k.Fields {
			if f.Unique || k == inventory.Softwares.Schema && f.Name == "version" {
				*v.Text(f) = fmt.Sprintf("%s %d", *v.Text(f), n)
			}
			if f.Name == "email" {
				*v.Text(f) = fmt.Sprintf("user%d@example.com", n)
			}
		}
	}
	k.SetDefaults(writable)
	k.Settle(writable, nil)
	if ticket, ok := writable.(*inventory.Ticket); ok && ticket.State == inventory.TicketNew &&
		ticket.Assignee.ID != 0 {
		ticket.State = inventory.TicketAssigned
	}
	return sc.document(k, rec), parse(t, sc.document(k, writable))
}

// document returns the document of a record.
func (sc *scene) document(k *kind.Schema, rec any) string {
	return string(k.AppendRecord(nil, kind.XML, sc.Base(), rec))
}

// changeable are the kinds whose records clients make.
func changeable() (kinds []*kind.Schema) {
	for _, k := range inventory.Served() {
		if !k.Given {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// eachKind runs a test on each database with one server for all kinds.
func eachKind(t *testing.T, kinds []*kind.Schema, test func(t *testing.T, sc *scene, k *kind.Schema)) {
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		sc := startScene(t, db)
		for _, k := range kinds {
			t.Run(k.Plural, func(t *testing.T) { test(t, sc, k) })
		}
	})
}

// audits returns how many audit records there are.
func (sc *scene) audits() string { return sc.Get("/audits?per_page=1").Header.Get("X-Total-Count") }

// hasValues checks that a document has the values of all fields that documents set.
func hasValues(t *testing.T, what string, k *kind.Schema, body string, want *node) {
	t.Helper()
	got := parse(t, body)
	for _, f := range k.Fields {
		if f.Editable() && !f.Secret {
			equal(t, what+": "+f.Name, got.child(f.Name).canon(), want.child(f.Name).canon())
		}
	}
}

// TestEveryKindRoundTrip: what is sent is what one gets, sent back it changes
// nothing, and another record sent to its address takes its place.
func TestEveryKindRoundTrip(t *testing.T) {
	t.Parallel()
	eachKind(t, changeable(), func(t *testing.T, sc *scene, k *kind.Schema) {
		for n := range 6 {
			doc, want := sc.draw(t, k, n)
			path, body := sc.send(t, k, doc)
			hasValues(t, "POST", k, body, want)
			now := sc.Clock.Now().Format(time.RFC3339)
			equal(t, "times", []string{value(t, body, "created-at"), value(t, body, "updated-at")}, []string{now, now})
			equal(t, "href", value(t, body, "href"), sc.Base()+path+".xml")
			first := sc.Get(path)
			equal(t, "GET", first.Body, body)
			sc.Clock.Advance(time.Minute)
			sc.sentBack(t, path, first)

			doc, want = sc.draw(t, k, n+1000)
			doc = sc.keep(t, k, doc, body, want)
			r := sc.Do("PUT", path+".xml", doc)
			equal(t, "PUT of another", r.Status, http.StatusOK)
			hasValues(t, "PUT of another", k, r.Body, want)
			equal(t, "GET after PUT", sc.Get(path).Body, r.Body)
		}
	})
}

// kept are the fields with rules of their own for changes.
var kept = map[*kind.Schema]string{inventory.Tickets.Schema: "state", inventory.Users.Schema: "email"}

// keep takes a field with rules of its own out of a document that is sent to the
// address of another, whose body is given, and returns it.
func (sc *scene) keep(t *testing.T, k *kind.Schema, doc, body string, want *node) string {
	name := kept[k.Stored()]
	if name == "" {
		return doc
	}
	*want.child(name) = *parse(t, body).child(name)
	if assignee := want.child("assignee"); want.child(name).Text == inventory.TicketNew && len(assignee.Nodes) > 0 {
		want.child(name).Text = inventory.TicketAssigned
	}
	return regexp.MustCompile("<"+name+">.*</"+name+">").ReplaceAllLiteralString(doc, "")
}

// least returns the fields that a record must have, with a name of its own.
func least(k *kind.Schema, name string) string {
	if k.Field("email") != nil {
		return "<email>" + name + "@example.com</email>"
	}
	return "<name>" + name + "</name>"
}

// sentBack sends a document to its own address.
func (sc *scene) sentBack(t *testing.T, path string, first *mustertest.Response) {
	t.Helper()
	audits := sc.audits()
	r := sc.Do("PUT", path, first.Body)
	equal(t, "PUT of its own GET", []any{r.Status, r.Body, r.Header.Get("ETag")},
		[]any{http.StatusOK, first.Body, first.Header.Get("ETag")})
	equal(t, "ETag after it", sc.Get(path).Header.Get("ETag"), first.Header.Get("ETag"))
	equal(t, "audit records of it", sc.audits(), audits)
}

// stored returns the ids of all records of a kind, also of those that no list
// shows.
func (sc *scene) stored(t *testing.T, k *kind.Schema) (ids []int64) {
	t.Helper()
	ctx := context.Background()
	err := sc.Store().View(ctx, func(tx *store.Tx) (err error) {
		ids, err = tx.IDs(ctx, k)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}
