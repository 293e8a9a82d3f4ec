package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// viewID returns the id of the saved view that a page shows and can change.
func viewID(t *testing.T, page *mustertest.Response) string {
	t.Helper()
	found := regexp.MustCompile(`name="id" value="(\d+)"><input type="hidden" name="query"`).FindStringSubmatch(page.Body)
	if found == nil {
		t.Fatalf("no saved view can be changed: %s", page.Body)
	}
	return found[1]
}

// TestSavedViews saves views of one's own and for others, renames and removes
// them.
func TestSavedViews(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		s.AddUser("tech@example.com", inventory.Technician, false)
		admin, tech := s.SignIn(server.Administrator), s.SignIn("tech@example.com")
		five(t, admin)
		const list = "/app/computers?site=Leipzig&status=Spare"
		contains(t, "before", tech.Get(list), "Save view")
		query := url.Values{"site": {"Leipzig"}, "status": {"Spare"}, "per_page": {"25"}}.Encode()
		saved := tech.Post("/app/computers/views", url.Values{"name": {"Spares <here>"}, "query": {query}})
		if saved.Status != http.StatusSeeOther || saved.Header.Get("Location") != list {
			t.Fatalf("save: got %d to %s: %s", saved.Status, saved.Header.Get("Location"), saved.Body)
		}
		mine := tech.Get(list)
		contains(t, "own view", mine, `aria-current="page">Spares &lt;here&gt; <span class="n">2</span>`, "Remove view")
		lacks(t, "own view", mine, "popovertarget=\"save-view\">Save")
		lacks(t, "another's private view", admin.Get("/app/computers"), "Spares &lt;here&gt;")
		lacks(t, "another section", tech.Get("/app/assets"), "Spares &lt;here&gt;")

		id := viewID(t, mine)
		if got := admin.Post("/app/computers/views",
			url.Values{"id": {id}, "name": {"Mine"}}); got.Status != http.StatusNotFound {
			t.Errorf("change of another's private view: got %d, want 404", got.Status)
		}
		if got := tech.Post("/app/computers/views",
			url.Values{"id": {id}, "name": {"Leipzig spares"}, "query": {query}, "shared": {
				"yes",
			}}); got.Status != http.StatusSeeOther {
			t.Errorf("share: got %d: %s", got.Status, got.Body)
		}
		contains(t, "shared view", admin.Get(list), "Leipzig spares", "Someone else shares this view", "Remove view")
		if got := admin.Post("/app/computers/views",
			url.Values{"id": {id}, "name": {"Mine"}, "query": {query}}); got.Status != http.StatusForbidden {
			t.Errorf("change of another's shared view: got %d, want 403", got.Status)
		}
		asked := admin.Post("/app/computers/views", url.Values{"id": {id}, "do": {"remove"}, "query": {query}})
		wants(t, "an administrator removes a shared view", asked, http.StatusOK, "Remove the view Leipzig spares?",
			"Everyone who sees this list has this view", `href="`+list+`"`)
		contains(t, "before the answer", tech.Get(list), "Leipzig spares <span")
		goes(t, "the answer", admin.Post("/app/computers/views", formOn(t, asked, "/app/computers/views")),
			"/computers")
		lacks(t, "removed", tech.Get(list), "Leipzig spares <span")
	})
}

// TestSavedViewFaults refuses views that cannot be saved.
func TestSavedViewFaults(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	s.AddUser("tech@example.com", inventory.Technician, false)
	s.AddUser("read@example.com", inventory.Technician, true)
	admin, tech, reader := s.SignIn(server.Administrator), s.SignIn("tech@example.com"), s.SignIn("read@example.com")
	for _, test := range []struct {
		who  *mustertest.Visitor
		form url.Values
		want int
	}{
		{tech, url.Values{"name": {" "}, "query": {"site=A"}}, http.StatusUnprocessableEntity},
		{tech, url.Values{"name": {strings.Repeat("x", 61)}, "query": {"site=A"}}, http.StatusUnprocessableEntity},
		{tech, url.Values{"name": {"a"}, "query": {"nonsense=A"}}, http.StatusBadRequest},
		{reader, url.Values{"name": {"a"}, "query": {"site=A"}, "shared": {"yes"}}, http.StatusForbidden},
		{reader, url.Values{"name": {"own"}, "query": {"site=A"}}, http.StatusSeeOther},
		{admin, url.Values{"name": {"a"}, "query": {"site=B"}, "shared": {"yes"}}, http.StatusSeeOther},
	} {
		if got := test.who.Post("/app/computers/views", test.form); got.Status != test.want {
			t.Errorf("%v: got %d, want %d", test.form, got.Status, test.want)
		}
	}
	id := viewID(t, admin.Get("/app/computers?site=B"))
	if got := tech.Post("/app/computers/views",
		url.Values{"id": {id}, "do": {"remove"}}); got.Status != http.StatusForbidden {
		t.Errorf("a technician removes another's shared view: got %d, want 403", got.Status)
	}
}
