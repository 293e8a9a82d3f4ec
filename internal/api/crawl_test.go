//go:build volume

package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

const crawlBase = "https://assets.example"

// TestVolumeCrawl walks the demo organisation as a client that knows nothing but the
// entry point and the reference: it follows every address of every record it
// finds, and compares each document with doc/kinds.md. All databases answer
// alike, byte by byte.
func TestVolumeCrawl(t *testing.T) {
	var first map[string]string
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, func(cfg *server.Config) { cfg.Demo, cfg.DemoSize, cfg.BaseURL = true, 60, crawlBase })
		c := &crawler{
			t: t, client: s.Admin(), manual: readManual(t), answers: map[string]string{}, met: map[string]int{},
		}
		c.client.Host = strings.TrimPrefix(crawlBase, "https://")
		c.walk()
		c.metAll()
		c.installs()
		if first == nil {
			first = c.answers
		}
		if len(c.answers) != len(first) {
			t.Errorf("%s: got %d documents, want %d as of the first database", db.Name, len(c.answers), len(first))
		}
		for address, answer := range c.answers {
			if answer != first[address] {
				t.Errorf("%s: %s: got\n%s\nwant as of the first database\n%s", db.Name, address, answer, first[address])
			}
		}
	})
}

// A crawler remembers what it has met.
type crawler struct {
	t       *testing.T
	client  *mustertest.Client
	manual  *manual
	queue   []string          // addresses to go to
	answers map[string]string // by address, "" for one in the queue
	met     map[string]int    // items by the root of their list, and by the path of related lists
}

// walk goes to the entry point, and to all that leads on from there.
func (c *crawler) walk() {
	c.follow(crawlBase + "/api.xml")
	for len(c.queue) > 0 && !c.t.Failed() {
		address := c.queue[0]
		c.queue = c.queue[1:]
		c.visit(address)
	}
}

// follow notes an address to go to.
func (c *crawler) follow(address string) {
	if _, known := c.answers[address]; !known {
		c.answers[address] = ""
		c.queue = append(c.queue, address)
	}
}

// visit reads a document and notes where it leads.
func (c *crawler) visit(address string) {
	target, own := strings.CutPrefix(address, crawlBase)
	if !own {
		c.t.Fatalf("%s is not below %s", address, crawlBase)
	}
	got := c.client.Get(target)
	if got.Status != http.StatusOK || got.Header.Get("Content-Type") != "application/xml; charset=utf-8" {
		c.t.Fatalf("%s: got %d %s %s, want 200 and XML", address, got.Status, got.Header.Get("Content-Type"), got.Body)
	}
	c.answers[address] = got.Body
	root := parse(c.t, got.Body)
	item, isList := c.manual.item[root.name()]
	switch {
	case root.name() == "services":
		c.services(root)
	case isList:
		c.list(target, root, item, got)
	default:
		c.record(address, root, c.manual.shown(target, root.name(), false))
		c.toRelated(target)
		c.toIncluded(target, root.name())
	}
	if isList || len(c.answers)%10 == 0 {
		c.json(target, root)
	}
}

// services checks the entry point.
func (c *crawler) services(root *node) {
	for _, service := range root.Nodes {
		if names := service.names(); service.name() != "service" || !slices.Equal(names, []string{"href", "name"}) {
			c.t.Errorf("a service of the entry point is %s with %q", service.name(), names)
		}
		c.follow(service.Nodes[0].Text)
	}
}

// systemView is the query for the software that lists do not show otherwise.
const systemView = "?view=system"

var nextPage = regexp.MustCompile(`<([^>]+)>; rel="next"`)

// list checks a page of a list and goes on to the next.
func (c *crawler) list(target string, root *node, item string, got *mustertest.Response) {
	envelope := []string{"page", "per_page", "total_entries"}
	if names := root.names(); len(root.Attrs) > 0 || len(names) < 3 || !slices.Equal(names[:3], envelope) {
		c.t.Fatalf("%s: begins with %q and %v, want %q", target, names, root.Attrs, envelope)
	}
	if total := root.Nodes[2].Text; got.Header.Get("X-Total-Count") != total {
		c.t.Errorf("%s: got %s entries and X-Total-Count %s", target, total, got.Header.Get("X-Total-Count"))
	}
	want, view := c.manual.shown(target, item, true), ""
	if strings.Contains(target, systemView[1:]) {
		view = systemView
	}
	for i := range root.Nodes[3:] {
		n := &root.Nodes[3+i]
		if n.name() != item {
			c.t.Fatalf("%s: item %d is %s, want %s", target, i, n.name(), item)
		}
		c.record(fmt.Sprintf("%s, item %d", target, i), n, want)
		c.toNested(target, n.child("id").Text)
	}
	c.met[root.name()] += len(root.Nodes) - 3
	c.met[pattern(target)+view] += len(root.Nodes) - 3
	c.toIncluded(target, item)
	c.whole(target, root, got)
}

