//go:build full

package mustertest

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"testing"
)

// Visit returns somebody who has signed in to a server that runs in another process.
func Visit(t testing.TB, a Account) *Visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := Connect(t, Account{Base: a.Base, CA: a.CA})
	c.HTTP.Jar = jar
	c.HTTP.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	v := &Visitor{t: t, base: a.Base, client: c.HTTP}
	if got := v.Post("/app/signin",
		url.Values{"email": {a.User}, "password": {a.Password}}); got.Status != http.StatusSeeOther {
		t.Fatalf("sign-in of %s: got %d, want 303: %s", a.User, got.Status, got.Body)
	}
	return v
}
