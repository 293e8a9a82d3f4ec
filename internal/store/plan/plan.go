// Package plan decides how a list is answered, and says why.
//
// For is the only place that decides: it looks at the query and at what is known
// of the moment, and at no record. What carries a way out does not belong here:
// the store has the ways that return records, the desk the one that returns
// rendered ones.
package plan

import (
	"slices"

	"muster/internal/kind"
	"muster/internal/words"
)

// A Way is how a list is answered.
type Way uint8

// The ways of answering a list.
const (
	SQL             Way = iota // the database finds the records
	Index                      // the index finds them, and their rows are read
	SearchThenIndex            // a table of words, ties or values chooses ids, and the index finds among these
	Fragments                  // the index finds them, and what was rendered of them before is reused
)

// String returns the name of the way.
func (w Way) String() string {
	return [...]string{SQL: "SQL", Index: "index", SearchThenIndex: "search, then index", Fragments: "fragments"}[w]
}

// A Document says whether a list is to be rendered, and whether others may reuse that.
type Document uint8

// The documents that a list may be wanted as.
const (
	NoDocument Document = iota // records are wanted, a total or counts
	Common                     // it is the same for all who may see it
	Personal                   // it depends on who reads it
	Uncached                   // nothing that is rendered is kept
)

// A State is what is known of a store at the moment of a query.
type State struct {
	Shared        bool        // other processes write the database too: it is PostgreSQL
	Indexed       bool        // there are indexes
	Keeps         bool        // the index keeps all that the query looks at, but for what chooses its records
	Rare          bool        // the database's own index of a nearly unique text serves the query as well
	InTransaction bool        // the answer is to be of the state that a transaction reads
	IndexAllowed  bool        // that transaction may ask the index
	Counted       *kind.Field // its values are counted, nil when records are listed
	Document      Document
}

// For decides how a query is answered.
func For(q *kind.Query, s State) Reason {
	switch {
	case s.InTransaction && (!s.IndexAllowed || !chooses(q)):
		return InTransaction
	case !s.Indexed:
		return NoIndex
	case chooses(q):
		return forChosen(q, s)
	case !s.Keeps:
		return NotKept
	case s.Rare && s.Counted == nil:
		return RareText
	}
	return rendered[s.Document]
}

// rendered are the reasons of lists that the index finds, by what is made of them.
var rendered = [...]Reason{
	NoDocument: RecordsWanted, Common: RenderedBefore, Personal: PersonalDocument, Uncached: NoFragments,
}

// forChosen decides for a query whose records a table of words, ties or values
// chooses.
func forChosen(q *kind.Query, s State) Reason {
	switch {
	case len(q.Ties) > 1, len(q.Ties) > 0 && (q.Search != nil || q.Ties[0].Merged != ""):
		return SeveralChoices
	case s.Shared && q.Search == nil:
		return OtherNodes
	case q.Search != nil && isLimited(q.Search):
		return LimitedSearch
	case q.Search != nil && !hasWords(q.Search.Text):
		return NoWords
	case looksApart(q, s.Counted):
		return ApartField
	case !needsIndex(q):
		return PlainTie
	case !s.Keeps:
		return NotKept
	case q.Search != nil:
		return ChosenByWords
	case len(q.Ties) > 0:
		return ChosenByTie
	}
	return ChosenByValue
}

// fewChosen is how many records may be chosen by words or a tie without the
// index's help: to look at their rows costs less. For nested values that does
// not hold: databases look for the order first.
const fewChosen = 1000

// LeastChosen returns how many records must be chosen for the index to be of help.
// On PostgreSQL it always is.
func LeastChosen(q *kind.Query, s State) int {
	if s.Shared || isPlainSearch(q) || NestedValue(q) >= 0 {
		return 0
	}
	return fewChosen
}

// MustFindAll reports whether the index must know every record that was chosen,
// since the query asks for nothing else.
func MustFindAll(q *kind.Query) bool { return isPlainSearch(q) }

// NestedValue returns which condition of a query chooses records by whole values of
// a nested field, -1 when none does, or something else chooses.
func NestedValue(q *kind.Query) int {
	if q.Search != nil || len(q.Ties) > 0 {
		return -1
	}
	return slices.IndexFunc(q.Conds, func(c kind.Cond) bool {
		return c.In != nil && !slices.ContainsFunc(c.Any, func(t kind.Test) bool { return !t.Whole() })
	})
}

// chooses reports whether a table of words, ties or values chooses the records of
// a query.
func chooses(q *kind.Query) bool { return q.Search != nil || len(q.Ties) > 0 || NestedValue(q) >= 0 }

// needsIndex reports whether a query asks for more than a tie does alone. A plain
// search does, since what it has found may be in memory.
func needsIndex(q *kind.Query) bool {
	return isSorted(q) || len(q.Conds) > 0 || len(q.Either) > 0 || isPlainSearch(q)
}

// isPlainSearch reports whether a query asks for words and nothing else of the
// records.
func isPlainSearch(q *kind.Query) bool {
	return q.Search != nil && len(q.Ties) == 0 && len(q.Conds) == 0 && len(q.Either) == 0
}

func isSorted(q *kind.Query) bool { return q.Sort != nil && q.Sort.Type != kind.ID }

// looksApart reports whether a query looks at what is apart of its records. That
// changes all the time without being counted, so nobody could say whether the
// index and a transaction have the same.
func looksApart(q *kind.Query, counted *kind.Field) bool {
	isApart := func(c kind.Cond) bool { return c.Field.Apart || c.Else != nil && c.Else.Apart }
	return slices.ContainsFunc(q.Conds, isApart) || isSorted(q) && q.Sort.Apart || counted != nil && counted.Apart
}

// isLimited reports whether somebody may not look into all texts of the records, or
// into all records beside them, so that what the search finds is for them alone.
func isLimited(s *kind.Search) bool {
	return s.Limited || slices.ContainsFunc(s.Beside, func(b kind.Beside) bool { return len(b.Either) > 0 })
}

// hasWords reports whether a text has a word.
func hasWords(text string) bool {
	for range words.Of(text) {
		return true
	}
	return false
}
