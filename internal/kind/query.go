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
// of a query may have together. A page that says no size has, in the API, that of the
// setting page-size (pageSize in internal/desk/setting.go), and in the web application
// DefaultRows of package records, beside which rowChoices of package page are offered.
const (
	DefaultPerPage = 25 // of the setting
	MaxPerPage     = 1000
	MaxIncluding   = 100 // of a list whose records include others
	MaxPage        = 1<<31 - 1
	maxValues      = 100
)

// ReadAtOnce is how many records the program reads in one query where it needs all that
// there are. It is not a limit of what clients ask for.
const ReadAtOnce = 1000

// A Query says which records a list has, in which order, and which page of them is wanted.
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
	Brief   bool      // records are shown without the items of their counted collection
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
	r := &queryReader{schema: s, values: values, now: now, query: q}
	if err := r.readView(); err != nil {
		return nil, err
	}
	for _, name := range sortedKeys(values) {
		if !sendable(name) || name != search && !sendableAll(values[name]) {
			return nil, badQuery("the query holds bytes that are no text")
		}
		if err := r.read(name); err != nil {
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

// ParseInclude reads the query of a call for one record, and returns the
// collection that is to be included, "" for none.
func (s *Schema) ParseInclude(raw string) (string, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return "", badQuery("the query does not parse: %v", err)
	}
	r := &queryReader{schema: s, values: values, query: new(Query)}
	for _, name := range sortedKeys(values) {
		if name != "include" {
			return "", badQuery("unknown parameter %s", name)
		}
		err = r.readInclude()
	}
	return r.query.Include, err
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

// A queryReader reads the parameters of a call into a query.
type queryReader struct {
	schema *Schema
	values url.Values
	now    time.Time
	query  *Query
}

// viewName returns the view that lists have besides the usual one, "" for none.
func (s *Schema) viewName() string {
	switch {
	case s.view != nil:
		return s.view.name
	case s.Counted != nil:
		return briefView
	}
	return ""
}

// readView reads the view that the call asks for: which records it shows, or how much of them.
func (r *queryReader) readView() error {
	name, given := r.schema.viewName(), r.values["view"]
	if name == "" {
		return nil
	}
	if len(given) > 1 || len(given) == 1 && given[0] != name {
		return badQuery("view must be %s, not %s", name, short(strings.Join(given, " and ")))
	}
	if r.schema.view == nil {
		r.query.Brief = len(given) == 1
		return nil
	}
	r.query.Conds = append(r.query.Conds, Cond{Field: r.schema.view.field, Any: []Test{boolTest(len(given) == 1)}})
	return nil
}

// read reads one parameter.
func (r *queryReader) read(name string) error {
	switch name {
	case "include":
		return r.readInclude()
	case "view":
		if r.schema.viewName() != "" {
			return nil // taken before all others
		}
	case search, "page", "per_page", "after", "sort_by", "sort_order":
		given := r.values[name]
		if len(given) > 1 {
			return badQuery("%s is given more than once", message.Word(name))
		}
		return r.readPaging(name, given[0])
	}
	return r.readFilter(name)
}

// readInclude reads which collection records include.
func (r *queryReader) readInclude() error {
	s, given := r.schema, r.values["include"]
	switch {
	case len(s.includes) == 0:
		return badQuery("unknown parameter include")
	case len(given) > 1:
		return badQuery("%s is given more than once", message.Word("include"))
	case s.Including(given[0]) == s:
		return badQuery("include must be %s, not %s", s.includes[0].include, short(given[0]))
	}
	r.query.Include = given[0]
	return nil
}

// readPaging reads a parameter that is not about one field.
func (r *queryReader) readPaging(name, value string) (err error) {
	q := r.query
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
		if q.Sort = r.schema.byName[hyphened(value)]; q.Sort == nil || !q.Sort.Sortable() {
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

// readFilter adds the condition of a filter. Any other parameter is an error.
func (r *queryReader) readFilter(name string) error {
	filters, given := r.schema.filters, r.values[name]
	f := filters[strings.TrimSuffix(name, "[]")]
	if f == nil {
		if spelt := strings.ReplaceAll(name, "-", "_"); spelt != name &&
			filters[strings.TrimSuffix(spelt, "[]")] != nil {
			return badQuery("unknown parameter %s: write %s", name, spelt)
		}
		return badQuery("unknown parameter %s", name)
	}
	if strings.HasSuffix(name, "[]") && r.values.Has(f.Param) {
		return nil // taken together with its other spelling
	}
	if !strings.HasSuffix(name, "[]") {
		given = append(given, r.values[name+"[]"]...)
	}
	cond, err := f.cond(given, r.now)
	r.query.Conds = append(r.query.Conds, cond)
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
