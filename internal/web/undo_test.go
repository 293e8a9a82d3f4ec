package web_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

var undoPath = regexp.MustCompile(`action="(/app/undo/[0-9,-]+)"`)

// TestUndo undoes a change by the button of the toast that announces it.
func TestUndo(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v := s.SignIn(server.Administrator)
		path := v.Post("/app/computers/new", url.Values{"name": {"lej-1"}, "site": {"Leipzig"}}).Header.Get("Location")
		if got := v.Get(path); undoPath.MatchString(got.Body) {
			t.Errorf("after the making: got an undo in %s", got.Body)
		}
		v.Post(path+"/edit", url.Values{"site": {"Rotterdam"}})
		page := v.Get(path).Body
		undo := undoPath.FindStringSubmatch(page)
		if undo == nil {
			t.Fatalf("after the change: got no undo in %s", page)
		}
		s.AddUser("other@example.com", inventory.Technician, false)
		if got := s.SignIn("other@example.com").Post(undo[1], url.Values{}); got.Status != http.StatusForbidden {
			t.Errorf("undo by another: got %d, want 403", got.Status)
		}
		got := v.Post(undo[1], url.Values{"to": {"/computers?site=Leipzig"}})
		if got.Status != http.StatusSeeOther || got.Header.Get("Location") != "/app/computers?site=Leipzig" {
			t.Fatalf("undo: got %d to %s: %s", got.Status, got.Header.Get("Location"), got.Body)
		}
		if page := v.Get(got.Header.Get("Location")).Body; !strings.Contains(page, "lej-1 was changed back") ||
			!strings.Contains(page, `href="`+path) {
			t.Errorf("after the undo: got %s", page)
		}
		if got := v.Post(undo[1], url.Values{}); got.Status != http.StatusConflict {
			t.Errorf("undo once more: got %d, want 409", got.Status)
		}
		refused := v.Post(undo[1], url.Values{"to": {"/computers/1?n=2"}})
		if refused.Status != http.StatusSeeOther || refused.Header.Get("Location") != "/app/computers/1?n=2" {
			t.Errorf("undo once more, from a page: got %d to %s", refused.Status, refused.Header.Get("Location"))
		}
		hasToast(t, "the page after that", v.Get(refused.Header.Get("Location")),
			"was changed since, so that nothing was undone", true)
		for _, bad := range []string{"x", "3-1", "1-100000", "0", "1,,2"} {
			if got := v.Post("/app/undo/"+bad, url.Values{}); got.Status != http.StatusNotFound {
				t.Errorf("undo of %s: got %d, want 404", bad, got.Status)
			}
		}
	})
}

// toastOn finds the toast on a page: in which of the two regions for screen readers it
// is, its icon, and its text.
var toastOn = regexp.MustCompile(`<div role="(status|alert)"><div class="toast(?: warn)?"><svg [^>]*><use href="[^"]*#(check|warn)"/></svg><span>([^<]*)</span>`)

// hasToast fails the test unless a page has a toast with a text, as a warning or not.
func hasToast(t *testing.T, what string, page *mustertest.Response, text string, warn bool) {
	t.Helper()
	got := toastOn.FindStringSubmatch(page.Body)
	if got == nil || !strings.Contains(got[3], text) || (got[1] == "alert") != warn || (got[2] == "warn") != warn {
		t.Errorf("%s: got %q, want %q, warning %v", what, got, text, warn)
	}
}

// TestToasts: a toast about what was not done looks different from one about what was
// done.
func TestToasts(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	add(t, s, "/risks", "<risk><name>Old</name></risk>")
	add(t, s, "/risks", "<risk><name>New</name></risk>")
	v := s.SignIn(server.Administrator)
	edit := func(path string) string {
		v.Post(path+"/edit", url.Values{"name": {"Other"}})
		return undoPath.FindStringSubmatch(v.Get(path).Body)[1]
	}
	first, second := edit("/app/risks/1"), edit("/app/risks/2")
	both := first + "," + strings.TrimPrefix(second, "/app/undo/")
	v.Post("/app/risks/1/edit", url.Values{"name": {"Another"}})
	for _, test := range []struct {
		path string
		form url.Values
		want string
		warn bool
	}{
		{"/app/risks/1/set", url.Values{"status": {"Resolved"}, "version": {"1"}}, "Someone changed it in the meantime",
			true},
		{"/app/risks/1/set", url.Values{"status": {"Resolved"}}, "Another is Resolved now", false},
		{both, url.Values{"to": {"/risks"}}, "1 change was undone, 1 record has changed since and was left alone", true},
		{"/app/computers/bulk", url.Values{"field": {"site"}, "to-site": {"x"}}, "Nothing was selected", true},
		{"/app/computers/bulk", url.Values{"id": {"1"}}, "Nothing was set", true},
		{"/app/preferences", url.Values{"density": {"compact"}}, "Your preferences were saved", false},
	} {
		got := v.Post(test.path, test.form)
		if got.Status != http.StatusSeeOther {
			t.Fatalf("%s: got %d: %s", test.path, got.Status, got.Body)
		}
		hasToast(t, test.path, v.Get(got.Header.Get("Location")), test.want, test.warn)
	}
}

// TestUndoButtons takes back what the buttons of an article and of a risk do.
func TestUndoButtons(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	add(t, s, "/solutions", "<solution><name>Restart</name></solution>")
	add(t, s, "/risks", "<risk><name>Old</name></risk>")
	v := s.SignIn(server.Administrator)
	for _, test := range []struct {
		path         string
		set          url.Values
		done, before string
	}{
		{"/articles/1", url.Values{"state": {"Published"}}, "Unpublish</button>", "Publish</button>"},
		{"/risks/1", url.Values{"status": {"Resolved"}}, "Reopen</button>", "Resolve</button>"},
		{"/risks/1", url.Values{"status": {"Ignored"}, "ignored-until": {"2090-05-01"}}, "Reopen</button>",
			"Resolve</button>"},
	} {
		goes(t, test.path, v.Post("/app"+test.path+"/set", test.set), test.path)
		page := v.Get("/app" + test.path)
		contains(t, test.path, page, test.done)
		undo := undoPath.FindStringSubmatch(page.Body)
		if undo == nil {
			t.Fatalf("%s %v: got no undo in %s", test.path, test.set, page.Body)
		}
		goes(t, "undo", v.Post(undo[1], url.Values{"to": {test.path}}), test.path)
		page = v.Get("/app" + test.path)
		contains(t, test.path, page, "was changed back", test.before)
		lacks(t, test.path, page, test.done)
	}
}

// TestForgedToast shows no button for a way back that somebody else has written.
func TestForgedToast(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	for undo, want := range map[string]bool{
		"/undo/1": true, "/users/1/disable": false, "/undo/../users/1/disable": false,
	} {
		value, err := json.Marshal(map[string]string{"text": "All is well", "undo": undo})
		if err != nil {
			t.Fatal(err)
		}
		v.SetCookie("__Host-muster-toast", base64.RawURLEncoding.EncodeToString(value))
		page := v.Get("/app/computers")
		contains(t, undo, page, "All is well")
		if got := strings.Contains(page.Body, `action="/app`+undo+`"`); got != want {
			t.Errorf("%s: got a button %v, want %v", undo, got, want)
		}
	}
}
