package kind

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// How much of a collection without a limit documents show.
const (
	room        = 4_000_000 // bytes of a document
	beside      = 512       // bytes of the address of the service, of each record
	leastItems  = 10        // that a record of a list shows, if it has them
	longestText = 2000      // characters of an item's text in lists
)

// Counted is a nested collection without a limit, such as the changes of an audit record: a field has the number of
// its items. Documents show as many of them as there is room for, in lists with long texts cut.
type Counted struct {
	list  *Field
	total *Field // how many items it has
}

// Counts makes an integer the number of items of a nested collection, which is the
// first one of the kind.
func (o Option) Counts(collection string) Option {
	s := o.f.schema
	first := slices.IndexFunc(s.Fields, (*Field).Packed)
	if list := s.mustField(collection); s.Counted == nil && list.index == first {
		s.Counted = &Counted{list, o.f}
		return o.Computed()
	}
	panic(fmt.Sprintf("kind %s: %s is not its first collection", s.Item, collection))
}

// Share returns how many bytes of a document each of so many records may take, 0
// for any number: the kind has no collection that is counted.
func (s *Schema) Share(records int) int {
	if s.Counted == nil {
		return 0
	}
	return max(1, room/max(1, records)-beside)
}

// NoItems is the share of records that are shown without the items of their counted collection.
const NoItems = -1

// briefView is the view that shows records so.
const briefView = "brief"

// ShareOf is Share for the page of a query.
func (s *Schema) ShareOf(q *Query) int {
	if q.Brief {
		return NoItems
	}
	return s.Share(q.PerPage)
}

// values returns the values of a record that has the collection.
func (c *Counted) values(rec any) Values { return c.list.schema.Values(rec) }

// CountItems notes how many items a whole record has.
func (c *Counted) CountItems(rec any) {
	v := c.values(rec)
	*v.Int(c.total) = Some(int64(v.list(c.list).n))
}

// KeepLeast takes the items of a record away, but for those that every list shows.
func (c *Counted) KeepLeast(rec any) {
	v := c.values(rec)
	c.cut(v, min(v.list(c.list).n, leastItems))
}

// DropItems takes all items of a record away.
func (c *Counted) DropItems(rec any) { c.cut(c.values(rec), 0) }

// cut takes the items of a record away, but for so many.
func (c *Counted) cut(v Values, n int) { c.list.cut(v.at(c.list, List), n) }

// CutTexts cuts long texts of items, as lists show them.
func (c *Counted) CutTexts(rec any) {
	for item := range c.values(rec).Items(c.list) {
		for _, f := range c.list.Items.Fields {
			*item.Text(f) = shortened(*item.Text(f))
		}
	}
}

// shortened cuts a long text.
func shortened(text string) string {
	if len(text) <= longestText || utf8.RuneCountInString(text) <= longestText {
		return text
	}
	n := 0
	for at := range text {
		if n == longestText {
			return text[:at] + "…"
		}
		n++
	}
	return text
}

// IsWhole reports whether a record of a list has all items, with their whole texts. One
// that is not may have all the same.
func (c *Counted) IsWhole(rec any) bool {
	v := c.values(rec)
	if int64(v.list(c.list).n) < v.Int(c.total).V {
		return false
	}
	for item := range v.Items(c.list) {
		for _, f := range c.list.Items.Fields {
			if text := *item.Text(f); len(text) > longestText && strings.HasSuffix(text, "…") {
				return false
			}
		}
	}
	return true
}

// UnpackSome sets the counted collection from the beginning of a packed document: the
// items that are whole in it, and how many there are. It is not ok when these are
// fewer than lists show.
func (u *Unpacker) UnpackSome(beginning string, rec any) (ok bool) {
	c := u.schema.Counted
	if c == nil || beginning == "" || beginning[0] != partsFormat || u.lists[0].field != c.list {
		return false
	}
	p := packed{rest: beginning[1:]}
	total := p.uvarint()
	n, v := u.lists[0].wholeItems(p, total), u.schema.Values(rec)
	if p.bad || n < leastItems {
		return false
	}
	u.lists[0].unpackItems(&p, v.resize(c.list, n))
	*v.Int(c.total) = Some(int64(total))
	return true
}

// Count sets how many items the counted collection has, from the beginning of a packed document. It is not ok when the
// beginning does not say.
func (u *Unpacker) Count(beginning string, rec any) (ok bool) {
	c := u.schema.Counted
	if c == nil || beginning == "" || beginning[0] != partsFormat || u.lists[0].field != c.list {
		return false
	}
	p := packed{rest: beginning[1:]}
	total := p.uvarint()
	if !p.bad {
		*c.values(rec).Int(c.total) = Some(int64(total))
	}
	return !p.bad
}

// wholeItems returns how many of so many items are whole.
func (l *packedList) wholeItems(p packed, total uint64) (n int) {
	for ; uint64(n) < total; n++ {
		for _, f := range l.items {
			p.skip(f.text)
		}
		if p.bad {
			break
		}
	}
	return n
}

// skip passes over a value.
func (p *packed) skip(text bool) {
	if text {
		p.text()
	} else {
		p.int()
	}
}

// fitting returns a record with as many items of its counted collection as fit into
// so many bytes, and whether some are left out. Its whole text is given.
func (f *Form) fitting(rec any, text []byte, share int) (any, bool) {
	s := f.schema
	c := s.Counted
	if share <= 0 || c == nil || len(text) <= share {
		return rec, false
	}
	var items *plan
	for i := range f.plan.steps {
		if f.plan.steps[i].field == c.list {
			items = &f.plan.steps[i].items
		}
	}
	var sizes []int
	rest, scratch := len(text), []byte(nil)
	for item := range s.Values(rec).Items(c.list) {
		scratch = items.append(scratch[:0], mark, item)
		sizes = append(sizes, len(scratch)+len(items.between))
		rest -= sizes[len(sizes)-1]
	}
	n := 0
	for n < len(sizes) && rest+sizes[n] <= share {
		rest += sizes[n]
		n++
	}
	if n = max(n, leastItems); n >= len(sizes) {
		return rec, false
	}
	rec = s.clone(rec)
	c.cut(s.Values(rec), n)
	return rec, true
}
