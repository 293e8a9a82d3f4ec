package records

import (
	"net/url"
	"slices"
	"strings"

	"muster/internal/kind"
	"muster/internal/web/lang"
	"muster/internal/web/page"
)

// A facet is a filter as people use it: a time with its two bounds is one.
type facet struct {
	param string // by which it is asked for
	look  string // choices, text, days, range, since
	field *kind.Field
	in    bool // it looks into a part of the record
}

// params returns the parameters that the facet sets.
func (f *facet) params() []string {
	if f.look == "range" {
		return []string{f.param, f.param + "_from", f.param + "_to"}
	}
	return []string{f.param}
}

// twins are filters that do what another does, which is offered instead.
var twins = []string{"not_reported"}

// facets returns the filters of the section.
func facets(s *Section) (all []facet) {
	for _, f := range s.Kind.Filters {
		whole, _ := strings.CutSuffix(f.Param, "_from")
		whole, _ = strings.CutSuffix(whole, "_to")
		if whole != f.Param && filterOf(s, whole) != nil {
			continue // a bound of another
		}
		one := facet{f.Param, look(f), f.Field, f.In != nil}
		if one.look == "since" && filterOf(s, f.Param+"_from") != nil {
			one.look = "range"
		}
		all = append(all, one)
	}
	return all
}

// facetOf returns the filter with a name, nil for none.
func facetOf(s *Section, param string) *facet {
	all := facets(s)
	if i := slices.IndexFunc(all, func(f facet) bool { return f.param == param }); i >= 0 {
		return &all[i]
	}
	return nil
}

// limiting returns those of some filters that limit a list, in the order in which
// they were added: that of the page's address.
func limiting(c *page.Call, all []facet, values url.Values) []facet {
	names := page.NamesAs(c.URL.RawQuery, values)
	at := func(f facet) int {
		return slices.IndexFunc(names, func(name string) bool { return slices.Contains(f.params(), name) })
	}
	all = slices.DeleteFunc(all, func(f facet) bool { return at(f) < 0 })
	slices.SortStableFunc(all, func(a, b facet) int { return at(a) - at(b) })
	return all
}

// withoutLast returns the address of a list without the filter that was added
// last, "" when nothing limits it; what is searched for is one too.
func withoutLast(s *Section, c *page.Call, values url.Values) string {
	all := limiting(c, append(facets(s), facet{param: "q"}), values)
	if len(all) == 0 {
		return ""
	}
	return c.Address("/"+s.Path, page.Without(values, all[len(all)-1].params()...))
}

// look returns how the value of a filter is asked for.
func look(f *kind.Filter) string {
	switch {
	case f.Days():
		return "days"
	case f.Field.Type == kind.Time || f.Field.Type == kind.Date:
		return "since"
	case f.In == nil && f.Field.Countable() && !f.Field.Rare && f.Field.Name != "number" && f.Field.Name != "record-id":
		return "choices"
	}
	return "text"
}

// facetTitle returns what a chip calls the filter.
func facetTitle(s *Section, c *page.Call, f *facet) string {
	if words, ok := lang.DayWords[f.param]; ok {
		return c.T(words[1])
	}
	for _, key := range []string{s.Kind.Item + "." + f.param, f.param} {
		if own, ok := lang.FilterWords[key]; ok {
			return c.T(own)
		}
	}
	return s.Heading(c.Locale, f.field)
}

// A menuGroup is a part of the menu of filters.
type menuGroup struct {
	Title string
	Links []menuLink
}

// A menuLink leads to a filter that can be added.
type menuLink struct{ Title, Href string }

// moreFilters returns the filters that do not limit the list yet, those whose
// values can be chosen first.
func moreFilters(s *Section, c *page.Call, values url.Values) []menuGroup {
	groups := []menuGroup{{Title: c.T("By value")}, {Title: c.T("By text")}, {Title: c.T("By time")}, {
		Title: c.T("By component"),
	}}
	for _, f := range facets(s) {
		if slices.ContainsFunc(f.params(), values.Has) || slices.Contains(twins, f.param) {
			continue
		}
		title := facetTitle(s, c, &f)
		if words, ok := lang.DayWords[f.param]; ok {
			title = c.T(words[0])
		}
		g := &groups[f.group()]
		g.Links = append(g.Links, menuLink{title, c.Address("/"+s.Path, page.With(values, "add", f.param)) + "#asked"})
	}
	return slices.DeleteFunc(groups, func(g menuGroup) bool { return len(g.Links) == 0 })
}

// group returns in which part of the menu the filter is.
func (f *facet) group() int {
	switch {
	case f.in:
		return 3
	case f.look == "choices":
		return 0
	case f.look == "text":
		return 1
	}
	return 2
}
