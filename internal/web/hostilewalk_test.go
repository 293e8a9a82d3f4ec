//go:build full

package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// harmingTexts are what comes alive wherever it is not shown as text: markup that
// leaves what it stands in, and an address that is a script.
var harmingTexts = map[string]string{
	"markup":  `"'></title></textarea></template><script>alert(1)</script><img src=x onerror=alert(1)><svg onload=alert(1)><iframe>{{.}}`,
	"address": "javascript:alert(1)",
}

// TestHostileEverywhere writes such a text wherever people, programs and agents
// can write one, and reads all pages as an administrator and as a requester: what
// was written shows as text, and nothing of it is alive.
func TestHostileEverywhere(t *testing.T) {
	t.Parallel()
	for name, text := range harmingTexts {
		t.Run(name, func(t *testing.T) {
			h := openHostile(t, text)
			h.posts(t)
			for _, v := range []*mustertest.Visitor{h.admin, h.asks} {
				for _, route := range h.WebRoutes() {
					for _, target := range pseudoTargets(route) {
						h.look(t, route.Path, v.Get(target))
					}
				}
				for route, targets := range h.addresses() {
					for _, target := range targets {
						h.look(t, route, v.Get(target))
					}
				}
			}
			for _, route := range showing {
				if !h.shown[route] {
					t.Errorf("no page of %s shows the text", route)
				}
			}
		})
	}
}

// showing are routes of which at least one page must show what was written, so
// that the walk does not go by empty pages. What is no route is called so.
var showing = []string{
	"/{$}", "/search", "/search/instant", "/portal", "/help/{id}", "/requests", "/requests/{id}", "/devices/{id}",
	"/profile", "/profile/api", "/profile/api/tokens/{id}/revoke",
	"/tickets", "/tickets/{id}", "/tickets/new", "/computers", "/computers/{id}", "/computers/{id}/merge",
	"/computers/values", "/computers/labels", "/computers/bulk", "/computers/{id}/delete",
	"/articles/{id}", "/software/{id}", "/software/{id}/licences", "/printers/{id}", "/assets/{id}", "/contracts/{id}",
	"/vendors/{id}", "/vendors/{id}/contracts", "/risks/{id}", "/activity", "/activity/{id}",
	"/users", "/users/{id}", "/users/{id}/disable", "/agents", "/agents/refused", "/agents/tokens",
	"/agents/tokens/{id}/revoke", "/agents/duplicates", "/agents/duplicates/{older}/{newer}",
	"/sessions", "/tokens", "/tokens/{id}/revoke", "/settings", "/import/{job}", "/signin", "error", "history", "past",
	"filters", "forms", "columns", "preview", "secret",
}

// look fails for what is alive on a page, and notes whether it shows the text.
func (h *hostileHouse) look(t *testing.T, route string, page *mustertest.Response) {
	t.Helper()
	if page.Status >= http.StatusInternalServerError {
		t.Errorf("%s: got %d: %s", route, page.Status, page.Body)
	}
	if !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") {
		return
	}
	for n := range parse(t, page.Body).Descendants() {
		if fault := harm(n); fault != "" {
			t.Errorf("%s, %d: got %s on the page", route, page.Status, fault)
		}
		if !h.shown[route] && shows(n, h.text[:10]) && !inFrame(n) {
			h.shown[route] = true
		}
	}
}

// ownAddress is what addresses on pages begin with: the server itself, people who
// were invented for the test, and the digits of what should be a telephone number.
var ownAddress = regexp.MustCompile(`^(/app|#|https://localhost:|/\w+/\d+\.xml$|tel:\d+$|mailto:(user1@example\.com|` +
	regexp.QuoteMeta(server.Administrator) + `)$)`)

