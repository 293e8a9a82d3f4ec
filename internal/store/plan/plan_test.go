package plan_test

import (
	"maps"
	"testing"

	"muster/internal/kind"
	"muster/internal/store/plan"
)

// TestFor decides for what the moment is like. What filters and orders of the kinds
// are like is in the table of TestWays.
func TestFor(t *testing.T) {
	text, apart := &kind.Field{Name: "name", Type: kind.Text},
		&kind.Field{Name: "seen-at", Type: kind.Time, Apart: true}
	whole := func(f *kind.Field) kind.Cond { return kind.Cond{Field: f, Any: []kind.Test{{Text: []string{"a"}}}} }
	nested := kind.Cond{Field: text, In: &kind.Field{Name: "cards"}, Any: []kind.Test{{Text: []string{"a"}}}}
	part := nested
	part.Any = []kind.Test{{Text: []string{"a", ""}}}
	search, tie := &kind.Search{Text: "word"}, []kind.Tie{{Table: "pairs"}}
	noStaff := &kind.Search{Text: "word", Limited: true}
	limited := &kind.Search{Text: "word", Beside: []kind.Beside{{Either: []kind.Cond{whole(text)}}}}
	known := plan.State{Indexed: true, Keeps: true}
	with := func(change func(*plan.State)) plan.State {
		s := known
		change(&s)
		return s
	}
	as := func(d plan.Document) plan.State { return with(func(s *plan.State) { s.Document = d }) }
	viewing := with(func(s *plan.State) { s.InTransaction, s.IndexAllowed = true, true })
	changing := with(func(s *plan.State) { s.InTransaction = true })
	rare := with(func(s *plan.State) { s.Rare = true })
	unkept := plan.State{Indexed: true}
	counting := func(f *kind.Field) plan.State { return with(func(s *plan.State) { s.Rare, s.Counted = true, f }) }
	shared := with(func(s *plan.State) { s.Shared = true })
	for _, test := range []struct {
		name  string
		query kind.Query
		state plan.State
		want  plan.Reason
	}{
		{"all", kind.Query{}, known, plan.RecordsWanted},
		{"all as a document", kind.Query{}, as(plan.Common), plan.RenderedBefore},
		{"all for one", kind.Query{}, as(plan.Personal), plan.PersonalDocument},
		{"all, without a cache", kind.Query{}, as(plan.Uncached), plan.NoFragments},
		{"no index", kind.Query{}, plan.State{}, plan.NoIndex},
		{"not kept", kind.Query{}, unkept, plan.NotKept},
		{"rare", kind.Query{}, rare, plan.RareText},
		{"counts of what is rare", kind.Query{}, counting(text), plan.RecordsWanted},
		{"in a transaction", kind.Query{}, viewing, plan.InTransaction},
		{"a search in one", kind.Query{Search: search}, viewing, plan.ChosenByWords},
		{"a search in one that changes", kind.Query{Search: search}, changing, plan.InTransaction},

		{"search", kind.Query{Search: search}, known, plan.ChosenByWords},
		{"search on PostgreSQL", kind.Query{Search: search}, shared, plan.ChosenByWords},
		{"search as a document", kind.Query{Search: search}, as(plan.Common), plan.ChosenByWords},
		{"search and filter", kind.Query{Search: search, Conds: []kind.Cond{whole(text)}}, shared, plan.ChosenByWords},
		{"search and filter, not kept", kind.Query{Search: search, Conds: []kind.Cond{whole(text)}}, unkept,
			plan.NotKept},
		{"search for one reader", kind.Query{Search: limited}, known, plan.LimitedSearch},
		{"search without texts for staff", kind.Query{Search: noStaff}, known, plan.LimitedSearch},
		{"search of no words", kind.Query{Search: &kind.Search{Text: " - "}}, known, plan.NoWords},
		{"search and what is apart", kind.Query{Search: search, Conds: []kind.Cond{whole(apart)}}, known,
			plan.ApartField},
		{"else apart", kind.Query{Search: search, Conds: []kind.Cond{{Field: text, Else: apart}}}, known,
			plan.ApartField},
		{"search by what is apart", kind.Query{Search: search, Sort: apart}, known, plan.ApartField},
		{"counts of what is apart", kind.Query{Search: search}, counting(apart), plan.ApartField},
		{"search and tie", kind.Query{Search: search, Ties: tie}, known, plan.SeveralChoices},

		{"tie", kind.Query{Ties: tie}, known, plan.PlainTie},
		{"tie by id", kind.Query{Ties: tie, Sort: &kind.Field{Type: kind.ID}}, known, plan.PlainTie},
		{"tie by name", kind.Query{Ties: tie, Sort: text}, known, plan.ChosenByTie},
		{"tie and filter", kind.Query{Ties: tie, Either: []kind.Cond{whole(text)}}, known, plan.ChosenByTie},
		{"tie and filter on PostgreSQL", kind.Query{Ties: tie, Conds: []kind.Cond{whole(text)}}, shared,
			plan.ChosenByTie},
		{"two ties", kind.Query{Ties: append(tie, tie...), Sort: text}, known, plan.SeveralChoices},
		{"a tie of merged ones", kind.Query{Ties: []kind.Tie{{Merged: "merges"}}, Sort: text}, known,
			plan.SeveralChoices},

		{"value", kind.Query{Conds: []kind.Cond{nested}}, known, plan.ChosenByValue},
		{"value on PostgreSQL", kind.Query{Conds: []kind.Cond{nested}}, shared, plan.ChosenByValue},
		{"part of a value", kind.Query{Conds: []kind.Cond{part}}, unkept, plan.NotKept},
	} {
		if got := plan.For(&test.query, test.state); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

// TestLeastChosen says for which queries a few chosen records are left to the tables.
func TestLeastChosen(t *testing.T) {
	text := &kind.Field{Name: "name", Type: kind.Text}
	nested := kind.Cond{Field: text, In: &kind.Field{Name: "cards"}, Any: []kind.Test{{Text: []string{"a"}}}}
	search := &kind.Search{Text: "word"}
	for _, test := range []struct {
		name  string
		query kind.Query
		state plan.State
		want  int
	}{
		{"search", kind.Query{Search: search}, plan.State{}, 0},
		{"value", kind.Query{Conds: []kind.Cond{nested}}, plan.State{}, 0},
		{"search and filter", kind.Query{Search: search, Conds: []kind.Cond{{Field: text}}}, plan.State{}, 1000},
		{"tie", kind.Query{Ties: []kind.Tie{{}}, Sort: text}, plan.State{}, 1000},
		{"on PostgreSQL", kind.Query{Search: search, Conds: []kind.Cond{{Field: text}}}, plan.State{Shared: true}, 0},
	} {
		if got := plan.LeastChosen(&test.query, test.state); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
	}
}

// TestReasons: each reason has words of its own, and its way.
func TestReasons(t *testing.T) {
	seen, ways := map[string]bool{}, map[plan.Way]int{}
	for r := range plan.Reasons {
		if text := r.String(); text == "" || seen[text] {
			t.Errorf("reason %d: got %q, want words of its own", r, text)
		}
		seen[r.String()] = true
		ways[r.Way()]++
	}
	want := map[plan.Way]int{plan.Fragments: 1, plan.Index: 3, plan.SearchThenIndex: 3, plan.SQL: 12}
	if !maps.Equal(ways, want) {
		t.Errorf("reasons by ways: got %v, want %v", ways, want)
	}
}
