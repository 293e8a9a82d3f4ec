//go:build full

package api_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// A leakWorld has records that anna sees, and more if it has secrets.
type leakWorld struct {
	*mustertest.Server
	boss, tech, anna *mustertest.Client
}

// newLeakWorld makes the records that anna sees with the same ids and at the
// same times, whether or not there are secrets.
func newLeakWorld(t *testing.T, db mustertest.Database, secrets bool) *leakWorld {
	t.Helper()
	s := start(t, db, func(cfg *server.Config) { cfg.BaseURL = "https://assets.example" })
	w := &leakWorld{s, s.Admin(), s.AddUser("tech@example.com", inventory.Technician, false),
		s.AddUser("anna@example.com", inventory.Requester, false)}
	bert := s.AddUser("bert@example.com", inventory.Requester, false)
	for _, c := range []*mustertest.Client{w.boss, w.tech, w.anna, bert} {
		c.Host = "assets.example"
	}
	secret := func(text string) string { // what stands in a record only if there are secrets
		if secrets {
			return text
		}
		return ""
	}
	post := func(c *mustertest.Client, path, fields string) {
		t.Helper()
		item := kindAt(path[strings.LastIndex(path, "/")+1:]).Item
		if r := c.Do("POST", path, "<"+item+">"+fields+"</"+item+">"); r.Status != http.StatusCreated {
			t.Fatalf("POST %s %s: got %d %s, want 201", path, fields, r.Status, r.Body)
		}
	}
	const annas, berts = "anna@example.com", "bert@example.com"
	links := func(item string, ids ...int) string {
		var b strings.Builder
		for _, id := range ids {
			fmt.Fprintf(&b, "<%s><id>%d</id></%s>", item, id, item)
		}
		return "<" + item + "s>" + b.String() + "</" + item + "s>"
	}
	foreign := []int{1}
	if !secrets {
		foreign = nil
	}
	post(w.boss, "/hardwares",
		"<name>his</name><owner>"+berts+"</owner>"+secret("<site>secret</site><tag>secret</tag>"))
	post(w.boss, "/hardwares",
		"<name>hers</name><owner>"+annas+
			"</owner><technical-contact>tech@example.com</technical-contact><site>HQ</site>")
	post(w.boss, "/hardwares", "<name>hers too</name><owner>"+annas+"</owner><asset-id>A</asset-id>")
	post(w.boss, "/other_assets", "<name>other</name>")
	post(bert, "/tickets", "<name>his</name>"+secret("<description>secret</description><category>secret</category>"))
	post(w.tech, "/tickets",
		"<name>for her</name><requester>"+annas+
			"</requester><assignee>tech@example.com</assignee><category>c</category>"+
			links("hardware", append(foreign, 2)...)+links("other-asset", foreign...))
	post(w.anna, "/tickets", "<name>hers</name><priority>High</priority>")
	post(w.tech, "/tickets/2/comments", "<body>public</body>")
	post(w.anna, "/tickets/2/comments", "<body>from her</body>")
	post(w.tech, "/solutions", "<name>one</name><state>Published</state>"+links("ticket", append(foreign, 2)...))
	post(w.tech, "/solutions", "<name>two</name><state>Published</state><tag>t</tag>"+links("ticket", foreign...))
	s.Clock.Advance(time.Minute)
	if !secrets {
		return w
	}
	for _, ticket := range []string{"1", "2", "3"} {
		post(w.tech, "/tickets/"+ticket+"/comments", "<body>secret</body><is-private>true</is-private>")
	}
	post(bert, "/tickets/1/comments", "<body>secret</body>")
	for _, owner := range []string{
		"", "<owner>" + berts + "</owner>", "<technical-contact>" + annas + "</technical-contact>",
	} {
		post(w.boss, "/hardwares", "<name>secret</name><site>HQ</site>"+owner)
	}
	post(w.tech, "/hardwares/2/tickets", "<name>secret</name><assignee>"+annas+"</assignee><category>c</category>")
	post(bert, "/tickets", "<name>secret</name>")
	post(w.tech, "/hardwares/2/risks", "<name>secret</name>")
	for _, state := range []string{inventory.SolutionDraft, inventory.SolutionInternal} {
		post(w.tech, "/solutions", "<name>secret</name><state>"+state+"</state>"+links("ticket", 2))
	}
	post(w.tech, "/contracts", "<name>secret</name><vendor>secret</vendor>"+links("hardware", 2, 3))
	post(w.tech, "/printers", "<name>secret</name>")
	post(w.tech, "/softwares", "<name>secret</name>")
	post(w.tech, "/other_assets", "<name>secret</name><owner>"+annas+"</owner>")
	post(w.boss, "/users", "<email>secret@example.com</email>")
	return w
}

