package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestLabels makes labels of ticked computers, of one, and of all of a filter.
func TestLabels(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	paths := five(t, v)
	for _, test := range []struct {
		what string
		got  *mustertest.Response
		want []string
	}{
		{"ticked", v.Post("/app/computers/labels", url.Values{"id": ids(paths[1:3])}), []string{"lej-2", "lej-3"}},
		{"one", v.Get("/app/computers/labels?id=4"), []string{"rot-1"}},
		{"all of a filter", v.Get("/app/computers/labels?all=yes&query=site%3DRotterdam"), []string{"rot-1", "rot-2"}},
	} {
		if n := strings.Count(test.got.Body, `role="img"`); test.got.Status != http.StatusOK || n != len(test.want) {
			t.Errorf("%s: got %d with %d labels, want %d", test.what, test.got.Status, n, len(test.want))
		}
		for _, name := range test.want {
			contains(t, test.what, test.got, "<b>"+name+"</b>", "MUS-00000", `<path d="M4 4h7v1h-7z`)
		}
	}
	if got := v.Get("/app/tickets/labels"); got.Status != http.StatusNotFound {
		t.Errorf("tickets: got %d, want 404", got.Status)
	}
}
