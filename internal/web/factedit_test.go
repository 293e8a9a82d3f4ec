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

// TestFacts changes facts of a computer where they stand, unless somebody else
// has changed the same one meanwhile.
func TestFacts(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v := s.SignIn(server.Administrator)
		path := five(t, v)[0]
		contains(t, "the page", v.Get(path+"?n=1"), path+"?edit=site&amp;n=1#fact-site", `id="fact-notes"`)
		open := v.Get(path + "?edit=site&n=1")
		contains(t, "the form", open, `action="`+path+`/fact"`, `name="was" value="Leipzig"`, `name="rest" value="n=1"`)
		form := url.Values{"field": {"site"}, "was": {"Leipzig"}, "version": {versionOf(t, open)}, "rest": {
			"n=1",
		}, "site": {"Dresden"}}
		v.Post(path+"/edit", url.Values{"tag": {"x"}})
		saved := v.Post(path+"/fact", form)
		if saved.Status != http.StatusSeeOther || saved.Header.Get("Location") != path+"?n=1" {
			t.Fatalf("another field was changed meanwhile: got %d to %s: %s", saved.Status,
				saved.Header.Get("Location"), saved.Body)
		}
		contains(t, "saved", v.Get(path), "Site was saved", ">Dresden")
		form.Set("site", "Hamburg")
		again := v.Post(path+"/fact", form)
		if again.Status != http.StatusConflict ||
			!strings.Contains(again.Body, "Someone set this to “Dresden” in the meantime") ||
			!strings.Contains(again.Body, `value="Hamburg"`) {
			t.Errorf("the same field was changed meanwhile: got %d: %s", again.Status, again.Body)
		}
		form.Set("version", versionOf(t, again))
		if got := v.Post(path+"/fact", form); got.Status != http.StatusSeeOther {
			t.Errorf("saved again: got %d: %s", got.Status, got.Body)
		}
	})
}

// versionOf returns the version of the record that a form is about.
func versionOf(t *testing.T, page *mustertest.Response) string {
	t.Helper()
	_, rest, found := strings.Cut(page.Body, `name="version" value="`)
	version, _, _ := strings.Cut(rest, `"`)
	if !found {
		t.Fatalf("no form: %s", page.Body)
	}
	return version
}

// TestFactFaults refuses facts that cannot be.
func TestFactFaults(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	s.AddUser("read@example.com", inventory.Technician, true)
	v, reader := s.SignIn(server.Administrator), s.SignIn("read@example.com")
	path := five(t, v)[0]
	lacks(t, "who may only read", reader.Get(path+"?edit=site"), "data-edit", "data-fact")
	for _, test := range []struct {
		who  *mustertest.Visitor
		form url.Values
		want int
	}{
		{v, url.Values{"field": {"name"}, "name": {""}}, http.StatusUnprocessableEntity},
		{v, url.Values{"field": {"status"}, "status": {"Nonsense"}}, http.StatusUnprocessableEntity},
		{v, url.Values{"field": {"id"}, "id": {"7"}}, http.StatusNotFound},
		{v, url.Values{"field": {"drives"}, "drives": {""}}, http.StatusNotFound},
		{reader, url.Values{"field": {"site"}, "site": {"x"}}, http.StatusForbidden},
	} {
		if got := test.who.Post(path+"/fact", test.form); got.Status != test.want {
			t.Errorf("%v: got %d, want %d: %s", test.form, got.Status, test.want, got.Body)
		}
	}
}
