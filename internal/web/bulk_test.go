package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// ids returns the ids of the records that paths lead to.
func ids(paths []string) (all []string) {
	for _, path := range paths {
		all = append(all, path[strings.LastIndex(path, "/")+1:])
	}
	return all
}

// undoOf returns the address that the toast of a page posts to.
func undoOf(t *testing.T, page *mustertest.Response) string {
	t.Helper()
	_, rest, ok := strings.Cut(page.Body, `action="/app/undo/computers?`)
	if !ok {
		t.Fatalf("there is nothing to undo: %s", page.Body)
	}
	query, _, _ := strings.Cut(rest, `"`)
	return "/app/undo/computers?" + strings.ReplaceAll(query, "&amp;", "&")
}

// TestBulk changes ticked records and takes it back, but not what somebody has
// changed since.
func TestBulk(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v := s.SignIn(server.Administrator)
		paths := five(t, v)
		contains(t, "the list", v.Get("/app/computers"), `name="id" value="1" aria-label="Select lej-1"`,
			`name="to-status"`, `name="to-owner"`)
		set := v.Post("/app/computers/bulk",
			url.Values{"id": ids(paths[:2]), "field": {"site"}, "to-site": {"Dresden"}, "query": {"status=Spare"}})
		if set.Status != http.StatusSeeOther || set.Header.Get("Location") != "/app/computers?status=Spare" {
			t.Fatalf("change: got %d to %s: %s", set.Status, set.Header.Get("Location"), set.Body)
		}
		list := v.Get("/app/computers?site=Dresden")
		contains(t, "after the change", list, ">lej-1</a>", ">lej-2</a>", "Site: set to Dresden for 2 records")
		lacks(t, "after the change", list, ">lej-3</a>")
		contains(t, "the audit trail", v.Get("/app/activity"), "<dt>Site</dt><dd><del>Leipzig</del>",
			"<ins>Dresden</ins>")

		v.Post(paths[1]+"/edit", url.Values{"site": {"Paris"}})
		undone := v.Post(undoOf(t, list), url.Values{})
		if undone.Status != http.StatusSeeOther ||
			!strings.HasPrefix(undone.Header.Get("Location"), "/app/computers/bulk?") {
			t.Fatalf("undo: got %d to %s: %s", undone.Status, undone.Header.Get("Location"), undone.Body)
		}
		contains(t, "what could not be undone", v.Get(undone.Header.Get("Location")),
			"1 record was changed back<br>1 record could not be changed", "notice warn", "Site was changed",
			">lej-2</a>", "somebody has changed it since")
		contains(t, "after the undo", v.Get("/app/computers?site=Leipzig"), ">lej-1</a>", ">lej-3</a>")
		contains(t, "what others changed", v.Get("/app/computers?site=Paris"), ">lej-2</a>")
	})
}

// TestBulkOfSearch changes all records of a list that was searched, and no others.
func TestBulkOfSearch(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v := s.SignIn(server.Administrator)
		five(t, v)
		v.Post("/app/computers/bulk",
			url.Values{"all": {"yes"}, "query": {"q=lej-2&site=Leipzig"}, "field": {"tag"}, "to-tag": {"found"}})
		list := v.Get("/app/computers?tag=found")
		contains(t, "after the change", list, ">lej-2</a>", "Tag: set to found for 1 record")
		lacks(t, "after the change", list, ">lej-1</a>", ">lej-3</a>")
	})
}

// TestBulkKept takes a change back hours later, though there were others since.
func TestBulkKept(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v := s.SignIn(server.Administrator)
		paths := five(t, v)
		set := func(v *mustertest.Visitor, path, site string) {
			v.Post("/app/computers/bulk", url.Values{"id": ids([]string{path}), "field": {"site"}, "to-site": {site}})
		}
		set(v, paths[0], "Dresden")
		undo := undoOf(t, v.Get("/app/computers"))
		s.Clock.Advance(23 * time.Hour)
		v = s.SignIn(server.Administrator)
		set(v, paths[1], "Paris")
		expect(t, "undo", v.Post(undo, url.Values{}), http.StatusSeeOther)
		list := v.Get("/app/computers")
		contains(t, "after the undo", list, ">Paris</td>")
		lacks(t, "after the undo", list, ">Dresden</td>")
	})
}

