//go:build full

package web_test

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// hostileValues are texts of which nothing may come alive on a page.
var hostileValues = []string{
	"<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "' onclick='alert(1)", "javascript:alert(1)",
	"<svg onload=alert(1)>", "</textarea></title></template><iframe>",
	"\u202Etxt.exe\u2066", "{{.}} {{template \"shell\"}}", strings.Repeat("\U0001F4A3", 120),
}

// documentOf returns a record of a kind all of whose texts are of one sort, those
// that must be alone with a number behind.
func documentOf(k *kind.Schema, text string, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<%s>", k.Item)
	for _, f := range k.Fields {
		if f.Editable() && !f.Secret && !f.Computed && !f.Included && f.Targets == nil {
			element(&b, f, text, n)
		}
	}
	fmt.Fprintf(&b, "</%s>", k.Item)
	return b.String()
}

func element(b *strings.Builder, f *kind.Field, text string, n int) {
	value := text
	switch {
	case f.Name == "email":
		value = fmt.Sprintf("user%d@example.com", n)
	case f.Type == kind.List:
		fmt.Fprintf(b, "<%s><%s>", f.Name, f.Items.Item)
		for _, sub := range f.Items.Fields {
			if sub.Editable() {
				element(b, sub, text, n)
			}
		}
		fmt.Fprintf(b, "</%s></%s>", f.Items.Item, f.Name)
		return
	case f.Type == kind.PersonRef:
		value = server.Administrator
	case f.Type == kind.RecordRef:
	case f.Type != kind.Text || f.OneOf != nil:
		return
	case f.Unique || f.Rare:
		value = fmt.Sprintf("%d%s", n, text)
	}
	fmt.Fprintf(b, "<%s>", f.Name)
	_ = xml.EscapeText(b, []byte(value))
	fmt.Fprintf(b, "</%s>", f.Name)
}

// structure returns the elements of a page with the names of their attributes,
// and refuses addresses elsewhere.
func structure(t testing.TB, body string) (all []string) {
	t.Helper()
	for n := range parse(t, body).Descendants() {
		if n.Type == html.CommentNode {
			all = append(all, "comment")
		}
		if n.Type != html.ElementNode {
			continue
		}
		var names []string
		for _, a := range n.Attr {
			names = append(names, a.Key)
			if to := strings.ToLower(strings.TrimSpace(a.Val)); (a.Key == "href" || a.Key == "src" ||
				a.Key == "action") && !isOwn(to) {
				t.Errorf("got the address %q in %s", a.Val, n.Data)
			}
		}
		slices.Sort(names)
		all = append(all, n.Data+" "+strings.Join(names, " "))
	}
	return all
}

// isOwn reports whether an address is of the server itself, or one of its people.
func isOwn(to string) bool {
	return strings.HasPrefix(to, "/app") || strings.HasPrefix(to, "#") || to == "/hardwares/1.xml" ||
		strings.HasPrefix(to, "https://localhost:") || to == "mailto:user1@example.com" ||
		to == "mailto:"+server.Administrator
}

// TestHostileContent sets every text of every kind to what would harm, through
// the API, and finds pages to have the same elements and attributes as with
// harmless texts.
func TestHostileContent(t *testing.T) {
	t.Parallel()
	ids := map[string]*kind.Schema{
		"tickets": inventory.Tickets.Schema, "articles": inventory.Solutions.Schema,
		"computers": inventory.Computers.Schema, "software": inventory.Softwares.Schema,
		"printers": inventory.Printers.Schema, "assets": inventory.OtherAssets.Schema,
		"contracts": inventory.Contracts.Schema, "vendors": inventory.Vendors.Schema,
		"risks": inventory.Risks.Schema, "users": inventory.Users.Schema,
	}
	harmless := hostilePages(t, ids, "harmless")
	for _, text := range hostileValues {
		t.Run(text[:min(len(text), 24)], func(t *testing.T) {
			for path, got := range hostilePages(t, ids, text) {
				if want := harmless[path]; !slices.Equal(got, want) {
					at := 0
					for at < min(len(got), len(want)) && got[at] == want[at] {
						at++
					}
					t.Errorf("%s: got other elements than with harmless texts: %q, want %q", path,
						got[at:min(at+3, len(got))], want[at:min(at+3, len(want))])
				}
			}
		})
	}
}

// hostilePages makes a record of each kind with a text and returns the structure
// of all their pages.
func hostilePages(t *testing.T, kinds map[string]*kind.Schema, text string) map[string][]string {
	s := mustertest.Start(t, mustertest.Options{})
	for _, section := range []string{"vendors", "computers", "software", "printers", "assets", "contracts", "risks",
		"users", "tickets", "articles"} {
		add(t, s, "/"+kinds[section].Path(), documentOf(kinds[section], text, 1))
	}
	v := s.SignIn(server.Administrator)
	pages := map[string][]string{}
	look := func(page string) {
		got := v.Get("/app/" + page)
		if to := got.Header.Get("Location"); to != "" {
			got = v.Get(to)
		}
		if got.Status != http.StatusOK {
			t.Errorf("%s: got %d", page, got.Status)
		}
		pages[page] = structure(t, got.Body)
	}
	for section := range kinds {
		id := "1"
		if section == "users" {
			id = "2"
		}
		for _, page := range []string{"", "/" + id, "/" + id + "/edit", "/" + id + "/delete"} {
			look(section + page)
		}
	}
	for _, page := range []string{"activity", "activity/2", "vendors/1/contracts", "software/1/licences"} {
		look(page)
	}
	return pages
}
