//go:build full

package web_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestLiveTicket notifies an open page of comments and changes, also of private notes,
// and of those made through another node.
func TestLiveTicket(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		d := openDesk(t, db)
		events := d.tech.Follow(d.path + "/events")
		next := func(what, want string) {
			t.Helper()
			event, data := events.Next()
			if event != "changed" || data != want {
				t.Errorf("%s: got the event %q with %s, want changed with %s", what, event, data, want)
			}
		}
		next("at first", `{"version":1,"comments":0,"last":0}`)
		other := d.admin
		if db.Name == "postgres" {
			other = secondNode(t, d.Server).SignIn(server.Administrator)
		}
		page := other.Get(d.path)
		other.Post(d.path+"/reply", seen(page, url.Values{"kind": {"note"}, "body": {"It is the fuser."}}))
		next("a note", `{"version":1,"comments":1,"last":1}`)
		other.Post(d.path+"/reply", seen(page, url.Values{"kind": {"reply"}, "body": {"Open a window."}}))
		next("a reply", `{"version":2,"comments":2,"last":2}`)
		other.Post(d.path+"/set", seen(page, url.Values{"priority": {"High"}}))
		next("a change", `{"version":3,"comments":2,"last":2}`)
		other.Post(d.path+"/delete", url.Values{"version": {"3"}})
		if event, _ := events.Next(); event != "end" {
			t.Errorf("a deletion: got the event %q, want end", event)
		}
		if event, _ := events.Next(); event != "" {
			t.Errorf("after the end: got the event %q, want none", event)
		}
	})
}

// TestLiveCount sends pages of staff the number of open tickets, at first and when it
// changes; requesters do not get it.
func TestLiveCount(t *testing.T) {
	t.Parallel()
	d := openDesk(t, mustertest.SQLite)
	events := d.tech.Follow("/app/tickets/events?list=" + url.QueryEscape("state=New"))
	if got := events.Counted(); got != `{"href":"/app/tickets","text":"1"}` {
		t.Errorf("at first: got %s", got)
	}
	d.Clock.Advance(2e9)
	d.admin.Post("/app/tickets/new", url.Values{"name": {"Another"}, "requester": {server.Administrator}})
	if got := events.Counted(); got != `{"href":"/app/tickets","text":"2"}` {
		t.Errorf("after another ticket: got %s", got)
	}
	asked := d.ask.Follow(strings.Replace(d.path, "tickets", "requests", 1) + "/events")
	asked.Next()
	d.tech.Post("/app/tickets/1/reply", seen(d.tech.Get(d.path), url.Values{"kind": {"reply"}, "body": {"Hm."}}))
	asked.Next()
	d.Clock.Advance(2e9)
	d.Quit()
	if got := asked.Counted(); got != "" {
		t.Errorf("a requester: got %s, want nothing", got)
	}
}

// secondNode starts another server on the same database, with the same key.
func secondNode(t *testing.T, first *mustertest.Server) *mustertest.Server {
	t.Helper()
	data := t.TempDir()
	key, err := os.ReadFile(filepath.Join(first.Data, "server.key"))
	if err == nil {
		err = os.WriteFile(filepath.Join(data, "server.key"), key, 0o600)
	}
	if err != nil {
		t.Fatalf("share the key: %v", err)
	}
	return mustertest.Start(t, mustertest.Options{Database: first.Database, Data: data, Clock: first.Clock})
}

// TestLiveEnds ends events with the session, and with the server.
func TestLiveEnds(t *testing.T) {
	t.Parallel()
	d := openDesk(t, mustertest.SQLite)
	ending := d.tech.Follow(d.path + "/events")
	staying := d.admin.Follow(d.path + "/events")
	ending.Next()
	staying.Next()
	d.tech.Post("/app/signout", url.Values{})
	if event, _ := ending.Next(); event != "end" {
		t.Errorf("after the sign-out: got the event %q, want end", event)
	}
	begun := make(chan struct{})
	go func() {
		defer close(begun)
		d.Quit()
	}()
	if event, _ := staying.Next(); event != "" {
		t.Errorf("after the stop: got the event %q, want none", event)
	}
	<-begun
	if strings.Contains(d.Log.String(), "cut off") {
		t.Error("the stop has cut off a page, want it to end by itself")
	}
}