// TestBulkOfLongList has an Undo also where the address of the list is long, which
// comes back to it.
func TestBulkOfLongList(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	paths := five(t, v)
	query := url.Values{"site": {"Leipzig", strings.Repeat("x", 4000)}}.Encode()
	set := v.Post("/app/computers/bulk",
		url.Values{"id": ids(paths[:1]), "field": {"tag"}, "to-tag": {"old"}, "query": {query}})
	for _, cookie := range set.Header["Set-Cookie"] {
		if len(cookie) > 4096 {
			t.Errorf("got a cookie of %d bytes, which browsers drop: %s", len(cookie), cookie)
		}
	}
	list := v.Get(set.Header.Get("Location"))
	contains(t, "after the change", list, "Tag: set to old for 1 record")
	undone := v.Post(undoOf(t, list), url.Values{"to": {"/computers?" + query}})
	if undone.Status != http.StatusSeeOther || undone.Header.Get("Location") != "/app/computers?"+query {
		t.Errorf("undo: got %d to %s", undone.Status, undone.Header.Get("Location"))
	}
}

// TestBulkFailures lists which records could not be changed, and why.
func TestBulkFailures(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	paths := five(t, v)
	got := v.Post("/app/computers/bulk",
		url.Values{"id": append(ids(paths[:1]), "999"), "field": {"owner"}, "to-owner": {"nobody@example.com"}})
	report := v.Get(got.Header.Get("Location"))
	contains(t, "report", report, "<h1>Owner was not changed</h1>", "notice warn", "2 records could not be changed",
		"Not changed", ">lej-1</a>", "there is no computer with the id 999")
	lacks(t, "report", report, "had that value already", "notice good", "Owner was changed")
	for _, test := range []struct {
		form url.Values
		want int
	}{
		{url.Values{"id": {"1"}, "field": {"name"}, "to-name": {"x"}}, http.StatusBadRequest},
		{url.Values{"id": {"x"}, "field": {"site"}}, http.StatusBadRequest},
		{url.Values{"all": {"yes"}, "query": {"nonsense=1"}, "field": {"site"}}, http.StatusBadRequest},
		{url.Values{"field": {"site"}, "to-site": {"x"}}, http.StatusSeeOther},
		// which of them is not known
		{url.Values{"id": {"1"}, "field": {""}, "to-site": {"x"}, "to-tag": {"x"}}, http.StatusSeeOther},
	} {
		if got := v.Post("/app/computers/bulk", test.form); got.Status != test.want {
			t.Errorf("%v: got %d, want %d", test.form, got.Status, test.want)
		}
	}
	lacks(t, "nothing selected", v.Get("/app/computers"), ">x</td>")
	s.AddUser("read@example.com", inventory.Technician, true)
	reader := s.SignIn("read@example.com")
	if got := reader.Post("/app/computers/bulk",
		url.Values{"id": ids(paths), "field": {"site"}, "to-site": {"x"}}); got.Status != http.StatusForbidden {
		t.Errorf("somebody who may only read: got %d, want 403", got.Status)
	}
	if got := reader.Get(got.Header.Get("Location")); got.Status != http.StatusNotFound {
		t.Errorf("another's change: got %d, want 404", got.Status)
	}
}

// TestBulkOfMany changes all records of a filter while a page shows how far it
// is.
func TestBulkOfMany(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v := s.SignIn(server.Administrator)
		for i := range 60 {
			addComputers(t, v, url.Values{"name": {fmt.Sprintf("pc-%d", i)}, "site": {"HQ"}})
		}
		addComputers(t, v, url.Values{"name": {"other"}, "site": {"Elsewhere"}})
		got := v.Post("/app/computers/bulk",
			url.Values{"all": {"yes"}, "query": {"site=HQ"}, "field": {"tag"}, "to-tag": {"moved"}})
		report := got.Header.Get("Location")
		if got.Status != http.StatusSeeOther || !strings.HasPrefix(report, "/app/computers/bulk?") {
			t.Fatalf("change: got %d to %s: %s", got.Status, report, got.Body)
		}
		mustertest.Eventually(t, "the change ends",
			func() bool { return !strings.Contains(v.Get(report).Body, "data-running") })
		contains(t, "the end", v.Get(report), "Tag: set to moved for 60 records", "Undo")
		contains(t, "the list", v.Get("/app/computers?tag=moved"), "60 of 61")
	})
}
