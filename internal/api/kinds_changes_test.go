package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// TestEveryKindAudits compares the audit record of each change with the
// difference of the documents before and after it.
func TestEveryKindAudits(t *testing.T) {
	t.Parallel()
	eachKind(t, changeable(), func(t *testing.T, sc *scene, k *kind.Schema) {
		for n := range 4 {
			doc, _ := sc.draw(t, k, 100+n)
			none := parse(t, sc.document(k, k.Empty(1)[0]))
			path, body := sc.send(t, k, doc)
			sc.recorded(t, k, "create", none, parse(t, body))

			doc, want := sc.draw(t, k, 200+n)
			after := sc.Do("PUT", path, sc.keep(t, k, doc, body, want))
			equal(t, "PUT", after.Status, http.StatusOK)
			sc.recorded(t, k, "update", parse(t, body), parse(t, after.Body))

			audits := sc.audits()
			equal(t, "PUT again", sc.Do("PUT", path, after.Body).Body, after.Body)
			equal(t, "audit records of PUT again", sc.audits(), audits)

			last := sc.Do("DELETE", path, "")
			equal(t, "DELETE", []any{last.Status, last.Body}, []any{http.StatusOK, after.Body})
			sc.recorded(t, k, "delete", parse(t, last.Body), none)
			refused(t, "GET after DELETE", sc.Get(path), http.StatusNotFound, "there is no "+k.Noun)
			refused(t, "DELETE again", sc.Do("DELETE", path, ""), http.StatusNotFound, "there is no "+k.Noun)
			refused(t, "PUT after DELETE", sc.Do("PUT", path, after.Body), http.StatusNotFound, "there is no "+k.Noun)
		}
	})
}

// lastAudit returns the last audit record of an action on the records of a kind.
func (sc *scene) lastAudit(t *testing.T, k *kind.Schema, action string) *node {
	t.Helper()
	r := sc.Get(fmt.Sprintf("/audits?sort_by=id&sort_order=DESC&per_page=1&record_type=%s&action=%s", k.Stored().Item,
		action))
	return parse(t, r.Body).child("audit")
}

// recorded checks the audit record of a change.
func (sc *scene) recorded(t *testing.T, k *kind.Schema, action string, before, after *node) {
	t.Helper()
	there := after
	if action == "delete" {
		there = before
	}
	a := sc.lastAudit(t, k, action)
	text := func(name string) string { return a.child(name).Text }
	equal(t, action, []string{
		text("record-id"), text("record-name"), text("origin"), a.child("user").child("email").Text, text("created-at"),
	},
		[]string{there.child("id").Text, there.child("name").Text, "api", "admin@localhost",
			sc.Clock.Now().Format(time.RFC3339)})
	href := there.child("href").Text
	if k.Stored() != k {
		href = strings.Replace(href, "/"+k.Path()+"/", "/"+k.Stored().Path()+"/", 1)
	}
	if action == "delete" {
		href = ""
	}
	equal(t, action+": record-href", text("record-href"), href)
	changes := map[string][][2]string{}
	for _, c := range a.child("changes").Nodes {
		name := c.child("field").Text
		changes[name] = append(changes[name], [2]string{c.child("from").Text, c.child("to").Text})
	}
	many := len(a.child("changes").Nodes) > 50
	for _, f := range k.Fields {
		if f.Type == kind.Link || f.Type == kind.ID || f.Hidden || f.Secret || f.Computed || f.Kept || f.Days != nil ||
			f.Name == "created-at" || f.Name == "updated-at" {
			continue
		}
		was, is := before.child(f.Name), after.child(f.Name)
		if f.Type == kind.List {
			listChanges(t, action+" "+f.Name, was, is, changes[f.Name])
		} else if from, to := auditValue(was), auditValue(is); from != to {
			equal(t, action+" "+f.Name, changes[f.Name], [][2]string{{from, to}})
		} else {
			equal(t, action+" "+f.Name, len(changes[f.Name]), 0)
		}
		name := f.Label
		if f.Type == kind.List {
			name = kind.Words(f.Items.Noun)
		}
		if changes[f.Name] != nil && action == "update" && !many && !strings.Contains(text("message"), name) &&
			!strings.Contains(text("message"), f.Label) {
			t.Errorf("%s: got the message %q, want %q in it", action, text("message"), name)
		}
		delete(changes, f.Name)
	}
	equal(t, action+": other changes", len(changes), 0)
}

// auditValue returns a value as audit records write it.
func auditValue(n *node) string {
	if len(n.Nodes) == 0 {
		return n.Text
	}
	email, name := n.child("email").Text, ""
	if full := n.child("name"); full != nil {
		name = full.Text
	} else {
		name = strings.TrimSpace(n.child("first-name").Text + " " + n.child("last-name").Text)
	}
	if name == "" || name == email {
		return email
	}
	return name + " (" + email + ")"
}