// harm returns the markup or script that was injected into a page, "" for none.
func harm(n *html.Node) string {
	switch {
	case n.Type == html.CommentNode:
		return "a comment"
	case n.Type != html.ElementNode:
		return ""
	case slices.Contains([]string{"iframe", "img", "object", "embed", "base", "style", "math", "foreignobject"},
		n.Data),
		n.Data == "script" && !strings.HasPrefix(attr(n, "src"), "/app/static/"):
		return "the element " + n.Data
	}
	for _, a := range n.Attr {
		switch {
		case strings.HasPrefix(a.Key, "on"), a.Key == "style", a.Key == "srcdoc":
			return "the attribute " + a.Key + " of " + n.Data
		case slices.Contains([]string{"href", "src", "action", "formaction", "data", "ping"}, a.Key) &&
			!ownAddress.MatchString(a.Val):
			return "the address " + a.Val + " in " + n.Data
		}
	}
	return ""
}

// shows reports whether people read a text in a node: as text, or as the value of
// an input.
func shows(n *html.Node, text string) bool {
	return n.Type == html.TextNode && strings.Contains(n.Data, text) || n.Type == html.ElementNode &&
		strings.Contains(attr(n, "value"), text)
}

// inFrame reports whether a node is of the bar that all pages have.
func inFrame(n *html.Node) bool {
	for ; n.Parent != nil; n = n.Parent {
		if n.Data == "header" && n.Parent.Data == "body" {
			return true
		}
	}
	return false
}

// addresses are pages besides those of the routes as they stand: with the text in
// the address, and parts of pages. They are named by their routes, or by what
// they show.
func (h *hostileHouse) addresses() map[string][]string {
	q, path := url.QueryEscape(h.text), url.PathEscape(h.text)
	const day = "&on=2026-01-31"
	return map[string][]string{
		"/{$}":              {"/app/?site=" + q},
		"/search":           {"/app/search?q=" + q},
		"/search/instant":   {"/app/search/instant?q=" + q},
		"/portal":           {"/app/portal?q=" + q},
		"/signin":           {"/app/signin?to=" + q},
		"/import":           {"/app/import?kind=" + q},
		"/tickets/new":      {"/app/tickets/new?hardwares=1&name=" + q, "/app/tickets/new?computer=1"},
		"/tickets":          {"/app/tickets?state=New", "/app/tickets?requester=" + q},
		"/tickets/{id}":     {"/app/tickets/1?n=1&list=" + q, "/app/tickets/1?n=1&list=state%3DNew"},
		"/computers/labels": {"/app/computers/labels?id=1&query=" + q, "/app/computers/labels?all=yes&query=" + q},
		"/computers/bulk":   {h.bulk, "/app/computers/bulk?job=" + q + "&back=" + q},
		"/import/{job}":     {h.job, h.job + "?show=" + q},
		"filters": {
			"/app/computers?site=" + q, "/app/computers?name=" + q + "&add=site", "/app/computers?q=" + q,
			"/app/computers?add=" + q, "/app/computers?add=site&find=" + q, "/app/users?department=" + q,
		},
		"/computers/values": {"/app/computers/values?add=site", "/app/computers/values?add=site&find=" + q,
			"/app/computers/values?add=owner&site=" + q},
		"error": {"/app/computers?" + q + "=1", "/app/computers?sort_by=" + q, "/app/computers?updated_since=" + q,
			"/app/computers?page=" + q, "/app/computers/" + path, "/app/nowhere/" + path, "/app/import/" + path},
		"history": {"/app/computers/1?tab=history", "/app/computers/2?tab=history"},
		"past": {"/app/computers/1?tab=" + day, "/app/computers/1?tab=hardware" + day,
			"/app/computers/2?tab=software" + day, "/app/computers/2?tab=software&q=" + q},
	}
}

// TestHarm finds what is alive where a text is not escaped.
func TestHarm(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{harmingTexts["markup"], `<a href="` + harmingTexts["address"] + `">x</a>`,
		`<p onclick=x>`, `<button formaction="//elsewhere.example">`, `<!-- -->`} {
		found := false
		for n := range parse(t, raw).Descendants() {
			found = found || harm(n) != ""
		}
		if !found {
			t.Errorf("%s: got no harm", raw)
		}
	}
}
