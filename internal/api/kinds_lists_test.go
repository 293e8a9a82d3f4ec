//go:build full

package api_test

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
)

// fewTexts are values that differ in case, accents and characters that patterns
// and databases have a use for.
var fewTexts = []string{
	"", "alpha", "ALPHA", "Ärger", "ärger ", "a*b", "100%", "a_b", `cd\e`, "Straße", "STRASSE", "zeta", "😀", "beta' --",
}

// A row is a record as its single document shows it.
type row struct {
	id  int64
	doc *node
}

// rows makes records of a kind that share values, and returns all that there
// are.
func (sc *scene) rows(t *testing.T, k *kind.Schema, n int) (all []row) {
	t.Helper()
	few := *sc
	few.world.Texts = fewTexts
	for i := range n {
		sc.Clock.Advance(time.Duration(i%3) * 7 * time.Hour) // some at once
		doc, _ := few.draw(t, k, 5000+i)
		sc.send(t, k, doc)
	}
	for _, id := range strings.Fields(ids(t, sc.Get("/"+k.Path()+"?per_page=1000").Body)) {
		n, _ := strconv.ParseInt(id, 10, 64)
		all = append(all, row{n, parse(t, sc.Get("/"+k.Path()+"/"+id).Body)})
	}
	return all
}

// text returns the text of a scalar as lists compare it, and whether there is
// one.
func (r row) text(f *kind.Field) (string, bool) {
	n := r.doc.child(f.Name)
	if len(n.Attrs) > 0 || n.Text == "" {
		return "", false
	}
	return f.Trim(n.Text), true
}

// texts returns what a filter looks at: a text, those of nested items, or a
// person's address and name.
func (r row) texts(f *kind.Filter) (all []string) {
	n := r.doc.child(f.Field.Name)
	switch {
	case f.In != nil:
		for _, item := range r.doc.child(f.In.Name).Nodes {
			if text := item.child(f.Field.Name).Text; text != "" {
				all = append(all, text)
			}
		}
	case f.Field.Type == kind.PersonRef && len(n.Nodes) > 0:
		all = []string{n.child("email").Text, n.child("name").Text}
	default:
		if text, ok := r.text(f.Field); ok && f.Field.Type != kind.PersonRef {
			all = []string{text}
		}
	}
	return all
}

// folded is a text without case.
func folded(text string) string { return norm.NFC.String(cases.Fold().String(norm.NFC.String(text))) }

// spanOf returns the first and last second of a value of a time filter.
func spanOf(value string) (first, last int64) {
	if t, err := time.Parse(time.DateOnly, value); err == nil {
		return t.Unix(), t.Unix() + 24*60*60 - 1
	}
	t, _ := time.Parse(time.RFC3339, value)
	return t.Unix(), t.Unix()
}

// A probe is a query of one filter, and which rows it must find.
type probe struct {
	query string
	finds func(row) bool
}

// textProbes ask for each value that there is, in other cases and by parts.
func textProbes(f *kind.Filter, rows []row) (all []probe) {
	add := func(pattern string, match func(text string) bool) {
		all = append(all, probe{
			f.Param + "=" + url.QueryEscape(pattern),
			func(r row) bool { return slices.ContainsFunc(r.texts(f), match) },
		})
	}
	escape := strings.NewReplacer("*", `\*`)
	for _, text := range some(rows, func(r row) []string { return r.texts(f) }) {
		runes, want := []rune(text), folded(text)
		begin, end := string(runes[:(len(runes)+1)/2]), string(runes[len(runes)/2:])
		add(escape.Replace(strings.ToUpper(text)),
			func(t string) bool { return folded(t) == folded(strings.ToUpper(text)) })
		add(escape.Replace(text), func(t string) bool { return folded(t) == want })
		add(escape.Replace(begin)+"*", func(t string) bool { return strings.HasPrefix(folded(t), folded(begin)) })
		add("*"+escape.Replace(end), func(t string) bool { return strings.HasSuffix(folded(t), folded(end)) })
	}
	add("*", func(string) bool { return true })
	add("no such value", func(string) bool { return false })
	return append(all, probe{f.Param + "=", func(r row) bool { return len(r.texts(f)) == 0 }})
}

// timeProbes ask for moments, days and spans.
func timeProbes(f *kind.Filter, rows []row) (all []probe) {
	first := func(r row) string { text, _ := r.text(f.Field); return text }
	for _, value := range some(rows,
		func(r row) []string { return []string{first(r), first(r)[:min(10, len(first(r)))]} }) {
		from, to := spanOf(value)
		if f.Field.Type == kind.Date {
			value = value[:10]
		}
		switch f.Param {
		case f.Field.Column() + "_from", "updated_since":
			to = 1<<63 - 1
		case f.Field.Column() + "_to":
			from = -1 << 63
		}
		all = append(all, probe{f.Param + "=" + url.QueryEscape(value), func(r row) bool {
			at, _ := spanOf(first(r))
			return first(r) != "" && from <= at && at <= to
		}})
	}
	if f.Param == f.Field.Column() {
		all = append(all, probe{f.Param + "=", func(r row) bool { return first(r) == "" }})
	}
	return all
}

