package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestSearch finds records of all kinds, and what a text names exactly first.
func TestSearch(t *testing.T) {
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{Database: db.New(t)})
		v := s.SignIn(server.Administrator)
		for path, form := range map[string]url.Values{
			"computers": {"name": {"beamer-pc"}, "asset-id": {"A-17"}}, "tickets": {"name": {"Beamer is <dark>"}}, "vendors": {"name": {"Beamer Ltd"}},
		} {
			if got := v.Post("/app/"+path+"/new", form); got.Status != http.StatusSeeOther {
				t.Fatalf("new in %s: got %d", path, got.Status)
			}
		}
		for text, want := range map[string][]string{
			"beamer": {`href="/app/computers/1"`, `href="/app/tickets/1"`, `href="/app/vendors/1"`, "#1 Beamer is &lt;dark&gt;", `href="/app/vendors?q=beamer"`},
			"a-17":   {"Exactly this", `href="/app/computers/1"`},
			"nobody": {"Nothing matches"},
			"*":      {"Nothing matches"},
		} {
			got := v.Get("/app/search?q=" + url.QueryEscape(text))
			for _, one := range want {
				if got.Status != http.StatusOK || !strings.Contains(got.Body, one) {
					t.Errorf("%s: got %d without %s: %s", text, got.Status, one, got.Body)
				}
			}
		}
		if got := v.Get("/app/search?q=%231"); got.Status != http.StatusSeeOther || got.Header.Get("Location") != "/app/tickets/1" {
			t.Errorf("#1: got %d to %s, want the ticket", got.Status, got.Header.Get("Location"))
		}
		got := v.Get("/app/search/instant?q=beam").Body
		if strings.Contains(got, "<html") || strings.Count(got, `role="option"`) != 3 || !strings.Contains(got, `data-href="/app/tickets/1"`) {
			t.Errorf("instant: got %s", got)
		}
		s.AddUser("tech@example.com", inventory.Technician, false)
		if got := s.SignIn("tech@example.com").Get("/app/search?q=" + url.QueryEscape("tech@example.com")).Body; strings.Contains(got, `href="/app/users`) {
			t.Error("a technician finds users, whose pages are not for them")
		}
	})
}
