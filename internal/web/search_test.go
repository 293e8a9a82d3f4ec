package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestSearch finds records of all kinds, and what a text names exactly first.
func TestSearch(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v := s.SignIn(server.Administrator)
		for path, form := range map[string]url.Values{
			"computers": {"name": {"beamer-pc"}, "asset-id": {"A-17"}}, "tickets": {"name": {"Beamer is <dark>"}},
			"vendors": {"name": {"Beamer Ltd"}},
		} {
			if got := v.Post("/app/"+path+"/new", form); got.Status != http.StatusSeeOther {
				t.Fatalf("new in %s: got %d", path, got.Status)
			}
		}
		for text, want := range map[string][]string{
			"beamer": {`href="/app/computers/1"`, `href="/app/tickets/1"`, `href="/app/vendors/1"`,
				"#1 Beamer is &lt;dark&gt;", `href="/app/vendors?q=beamer"`},
			"a-17":   {"Exactly this", `href="/app/computers/1"`},
			"nobody": {"Nothing matches"},
			"*":      {"Nothing matches"},
		} {
			got := searched(v, "/app/search?q="+url.QueryEscape(text))
			for _, one := range want {
				if got.Status != http.StatusOK || !strings.Contains(got.Body, one) {
					t.Errorf("%s: got %d without %s: %s", text, got.Status, one, got.Body)
				}
			}
		}
		if got := v.Get("/app/search?q=%231"); got.Status != http.StatusSeeOther ||
			got.Header.Get("Location") != "/app/tickets/1" {
			t.Errorf("#1: got %d to %s, want the ticket", got.Status, got.Header.Get("Location"))
		}
		got := searched(v, "/app/search/instant?q=beam").Body
		if strings.Contains(got, "<html") || strings.Count(got, `role="option"`) != 3 ||
			!strings.Contains(got, `data-href="/app/tickets/1"`) {
			t.Errorf("instant: got %s", got)
		}
		s.AddUser("tech@example.com", inventory.Technician, false)
		if got := s.SignIn("tech@example.com").Get("/app/search?q=" +
			url.QueryEscape("tech@example.com")).Body; strings.Contains(got, `href="/app/users`) {
			t.Error("a technician finds users, whose pages are not for them")
		}
	})
}

// searched returns what a search shows, and looks again when that took too long: the
// machine may have other work.
func searched(v *mustertest.Visitor, target string) (got *mustertest.Response) {
	for range 20 {
		if got = v.Get(target); !strings.Contains(got.Body, `<span class="n">many</span>`) {
			break
		}
	}
	return got
}

// TestSearchOrder shows records first whose names begin with the text, whatever
// is in it, then the others in which it is found, each in the usual order of
// their list and none twice.
func TestSearchOrder(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		clock := mustertest.NewClock()
		s := mustertest.Start(t, mustertest.Options{On: db, Clock: clock})
		v := s.SignIn(server.Administrator)
		addComputers(t, v,
			url.Values{"name": {"ham-ws-1"}, "notes": {"instead of ham LT"}}, url.Values{"name": {"a-lt-of-ham"}},
			url.Values{"name": {"HAM-LT-9"}}, url.Values{"name": {"ham-lt-10"}}, url.Values{"name": {"HAM-LT-8"}},
			url.Values{"name": {"x b"}}, url.Values{"name": {"x*z"}}, url.Values{"name": {`x\z`}},
			url.Values{"name": {"x%z"}},
		)
		for _, name := range []string{"Fan is loud", "The fan", "A fan", "Fan again"} {
			clock.Advance(time.Minute)
			expect(t, name, v.Post("/app/tickets/new", url.Values{"name": {name}}), http.StatusSeeOther)
		}
		hit := regexp.MustCompile(`(?s)<a class="strong ellipsis" href="/app/(?:computers|tickets)/\d+">([^<]*)</a>`)
		for text, want := range map[string][]string{
			"ham-lt": {"ham-lt-10", "HAM-LT-8", "HAM-LT-9", "a-lt-of-ham", "ham-ws-1"},
			"x*":     {"x*z", "x%z", `x\z`, "x b"},
			`x\`:     {`x\z`, "x%z", "x*z", "x b"},
			"x%":     {"x%z", `x\z`, "x*z", "x b"},
			"fan":    {"#4 Fan again", "#1 Fan is loud", "#3 A fan", "#2 The fan"},
		} {
			page := searched(v, "/app/search?q="+url.QueryEscape(text))
			var got []string
			for _, found := range hit.FindAllStringSubmatch(page.Body, -1) {
				got = append(got, found[1])
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: got %q, want %q", text, got, want)
			}
		}
		if got := searched(v, "/app/search/instant?q=ham-lt").Body; !strings.Contains(got, "ham-lt-10") ||
			strings.Contains(got, "ham-ws-1") || !strings.Contains(got, `<span class="n">5</span>`) {
			t.Errorf("instant: got %s, want three whose names begin so, of 5", got)
		}
		wants(t, "suggestions", v.Get("/app/suggest/tickets/hardwares?q=ham-lt"), http.StatusOK,
			`[{"value":"4","label":"ham-lt-10"},{"value":"5","label":"HAM-LT-8"},{"value":"3","label":"HAM-LT-9"},{"value":"2","label":"a-lt-of-ham"},{"value":"1","label":"ham-ws-1"}]`)
		wants(t, "no text", v.Get("/app/suggest/tickets/hardwares?q=ham%00"), http.StatusOK, `[{`)
	})
}
