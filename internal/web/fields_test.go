package web_test

import (
	"net/http"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/web"
	"muster/internal/web/records"
)

// TestFieldsReachPages: each field of each kind can be a column of the list, is on the
// form if people set it, and on the page of a record, though no section names it.
func TestFieldsReachPages(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite)
	v := s.SignIn(server.Administrator)
	for _, section := range web.Sections(inventory.Served()) {
		path := "/app/" + section.Path
		list := v.Get(path + "?per_page=1")
		expect(t, path, list, http.StatusOK)
		for _, f := range section.Kind.Fields {
			column := `name="column" value="` + f.Name + `"`
			table := section.Feed == nil && !f.Detail && !f.Long && records.Shown(f)
			if table && !strings.Contains(list.Body, column) {
				t.Errorf("%s: got a list that cannot have the column %s", path, f.Name)
			}
		}
		if section.Add != "" {
			checkRecord(t, v, section, path+"/2")
		}
	}
}

// ownPages are the sections whose records have a page that is made by hand.
var ownPages = map[string]bool{"tickets": true, "computers": true, "users": true}

// checkRecord looks for the fields of a kind on the page and the form of a record.
func checkRecord(t *testing.T, v *mustertest.Visitor, s *records.Section, path string) {
	t.Helper()
	form, page := v.Get(path+"/edit"), v.Get(path)
	empty := page.Status == http.StatusNotFound && !web.Refined(s.Kind) // the organisation has none
	if empty {
		form = v.Get("/app/" + s.Path + "/new")
	} else {
		expect(t, path, page, http.StatusOK)
	}
	expect(t, path+"/edit", form, http.StatusOK)
	for _, f := range s.Kind.Fields {
		if !records.Editable(f) {
			continue
		}
		if !strings.Contains(form.Body, `id="i-`+f.Name+`"`) {
			t.Errorf("%s: got a form without %s", path, f.Name)
		}
		always := records.Shown(f) && !f.Long && f.Type != kind.List && !ownPages[s.Path] && !empty
		if always && !strings.Contains(page.Body, "<dt>"+f.Label+"</dt>") {
			t.Errorf("%s: got a page without %s", path, f.Label)
		}
	}
}
