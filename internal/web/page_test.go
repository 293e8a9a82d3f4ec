package web_test

import (
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"muster/internal/mustertest"
)

// add makes a record through the API.
func add(t testing.TB, s *mustertest.Server, path, document string) {
	t.Helper()
	if got := s.Admin().Do("POST", path+".xml", document); got.Status != 201 {
		t.Fatalf("%s: got %d: %s", document, got.Status, got.Body)
	}
}

// parse reads a page.
func parse(t testing.TB, body string) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// attr returns an attribute of an element, "" for none.
func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

// formOn returns what a browser would send of the form on a page that is posted
// to a path, without a button. It leaves templates alone.
func formOn(t testing.TB, page *mustertest.Response, action string) url.Values {
	t.Helper()
	values, found := url.Values{}, false
	var walk func(n *html.Node, inside bool)
	walk = func(n *html.Node, inside bool) {
		if n.Type == html.ElementNode {
			switch {
			case n.Data == "template":
				return
			case n.Data == "form":
				inside = attr(n, "action") == action
				found = found || inside
			case inside:
				send(values, n)
			}
		}
		for child := range n.ChildNodes() {
			walk(child, inside)
		}
	}
	walk(parse(t, page.Body), false)
	if !found {
		t.Fatalf("the page has no form that is posted to %s: %d %s", action, page.Status, page.Body)
	}
	return values
}

// send adds what an element sends with its form.
func send(values url.Values, n *html.Node) {
	name := attr(n, "name")
	switch {
	case name == "":
	case n.Data == "input" && (attr(n, "type") == "checkbox" || attr(n, "type") == "radio"):
		if has(n, "checked") {
			values.Add(name, attr(n, "value"))
		}
	case n.Data == "input":
		values.Add(name, attr(n, "value"))
	case n.Data == "textarea":
		text := ""
		if n.FirstChild != nil {
			text = n.FirstChild.Data
		}
		values.Add(name, text)
	case n.Data == "select":
		chosen, first := "", true
		for o := range n.Descendants() {
			if o.Type == html.ElementNode && o.Data == "option" && (first || has(o, "selected")) {
				chosen, first = attr(o, "value"), false
			}
		}
		values.Add(name, chosen)
	}
}
