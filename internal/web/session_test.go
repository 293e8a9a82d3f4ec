package web_test

import (
	"net/http"
	"strings"
	"testing"

	"muster/internal/mustertest"
)

// TestBackToTheForm leads those whose session has ended back to the page with the
// form that they sent, and to no other.
func TestBackToTheForm(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	for _, test := range []struct{ referer, want string }{
		{s.Base + "/app/vendors/new", "/vendors/new"},
		{s.Base + "/app/computers?site=Leipzig&q=%C3%BC", "/computers?site=Leipzig&amp;q=%C3%BC"},
		{s.Base + "/app/", ""},
		{s.Base + "/app", ""},
		{s.Base + "/application/x", ""},
		{s.Base + "/hardwares.xml", ""},
		{s.Base + "/app//evil.example", ""},
		{"https://evil.example/app/vendors/new", ""},
		{strings.Replace(s.Base, "https:", "http:", 1) + "/app/vendors/new", ""},
		{"", ""},
		{"%zz", ""},
	} {
		// follows to the sign-in
		got := s.Anonymous().Do(http.MethodPost, "/app/vendors/new", "", "Referer", test.referer)
		wants(t, test.referer, got, http.StatusOK, "Sign in")
		if want := `name="to" value="` + test.want + `"`; !strings.Contains(got.Body, want) {
			t.Errorf("%q: got no %s in %s", test.referer, want, got.Body)
		}
	}
}
