package web_test

import (
	"encoding/xml"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/web"
)

// TestPseudo reads all pages in a language in which every text of the catalogue
// is marked: what is not, and is no content of a record, has slipped by the
// catalogue.
func TestPseudo(t *testing.T) {
	t.Cleanup(web.AddPseudo())
	s := mustertest.Start(t, mustertest.Options{Change: func(cfg *server.Config) { cfg.Demo, cfg.RateLimit = true, 0 }})
	s.AddUser("ask@example.com", inventory.Requester, false)
	content := contentOf(t, s)
	for _, email := range []string{server.Administrator, "ask@example.com"} {
		v := s.SignIn(email)
		v.Language = web.Pseudo
		for _, route := range s.WebRoutes() {
			for _, target := range pseudoTargets(route) {
				got := v.Get(target)
				if got.Status != http.StatusOK || route.Path == "/search/instant" || !strings.HasPrefix(got.Header.Get("Content-Type"), "text/html") {
					continue
				}
				if !strings.Contains(got.Body, `<html lang="`+web.Pseudo+`"`) {
					t.Errorf("%s: it is in another language: %d", target, got.Status)
				}
				for _, text := range slices.Sorted(maps.Keys(unmarked(t, got.Body, content))) {
					t.Errorf("%s: %s is in no catalogue", target, text)
				}
			}
		}
	}
}

// pseudoTargets are the addresses of pages at a route.
func pseudoTargets(route web.Route) []string {
	if !strings.HasPrefix(route.Allow, http.MethodGet) || strings.HasSuffix(route.Path, "/events") || strings.Contains(route.Path, "/export.") || route.Path == "/static/{hash}/{name}" {
		return nil
	}
	path := "/app" + strings.NewReplacer("{$}", "", "{older}", "1", "{newer}", "2", "{field}", "site", "{relation}", "hardwares").Replace(route.Path)
	if !strings.Contains(path, "{id}") {
		return []string{path}
	}
	var all []string
	for id := 1; id <= 4; id++ {
		all = append(all, strings.Replace(path, "{id}", fmt.Sprint(id), 1))
	}
	if path == "/app/computers/{id}" {
		for _, tab := range []string{"hardware", "software", "tickets", "risks", "contracts", "history"} {
			all = append(all, "/app/computers/1?tab="+tab)
		}
	}
	return all
}

// contentOf returns all that records have in them and that no catalogue could
// have, in one text.
func contentOf(t *testing.T, s *mustertest.Server) map[string]bool {
	words := map[string]bool{}
	for _, k := range inventory.All() {
		fewWords(words, k)
	}
	content := map[string]bool{}
	for _, path := range []string{"users", "hardwares", "other_assets", "vendors", "printers", "softwares", "incidents", "risks", "contracts", "solutions", "audits"} {
		targets := []string{fmt.Sprintf("/%s.xml?per_page=250", path), fmt.Sprintf("/%s.xml?per_page=250&sort_by=id&sort_order=DESC", path)}
		if path == "hardwares" {
			targets = append(targets, "/hardwares/1/softwares.xml?per_page=250")
		}
		for id := range 8 {
			targets = append(targets, fmt.Sprintf("/%s/%d.xml", path, id+1))
		}
		for _, target := range targets {
			got := s.Admin().Do("GET", target, "")
			decoder := xml.NewDecoder(strings.NewReader(got.Body))
			var name string
			for {
				token, err := decoder.Token()
				if err != nil {
					break
				}
				switch token := token.(type) {
				case xml.StartElement:
					name = token.Name.Local
				case xml.CharData:
					if !words[name] || path == "other_assets" && name == "asset-type" {
						for _, part := range parts(string(token)) {
							content[part] = true
							content[strings.TrimPrefix(part, "Microsoft ")] = true // as lists show it
						}
					}
				}
			}
		}
	}
	return content
}

// fewWords collects the fields whose values are words of the product.
func fewWords(words map[string]bool, k *kind.Schema) {
	for _, f := range k.Fields {
		if f.OneOf != nil && f.Such == "" || f.Days != nil {
			words[f.Name] = true
		}
		if f.Items != nil {
			fewWords(words, f.Items)
		}
	}
}

var (
	marked = regexp.MustCompile(`⟦[^⟦⟧]*⟧`)
	word   = regexp.MustCompile(`\p{Ll}{2,}`) // what has none is a code or a unit
)

// known reports whether records have a text in them, or two that make it.
func known(content map[string]bool, text string) bool {
	if before, after, ok := strings.Cut(text, " "); content[text] || ok && !word.MatchString(before) && content[after] {
		return true
	}
	for at, r := range text {
		if r == ' ' && content[text[:at]] && content[text[at+1:]] {
			return true
		}
	}
	return false
}

// parts returns what stands between signs in a text.
func parts(text string) (all []string) {
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("\x00·,()#:;“”\n→", r) }) {
		all = append(all, strings.Trim(strings.Join(strings.Fields(part), " "), ".?! "))
	}
	return all
}

// unmarked returns the texts that people read on a page, or hear, and that
// neither the catalogue nor a record has.
func unmarked(t *testing.T, body string, content map[string]bool) map[string]bool {
	found := map[string]bool{}
	look := func(where, text string) {
		for _, rest := range parts(marked.ReplaceAllString(text, "\x00")) {
			if word.MatchString(rest) && !known(content, rest) && !strings.Contains(rest, "@") && !slices.Contains(namesOfOurs, rest) {
				found[fmt.Sprintf("%q in %s", rest, where)] = true
			}
		}
	}
	for n := range parse(t, body).Descendants() {
		switch {
		case n.Type == html.TextNode && shownTo(n.Parent):
			look(n.Parent.Data, n.Data)
		case n.Type == html.ElementNode:
			for _, name := range []string{"title", "alt", "placeholder", "aria-label", "data-tip"} {
				look(name, attr(n, name))
			}
		}
	}
	return found
}

// shownTo reports whether people read the text in an element.
func shownTo(n *html.Node) bool {
	for at := n; at != nil; at = at.Parent {
		if strings.Contains(attr(at, "class"), "prose") { // what somebody has written
			return false
		}
	}
	return !slices.Contains([]string{"script", "style", "pre", "code", "kbd", "textarea", "noscript"}, n.Data)
}

// namesOfOurs are texts that are the same in all languages.
var namesOfOurs = []string{"Muster", "SQLite", "PostgreSQL", "English", "Deutsch", "BSD-3-Clause", "ca.pem", "optional", "Go-http-client/1.1", "v0.0.0-test"}
