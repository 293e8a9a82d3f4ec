package records

import (
	"net/http"
	"slices"
	"strings"

	"muster/internal/kind"
	"muster/internal/web/page"
)

// maxChoices is how many values of a filter are offered at once.
const maxChoices = 100

// choices returns the values of a filter that were counted, and the chosen ones
// in any case. A filter by the person themselves is shown as me.
func choices(c *page.Call, f *facet, counts []kind.Count, given []string) (all []filterValue) {
	own := f.field.Type == kind.PersonRef && slices.Contains(given, Me)
	word := func(value string) string {
		if own && strings.EqualFold(value, c.User.Email) {
			return Me
		}
		return value
	}
	for _, n := range counts {
		value, label := word(n.Value), n.Label
		if own && value == Me {
			label = Me
		}
		chosen := slices.ContainsFunc(given, func(g string) bool { return strings.EqualFold(word(g), value) })
		all = append(all, filterValue{value, choiceLabel(c, f.field, label), n.Records, chosen})
	}
	for _, g := range given {
		if !slices.ContainsFunc(all, func(v filterValue) bool { return strings.EqualFold(v.Value, word(g)) }) {
			all = append(all, filterValue{g, choiceLabel(c, f.field, g), 0, true})
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

// valueCounts returns how many of the records that the other filters leave have each
// value in which a text is found, all for none: of many values the most frequent
// ones, and those that are chosen.
func valueCounts(s *Section, c *page.Call, q *kind.Query, f *facet, chosen bool,
	find string) (found countedValues, err error) {
	others := *q
	others.Conds = slices.DeleteFunc(slices.Clone(q.Conds),
		func(cond kind.Cond) bool { return cond.Field == f.field && cond.In == nil })
	worded := find != "" && !f.isNamed()
	if worded {
		others.Conds = append(others.Conds, like(c, f.field, find))
	}
	others.Page, others.PerPage, others.Sort, others.Desc = 1, maxChoices+1, nil, false
	if found.counts, err = c.App.Desk.Counts(c.Context(), c.Who(), s.Kind, &others, f.field); err != nil {
		return found, err
	}
	if find != "" && !worded {
		found.counts = slices.DeleteFunc(found.counts,
			func(n kind.Count) bool { return !hasPart(choiceLabel(c, f.field, n.Label), find) })
	}
	if found.more = len(found.counts) > maxChoices; found.more {
		found.counts = found.counts[:maxChoices]
	}
	if found.matched = len(found.counts); !chosen || !found.more && find == "" {
		return found, nil
	}
	others.Conds = q.Conds
	more, err := c.App.Desk.Counts(c.Context(), c.Who(), s.Kind, &others, f.field)
	for _, n := range more {
		if !slices.ContainsFunc(found.counts, func(known kind.Count) bool { return known.Value == n.Value }) {
			found.counts = append(found.counts, n)
		}
	}
	return found, err
}

// like returns the condition that the shown value of a field contains a text. For a
// person that is the name or address. Invalid characters match nothing.
func like(c *page.Call, f *kind.Field, text string) kind.Cond {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	cond := kind.Cond{Field: f, Any: []kind.Test{{Text: []string{"", text, ""}}}}
	if hasPart(choiceLabel(c, f, ""), text) {
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

// note returns a remark when not all values are offered, "" otherwise.
func (found *countedValues) note(c *page.Call, find string) string {
	switch {
	case find == "" && found.more:
		return c.T("The %s most frequent values. Find searches all of them.", c.Number(maxChoices))
	case find == "":
		return ""
	case found.more:
		return c.T("The %s most frequent matches. Type more to see others.", c.Number(maxChoices))
	}
	return c.TN(found.matched, "%s value matches.", "%s values match.")
}

// finding returns what is looked for among the values of a filter.
func finding(c *page.Call) string { return strings.TrimSpace(c.URL.Query().Get("find")) }

// FindValues answers with the values of a filter in which a text is found, as the
// menu of the filter shows them, for a script.
func (s *Section) FindValues(c *page.Call) (*page.Answer, error) {
	values := s.Tidy(page.Without(c.URL.Query(), "page", "after"))
	f := facetOf(s, values.Get("add"))
	if f == nil || f.look != "choices" {
		return nil, c.App.Missing(c.Request)
	}
	q, err := s.Query(c, values)
	if err != nil {
		return nil, err
	}
	one, err := newChip(s, c, q, page.Without(values, "add", "find"), f, finding(c))
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	err = c.Templates().ExecuteTemplate(&out, "found-values", one)
	return &page.Answer{Status: http.StatusOK, Kind: "text/html; charset=utf-8", Body: []byte(out.String())}, err
}

// choiceLabel returns how people read a value of a filter.
func choiceLabel(c *page.Call, f *kind.Field, value string) string {
	switch {
	case value == "":
		return c.In("filter", "None")
	case f.Type == kind.Boolean:
		return c.Yes(value == "true")
	case f.OneOf != nil || f.Days != nil, f.Type == kind.PersonRef && value == Me:
		return c.Value(value)
	}
	return value
}
