package mapping

import (
	"iter"
	"slices"
	"strings"
	"sync"

	"muster/internal/kind"
	"muster/internal/words"
)

// Limits of the search: how many bytes of a record are looked at, since its words can be 18 times longer than
// it; how many bytes of different words of it can be found, far below the 1 MiB limit of PostgreSQL; how many
// different words of a query are searched.
const (
	maxLooked = 1 << 20
	maxWords  = 256 << 10
	maxAsked  = 64
)

// A searchTable has the words of each record of a kind, with the record's id as rowid. It is derived from the
// records, so backups leave it out.
type searchTable struct {
	Name   string
	Form   string // how its words are made, and from which fields
	IsMade bool   // the table exists in this form
}

// SearchSuffix is the end of the names of search tables.
const SearchSuffix = "_search"

func searchName(k *kind.Schema) string { return k.Path() + SearchSuffix }

func newSearchTable(k *kind.Schema) *searchTable {
	return &searchTable{Name: searchName(k), Form: words.Version() + " " + k.Searched.Names()}
}

// Widens reports whether the form of the table differs from an older one only by fields that no record has:
// they were neither among the columns nor in a layout.
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
		case nested && field != "staff": // marks a field for staff alone
			ok = ok && !kind.LayoutsHave(layouts, list, field)
		default:
			ok = ok && !slices.Contains(columns, strings.ReplaceAll(list, "-", "_"))
		}
	}
	return ok
}

// searchedFields returns the fields of a form, nested ones after the name of their collection. It is not ok
// when its words are made in another way.
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

// staffMark is the prefix of words that only staff can search. It is no letter, so no word contains it.
const staffMark = "§"

// WordsOf returns the different words of a record, separated by blanks, up to the limits. Those for staff alone
// come last, so that they displace no others.
func WordsOf(k *kind.Schema, rec any) string {
	all := wordList{seen: seenWords.Get().(map[string]bool)}
	defer forgetWords(all.seen)
	if all.add(k.Searched.Texts(rec), "") && k.Searched.HasStaffTexts() {
		all.add(k.Searched.StaffTexts(rec), staffMark)
	}
	return all.Text.String()
}

// A wordList collects the words of a record.
type wordList struct {
	Text   strings.Builder
	seen   map[string]bool
	looked int // bytes
}

// add adds the new words of texts, with a prefix, and reports whether there is room for more.
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

// seenWords reuses maps of words, empty, since they are expensive to allocate.
var seenWords = sync.Pool{New: func() any { return make(map[string]bool, 128) }}

// forgetWords returns a map to the pool. A large one is dropped, since clearing it stays expensive.
func forgetWords(seen map[string]bool) {
	if len(seen) <= 1024 {
		clear(seen)
		seenWords.Put(seen)
	}
}

// An Asked is a word that a search looks for.
type Asked struct {
	Word   string
	Prefix bool // any word with this prefix matches
}

// In reports whether a word matches among the words of a record, as WordsOf returns them. Words for staff count.
func (a Asked) In(all string) bool {
	for end := 0; ; {
		next := strings.Index(all[end:], a.Word)
		if next < 0 {
			return false
		}
		before := strings.TrimSuffix(all[:end+next], staffMark)
		end += next + len(a.Word)
		begins := before == "" || strings.HasSuffix(before, " ")
		if begins && (a.Prefix || end == len(all) || all[end] == ' ') {
			return true
		}
	}
}

// AskedOf returns the words of a search text, without duplicates. The last one is a prefix, unless it is also
// an earlier whole word.
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