// some returns up to 3 different values of rows, "" left out.
func some(rows []row, of func(row) []string) (values []string) {
	for _, r := range rows {
		for _, v := range of(r) {
			if v != "" && len(values) < 3 && !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
	}
	return values
}

// daysAgo are filters of computers that TestFilters tries.
var daysAgo = []string{"recently_added", "not_reporting", "not_reported"}

// probes returns queries of a filter.
func probes(t *testing.T, f *kind.Filter, rows []row) []probe {
	t.Helper()
	switch f.Field.Type {
	case kind.Time, kind.Date:
		return timeProbes(f, rows)
	case kind.Text, kind.PersonRef, kind.RecordRef:
		return textProbes(f, rows)
	case kind.Integer, kind.Boolean:
		all := []probe{{f.Param + "=", func(r row) bool { _, ok := r.text(f.Field); return !ok }}}
		for _, value := range append(some(rows,
			func(r row) []string { text, _ := r.text(f.Field); return []string{text} }), "0", "1") {
			same := map[string]string{"0": "false", "1": "true"}
			all = append(all, probe{f.Param + "=" + value, func(r row) bool {
				text, ok := r.text(f.Field)
				return ok && (text == value || f.Field.Type == kind.Boolean && text == same[value])
			}})
		}
		return all
	}
	t.Fatalf("%s: no probes for filters of the type %v", f.Param, f.Field.Type)
	return nil
}

// TestEveryKindLists asks each filter of each kind for values that there are and
// others, and sorts by each field that lists show, and compares with what a
// plain scan and a sort of all records give.
func TestEveryKindLists(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		sc := startScene(t, db)
		test := func(k *kind.Schema, n int) {
			t.Run(k.Plural, func(t *testing.T) {
				rows := sc.rows(t, k, n)
				sc.filters(t, k, rows)
				sc.sorts(t, k, rows)
			})
		}
		test(inventory.Audits.Schema, 0) // as long as they are few
		for _, k := range changeable() {
			n := 16
			if k.Stored() != k {
				n = 0 // there are some already
			}
			test(k, n)
		}
	})
}

// filters asks each filter of a kind.
func (sc *scene) filters(t *testing.T, k *kind.Schema, rows []row) {
	t.Helper()
	for _, f := range k.Filters {
		if slices.Contains(daysAgo, f.Param) || f.Field.Hidden { // TestClaims tries the hidden one
			continue
		}
		found := 0
		for _, p := range probes(t, f, rows) {
			var want []string
			for _, r := range rows {
				if p.finds(r) {
					want = append(want, strconv.FormatInt(r.id, 10))
				}
			}
			found += len(want)
			r := sc.Get("/" + k.Path() + "?per_page=1000&" + p.query)
			equal(t, p.query, []string{ids(t, r.Body), r.Header.Get("X-Total-Count")},
				[]string{strings.Join(want, " "), strconv.Itoa(len(want))})
		}
		if found == 0 {
			t.Errorf("%s: no query finds anything", f.Param)
		}
	}
}

// compare returns the ascending order of two rows by a field; aOK and bOK report whether
// each has a value.
func compare(f *kind.Field, a, b row) (order int, aOK, bOK bool) {
	key := func(r row) (string, bool) {
		if n := r.doc.child(f.Name); f.Type == kind.PersonRef {
			if len(n.Nodes) == 0 {
				return "", false
			}
			return n.child("name").Text, true
		}
		return r.text(f)
	}
	x, aOK := key(a)
	y, bOK := key(b)
	switch f.Type {
	case kind.ID:
		return cmp.Compare(a.id, b.id), true, true
	case kind.Integer:
		n, _ := strconv.ParseInt(x, 10, 64)
		m, _ := strconv.ParseInt(y, 10, 64)
		return cmp.Compare(n, m), aOK, bOK
	case kind.Time, kind.Date:
		n, _ := spanOf(x)
		m, _ := spanOf(y)
		return cmp.Compare(n, m), aOK, bOK
	}
	return cmp.Compare(folded(x), folded(y)), aOK, bOK
}

// sorted returns the ids of rows in the order of a list.
func sorted(f *kind.Field, rows []row, descending bool) string {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b row) int {
		order, aOK, bOK := compare(f, a, b)
		switch {
		case aOK != bOK && aOK:
			return -1
		case aOK != bOK:
			return 1
		case aOK && descending:
			order = -order
		case !aOK:
			order = 0
		}
		return cmp.Or(order, cmp.Compare(a.id, b.id))
	})
	var out []string
	for _, r := range rows {
		out = append(out, strconv.FormatInt(r.id, 10))
	}
	return strings.Join(out, " ")
}

// sorts sorts a list by each field that it shows, both ways.
func (sc *scene) sorts(t *testing.T, k *kind.Schema, rows []row) {
	t.Helper()
	shown := parse(t, sc.Get("/"+k.Path()+"?per_page=1").Body).child(k.Item)
	for _, f := range k.Fields {
		// which is counted as records are read
		scalar := f.Type != kind.Link && f.Type != kind.Address && f.Type != kind.List && f.Name != "changes-total"
		query := "/" + k.Path() + "?per_page=1000&sort_by="
		if shown.child(f.Name) == nil || !scalar {
			refused(t, f.Name, sc.Get(query+f.Name), http.StatusBadRequest,
				"is not a field that lists can be sorted by")
			continue
		}
		equal(t, f.Name, ids(t, sc.Get(query+f.Name).Body), sorted(f, rows, false))
		equal(t, f.Name+" descending", ids(t, sc.Get(query+f.Column()+"&sort_order=DESC").Body), sorted(f, rows, true))
	}
}
