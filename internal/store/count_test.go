package store_test

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"muster/internal/kind"
	"muster/internal/store"
)

// counted returns the value of a field by which a gadget is counted, how people
// read it, and what it is compared by.
var counted = map[string]func(g *gadget) (value, label, key string){
	"name":     func(g *gadget) (string, string, string) { return g.Name, g.Name, folded(g.Name) },
	"chip-set": func(g *gadget) (string, string, string) { return chip(g), chip(g), folded(chip(g)) },
	"phase":    func(g *gadget) (string, string, string) { return phaseOf(g), phaseOf(g), folded(phaseOf(g)) },
	"owner":    func(g *gadget) (string, string, string) { return g.Owner.Email, g.Owner.Name, padded(g.Owner.ID) },
	"maker":    func(g *gadget) (string, string, string) { return g.Maker.Name, g.Maker.Name, padded(g.Maker.ID) },
	"live": func(g *gadget) (string, string, string) {
		if !g.Live.Valid {
			return "", "", ""
		}
		text := strconv.FormatBool(g.Live.V)
		return text, text, text
	},
}

func chip(g *gadget) string { return strings.TrimSpace(g.Chip) }

// padded returns an id as a text that sorts as it does, "" for none.
func padded(id int64) string {
	if id == 0 {
		return ""
	}
	return strconv.FormatInt(1<<40+id, 10)
}

// countPlainly counts gadgets by a field without a database.
func countPlainly(all []*gadget, name string, most int) (counts []kind.Count) {
	var keys []string
	for _, g := range all {
		value, label, key := counted[name](g)
		at := slices.Index(keys, key)
		if at < 0 {
			at = len(keys)
			keys, counts = append(keys, key), append(counts, kind.Count{Value: value, Label: label})
		}
		counts[at].Records++
	}
	order := make([]int, len(keys))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if counts[a].Records == counts[b].Records && (keys[a] == "") != (keys[b] == "") {
			return cmp.Compare(len(keys[b]), len(keys[a])) // null is last
		}
		return cmp.Or(counts[b].Records-counts[a].Records, strings.Compare(keys[a], keys[b]))
	})
	var sorted []kind.Count
	for _, i := range order[:min(most, len(order))] {
		sorted = append(sorted, counts[i])
	}
	return sorted
}

// TestCounts holds for any gadgets: every database counts as plain Go does, and
// shows the spelling of the oldest.
func TestCounts(t *testing.T) {
	t.Parallel()
	stores, people, known := everyStore(t)
	rapid.Check(t, func(t *rapid.T) {
		all := anyGadgets(t, people, known)
		found := slices.DeleteFunc(slices.Clone(all), func(g *gadget) bool { return !g.Live.Valid || !g.Live.V })
		for database, s := range stores {
			if err := replace(s, all); err != nil {
				t.Fatalf("%s: %v", database, err)
			}
			for name := range counted {
				checkCounts(t, s, database, "per_page=3", name, countPlainly(all, name, 3))
				checkCounts(t, s, database, "live=true", name, countPlainly(found, name, 25))
			}
		}
	})
}

// checkCounts fails unless a store counts as wanted.
func checkCounts(t *rapid.T, s *store.Store, database, query, name string, want []kind.Count) {
	q, err := gadgets.ParseQuery(query, start)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Counts(ctx, gadgets.Schema, q, gadgets.Field(name))
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("%s: %s of %s: got %v, error %v, want %v", database, name, query, got, err, want)
	}
}
