// Package plan decides how a list is answered, and gives the reason.
//
// Its function For is the only place that decides. It looks at the query and at the state of the store, and at
// no record. Carrying out the ways does not belong here: the store implements those that return records, the
// desk the one that returns rendered records.
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
	Fragments                  // the index finds them, and their cached fragments are reused
)

// String returns the name of the way.
func (w Way) String() string {
	return [...]string{SQL: "SQL", Index: "index", SearchThenIndex: "search, then index", Fragments: "fragments"}[w]
}

// A Document says whether a list will be rendered, and whether others may reuse the result.
type Document uint8

// The documents of a list.
const (
	NoDocument Document = iota // records, a total or counts are wanted
	Common                     // it is the same for all who may see it
	Personal                   // it depends on its reader
	Uncached                   // no rendered records are cached
)

// A State has the facts about a store at the moment of a query.
type State struct {
	Shared        bool        // other processes write the database too: it is PostgreSQL
	Indexed       bool        // there are indexes
	Keeps         bool        // the index keeps all that the query needs, except what chooses its records
	Rare          bool        // the database's own index of a nearly unique text serves the query as well
	InTransaction bool        // the answer must be of the transaction's snapshot
	IndexAllowed  bool        // that transaction may use the index
	Counted       *kind.Field // the field whose values are counted, nil when records are listed
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

// rendered are the reasons for lists that the index finds, by document.
var rendered = [...]Reason{
	NoDocument: RecordsWanted, Common: RenderedBefore, Personal: PersonalDocument, Uncached: NoFragments,
}

// forChosen decides for a query whose records are chosen by a table of words, ties or values.
func forChosen(q *kind.Query, s State) Reason {
	switch {
	case len(q.Ties) > 1, len(q.Ties) > 0 && (q.Search != nil || q.Ties[0].Merged != ""):
		return SeveralChoices
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

// fewChosen is the number of records chosen by words or a tie up to which reading their rows costs less than
// the index. It is not used for nested values, for which databases evaluate the order first.
const fewChosen = 1000

// LeastChosen returns how many records must be chosen for the index to be worth it, 0 on PostgreSQL.
func LeastChosen(q *kind.Query, s State) int {
	if s.Shared || isPlainSearch(q) || NestedValue(q) >= 0 {
		return 0
	}
	return fewChosen
}

// MustFindAll reports whether the index must have every chosen record, since the query has no other condition.
func MustFindAll(q *kind.Query) bool { return isPlainSearch(q) }

// NestedValue returns the condition of a query that chooses records by whole values of a nested field, -1 when
// there is none, or something else chooses.
func NestedValue(q *kind.Query) int {
	if q.Search != nil || len(q.Ties) > 0 {
		return -1
	}
	return slices.IndexFunc(q.Conds, func(c kind.Cond) bool {
		return c.In != nil && !slices.ContainsFunc(c.Any, func(t kind.Test) bool { return !t.Whole() })
	})
}

// chooses reports whether a table of words, ties or values chooses the records of a query.
func chooses(q *kind.Query) bool { return q.Search != nil || len(q.Ties) > 0 || NestedValue(q) >= 0 }

// needsIndex reports whether a query needs more than a tie's table. A plain search does, since its result may
// be cached.
func needsIndex(q *kind.Query) bool {
	return isSorted(q) || len(q.Conds) > 0 || len(q.Either) > 0 || isPlainSearch(q)
}

// isPlainSearch reports whether a query is a search without other conditions.
func isPlainSearch(q *kind.Query) bool {
	return q.Search != nil && len(q.Ties) == 0 && len(q.Conds) == 0 && len(q.Either) == 0
}

func isSorted(q *kind.Query) bool { return q.Sort != nil && q.Sort.Type != kind.ID }

// looksApart reports whether a query uses apart fields. Those change without being counted, so it is not known
// whether the index and a transaction have the same state.
func looksApart(q *kind.Query, counted *kind.Field) bool {
	isApart := func(c kind.Cond) bool { return c.Field.Apart || c.Else != nil && c.Else.Apart }
	return slices.ContainsFunc(q.Conds, isApart) || isSorted(q) && q.Sort.Apart || counted != nil && counted.Apart
}

// isLimited reports whether a reader may not search all texts of the records, or of related ones, so that the
// result cannot be shared.
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