// whole follows a list to its next page, or checks that it has come to its end.
func (c *crawler) whole(target string, root *node, got *mustertest.Response) {
	if next := nextPage.FindStringSubmatch(got.Header.Get("Link")); next != nil {
		c.follow(next[1])
		return
	}
	page, per, total := number(c.t, root, 0), number(c.t, root, 1), number(c.t, root, 2)
	if shown := (page-1)*per + len(root.Nodes) - 3; shown != total {
		c.t.Errorf("%s: ends after %d items, want %d", target, shown, total)
	}
}

var idsInPath = regexp.MustCompile(`/[0-9]+`)

// pattern returns a path as the reference writes it.
func pattern(target string) string {
	path, _, _ := strings.Cut(target, "?")
	return idsInPath.ReplaceAllString(strings.TrimSuffix(path, ".xml"), "/<id>")
}

// toIncluded goes to the same document with all that it includes when asked.
func (c *crawler) toIncluded(target, item string) {
	for _, column := range c.manual.of(target, item) {
		if column.included && !strings.Contains(target, "?") {
			c.follow(crawlBase + target + "?include=" + column.name)
		}
	}
}

// toRelated goes to the lists that belong to a record, those too to which no
// address leads.
func (c *crawler) toRelated(target string) {
	if strings.Contains(target, "?") {
		return
	}
	for _, r := range c.manual.related {
		if parent, _, _ := strings.Cut(r.path, "/<id>/"); pattern(target) == parent+"/<id>" {
			c.follow(crawlBase + strings.TrimSuffix(target, ".xml") + r.path[len(pattern(target)):] + ".xml")
		}
	}
}

// toNested goes to an item of a related list below its parent's address.
func (c *crawler) toNested(target, id string) {
	path, _, _ := strings.Cut(target, ".xml")
	for _, r := range c.manual.related {
		if r.single && r.path == pattern(target) {
			c.follow(crawlBase + path + "/" + id + ".xml")
		}
	}
}

// metAll checks that the organisation has records of every kind, and that no
// related list is empty everywhere.
func (c *crawler) metAll() {
	for root := range c.manual.item {
		if c.met[root] == 0 {
			c.t.Errorf("the crawl met no %s", root)
		}
	}
	for _, r := range c.manual.related {
		if c.met[r.path] == 0 {
			c.t.Errorf("all lists %s are empty", r.path)
		}
	}
	if c.met["/hardwares/<id>/softwares"+systemView] == 0 {
		c.t.Error("no computer has hidden software")
	}
	if len(c.answers) < 1000 {
		c.t.Errorf("the crawl met %d documents, want more than 1000", len(c.answers))
	}
}

// installs checks that software counts the computers that it leads to.
func (c *crawler) installs() {
	for address, answer := range c.answers {
		if pattern(strings.TrimPrefix(address, crawlBase)) != "/softwares/<id>" {
			continue
		}
		software := parse(c.t, answer)
		list := parse(c.t, c.answers[software.child("hardwares-href").Text])
		if got, want := software.child("installs").Text, list.child("total_entries").Text; got != want {
			c.t.Errorf("%s: counts %s installs, want %s as listed", address, got, want)
		}
	}
}

// json checks that the same document as JSON has the same names in the same
// order.
func (c *crawler) json(target string, root *node) {
	path, query, found := strings.Cut(target, ".xml")
	got := c.client.Get(path + ".json" + query)
	names := keys(c.t, got.Body)
	want := root.names()
	if i := slices.Index(want, "total_entries"); i >= 0 {
		want = append(want[:i+1:i+1], root.name())
	}
	if root.name() == "services" {
		want = []string{"services"}
	}
	for i := range want {
		want[i] = strings.ReplaceAll(want[i], "-", "_")
	}
	if !found || got.Status != http.StatusOK || !slices.Equal(names, want) {
		c.t.Errorf("%s as JSON: got %d with %q, want %q", target, got.Status, names, want)
	}
}

// keys returns the names of a JSON object in their order.
func keys(t *testing.T, document string) (names []string) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(document))
	if begin, err := d.Token(); err != nil || begin != json.Delim('{') {
		t.Fatalf("%s: begins with %v, error %v", document, begin, err)
	}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err == nil {
			err = d.Decode(&value)
		}
		if err != nil {
			t.Fatalf("%s: %v", document, err)
		}
		names = append(names, name.(string))
	}
	return names
}

// number returns the number in the i-th child.
func number(t *testing.T, n *node, i int) int {
	t.Helper()
	value, err := strconv.Atoi(n.Nodes[i].Text)
	if err != nil {
		t.Fatalf("%s: %v", n.Nodes[i].name(), err)
	}
	return value
}
