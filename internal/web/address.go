package web

import (
	"net/url"
	"slices"
	"strings"
)

// A pair is a parameter of an address.
type pair struct{ Name, Value string }

// without returns a query without some parameters.
func without(values url.Values, names ...string) url.Values {
	out := url.Values{}
	for name, given := range values {
		if !slices.Contains(names, name) {
			out[name] = given
		}
	}
	return out
}

// with returns a query with one parameter set.
func with(values url.Values, name string, given ...string) url.Values {
	out := without(values, name)
	if len(given) > 0 {
		out[name] = given
	}
	return out
}

// address returns a path with a query.
func address(path string, values url.Values) string { return addressAs("", path, values) }

// address returns a path with a query, whose parameters follow as in the address
// of the page.
func (c *call) address(path string, values url.Values) string {
	return addressAs(c.URL.RawQuery, path, values)
}

// addressAs returns a path with a query, whose parameters follow as in another
// one.
func addressAs(asked, path string, values url.Values) string {
	if len(values) == 0 {
		return path
	}
	return path + "?" + encodeAs(asked, values)
}

// encodeAs writes a query, whose parameters follow as in another one.
func encodeAs(asked string, values url.Values) string {
	var parts []string
	for _, one := range pairsAs(asked, values) {
		parts = append(parts, url.QueryEscape(one.Name)+"="+url.QueryEscape(one.Value))
	}
	return strings.Join(parts, "&")
}

// pairsAs returns the parameters of a query, which follow as in another one.
func pairsAs(asked string, values url.Values) (all []pair) {
	for _, name := range namesAs(asked, values) {
		for _, value := range values[name] {
			all = append(all, pair{name, value})
		}
	}
	return all
}

// namesAs returns the names of a query's parameters: those of another one first,
// as they follow there, then the others by the alphabet. So filters stay in the
// order in which they were added, which values do not tell.
func namesAs(asked string, values url.Values) (all []string) {
	for part := range strings.SplitSeq(asked, "&") {
		name, _, _ := strings.Cut(part, "=")
		if name, err := url.QueryUnescape(name); err == nil && values.Has(name) && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	known := len(all)
	for name := range values {
		if !slices.Contains(all[:known], name) {
			all = append(all, name)
		}
	}
	slices.Sort(all[known:])
	return all
}