// TestLiveEndsWithSession ends events as soon as the session has ended, whoever ends
// it, and also through another node.
func TestLiveEndsWithSession(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		d := openDesk(t, db)
		other := d.admin
		if db.Name == "postgres" {
			other = secondNode(t, d.Server).SignIn(server.Administrator)
		}
		found := regexp.MustCompile(`<id[^>]*>(\d+)</id>`).FindStringSubmatch(d.Admin().Get("/users.xml?email=tech@example.com").Body)
		if found == nil {
			t.Fatal("the technician is not there")
		}
		person := "/app/users/" + found[1] // not always 2: PostgreSQL uses up an id when a transaction is repeated
		for _, test := range []struct {
			name string
			end  func(own *mustertest.Visitor) *mustertest.Response
		}{
			{"signing out", func(own *mustertest.Visitor) *mustertest.Response {
				return own.Post("/app/signout", url.Values{})
			}},
			{"the administrator", func(*mustertest.Visitor) *mustertest.Response {
				return other.Post(person+"/sessions/end", url.Values{})
			}},
			{"the list of sessions", func(*mustertest.Visitor) *mustertest.Response {
				return other.Post("/app/sessions/end", url.Values{"user": {"tech@example.com"}})
			}},
			{"another password", func(*mustertest.Visitor) *mustertest.Response {
				got := other.Post(person+"/password", url.Values{"password": {"a quite new passphrase"}})
				d.User(server.UserCommand{Do: "passwd", Email: "tech@example.com", Password: mustertest.AdminPassword})
				return got
			}},
			{"disabling", func(*mustertest.Visitor) *mustertest.Response {
				return other.Post(person+"/disable", url.Values{})
			}},
		} {
			own := d.SignIn("tech@example.com")
			events, begin := own.Follow(d.path+"/events"), time.Now()
			events.Next()
			if got := test.end(own); got.Status != http.StatusSeeOther || test.name != "signing out" &&
				strings.HasPrefix(got.Header.Get("Location"), "/app/signin") {
				t.Fatalf("%s: got %d to %q, want 303: %s", test.name, got.Status, got.Header.Get("Location"), got.Body)
			}
			event, _ := events.Next()
			// two, on a machine with nothing else to do
			if took := time.Since(begin); event != "end" || took > 8*time.Second {
				t.Errorf("%s: got the event %q after %v, want end at once", test.name, event, took)
			}
		}
	})
}

// TestLiveLimit opens no more live pages for one user than they need.
func TestLiveLimit(t *testing.T) {
	t.Parallel()
	d := openDesk(t, mustertest.SQLite)
	var all []*mustertest.Events
	for len(all) == 0 || all[len(all)-1].Status == http.StatusOK && len(all) < 100 {
		all = append(all, d.tech.Follow(d.path+"/events"))
	}
	if last := all[len(all)-1]; last.Status != http.StatusTooManyRequests || len(all) != 9 {
		t.Fatalf("got %d live pages, the last with %d, want 8 and 429", len(all)-1, last.Status)
	}
	if other := d.admin.Follow(d.path + "/events"); other.Status != http.StatusOK {
		t.Errorf("of another user: got %d, want 200", other.Status)
	}
	all[0].Close()
	mustertest.Eventually(t, "a page that was closed makes room", func() bool {
		return d.tech.Follow(d.path+"/events").Status == http.StatusOK
	})
	if page := d.tech.Get(d.path); page.Status != http.StatusOK || !strings.Contains(page.Body, "data-live") {
		t.Errorf("a page beside them: got %d", page.Status)
	}
}
