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

// TestHostileForms posts what no page of the product would: each is refused in words,
// and changes nothing.
func TestHostileForms(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite)
	v := s.SignIn(server.Administrator)
	for _, test := range []struct {
		what, target string
		form         url.Values
		want         int
	}{
		{"undo of the last number that there is", "/app/undo/9223372036854775807", url.Values{}, http.StatusNotFound},
		{"merge of a computer that is not there", "/app/computers/999999/merge", url.Values{
			"other": {"6"},
		}, http.StatusNotFound},
		{"split of a computer that is not there", "/app/computers/999999/split", url.Values{
			"agent": {"1"},
		}, http.StatusNotFound},
		{"split by an agent that is no number", "/app/computers/1/split", url.Values{
			"agent": {"\xff"},
		}, http.StatusConflict},
		{"a computer that is no duplicate of itself", "/app/agents/duplicates/1/1", url.Values{
			"do": {"no"},
		}, http.StatusConflict},
		{"a password that is no text", "/app/users/4/password", url.Values{"password": {strings.Repeat("\xff", 12)}},
			http.StatusUnprocessableEntity},
		{"an address that no code can hold", "/app/profile/second-factor/confirm", url.Values{
			"code": {"000000"}, "secret": {"x"}, "address": {strings.Repeat("a", 9000)},
		}, http.StatusUnprocessableEntity},
		{"a kept form that is none", "/app/users/4/edit", url.Values{
			"step-up": {"\xff%00"}, "role": {"administrator"},
		}, http.StatusConflict},
		{"a kept form that nobody sealed", "/app/users/4/edit", url.Values{
			"step-up": {strings.Repeat("A", 400)}, "role": {"administrator"},
		}, http.StatusConflict},
	} {
		if got := v.Post(test.target, test.form); got.Status != test.want {
			t.Errorf("%s: got %d, want %d: %s", test.what, got.Status, test.want, got.Body)
		}
	}
	if got := v.Get("/app/computers/bulk?job=%00%ff"); got.Status != http.StatusNotFound {
		t.Errorf("a change of no name: got %d, want 404", got.Status)
	}
}

// TestOtherBodies refuses a body that is not a form, rather than take it for an
// empty one.
func TestOtherBodies(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	got := s.Anonymous().Do(http.MethodPost, "/app/signout", "{}", "Content-Type", "application/json")
	if got.Status != http.StatusUnsupportedMediaType {
		t.Errorf("got %d, want 415: %s", got.Status, got.Body)
	}
}
