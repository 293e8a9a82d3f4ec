package web

import (
	"net/url"
	"slices"
	"strings"

	"muster/internal/kind"
)

// A chip is a filter of a list, with the values that can be chosen.
type chip struct {
	ID      string // of its popover
	Param   string
	Title   string
	Text    string // the chosen values, "" when none is yet
	Remove  string // the address without it
	Open    bool   // it was just asked for
	Look    string // choices, text, days, date
	Value   string // of a text, a date or a number of days
	Choices []filterValue
	Rest    []pair // of the query, for its form
}

// A filterValue is a value that a filter can have, with the records that would
// be found.
type filterValue struct {
	Value, Label string
	Records      int
	Chosen       bool
}

// A filterChoice leads to a filter that can be added.
type filterChoice struct{ Title, Href string }

// chips returns the filters that limit a list, and the one that was asked for.
func (s *section) chips(c *call, q *kind.Query, values url.Values, asked string) (chips []chip, err error) {
	for _, f := range s.kind.Filters {
		given := values[f.Param]
		if len(given) == 0 && f.Param != asked {
			continue
		}
		one := chip{
			ID: "f-" + f.Param, Param: f.Param, Title: c.filterTitle(f), Open: f.Param == asked, Look: look(f),
			Remove: address("/"+s.path, without(values, f.Param, "add")), Rest: pairs(without(values, f.Param, "add")),
		}
		if one.Look == "choices" {
			if one.Choices, err = s.choices(c, q, f, given); err != nil {
				return nil, err
			}
			one.Text = chosen(one.Choices)
		} else if len(given) > 0 {
			one.Value, one.Text = given[0], strings.Join(given, ", ")
		}
		chips = append(chips, one)
	}
	return chips, nil
}

// look returns how the value of a filter is asked for.
func look(f *kind.Filter) string {
	switch {
	case f.Days():
		return "days"
	case f.Field.Type == kind.Time || f.Field.Type == kind.Date:
		return "date"
	case f.In == nil && f.Field.Countable() && !f.Field.Rare:
		return "choices"
	}
	return "text"
}

// choices returns the values that occur among the records that the other filters
// leave, those that most have first, and the chosen ones in any case.
func (s *section) choices(c *call, q *kind.Query, f *kind.Filter, given []string) (all []filterValue, err error) {
	others := *q
	others.Conds = slices.DeleteFunc(slices.Clone(q.Conds), func(cond kind.Cond) bool { return cond.Field == f.Field && cond.In == nil })
	others.Page, others.PerPage, others.Sort, others.Desc = 1, maxChoices, nil, false
	counts, err := c.web.Desk.Counts(c.Context(), c.who(), s.kind, &others, f.Field)
	if err != nil {
		return nil, err
	}
	for _, n := range counts {
		all = append(all, filterValue{n.Value, c.choiceLabel(f, n.Label), n.Records, slices.ContainsFunc(given, func(g string) bool { return strings.EqualFold(g, n.Value) })})
	}
	for _, g := range given {
		if !slices.ContainsFunc(all, func(v filterValue) bool { return strings.EqualFold(v.Value, g) }) {
			all = append(all, filterValue{g, c.choiceLabel(f, g), 0, true})
		}
	}
	return all, nil
}

// maxChoices is how many values of a filter are offered.
const maxChoices = 100

// choiceLabel returns how people read a value of a filter.
func (c *call) choiceLabel(f *kind.Filter, value string) string {
	switch {
	case value == "":
		return c.t("None")
	case f.Field.Type == kind.Boolean:
		return c.yes(value == "true")
	case f.Field.OneOf != nil || f.Field.Days != nil:
		return c.t(value)
	}
	return value
}

// chosen returns the chosen values as a chip shows them.
func chosen(values []filterValue) string {
	var labels []string
	for _, v := range values {
		if v.Chosen {
			labels = append(labels, v.Label)
		}
	}
	return strings.Join(labels, ", ")
}

// filterTitle returns how people read the name of a filter.
func (c *call) filterTitle(f *kind.Filter) string {
	if f.In != nil || f.Param != f.Field.Column() {
		return c.t(kind.Words(f.Param))
	}
	return c.label(f.Field)
}

// moreFilters returns the filters that do not limit the list yet.
func (s *section) moreFilters(c *call, values url.Values) (more []filterChoice) {
	for _, f := range s.kind.Filters {
		if !values.Has(f.Param) {
			more = append(more, filterChoice{c.filterTitle(f), address("/"+s.path, with(values, "add", f.Param))})
		}
	}
	return more
}
