//go:build full

package web_test

import (
	"encoding/xml"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"muster/internal/front"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/web/lang"
)

// TestPseudo reads all pages in a language in which every text of the catalogue
// is marked: what is not, and is not content of a record, has slipped by the
// catalogue.
func TestPseudo(t *testing.T) {
	t.Cleanup(addPseudo()) // for all servers: not beside other tests
	s := mustertest.Start(t, mustertest.Options{Change: func(cfg *server.Config) { cfg.Demo, cfg.RateLimit = true, 0 }})
	s.AddUser("ask@example.com", inventory.Requester, false)
	admin := s.SignIn(server.Administrator)
	admin.Language = pseudo
	enrolled := enrol(t, s, admin)
	content := contentOf(t, s)
	allMarked(t, "a new agent token", enrolled, content)
	if refused := admin.Get("/app/agents/refused"); strings.Count(refused.Body, "<tr>") < 4 {
		t.Errorf("refused reports: got %s, want some", refused.Body)
	}
	for _, email := range []string{server.Administrator, "ask@example.com"} {
		v := s.SignIn(email)
		v.Language = pseudo
		for _, route := range s.WebRoutes() {
			for _, target := range pseudoTargets(route) {
				got := v.Get(target)
				if got.Status != http.StatusOK || slices.Contains([]string{"/search/instant", "/jobs/chip"}, route.Path) ||
					!strings.HasPrefix(got.Header.Get("Content-Type"), "text/html") {
					continue
				}
				allMarked(t, target, got, content)
			}
		}
	}
	spoil(t, s)
	admin.Post("/app/about/verify", url.Values{})
	mustertest.Eventually(t, "the trail is verified",
		func() bool { return strings.Contains(admin.Get("/app/about").Body, "notice bad") })
	allMarked(t, "the audit trail", admin.Get("/app/about"), content)
}

// allMarked checks that all texts of a page are in the catalogue, or in records.
func allMarked(t *testing.T, what string, got *mustertest.Response, content map[string]bool) {
	t.Helper()
	if !strings.Contains(got.Body, `<html lang="`+pseudo+`"`) {
		t.Errorf("%s: it is in another language: %d", what, got.Status)
	}
	for _, text := range slices.Sorted(maps.Keys(unmarked(t, got.Body, content))) {
		t.Errorf("%s: %s is in no catalogue", what, text)
	}
}

// enrol makes an agent token, of which it returns the page, and lets agents report
// what may be one computer, and what is refused.
func enrol(t *testing.T, s *mustertest.Server, admin *mustertest.Visitor) *mustertest.Response {
	t.Helper()
	made := admin.Post("/app/agents/tokens", url.Values{"name": {"LYON"}})
	address, err := url.Parse(between(t, made.Body, `id="secret-0">`, "<"))
	if err != nil {
		t.Fatal(err)
	}
	secret, _ := address.User.Password()
	for _, body := range []string{
		agentReport("PF0ABCDE", "4C4C4544-0042-3510-8052-B4C04F4D3331"),
		agentReport("PF0FFFFF", "4C4C4544-0042-3510-8052-B4C04F4D3332"),
		"no report", "<CAT></CAT>", `{"a":1} 2`,
	} {
		s.Anonymous().Do(http.MethodPost, "/ocsinventory/t/"+secret, body)
	}
	s.Anonymous().Do(http.MethodPost, "/ocsinventory/t/muster_agent_WRONG", "x")
	return made
}

// pseudoTargets are the addresses of pages at a route.
func pseudoTargets(route front.Route) []string {
	if !strings.HasPrefix(route.Allow, http.MethodGet) || strings.HasSuffix(route.Path, "/events") ||
		strings.Contains(route.Path, "/export.") || route.Path == "/static/{hash}/{name}" {
		return nil
	}
	path := "/app" + strings.NewReplacer("{$}", "", "{older}", "1", "{newer}", "2", "{field}", "site", "{relation}",
		"hardwares").Replace(route.Path)
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
	content := map[string]bool{"backups": true, "7 daily": true, "4 weekly": true} // values of settings
	for _, k := range inventory.All() {
		for _, f := range k.Fields {
			content[f.Unit] = true
		}
	}
	for _, setting := range s.Settings(server.SettingCommand{Do: "list"}).Settings {
		for value := range strings.SplitSeq(setting.Default, ", ") {
			content[value] = true // as it is written on the command line too
		}
	}
	for _, path := range []string{"users", "hardwares", "other_assets", "vendors", "printers", "softwares",
		"incidents", "risks", "contracts", "solutions", "audits"} {
		targets := []string{
			fmt.Sprintf("/%s.xml?per_page=250", path),
			fmt.Sprintf("/%s.xml?per_page=250&sort_by=id&sort_order=DESC", path),
		}
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
		if f.OneOf != nil && f.ValuesHint == "" || f.Days != nil {
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
	file   = regexp.MustCompile(`^[/\\][\w/\\.-]+$`)
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
	for _, part := range strings.FieldsFunc(text,
		func(r rune) bool { return strings.ContainsRune("\x00·,()#:;“”\n→", r) }) {
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
			if word.MatchString(rest) && !known(content, rest) && !strings.Contains(rest, "@") &&
				!slices.Contains(namesOfOurs, rest) && !file.MatchString(rest) {
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
var namesOfOurs = []string{"Muster", "SQLite", "PostgreSQL", "English", "Deutsch", "BSD-3-Clause", "ca.pem",
	"optional", "Go-http-client/1.1", "v0.0.0-test"}

// pseudo is the name of a language for tests, in which every text is marked.
const pseudo = "qps"

// addPseudo adds it to those that there are, until what it returns is called.
func addPseudo() (remove func()) {
	all := lang.Languages()
	marked := &lang.Language{Name: pseudo, Texts: map[string][]string{}, Plural: all[0].Plural}
	for key, forms := range all[0].Texts {
		for _, form := range forms {
			marked.Texts[key] = append(marked.Texts[key], mark(form))
		}
	}
	old := lang.Languages
	lang.Languages = func() []*lang.Language { return append(slices.Clone(all), marked) }
	return func() { lang.Languages = old }
}

var formatPlace = regexp.MustCompile(`%(?:\[\d+\])?[a-z]`)

// mark puts brackets around the words of a text, and accents on its letters; what
// is put into its places stays outside.
func mark(text string) string {
	accents := strings.NewReplacer("a", "á", "e", "é", "i", "í", "o", "ó", "u", "ú", "A", "Á", "E", "É", "I", "Í",
		"O", "Ó", "U", "Ú")
	var b strings.Builder
	for {
		at := formatPlace.FindStringIndex(text)
		if at == nil {
			at = []int{len(text), len(text)}
		}
		if at[0] > 0 {
			b.WriteString("⟦" + accents.Replace(text[:at[0]]) + "⟧")
		}
		b.WriteString(text[at[0]:at[1]])
		if text = text[at[1]:]; text == "" {
			return b.String()
		}
	}
}
