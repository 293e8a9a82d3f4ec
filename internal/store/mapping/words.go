package mapping

import (
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"muster/internal/kind"
	"muster/internal/words"
)

// Bounds of the search, in bytes: so much of a record is looked at, since its
// words can be 18 times longer than it, and so many different words of it can be
// found, far below the 1 MiB that PostgreSQL holds. So many different words of a
// query are looked for.
const (
	maxLooked = 1 << 20
	maxWords  = 256 << 10
	maxAsked  = 64
)

// A searchTable holds the words of each record of a kind, by the record's id as
// rowid. It follows from the records, so backups leave it out.
type searchTable struct {
	Name   string
	Form   string // how its words are made, and of which fields
	IsMade bool   // in this form

	Changed atomic.Int64 // when words of it have changed last, see Store.worded
}

// SearchSuffix ends the names of search tables.
const SearchSuffix = "_search"

func searchName(k *kind.Schema) string { return k.Path() + SearchSuffix }

func newSearchTable(k *kind.Schema) *searchTable {
	return &searchTable{Name: searchName(k), Form: words.Version() + " " + k.TextFields()}
}

// Widens reports whether the form of the table is an older one with further fields
// that no record had: none was among the columns, nor in a layout.
func (st *searchTable) Widens(older string, columns, layouts []string) bool {
	was, ok := searchedFields(older)
	is, _ := searchedFields(st.Form)
	for name := range was {
		ok = ok && is[name]
	}
	for name := range is {
		list, field, nested := strings.Cut(name, " ")
		switch {
		case was[name]:
		case nested && field != "staff": // which marks a field for staff alone
			ok = ok && !kind.LayoutsHave(layouts, list, field)
		default:
			ok = ok && !slices.Contains(columns, strings.ReplaceAll(list, "-", "_"))
		}
	}
	return ok
}

// searchedFields returns the fields of a form, nested ones behind the name of their
// collection; not ok when its words are made in another way.
func searchedFields(form string) (fields map[string]bool, ok bool) {
	rest, ok := strings.CutPrefix(form, words.Version()+" ")
	fields = map[string]bool{}
	list := ""
	for part := range strings.SplitSeq(rest, ",") {
		if name, first, opens := strings.Cut(part, "("); opens {
			list, part = name+" ", first
		}
		name, closes := strings.CutSuffix(part, ")")
		if fields[list+name] = true; closes {
			list = ""
		}
	}
	return fields, ok
}

// staffMark begins the words that are found for staff alone. No word has it: it is
// no letter.
const staffMark = "§"

// WordsOf returns the different words of a record with blanks between them, up to
// the bounds. Those for staff alone come last, so that they keep no other out.
func WordsOf(k *kind.Schema, rec any) string {
	all := wordList{seen: seenWords.Get().(map[string]bool)}
	defer forgetWords(all.seen)
	if all.add(k.Texts(rec), "") && k.HasStaffTexts() {
		all.add(k.StaffTexts(rec), staffMark)
	}
	return all.Text.String()
}

// A wordList gathers the words of a record.
type wordList struct {
	Text   strings.Builder
	seen   map[string]bool
	looked int // bytes
}

// add adds the words of texts that are new, behind a mark, and reports whether there
// is room for more.
func (l *wordList) add(texts iter.Seq[string], mark string) bool {
	for text := range texts {
		for word := range words.Of(text) {
			if l.looked += len(word); l.looked > maxLooked || l.Text.Len()+len(mark)+len(word) >= maxWords {
				return false
			}
			if l.seen[word] {
				continue
			}
			if l.Text.Len() > 0 {
				l.Text.WriteByte(' ')
			}
			l.seen[word] = true
			l.Text.WriteString(mark)
			l.Text.WriteString(word)
		}
	}
	return true
}

// seenWords are maps of words that were seen, empty, which are costly to make.
var seenWords = sync.Pool{New: func() any { return make(map[string]bool, 128) }}

// forgetWords gives a map back. A large one would be costly to clear ever after.
func forgetWords(seen map[string]bool) {
	if len(seen) <= 1024 {
		clear(seen)
		seenWords.Put(seen)
	}
}

// An Asked word is one that a search looks for.
type Asked struct {
	Word   string
	Prefix bool // it is the beginning of a word
}

// AskedOf returns the words that a text asks for, each once. The last one is a
// prefix, unless it is asked for as a whole before.
func AskedOf(text string) (all []Asked) {
	seen := map[string]bool{}
	isNew := false // the last word
	for word := range words.Of(text) {
		if isNew = !seen[word] && len(all) < maxAsked; isNew {
			seen[word] = true
			all = append(all, Asked{Word: word})
		}
	}
	if isNew {
		all[len(all)-1].Prefix = true
	}
	return all
}
