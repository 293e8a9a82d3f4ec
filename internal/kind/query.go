package kind

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"muster/internal/message"
)

// Page sizes of lists, the highest page number, and how many values the filters
// of a query may have together.
const (
	DefaultPerPage = 25
	MaxPerPage     = 1000
	MaxPage        = 1<<31 - 1
	maxValues      = 100
)

// A Query says which records a list holds, in which order, and which page of
// them is wanted.
type Query struct {
	Conds   []Cond  // all must hold
	Either  []Cond  // one of them must hold, if there are any
	Ties    []Tie   // all must hold
	Search  *Search // nil is for nothing
	Sort    *Field  // nil is by id
	Desc    bool
	Page    int
	PerPage int
	Sized   bool      // the client says PerPage itself
	ByID    bool      // rows follow After instead of being numbered by page
	After   int64     // the last id of the page before
	Today   time.Time // that derived fields follow from
	Include string    // the collection that records include, "" for none
}

// A Tie is a condition that a table of pairs ties a record to another. Its names
// are the program's own.
type Tie struct {
	Table string
	Own   string // the column of the record's id
	Other string // the column of the other record's
	ID    int64
	// Merged is the table of which records have become one with another: what
	// is tied to them is tied to that one. "" is for none.
	Merged string
	// Moved is the table of which records have gone from one record to another,
	// whatever they are tied to. "" is for none.
	Moved string
	// Counted is the table of the other record when that counts what is tied to
	// it, so that it shows something else after each change of this. "" is for
	// one that does not.
	Counted string
}

// BadQuery is a mistake of the client in a query.
type BadQuery struct{ Text message.Text }

// Error returns the text for the client.
func (e *BadQuery) Error() string { return e.Text.String() }

// Message returns the text for people.
func (e *BadQuery) Message() message.Text { return e.Text }

func badQuery(format string, args ...any) error { return &BadQuery{message.New(format, args...)} }

// ParseQuery reads the query of a list call. A parameter that the kind does
// not know is an error: a filter that silently does nothing is worse. The fields
// in a query of an alias are those of the stored kind, whose records it finds.
func (s *Schema) ParseQuery(raw string, now time.Time) (*Query, error) {
	if s.alias {
		return s.stored.ParseQuery(raw, now)
	}
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, badQuery("the query does not parse: %v", err)
	}
	q := &Query{Page: 1, PerPage: DefaultPerPage, Today: Today(now)}
	if err := s.addView(q, values); err != nil {
		return nil, err
	}
	for _, name := range sortedKeys(values) {
		if !sendable(name) || name != search && !sendableAll(values[name]) {
			return nil, badQuery("the query holds bytes that are no text")
		}
		if err := s.parameter(q, name, values, now); err != nil {
			return nil, err
		}
	}
	if n := q.tests(); n > maxValues {
		return nil, badQuery("the query filters by %d values, at most %d are possible", n, maxValues)
	}
	if q.Include != "" && q.PerPage > MaxIncluding {
		return nil, badQuery("per_page must be at most %d with include, not %d", MaxIncluding, q.PerPage)
	}
	if q.ByID && (values.Has("page") || values.Has("sort_by") || values.Has("sort_order")) {
		return nil, badQuery("after cannot be combined with page, sort_by or sort_order")
	}
	return q, nil
}

// tests returns the number of values that the query filters by.
func (q *Query) tests() (n int) {
	for _, c := range q.Conds {
		n += len(c.Any)
	}
	return n
}

// sendable reports whether a text is one that both databases can compare with.
func sendable(text string) bool { return utf8.ValidString(text) && !strings.Contains(text, "\x00") }

func sendableAll(texts []string) bool {
	return !slices.ContainsFunc(texts, func(t string) bool { return !sendable(t) })
}

// sortedKeys returns the names of the parameters in a fixed order, so that the
// same query gives the same conditions and the same error.
func sortedKeys(values url.Values) []string {
	keys := make([]string, 0, len(values))
	for key := range values {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// search is the parameter that every list has. It takes any text: what is no
// letter or digit stands between words.
const search = "q"

// parameter adds one parameter to the query.
func (s *Schema) parameter(q *Query, name string, values url.Values, now time.Time) (err error) {
	given := values[name]
	switch name {
	case "include":
		return s.setInclude(q, given)
	case "view":
		if s.view != nil {
			return nil // taken before all others
		}
	case search, "page", "per_page", "after", "sort_by", "sort_order":
		if len(given) > 1 {
			return badQuery("%s is given more than once", message.Word(name))
		}
		return s.paging(q, name, given[0])
	}
	f := s.filters[strings.TrimSuffix(name, "[]")]
	if f == nil {
		if spelt := strings.ReplaceAll(name, "-", "_"); spelt != name &&
			s.filters[strings.TrimSuffix(spelt, "[]")] != nil {
			return badQuery("unknown parameter %s: write %s", name, spelt)
		}
		return badQuery("unknown parameter %s", name)
	}
	if strings.HasSuffix(name, "[]") && values.Has(f.Param) {
		return nil // taken together with its other spelling
	}
	if !strings.HasSuffix(name, "[]") {
		given = append(given, values[name+"[]"]...)
	}
	cond, err := f.cond(given, now)
	q.Conds = append(q.Conds, cond)
	return err
}

// paging reads a parameter that is not about one field.
func (s *Schema) paging(q *Query, name, value string) (err error) {
	switch name {
	case search:
		q.Search = &Search{Text: value}
	case "page":
		q.Page, err = number(name, value, 1, MaxPage)
	case "per_page":
		q.Sized = true
		q.PerPage, err = number(name, value, 1, MaxPerPage)
	case "after":
		q.ByID = true
		if q.After, err = strconv.ParseInt(value, 10, 64); err != nil || q.After < 0 {
			return badQuery("after must be an id, 0 or more, not %s", short(value))
		}
	case "sort_by":
		if q.Sort = s.byName[hyphened(value)]; q.Sort == nil || !q.Sort.Sortable() {
			return badQuery("sort_by: %s is not a field that lists can be sorted by", short(value))
		}
	case "sort_order":
		q.Desc = strings.EqualFold(value, "DESC")
		if !q.Desc && !strings.EqualFold(value, "ASC") {
			return badQuery("sort_order must be ASC or DESC, not %s", short(value))
		}
	}
	return err
}

// number reads a number between least and most.
func number(name, value string, least, most int) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < least || n > most {
		return 0, badQuery("%s must be a number from %d to %d, not %s", message.Word(name), least, most, short(value))
	}
	return n, nil
}
