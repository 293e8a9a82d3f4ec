package kind

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A nested collection without a bound, such as the changes of an audit record, is
// counted: a field tells how many items it has. Documents show as many of them as
// there is room for, in lists with long texts cut.
const (
	room        = 4_000_000 // bytes of a document
	beside      = 512       // bytes of the address of the service, of each record
	leastItems  = 10        // that a record of a list shows, if it has them
	longestText = 2000      // characters of an item's text in lists
)

// Counts makes an integer the number of items of a nested collection, which is the
// first one of the kind.
func (o Option) Counts(collection string) Option {
	s := o.f.schema
	if list := s.mustField(collection); s.counted == nil && strings.HasPrefix(s.Layout(), list.Name+"(") {
		s.counted, s.total = list, o.f
		return o.Computed()
	}
	panic(fmt.Sprintf("kind %s: %s is not its first collection", s.Item, collection))
}

// Share returns how many bytes of a document each of so many records may take, 0
// for any number: the kind has no collection that is counted.
func (s *Schema) Share(records int) int {
	if s.counted == nil {
		return 0
	}
	return max(1, room/max(1, records)-beside)
}

// CountItems notes how many items the counted collection of a whole record has.
func (s *Schema) CountItems(rec any) {
	if v := s.Values(rec); s.counted != nil {
		*v.Int(s.total) = Some(int64(v.list(s.counted).n))
	}
}

// KeepLeast takes the items of the counted collection away, but for those that every
// list shows.
func (s *Schema) KeepLeast(rec any) {
	v := s.Values(rec)
	s.counted.cut(v.at(s.counted, List), min(v.list(s.counted).n, leastItems))
}

// CutTexts cuts the long texts of the counted collection, as lists show them.
func (s *Schema) CutTexts(rec any) {
	for item := range s.Values(rec).Items(s.counted) {
		for _, f := range s.counted.Items.Fields {
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

// IsWhole reports whether a record of a list has all of its counted collection. One
// that is not may have all the same.
func (s *Schema) IsWhole(rec any) bool {
	v := s.Values(rec)
	if int64(v.list(s.counted).n) < v.Int(s.total).V {
		return false
	}
	for item := range v.Items(s.counted) {
		for _, f := range s.counted.Items.Fields {
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
	if beginning == "" || beginning[0] != partsFormat || u.lists[0].field != u.schema.counted {
		return false
	}
	p := packed{rest: beginning[1:]}
	total := p.uvarint()
	n, v := u.lists[0].wholeItems(p, total), u.schema.Values(rec)
	if p.bad || n < leastItems {
		return false
	}
	u.lists[0].unpackItems(&p, v.resize(u.schema.counted, n))
	*v.Int(u.schema.total) = Some(int64(total))
	return true
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
	if share == 0 || s.counted == nil || len(text) <= share {
		return rec, false
	}
	var items *plan
	for i := range f.plan.steps {
		if f.plan.steps[i].field == s.counted {
			items = &f.plan.steps[i].items
		}
	}
	var sizes []int
	rest, scratch := len(text), []byte(nil)
	for item := range s.Values(rec).Items(s.counted) {
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
	s.counted.cut(s.Values(rec).at(s.counted, List), n)
	return rec, true
}
