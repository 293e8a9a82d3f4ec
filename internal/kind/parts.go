package kind

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// The nested collections of a record are stored as one compact document: a
// format byte, then each collection in the order of a layout as its number of
// items and their fields. A layout is a text that names the collections and
// fields, such as "videos(chipset:t,memory:i);mice(name:t)"; it is kept beside
// the documents, so that each can be read for as long as it exists, whatever
// fields are added, moved or removed since.

// partsFormat is the first byte of a packed document.
const partsFormat = 1

var errParts = errors.New("stored parts are damaged")

// Parts are the nested collections of a kind, as they are stored.
type Parts struct {
	Lists  []*Field // in document order, none for a kind without
	schema *Schema
}

// newParts finds the nested collections of a kind.
func newParts(s *Schema) *Parts {
	p := &Parts{schema: s}
	for _, f := range s.Fields {
		if f.Packed() {
			p.Lists = append(p.Lists, f)
		}
	}
	return p
}

// Layout returns the layout in which Pack writes.
func (p *Parts) Layout() string {
	var lists []string
	for _, f := range p.Lists {
		var fields []string
		for _, sub := range f.Items.Fields {
			fields = append(fields, sub.Name+":"+typeCodes[sub.Type])
		}
		lists = append(lists, f.Name+"("+strings.Join(fields, ",")+")")
	}
	return strings.Join(lists, ";")
}

// LayoutsHave reports whether one of some layouts has a field of a collection.
func LayoutsHave(layouts []string, list, field string) bool {
	for _, layout := range layouts {
		for part := range strings.SplitSeq(layout, ";") {
			name, fields, _ := strings.Cut(strings.TrimSuffix(part, ")"), "(")
			if name == list && strings.Contains(","+fields, ","+field+":") {
				return true
			}
		}
	}
	return false
}

// typeCodes are the types that nested fields may have, as layouts write them.
var typeCodes = map[Type]string{Text: "t", Integer: "i", Boolean: "b", Time: "s", Date: "s", Amount: "d"}

// Pack appends the nested collections of rec.
func (p *Parts) Pack(b []byte, rec any) []byte {
	v := p.schema.Values(rec)
	b = append(b, partsFormat)
	for _, f := range p.Lists {
		l := v.list(f)
		b = binary.AppendUvarint(b, uint64(l.n))
		for i := range l.n {
			item := l.item(i)
			for _, sub := range f.Items.Fields {
				b = item.pack(b, sub)
			}
		}
	}
	return b
}

// pack appends one value: 0 for null, else the text with its length before it,
// or the number in zigzag form plus one.
func (v Values) pack(b []byte, f *Field) []byte {
	switch f.Type {
	case Text:
		text := *v.Text(f)
		return append(binary.AppendUvarint(b, uint64(len(text))), text...)
	case Integer:
		return packInt(b, *v.Int(f))
	case Amount:
		return packInt(b, Int(*v.Decimal(f)))
	case Boolean:
		t := *v.Bool(f)
		n := Int{Valid: t.Valid}
		if t.V {
			n.V = 1
		}
		return packInt(b, n)
	default:
		t := *v.Time(f)
		return packInt(b, Int{t.Unix(), !t.IsZero()})
	}
}

func packInt(b []byte, n Int) []byte {
	if !n.Valid {
		return append(b, 0)
	}
	// A number that is not negative is doubled; one bit keeps its sign.
	u := uint64(n.V)<<1 ^ uint64(n.V>>63)
	return binary.AppendUvarint(b, u+1)
}

// An Unpacker reads packed documents of one layout.
type Unpacker struct {
	schema  *Schema
	lists   []packedList
	unknown string
}

// Unknown returns the name of a collection or field of the layout that the kind neither has nor had, "" for none. It
// is of a newer version, and lost in what is packed again.
func (u *Unpacker) Unknown() string { return u.unknown }

type packedList struct {
	field *Field // nil when the kind has it no longer
	items []packedField
}

type packedField struct {
	field *Field // nil when the kind has it no longer
	text  bool
}

