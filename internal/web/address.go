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
func address(path string, values url.Values) string {
	if len(values) == 0 {
		return path
	}
	return path + "?" + values.Encode()
}

// pairs returns the parameters of a query in a fixed order.
func pairs(values url.Values) (all []pair) {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range values[name] {
			all = append(all, pair{name, value})
		}
	}
	return all
}

// shellQuote returns a text as one word of a command line.
func shellQuote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
