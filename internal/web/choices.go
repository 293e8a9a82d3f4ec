package web

import (
	"net/http"
	"slices"
	"strings"

	"muster/internal/kind"
)

// maxChoices is how many values of a filter are offered at once.
const maxChoices = 100

// choices returns the values of a filter that were counted, and the chosen ones
// in any case. Who asks for their own records by me is called so.
func (c *call) choices(f *facet, counts []kind.Count, given []string) (all []filterValue) {
	own := f.field.Type == kind.PersonRef && slices.Contains(given, me)
	word := func(value string) string {
		if own && strings.EqualFold(value, c.user.Email) {
			return me
		}
		return value
	}
	for _, n := range counts {
		value, label := word(n.Value), n.Label
		if own && value == me {
			label = me
		}
		chosen := slices.ContainsFunc(given, func(g string) bool { return strings.EqualFold(word(g), value) })
		all = append(all, filterValue{value, c.choiceLabel(f.field, label), n.Records, chosen})
	}
	for _, g := range given {
		if !slices.ContainsFunc(all, func(v filterValue) bool { return strings.EqualFold(v.Value, word(g)) }) {
			all = append(all, filterValue{g, c.choiceLabel(f.field, g), 0, true})
		}
	}
	return all
}

// A countedValues is which values records of a list have, as a filter offers
// them.
type countedValues struct {
	counts  []kind.Count // those that most have first, then the chosen ones
	matched int          // how many of them were looked for
	more    bool         // there are others
}

// counts returns how many of the records that the other filters leave have each
// value in which a text is found, all for none: of many values the most frequent
// ones, and those that are chosen.
func (s *section) counts(c *call, q *kind.Query, f *facet, chosen bool, find string) (found countedValues, err error) {
	others := *q
	others.Conds = slices.DeleteFunc(slices.Clone(q.Conds), func(cond kind.Cond) bool { return cond.Field == f.field && cond.In == nil })
	worded := find != "" && !f.isNamed()
	if worded {
		others.Conds = append(others.Conds, c.like(f.field, find))
	}
	others.Page, others.PerPage, others.Sort, others.Desc = 1, maxChoices+1, nil, false
	if found.counts, err = c.web.Desk.Counts(c.Context(), c.who(), s.kind, &others, f.field); err != nil {
		return found, err
	}
	if find != "" && !worded {
		found.counts = slices.DeleteFunc(found.counts, func(n kind.Count) bool { return !hasPart(c.choiceLabel(f.field, n.Label), find) })
	}
	if found.more = len(found.counts) > maxChoices; found.more {
		found.counts = found.counts[:maxChoices]
	}
	if found.matched = len(found.counts); !chosen || !found.more && find == "" {
		return found, nil
	}
	others.Conds = q.Conds
	more, err := c.web.Desk.Counts(c.Context(), c.who(), s.kind, &others, f.field)
	for _, n := range more {
		if !slices.ContainsFunc(found.counts, func(known kind.Count) bool { return known.Value == n.Value }) {
			found.counts = append(found.counts, n)
		}
	}
	return found, err
}

// like returns the condition that a text is found in what is shown of a field: of
// a person, their name or address. What is no text is found nowhere.
func (c *call) like(f *kind.Field, text string) kind.Cond {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	cond := kind.Cond{Field: f, Any: []kind.Test{{Text: []string{"", text, ""}}}}
	if hasPart(c.choiceLabel(f, ""), text) {
		cond.Any = append(cond.Any, kind.Test{Null: true})
	}
	return cond
}

// isNamed reports whether values are called by words of the person's language, of
// which there are few, and not by what records have.
func (f *facet) isNamed() bool {
	switch f.field.Type {
	case kind.Text, kind.PersonRef, kind.RecordRef:
		return f.field.OneOf != nil || f.field.Days != nil
	}
	return true
}

// hasPart reports whether a part is found in a text, whatever their case is.
func hasPart(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

// note tells about the values that are offered, "" when they are all.
func (found *countedValues) note(c *call, find string) string {
	switch {
	case find == "" && found.more:
		return c.t("These are the %s most frequent values. Find looks among all.", c.number(maxChoices))
	case find == "":
		return ""
	case found.more:
		return c.t("These are the %s most frequent values that match. Type more to see others.", c.number(maxChoices))
	}
	return c.tn(found.matched, "%s value matches.", "%s values match.")
}

// finding returns what is looked for among the values of a filter.
func (c *call) finding() string { return strings.TrimSpace(c.URL.Query().Get("find")) }

// findValues answers with the values of a filter in which a text is found, as the
// menu of the filter shows them, for a script.
func (s *section) findValues(c *call) (*answer, error) {
	values := s.tidy(without(c.URL.Query(), "page", "after"))
	f := s.facet(values.Get("add"))
	if f == nil || f.look != "choices" {
		return nil, c.web.missing(c.Request)
	}
	q, err := s.query(c, values)
	if err != nil {
		return nil, err
	}
	one, err := s.chip(c, q, without(values, "add", "find"), f, c.finding())
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	err = c.templates().ExecuteTemplate(&out, "found-values", one)
	return &answer{status: http.StatusOK, kind: "text/html; charset=utf-8", body: []byte(out.String())}, err
}

// choiceLabel returns how people read a value of a filter.
func (c *call) choiceLabel(f *kind.Field, value string) string {
	switch {
	case value == "":
		return c.in("filter", "None")
	case f.Type == kind.Boolean:
		return c.yes(value == "true")
	case f.OneOf != nil || f.Days != nil, f.Type == kind.PersonRef && value == me:
		return c.value(value)
	}
	return value
}
