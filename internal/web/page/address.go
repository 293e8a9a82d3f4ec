package page

import (
	"net/url"
	"slices"
	"strings"
)

// A Pair is a parameter of an address.
type Pair struct{ Name, Value string }

// Without returns a query without some parameters.
func Without(values url.Values, names ...string) url.Values {
	out := url.Values{}
	for name, given := range values {
		if !slices.Contains(names, name) {
			out[name] = given
		}
	}
	return out
}

// With returns a query with one parameter set.
func With(values url.Values, name string, given ...string) url.Values {
	out := Without(values, name)
	if len(given) > 0 {
		out[name] = given
	}
	return out
}

// Address returns a path with a query.
func Address(path string, values url.Values) string { return AddressAs("", path, values) }

// Address returns a path with a query, whose parameters follow as in the address
// of the page.
func (c *Call) Address(path string, values url.Values) string {
	return AddressAs(c.URL.RawQuery, path, values)
}

// AddressAs returns a path with a query, whose parameters follow as in another
// one.
func AddressAs(asked, path string, values url.Values) string {
	if len(values) == 0 {
		return path
	}
	return path + "?" + EncodeAs(asked, values)
}

// EncodeAs writes a query, whose parameters follow as in another one.
func EncodeAs(asked string, values url.Values) string {
	var parts []string
	for _, one := range PairsAs(asked, values) {
		parts = append(parts, url.QueryEscape(one.Name)+"="+url.QueryEscape(one.Value))
	}
	return strings.Join(parts, "&")
}

// PairsAs returns the parameters of a query, which follow as in another one.
func PairsAs(asked string, values url.Values) (all []Pair) {
	for _, name := range NamesAs(asked, values) {
		for _, value := range values[name] {
			all = append(all, Pair{name, value})
		}
	}
	return all
}

// NamesAs returns the names of a query's parameters: those of another one first,
// as they follow there, then the others by the alphabet. So filters stay in the
// order in which they were added, which url.Values does not keep.
func NamesAs(asked string, values url.Values) (all []string) {
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