// Unpacker returns the reader of documents in the given layout.
func (p *Parts) Unpacker(layout string) (*Unpacker, error) {
	s := p.schema
	u := &Unpacker{schema: s}
	for part := range strings.SplitSeq(layout, ";") {
		name, fields, ok := strings.Cut(strings.TrimSuffix(part, ")"), "(")
		if !ok {
			return nil, fmt.Errorf("layout of %s: %q is no collection", s.Plural, part)
		}
		l := packedList{field: s.byName[name]}
		if l.field != nil && !l.field.Packed() {
			l.field = nil
		}
		if l.field == nil && !slices.Contains(s.former, name) {
			u.unknown = name
		}
		for field := range strings.SplitSeq(fields, ",") {
			name, code, _ := strings.Cut(field, ":")
			if !strings.Contains("tibsd", code) || len(code) != 1 {
				return nil, fmt.Errorf("layout of %s: %q has no known type", s.Plural, field)
			}
			item := l.packedField(name, code)
			if l.field != nil && item.field == nil && !slices.Contains(l.field.Items.former, name) {
				u.unknown = l.field.Name + "." + name
			}
			l.items = append(l.items, item)
		}
		u.lists = append(u.lists, l)
	}
	return u, nil
}

// packedField finds the field of an item; one whose type has changed is no
// longer known.
func (l *packedList) packedField(name, code string) packedField {
	p := packedField{text: code == typeCodes[Text]}
	if l.field != nil {
		if f := l.field.Items.byName[name]; f != nil && typeCodes[f.Type] == code {
			p.field = f
		}
	}
	return p
}

// Unpack sets the nested collections of rec from a packed document.
func (u *Unpacker) Unpack(doc string, rec any) error {
	if doc == "" || doc[0] != partsFormat {
		return errParts
	}
	v, p := u.schema.Values(rec), packed{rest: doc[1:]}
	for i := range u.lists {
		u.lists[i].unpack(&p, v)
	}
	if p.bad || p.rest != "" {
		return errParts
	}
	return nil
}

func (l *packedList) unpack(p *packed, v Values) {
	n := p.uvarint()
	if p.bad = p.bad || n > uint64(len(p.rest)/len(l.items)); p.bad { // a value takes a byte at least
		return
	}
	var items list
	if l.field != nil {
		items = v.resize(l.field, int(n))
	}
	if l.field == nil {
		items.n = int(n) // which are passed over
	}
	l.unpackItems(p, items)
}

// unpackItems sets items.
func (l *packedList) unpackItems(p *packed, items list) {
	for i := range items.n {
		for _, f := range l.items {
			switch {
			case f.field == nil:
				p.skip(f.text)
			case f.text:
				*items.item(i).Text(f.field) = p.text()
			default:
				items.item(i).setInt(f.field, p.int())
			}
		}
	}
}

// setInt sets a field that is packed as a number.
func (v Values) setInt(f *Field, n Int) {
	switch f.Type {
	case Integer:
		*v.Int(f) = n
	case Amount:
		*v.Decimal(f) = Decimal(n)
	case Boolean:
		*v.Bool(f) = Bool{n.V != 0, n.Valid}
	default:
		if n.Valid {
			*v.Time(f) = time.Unix(n.V, 0).UTC()
		}
	}
}

// packed is what is left of a packed document.
type packed struct {
	rest string
	bad  bool
}

func (p *packed) uvarint() uint64 {
	var n uint64
	for i := 0; i < len(p.rest) && i < binary.MaxVarintLen64; i++ {
		c := p.rest[i]
		n |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			p.rest = p.rest[i+1:]
			p.bad = p.bad || i == binary.MaxVarintLen64-1 && c > 1
			return n
		}
	}
	p.bad = true
	return 0
}

func (p *packed) text() string {
	n := p.uvarint()
	if n > uint64(len(p.rest)) {
		p.bad = true
		return ""
	}
	text := p.rest[:n]
	p.rest = p.rest[n:]
	return text
}

func (p *packed) int() Int {
	u := p.uvarint()
	if u == 0 {
		return Int{}
	}
	u--
	return Some(int64(u>>1) ^ -int64(u&1))
}
