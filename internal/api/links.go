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

// links returns the header of a page of the list at an address.
func (l *listing) links(address string, page *kind.Document, last int) string {
	const links, room = 4, len(`<?>; rel="first", `) + 20
	b := make([]byte, 0, links*(len(address)+len(l.before)+len(l.after)+room))
	if l.ByID {
		b = l.add(b, address, "first", 0)
		if page.More {
			b = l.add(b, address, "next", page.Items[len(page.Items)-1].ID)
		}
		return string(b)
	}
	b = l.add(b, address, "first", 1)
	if page.Number > 1 {
		b = l.add(b, address, "prev", int64(min(page.Number-1, last)))
	}
	if page.Number < last {
		b = l.add(b, address, "next", int64(page.Number+1))
	}
	return string(l.add(b, address, "last", int64(last)))
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
