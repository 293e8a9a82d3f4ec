package store_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"testing"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
	"muster/internal/store/plan"
)

// byTables are the filters that the tables answer on SQLite: those by values of
// parts, and by what follows from what is kept by statements of its own.
var byTables = map[string][]string{"hardwares": {"mac_address", "printer"}, "contracts": {"compliance"}}

// sortedByTables are the fields by which the tables sort: texts that no filter
// looks at, and what is kept by statements of its own.
var sortedByTables = map[string][]string{
	"agent_claims": {"hardware-name", "device-id", "program", "version", "remote-address", "reason", "reports"},
	"audits":       {"message", "record-name", "agent-token", "remote-address"},
	"comments":     {"body"},
	"contracts":    {"note", "seats", "installed", "compliance", "counting"},
	"other_assets": {"description", "notes"},
	"printers":     {"driver", "port", "notes"},
	"risks":        {"description", "ignored-until"},
	"softwares":    {"installs", "first-detected-at"},
	"solutions":    {"number", "description"},
	"tickets":      {"description", "resolution"},
	"users":        {"name", "phone", "mobile-phone", "title", "last-login"},
	"vendors": {"url", "telephone", "contact-name", "contact-email", "contact-phone", "address", "city",
		"region", "zip",
		"country", "note"},
}

// TestListSource lists, for every filter and every order of every kind, whether memory or the tables answer it.
// What memory answers now it must go on to.
func TestListSource(t *testing.T) {
	t.Parallel()
	s := open(t, mustertest.SQLite.New(t), inventory.All()...)
	for _, k := range inventory.All() {
		commit(t, s, func(tx *store.Tx) error { return tx.Insert(ctx, k, k.New(), now) })
		got := map[store.Source][]string{}
		for _, f := range k.Filters {
			for _, value := range valuesFor(k, f) {
				from := sourceOf(t, s, k, f.Param+"="+url.QueryEscape(value))
				got[from] = append(got[from], f.Param)
			}
		}
		if tables := slices.Compact(got[store.FromTables]); !sameNames(tables, byTables[k.Path()]) {
			t.Errorf("%s: filters that the tables answer: got %v, want %v", k.Path(), tables, byTables[k.Path()])
		}
		if both := slices.DeleteFunc(got[store.FromMemory],
			func(p string) bool { return !slices.Contains(got[store.FromTables], p) }); len(both) > 0 {
			t.Errorf("%s: some values of %v are answered from memory, some by tables", k.Path(), both)
		}
		var sorted []string
		for _, f := range k.Fields {
			if f.Sortable() && sourceOf(t, s, k, "sort_by="+f.Name) == store.FromTables {
				sorted = append(sorted, f.Name)
			}
		}
		if !sameNames(sorted, sortedByTables[k.Path()]) {
			t.Errorf("%s: orders that the tables answer: got %q, want %q", k.Path(), sorted, sortedByTables[k.Path()])
		}
	}
}

func sameNames(a, b []string) bool {
	set := func(names []string) map[string]bool {
		m := map[string]bool{}
		for _, name := range names {
			m[name] = true
		}
		return m
	}
	return maps.Equal(set(a), set(b))
}

// valuesFor returns values that a filter takes, wildcards among them.
func valuesFor(k *kind.Schema, f *kind.Filter) (values []string) {
	for _, value := range []string{
		"a", "", "a*", "*a", "a*b*c", "*", "1", "true", "2026-01-02", "2026-01-02T03:04:05Z",
	} {
		if _, err := k.ParseQuery(f.Param+"="+url.QueryEscape(value), now); err == nil {
			values = append(values, value)
		}
	}
	return values
}

// sourceOf returns where a list is answered from.
func sourceOf(t *testing.T, s *store.Store, k *kind.Schema, query string) store.Source {
	t.Helper()
	q, err := k.ParseQuery(query, now)
	if err != nil {
		t.Fatalf("%s?%s: %v", k.Path(), query, err)
	}
	planned, before := s.Plan(k, q, plan.NoDocument), s.Stats()
	_, err = s.List(ctx, k, q, nil)
	after := s.Stats()
	if after.Reasons[planned] != before.Reasons[planned]+1 {
		t.Errorf("%s?%s: it is not answered as planned: %v", k.Path(), query, planned)
	}
	for source := range after.Lists {
		if err == nil && after.Lists[source] == before.Lists[source]+1 {
			return store.Source(source)
		}
	}
	t.Fatal(fmt.Errorf("%s?%s: no list is counted, error %w", k.Path(), query, err))
	return 0
}
