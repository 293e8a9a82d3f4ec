package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
)

// next returns where the next page is, "" when there is none.
func next(r *mustertest.Response, base string) string {
	for link := range strings.SplitSeq(r.Header.Get("Link"), ", ") {
		if address, ok := strings.CutSuffix(link, `>; rel="next"`); ok {
			return strings.TrimPrefix(address, "<"+base)
		}
	}
	return ""
}

// walk reads a list from a target on to its end, and returns the ids.
func (sc *scene) walk(t *testing.T, target string) (got []string) {
	t.Helper()
	for target != "" {
		r := sc.Get(target)
		equal(t, target, r.Status, http.StatusOK)
		got = append(got, strings.Fields(ids(t, r.Body))...)
		target = next(r, sc.Base())
	}
	return got
}

// once checks that ids come each once, and all that must be there are.
func once(t *testing.T, what string, got, must []string) {
	t.Helper()
	seen := map[string]int{}
	for _, id := range got {
		seen[id]++
	}
	for id, n := range seen {
		if n > 1 {
			t.Errorf("%s: got %s %d times, want it once", what, id, n)
		}
	}
	for _, id := range must {
		if seen[id] == 0 {
			t.Errorf("%s: got no %s", what, id)
		}
	}
}

// TestEveryKindPaging reads each list page by page while another client creates
// and updates, and by ids also while it deletes: nothing that is there all the
// time is missed, nothing comes twice.
func TestEveryKindPaging(t *testing.T) {
	t.Parallel()
	eachKind(t, changeable(), func(t *testing.T, sc *scene, k *kind.Schema) {
		var stay, leave []string
		for i := range 8 {
			path, _ := sc.post(t, k, least(k, "p"+strconv.Itoa(i)))
			if id := path[strings.LastIndexByte(path, '/')+1:]; i%3 == 1 {
				leave = append(leave, id)
			} else {
				stay = append(stay, id)
			}
		}
		all := slices.Concat(stay, leave)
		list, other := "/"+k.Path(), sc.Admin()
		stop := meanwhile(func(i int) {
			r := other.Do("POST", list, fmt.Sprintf("<%s>%s</%s>", k.Item, least(k, "m"+strconv.Itoa(i)), k.Item))
			equal(t, "POST meanwhile", r.Status, http.StatusCreated)
			r = other.Do("PUT", list+"/"+all[i%len(all)], inside(k, nil, plainText(k), "x"+strconv.Itoa(i)))
			equal(t, "PUT meanwhile", r.Status, http.StatusOK)
		})
		got := sc.walk(t, list+"?per_page=3")
		stop()
		once(t, "by pages", got, all)

		stop = meanwhile(func(i int) {
			if i < len(leave) {
				equal(t, "DELETE meanwhile", other.Do("DELETE", list+"/"+leave[i], "").Status, http.StatusOK)
			}
			r := other.Do("POST", list, fmt.Sprintf("<%s>%s</%s>", k.Item, least(k, "d"+strconv.Itoa(i)), k.Item))
			equal(t, "POST meanwhile", r.Status, http.StatusCreated)
		})
		got = sc.walk(t, list+"?after=0&per_page=2")
		stop()
		once(t, "by ids", got, stay)
	})
}

// meanwhile does something again and again until stop is called, at most as
// often as lists can be read to their end.
func meanwhile(do func(i int)) (stop func()) {
	var wg sync.WaitGroup
	done := make(chan struct{})
	wg.Go(func() {
		for i := range 30 {
			select {
			case <-done:
				return
			default:
				do(i)
			}
		}
	})
	return func() {
		close(done)
		wg.Wait()
	}
}

// plainText returns a text field of a kind that is as it is sent.
func plainText(k *kind.Schema) *kind.Field {
	return k.Fields[slices.IndexFunc(k.Fields, func(f *kind.Field) bool {
		return f.Type == kind.Text && f.Editable() && !f.Required && !f.Unique && f.OneOf == nil
	})]
}

// TestEveryKindJSON reads each kind as JSON: the same values as in XML.
func TestEveryKindJSON(t *testing.T) {
	t.Parallel()
	eachKind(t, inventory.Served(), func(t *testing.T, sc *scene, k *kind.Schema) {
		target := "/" + k.Path() + "/1"
		if k == inventory.AgentClaims.Schema {
			claim(t, sc.Server, "x")
		}
		for n := range 3 {
			if !k.Given {
				doc, _ := sc.draw(t, k, 300+n)
				target, _ = sc.send(t, k, doc)
			}
			sc.sameJSON(t, k, parse(t, sc.Get(target+".xml").Body), sc.Get(target+".json"))
		}
		id := target[strings.LastIndexByte(target, '/')+1:]
		query := "?per_page=2&sort_by=id&sort_order=DESC"
		items := parse(t, sc.Get("/"+k.Path()+".xml"+query).Body)
		r := sc.Get("/" + k.Path() + ".json" + query)
		var list map[string]json.RawMessage
		parseJSON(t, r, &list)
		var all []json.RawMessage
		if err := json.Unmarshal(list[k.Path()], &all); err != nil || len(all) == 0 {
			t.Fatalf("the list of %s: got %s, error %v", id, r.Body, err)
		}
		for i, one := range all {
			sc.sameJSON(t, k, &items.Nodes[3+i],
				&mustertest.Response{Status: http.StatusOK, Header: r.Header, Body: string(one)})
		}
		for _, name := range []string{"page", "per_page", "total_entries"} {
			equal(t, name, string(list[name]), items.child(name).Text)
		}
	})
}

// sameJSON compares a record in both formats.
func (sc *scene) sameJSON(t *testing.T, k *kind.Schema, want *node, r *mustertest.Response) {
	t.Helper()
	var got map[string]any
	d := json.NewDecoder(strings.NewReader(r.Body))
	d.UseNumber()
	if err := d.Decode(&got); err != nil {
		t.Fatalf("%v in %s", err, r.Body)
	}
	equal(t, "JSON", got, sc.asJSON(k.Fields, want))
}

// asJSON returns what JSON must say of an element with fields.
func (sc *scene) asJSON(fields []*kind.Field, n *node) map[string]any {
	out := map[string]any{}
	for _, f := range fields {
		c := n.child(f.Name)
		if c == nil {
			continue
		}
		out[f.Column()] = sc.valueJSON(f, c)
	}
	return out
}

// valueJSON returns what JSON must say of a field.
func (sc *scene) valueJSON(f *kind.Field, n *node) any {
	null := len(n.Attrs) > 0
	switch {
	case f.Type == kind.List:
		items := []any{}
		for i := range n.Nodes {
			items = append(items, sc.asJSON(f.Items.Fields, &n.Nodes[i]))
		}
		return items
	case null:
		return nil
	case f.Type == kind.PersonRef:
		person := map[string]any{}
		for _, part := range n.Nodes {
			name := strings.ReplaceAll(part.XMLName.Local, "-", "_")
			switch {
			case len(part.Attrs) > 0:
				person[name] = nil
			case name == "id":
				person[name] = json.Number(part.Text)
			default:
				person[name] = part.Text
			}
		}
		return person
	case f.Type == kind.Integer || f.Type == kind.ID || f.Type == kind.Amount:
		return json.Number(n.Text)
	case f.Type == kind.Boolean:
		return n.Text == "true"
	case f.Type == kind.Link || f.Type == kind.Address:
		return strings.Replace(n.Text, ".xml", ".json", 1)
	}
	return n.Text
}