// observe returns all that anna can learn: what each request is answered with.
func (w *leakWorld) observe() map[string]string {
	seen := map[string]string{}
	ask := func(verb, target, body string, header ...string) (status int) {
		r := w.anna.Do(verb, target, body, header...)
		for _, name := range []string{"Date", "X-Request-Id", "Authentication-Info"} {
			r.Header.Del(name)
		}
		var b strings.Builder
		fmt.Fprintln(&b, r.Status)
		_ = r.Header.Write(&b) // a strings.Builder takes all
		seen[strings.Join(append(header, verb, target), " ")] = b.String() + r.Body
		return r.Status
	}
	for _, route := range w.Routes() {
		for _, path := range fillIn(route.Path) {
			status := ask("GET", path, "")
			ask("HEAD", path, "")
			ask("GET", path+".json", "")
			if strings.HasSuffix(route.Path, "{id}") {
				ask("GET", path, "", "If-None-Match", "*")
				ask("DELETE", path, "", "If-Match", `"x"`)
				ask("PUT", path, "<", "If-Match", `"x"`)
				continue
			}
			for _, query := range queries(path, status == http.StatusOK) {
				ask("GET", path+"?"+query, "")
			}
		}
	}
	return seen
}

// fillIn returns a path with the first ids in each of its places.
func fillIn(path string) []string {
	paths := []string{path}
	for _, place := range []string{"{parent}", "{id}"} {
		var filled []string
		for _, p := range paths {
			for id := 1; id <= 4; id++ {
				if longer := strings.Replace(p, place, fmt.Sprint(id), 1); !slices.Contains(filled, longer) {
					filled = append(filled, longer)
				}
			}
		}
		paths = filled
	}
	return paths
}

// queries returns what the list at a path can be asked for: little where there
// is no answer, and where others answer alike.
func queries(path string, answered bool) (all []string) {
	all = []string{"per_page=1", "per_page=1&page=2", "after=1&per_page=1", "q=secret", "q=h", "include=softwares"}
	parts := strings.Split(path, "/")
	if !answered || path == "/api" || parts[1] == "incidents" || len(parts) > 3 && parts[2] != "2" {
		return all
	}
	k := kindAt(parts[len(parts)-1])
	for _, f := range k.Fields {
		if f.Sortable() {
			all = append(all, "sort_by="+f.Name, "sort_order=DESC&sort_by="+f.Name)
		}
	}
	for _, f := range k.Filters {
		for _, value := range valuesFor(f) {
			all = append(all, f.Param+"="+value)
		}
	}
	return all
}

// valuesFor returns values of a filter that distinguish secrets from the rest.
func valuesFor(f *kind.Filter) []string {
	switch f.Field.Type {
	case kind.Boolean:
		return []string{"true", "false"}
	case kind.Integer, kind.Amount:
		return []string{"1", "3", ""}
	case kind.Time, kind.Date:
		return []string{"2026-01-31", "2026-01-31T09:31:00Z", "0"} // of which a filter refuses some
	case kind.PersonRef:
		return []string{"*", "", "*ann*", "*bert*"}
	}
	return []string{"*", "", "secret"}
}

// TestLeaks asks for all that a requester can ask for, in two worlds of which
// one has more that they may not see, and gets the same answers.
func TestLeaks(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		bare, full := newLeakWorld(t, db, false), newLeakWorld(t, db, true)
		want, got := bare.observe(), full.observe()
		for _, request := range slices.Sorted(maps.Keys(want)) {
			if got[request] != want[request] {
				equal(t, request+": with and without secrets", got[request], want[request])
			}
		}
		equal(t, "requests", len(got), len(want))
		for path, total := range map[string]string{
			"/hardwares": "2", "/tickets": "2", "/incidents": "2", "/solutions": "2", "/users": "1",
			"/tickets/2/comments": "2", "/hardwares/2/tickets": "1",
		} {
			equal(t, path, full.anna.Get(path).Header.Get("X-Total-Count"), total)
		}
	})
}

// TestPrivateComment: a requester learns nothing of a private comment, and all
// others see it.
func TestPrivateComment(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		w := newLeakWorld(t, db, false)
		comment := func(private string) {
			t.Helper()
			w.Clock.Advance(time.Minute)
			r := w.tech.Do("POST", "/tickets/2/comments",
				"<comment><body>hush</body><is-private>"+private+"</is-private></comment>")
			equal(t, "POST", r.Status, http.StatusCreated)
		}
		before, tag, all := w.observe(), w.anna.Get("/tickets/2").Header.Get("ETag"), w.tech.Get("/tickets/2")
		comment("true")
		after := w.observe()
		for request, answer := range before {
			if after[request] != answer {
				equal(t, request+": before and after", after[request], answer)
			}
		}
		now := w.tech.Get("/tickets/2")
		if now.Header.Get("ETag") == all.Header.Get("ETag") || !strings.Contains(now.Body, "hush") {
			t.Errorf("a technician: got %s, want another tag and the comment in\n%s", now.Header.Get("ETag"), now.Body)
		}
		equal(t, "a technician's list", w.tech.Get("/tickets/2/comments?is_private=true").Header.Get("X-Total-Count"),
			"1")
		refused(t, "the comment", w.anna.Get("/tickets/2/comments/3"), http.StatusNotFound,
			"there is no comment with the id 3")
		r := w.anna.Do("PUT", "/tickets/2", "<ticket><state>Closed</state></ticket>", "If-Match", tag)
		equal(t, "a change of what she read before", r.Status, http.StatusOK)
		comment("false")
		since := "?updated_since=2026-01-31T09:33:00Z"
		equal(t, "a public one",
			[]string{
				w.anna.Get("/tickets" + since).Header.Get("X-Total-Count"),
				w.anna.Get("/tickets/2/comments").Header.Get("X-Total-Count"),
			}, []string{"1", "3"})
	})
}
