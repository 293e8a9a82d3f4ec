//go:build full && browser

package web_test

import (
	"net/http"
	"net/url"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserSearch looks for records by keys and instant results at a desk, by
// the page of the search everywhere, and opens a ticket by its number.
func TestBrowserSearch(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	for path, form := range map[string]url.Values{
		"computers": {"name": {"beamer-pc"}, "asset-id": {"A-17"}}, "tickets": {"name": {"Beamer is dark"}},
		"vendors": {"name": {"Beamer Ltd"}},
	} {
		expect(t, path, v.Post("/app/"+path+"/new", form), http.StatusSeeOther)
	}
	eachLook(t, looks, func(t *testing.T, l look) {
		b := l.visit(t, s, server.Administrator)
		if l.screen.Touch {
			b.In(".tabbar").Click("Search")
			b.Wait(".list-tools input:focus")
		} else {
			searchByKeys(t, b)
			searchSlowly(t, b)
		}
		b.Type("Search for", "beamer")
		b.In("#main").Click("Search")
		for _, name := range []string{"beamer-pc", "#1 Beamer is dark", "Beamer Ltd"} {
			b.In("#main").WaitText(name)
		}
		b.Axe(t)
		b.In("#main").Click("Beamer Ltd")
		b.Wait("header.record")
		wantURL(t, b, "/app/vendors/1")

		b.Open("/app/search")
		b.Type("Search for", "a-17")
		b.Press("Enter")
		b.WaitText("Exactly this")
		b.Type("Search for", "nobody knows")
		b.Press("Enter")
		b.WaitText("Nothing matches")
		b.Axe(t)
		b.Type("Search for", "#1")
		b.Press("Enter")
		b.Wait(".ticket")
		wantURL(t, b, "/app/tickets/1")
	})
}

// searchByKeys walks the results that come while somebody types, opens one, and
// comes to the page of all by Enter alone.
func searchByKeys(t *testing.T, b *mustertest.Browser) {
	t.Helper()
	typed := func(text string) {
		b.Press("/")
		b.Wait(".top .search input:focus")
		for _, key := range text {
			b.Press(string(key))
		}
		b.Wait("#instant [role=option]")
	}
	typed("beam")
	b.Axe(t)
	b.Press("Escape")
	b.WaitGone("#instant")
	b.Press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp")
	b.Wait("#instant [role=option]:nth-child(2)[aria-selected=true]")
	if got := b.Count("#instant [role=option]"); got != 3 {
		t.Errorf("instant results: got %d, want 3", got)
	}
	var to string
	b.Eval("document.querySelector('#instant [aria-selected=true]').dataset.href", &to)
	b.Press("Enter")
	b.WaitGone("#instant")
	wantURL(t, b, to)
	typed("beamer")
	b.Press("Enter")
	b.Wait("#main .list-tools input")
	wantURL(t, b, "/app/search?q=beamer")
}

// searchSlowly types while the server does not answer: bones show that something
// comes, and Escape puts them away.
func searchSlowly(t *testing.T, b *mustertest.Browser) {
	t.Helper()
	b.Eval("void (window.fetch = () => new Promise(() => {}))", nil)
	b.Press("/")
	b.Wait(".top .search input:focus")
	b.Press("b", "e")
	b.Wait("#instant .bone")
	b.Axe(t)
	b.Shot("search-waiting")
	b.Press("Escape")
	b.WaitGone("#instant")
	b.Open("/app/search")
}
