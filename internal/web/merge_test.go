//go:build full

package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestMergeByNumber merges the computers that were shown, also when their
// numbers are the asset ids of others.
func TestMergeByNumber(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	addComputers(t, v, url.Values{"name": {"lej-1"}}, url.Values{"name": {"lej-2"}},
		url.Values{"name": {"lej-3"}, "asset-id": {"1"}}, url.Values{"name": {"lej-4"}, "asset-id": {"2"}})
	goes(t, "merge", v.Post("/app/agents/duplicates/1/2", url.Values{"do": {"merge"}}), "/computers/1")
	wants(t, "what stays", v.Get("/app/computers/1"), http.StatusOK, "lej-1 and lej-2 are one computer now")
	wants(t, "what is gone", v.Get("/app/computers/2"), http.StatusNotFound, "it was merged into computer 1",
		`href="/app/computers/1">Open the computer</a>`)
	wants(t, "gone meanwhile", v.Post("/app/agents/duplicates/1/2", url.Values{"do": {"merge"}}), http.StatusNotFound)
	wants(t, "who is called so", v.Get("/app/computers/4"), http.StatusOK, "lej-4")
	wants(t, "one with itself", v.Post("/app/agents/duplicates/1/1", url.Values{"do": {"merge"}}), http.StatusConflict,
		"must be that of another computer")
}

// TestMergeSuggestion takes what the form suggests for the computer that it is
// of, whatever others are called.
func TestMergeSuggestion(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	addComputers(t, v, url.Values{"name": {"lej"}}, url.Values{"name": {"lej"}},
		url.Values{"name": {"rot"}, "asset-id": {"1"}}, url.Values{"name": {"Büro & \"A\" (#1)"}})
	for _, test := range []struct{ text, want string }{
		{"", `[]`},
		{"lej", `[{"value":"lej (#1)","label":"lej"},{"value":"lej (#2)","label":"lej"}]`},
		{"2", `[{"value":"lej (#2)","label":"lej"}]`},
	} {
		if got := v.Get("/app/suggest/merge?q=" + url.QueryEscape(test.text)); got.Status != http.StatusOK ||
			got.Body != test.want {
			t.Errorf("what is suggested for %q: got %d %s, want %s", test.text, got.Status, got.Body, test.want)
		}
	}
	for _, test := range []struct {
		text   string
		status int
		want   string
	}{
		{"lej (#1)", http.StatusOK, `name="with" value="1"`},
		{"Büro & \"A\" (#1) (#4)", http.StatusOK, `name="with" value="4"`},
		{"Büro & \"A\" (#1)", http.StatusOK, `name="with" value="4"`},
		{"lej (#3)", http.StatusUnprocessableEntity, "No computer has this number"},
		{"lej (#99)", http.StatusUnprocessableEntity, "No computer has this number"},
		{"lej (#", http.StatusUnprocessableEntity, "No computer has this number"},
		{"1", http.StatusUnprocessableEntity, "the asset id of another"},
	} {
		wants(t, test.text, v.Get("/app/computers/2/merge?other="+url.QueryEscape(test.text)), test.status, test.want)
	}
}

// TestMergeMarks: the page marks the values that the merge of two computers then keeps.
func TestMergeMarks(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	addComputers(t, v, url.Values{"name": {"lej-1"}, "site": {"Leipzig"}},
		url.Values{"name": {"lej-2"}, "site": {"Rotterdam"}, "department": {"Sales"}})
	asked := v.Get("/app/computers/2/merge?other=1")
	wants(t, "before", asked, http.StatusOK, `lej-1 <span class="badge good">stays</span>`,
		`Leipzig <span class="badge good">stays</span>`, `Sales <span class="badge good">stays</span>`)
	if got := strings.Count(asked.Body, ">stays</span>"); got != 4 { // and the asset id
		t.Errorf("got %d marks: %s", got, asked.Body)
	}
	goes(t, "merge", v.Post("/app/computers/2/merge", url.Values{"with": {"1"}}), "/computers/1")
	got := s.Admin().Get("/hardwares/1.xml").Body
	holdsAll(t, "after", got, "<name>lej-1</name>", "<site>Leipzig</site>", "<department>Sales</department>")
}
