//go:build full

package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"muster/internal/mustertest"
)

// atOnce sends a form several times at the same moment, and returns the places
// that the answers lead to.
func atOnce(v *mustertest.Visitor, path string, form url.Values) []string {
	places := make([]string, 4)
	var all sync.WaitGroup
	for i := range places {
		all.Go(func() { places[i] = v.Post(path, form).Header.Get("Location") })
	}
	all.Wait()
	return places
}

// said counts how often a page of a ticket has a text.
func said(t *testing.T, what string, page *mustertest.Response, text string, want int) {
	t.Helper()
	if got := strings.Count(page.Body, "<p>"+text+"</p>"); got != want {
		t.Errorf("%s: got %q %d times, want %d: %s", what, text, got, want, page.Body)
	}
}

// TestAnswerTwice says an answer once whose form is sent twice, also when the page
// has learned of it meanwhile, and another one that the same form says too.
func TestAnswerTwice(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		d := openDesk(t, db)
		for _, side := range []struct {
			name, path string
			v          *mustertest.Visitor
			more       url.Values // that changes the ticket too
		}{
			{"desk", d.path, d.tech, url.Values{"state": {"On Hold"}, "kind": {"note"}}},
			{"portal", strings.Replace(d.path, "tickets", "requests", 1), d.ask, url.Values{"do": {"close"}}},
		} {
			reply := side.path + "/reply"
			form := formOn(t, side.v.Get(side.path), reply)
			form.Set("body", "I am "+side.name+".")
			for _, place := range atOnce(side.v, reply, form) {
				if place != side.path {
					t.Errorf("%s: got to %q, want %s", side.name, place, side.path)
				}
			}
			page := side.v.Get(side.path)
			said(t, side.name, page, "I am "+side.name+".", 1)

			for name, now := range seen(page, side.more) { // as the page's own scripts keep it up to date
				if form.Has(name) || side.more.Has(name) {
					form[name] = now
				}
			}
			form.Set("body", "More of "+side.name+".")
			for _, place := range atOnce(side.v, reply, form) {
				if place != side.path {
					t.Errorf("%s with a change: got to %q, want %s", side.name, place, side.path)
				}
			}
			said(t, side.name+" with a change", side.v.Get(side.path), "More of "+side.name+".", 1)
			expect(t, side.name+" from the page of now", side.v.Post(reply, withSeen(form, side.v.Get(side.path))),
				http.StatusSeeOther)
			said(t, side.name+" from the page of now", side.v.Get(side.path), "More of "+side.name+".", 1)
		}
		path := strings.Replace(d.path, "tickets", "requests", 1)
		form := formOn(t, d.ask.Get(path), path+"/reply")
		form.Set("do", "close")
		expect(t, "to close what is closed", d.ask.Post(path+"/reply", form), http.StatusSeeOther)
	})
}

// withSeen returns a form with what a newer page has seen of the ticket.
func withSeen(form url.Values, page *mustertest.Response) url.Values {
	out := url.Values{}
	for name, given := range form {
		out[name] = given
	}
	for name, given := range seen(page, nil) {
		out[name] = given
	}
	return out
}

// TestRequestTwice opens one ticket for a form that is sent twice.
func TestRequestTwice(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		d := openDesk(t, db)
		form := formOn(t, d.ask.Get("/app/portal"), "/app/requests")
		empty := d.ask.Post("/app/requests", form)
		expect(t, "without a subject", empty, http.StatusUnprocessableEntity)
		if again := formOn(t, empty, "/app/requests"); again.Get("key") != form.Get("key") {
			t.Errorf("the form again: got the key %q, want %q", again.Get("key"), form.Get("key"))
		}
		form.Set("name", "No sound")
		for _, place := range atOnce(d.ask, "/app/requests", form) {
			if place != "/app/requests/2" {
				t.Errorf("got to %q, want /app/requests/2", place)
			}
		}
		form.Set("name", "No picture")
		if got := d.ask.Post("/app/requests", form); got.Header.Get("Location") != "/app/requests/3" {
			t.Errorf("another ticket: got %d to %s", got.Status, got.Header.Get("Location"))
		}
	})
}