// listChanges checks that each removed and each added item is recorded once.
func listChanges(t *testing.T, what string, was, is *node, changes [][2]string) {
	t.Helper()
	items := func(n *node) (all []string) {
		for i := range n.Nodes {
			all = append(all, n.Nodes[i].canon())
		}
		return all
	}
	went, came := items(was), items(is)
	order := !slices.Equal(went, came)
	for _, item := range slices.Clone(went) {
		if i := slices.Index(came, item); i >= 0 {
			came = slices.Delete(came, i, i+1)
			i = slices.Index(went, item)
			went = slices.Delete(went, i, i+1)
		}
	}
	if order && len(went) == 0 && len(came) == 0 {
		equal(t, what+": changes of order", len(changes), 1)
		return
	}
	from, to := 0, 0
	for _, c := range changes {
		if c[0] != "" {
			from++
		}
		if c[1] != "" {
			to++
		}
	}
	equal(t, what+": items that went and came", []int{from, to}, []int{len(went), len(came)})
}

// inside puts a field into the document of a record: below its collection if it
// is one of a nested item.
func inside(k *kind.Schema, in, f *kind.Field, text string) string {
	field := fmt.Sprintf("<%s>%s</%s>", f.Name, text, f.Name)
	if in != nil {
		field = fmt.Sprintf("<%s><%s>%s</%s></%s>", in.Name, in.Items.Item, field, in.Items.Item, in.Name)
	}
	return fmt.Sprintf("<%s>%s</%s>", k.Item, field, k.Item)
}

// TestEveryKindConditions makes changes conditional, and creations unique.
func TestEveryKindConditions(t *testing.T) {
	t.Parallel()
	eachKind(t, changeable(), func(t *testing.T, sc *scene, k *kind.Schema) {
		doc := fmt.Sprintf("<%s>%s</%s>", k.Item, least(k, "once"), k.Item)
		first := sc.Do("POST", "/"+k.Path(), doc, "Idempotency-Key", "one")
		again := sc.Do("POST", "/"+k.Path()+".xml", doc, "Idempotency-Key", "one")
		equal(t, "POST again", []any{
			again.Status, again.Header.Get(replayed), again.Body, again.Header.Get("Location"),
		},
			[]any{http.StatusCreated, "true", first.Body, first.Header.Get("Location")})
		path := strings.TrimSuffix(strings.TrimPrefix(first.Header.Get("Location"), sc.Base()), ".xml")
		list := "/" + k.Path()
		tag, listTag := sc.Get(path).Header.Get("ETag"), sc.Get(list).Header.Get("ETag")
		for _, target := range []string{path, list} {
			get, head := sc.Get(target), sc.Do("HEAD", target, "")
			equal(t, "HEAD "+target, []string{
				head.Body, head.Header.Get("ETag"), head.Header.Get("Content-Length"), head.Header.Get("Link"),
			},
				[]string{"", get.Header.Get("ETag"), strconv.Itoa(len(get.Body)), get.Header.Get("Link")})
			equal(t, "If-None-Match", sc.Get(target, "If-None-Match", get.Header.Get("ETag")).Status,
				http.StatusNotModified)
		}
		f := plainText(k)
		change := inside(k, nil, f, "other")
		equal(t, "PUT", sc.Do("PUT", path, change, "If-Match", tag).Status, http.StatusOK)
		refused(t, "PUT of an old version", sc.Do("PUT", path, inside(k, nil, f, "third"), "If-Match", tag),
			http.StatusPreconditionFailed, "not in the version")
		refused(t, "DELETE of an old version", sc.Do("DELETE", path, "", "If-Match", tag),
			http.StatusPreconditionFailed, "not in the version")
		if now := sc.Get(list).Header.Get("ETag"); now == listTag {
			t.Errorf("the list's ETag: got %s after a change, too, want another", now)
		}
		equal(t, "DELETE", sc.Do("DELETE", path, "", "If-Match", sc.Get(path+".json").Header.Get("ETag")).Status,
			http.StatusOK)
		refused(t, "POST again after DELETE", sc.Do("POST", "/"+k.Path(), doc, "Idempotency-Key", "one"),
			http.StatusConflict, "is gone")
	})
}

// TestEveryKindIsServed: what clients may not change is 405.
func TestEveryKindIsServed(t *testing.T) {
	t.Parallel()
	eachKind(t, inventory.Served(), func(t *testing.T, sc *scene, k *kind.Schema) {
		all, one := "GET, HEAD, POST, OPTIONS", "GET, HEAD, PUT, DELETE, OPTIONS"
		if k.Given {
			all, one = "GET, HEAD, OPTIONS", "GET, HEAD, OPTIONS"
		}
		equal(t, "OPTIONS of the list", sc.Do("OPTIONS", "/"+k.Path(), "").Header.Get("Allow"), all)
		equal(t, "OPTIONS of a record", sc.Do("OPTIONS", "/"+k.Path()+"/1", "").Header.Get("Allow"), one)
		for _, verb := range []string{"POST", "PUT", "DELETE", "PATCH"} {
			for target, allow := range map[string]string{"/" + k.Path(): all, "/" + k.Path() + "/1.xml": one} {
				if !strings.Contains(allow, verb) {
					r := sc.Do(verb, target, "<"+k.Item+"/>")
					equal(t, verb+" "+target, []any{r.Status, r.Header.Get("Allow")},
						[]any{http.StatusMethodNotAllowed, allow})
				}
			}
		}
		refused(t, "an id that is none", sc.Get("/"+k.Path()+"/x"), http.StatusNotFound, "there is no "+k.Noun)
		refused(t, "an id of none", sc.Get("/"+k.Path()+"/999999"), http.StatusNotFound, "there is no "+k.Noun)
	})
}
