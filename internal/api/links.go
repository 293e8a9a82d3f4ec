package api

import (
	"maps"
	"net/url"
	"slices"
	"strconv"

	"muster/internal/kind"
)

// A linker makes the Link header (RFC 8288) of a list: addresses that differ in
// the value of one parameter.
type linker struct{ before, after string } // the value, in queries

// newLinker returns one for a list with a query, whose pages follow an id or
// have numbers. All but that is as it came.
func newLinker(values url.Values, byID bool) (l linker) {
	param := "page"
	if byID {
		param = "after"
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		switch pair := (url.Values{name: values[name]}).Encode(); {
		case name < param:
			l.before += pair + "&"
		case name > param:
			l.after += "&" + pair
		}
	}
	l.before += param + "="
	return l
}

// appendLinks appends the header of a page of the list at an address.
func (l *listing) appendLinks(b []byte, address string, page *kind.Document, last int) []byte {
	if l.ByID {
		b = l.add(b, address, "first", 0)
		if page.More {
			b = l.add(b, address, "next", page.Items[len(page.Items)-1].ID)
		}
		return b
	}
	b = l.add(b, address, "first", 1)
	if page.Number > 1 {
		b = l.add(b, address, "prev", int64(min(page.Number-1, last)))
	}
	if page.Number < last {
		b = l.add(b, address, "next", int64(page.Number+1))
	}
	return l.add(b, address, "last", int64(last))
}

// add appends the link of a page.
func (l *linker) add(b []byte, address, rel string, value int64) []byte {
	if len(b) > 0 {
		b = append(b, ", "...)
	}
	b = append(append(append(b, '<'), address...), '?')
	b = strconv.AppendInt(append(b, l.before...), value, 10)
	b = append(append(b, l.after...), `>; rel="`...)
	return append(append(b, rel...), '"')
}
