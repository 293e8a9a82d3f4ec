package records

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"muster/internal/kind"
	"muster/internal/web/lang"
	"muster/internal/web/page"
)

// A chip is a filter of a list, with the values that can be chosen.
type chip struct {
	ID      string // of its popover
	Param   string
	Title   string
	Text    string // the chosen values, "" when none is yet
	Remove  string // the address without it
	Look    string // choices, text, days, range, since
	Value   string // of a text or a number of days
	Bounds  []bound
	Choices []filterValue
	Many    bool        // there are values beyond these, which can be looked for
	Find    string      // what is looked for among them
	Note    string      // about the values that are offered
	All     int         // records without the filter, -1 when that is not known
	Show    string      // on its button
	Keep    string      // the address with it as it is
	Rest    []page.Pair // of the query, for its form
}

// A bound is an end of a range of time, or a single time.
type bound struct {
	Name, Title, Value string
	Type               string // of its input
}

// A filterValue is a value that a filter can have, with the records that would
// be found.
type filterValue struct {
	Value, Label string
	Records      int
	Chosen       bool
}

// chips returns the filters that limit a list, in the order in which they were
// added.
func chips(s *Section, c *page.Call, q *kind.Query, values url.Values) (chips []chip, err error) {
	for _, f := range limiting(c, facets(s), values) {
		one, err := newChip(s, c, q, values, &f, "")
		if err != nil {
			return nil, err
		}
		chips = append(chips, *one)
	}
	return chips, nil
}

// askedChip returns the filter that the address asks for by its name, nil for none.
// One that limits the list already is open there while its values are looked for.
func askedChip(s *Section, c *page.Call, q *kind.Query, values url.Values) (*chip, error) {
	f, find := facetOf(s, c.URL.Query().Get("add")), finding(c)
	if f == nil || find == "" && slices.ContainsFunc(f.params(), values.Has) {
		return nil, nil
	}
	return newChip(s, c, q, values, f, find)
}

// newChip returns one filter of a list. Of one whose values are looked for by a text
// it has those in which that is found.
func newChip(s *Section, c *page.Call, q *kind.Query, values url.Values, f *facet, find string) (one *chip, err error) {
	given, rest := values[f.param], page.Without(values, f.params()...)
	one = &chip{
		ID: "f-" + f.param, Param: f.param, Title: facetTitle(s, c, f), Look: f.look, All: -1, Show: c.T("Show"),
		Remove: c.Address("/"+s.Path, rest), Keep: c.Address("/"+s.Path, values),
		Rest: page.PairsAs(c.URL.RawQuery, rest),
	}
	switch f.look {
	case "choices":
		found, err := valueCounts(s, c, q, f, len(given) > 0, find)
		if err != nil {
			return nil, err
		}
		one.Choices, one.Many, one.Find = choices(c, f, found.counts, given), found.more || find != "", find
		one.Note = found.note(c, find)
		one.count(c)
	case "range", "since":
		one.Bounds = bounds(c, f, values)
		one.Text = rangeText(c, f, values)
	case "days":
		if len(given) > 0 {
			one.Value, one.Text = given[0], daysText(c, f, given[0])
		}
	default:
		if len(given) > 0 {
			one.Value, one.Text = given[0], strings.Join(given, ", ")
		}
	}
	return one, nil
}

// count sets how many records have the chosen values.
func (one *chip) count(c *page.Call) {
	var labels []string
	chosen, all := 0, 0
	for _, v := range one.Choices {
		all += v.Records
		if v.Chosen {
			labels = append(labels, v.Label)
			chosen += v.Records
		}
	}
	if !one.Many {
		one.All = all
	}
	if one.Text = strings.Join(labels, ", "); one.Text != "" {
		one.Show = c.T("Show %s", c.Number(chosen))
	} else if one.All >= 0 {
		one.Show = c.T("Show %s", c.Number(all))
	}
}

// daysText returns a number of days as a chip shows it.
func daysText(c *page.Call, f *facet, value string) string {
	n, err := strconv.Atoi(value)
	words, ok := lang.DayWords[f.param]
	if err != nil || !ok {
		return value
	}
	return c.TN(n, words[2], words[3])
}
