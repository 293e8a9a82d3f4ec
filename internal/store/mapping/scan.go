package mapping

import (
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"muster/internal/kind"
	"muster/internal/store/sqldb"
)

// A Scanner reads rows of a selection into records. The texts of a row are
// gathered first and made into one string, so that a row costs one allocation.
type Scanner struct {
	Table     *Table
	Selection *Selection
	texts     []byte
	ends      []int
	Whole     string // the texts of the row
	next      int    // number of the next text
	Share     int    // bytes that the parts may take, 0 for any number
	parts     []byte // all of them, when only their beginning is among the texts
}

// Scan sets rec from a row.
func (s *Scanner) Scan(r sqldb.Row, rec any) error {
	meta := s.Table.Kind.Meta(rec)
	meta.ID, meta.Version = r.Int(0), r.Int(1)
	meta.CreatedAt, meta.UpdatedAt = TimeAt(r, 2), TimeAt(r, 3)
	s.gather(r)
	s.Whole, s.next = string(s.texts), 0
	i := 4
	if s.Selection.parts {
		i++
		if err := s.unpackParts(s.text(), rec); err != nil {
			return fmt.Errorf("%s %d: %w", s.Table.Kind.Item, meta.ID, err)
		}
	}
	v := s.Table.Kind.Values(rec)
	for _, f := range s.Selection.fields {
		switch f.Type {
		case kind.Text:
			*v.Text(f) = s.text()
		case kind.Integer:
			*v.Int(f) = kind.Int{V: r.Int(i), Valid: !r.Null(i)}
		case kind.Boolean:
			*v.Bool(f) = kind.Bool{V: r.Int(i) != 0, Valid: !r.Null(i)}
		case kind.Time, kind.Date:
			*v.Time(f) = TimeAt(r, i)
		case kind.Amount:
			*v.Decimal(f) = kind.Decimal{V: r.Int(i), Valid: !r.Null(i)}
		case kind.PersonRef:
			*v.Person(f) = s.person(r, i)
			i += len(personColumns)
		case kind.RecordRef:
			*v.Ref(f) = kind.Ref{ID: r.Int(i), Name: s.text()}
			i++
		}
		i++
	}
	return nil
}

// text returns the next text of the row.
func (s *Scanner) text() string {
	from := 0
	if s.next > 0 {
		from = s.ends[s.next-1]
	}
	s.next++
	return s.Whole[from:s.ends[s.next-1]]
}

// person returns the person whose id is in column i, and the rest of them in
// those behind it.
func (s *Scanner) person(r sqldb.Row, i int) kind.Person {
	return kind.Person{
		ID: r.Int(i), Email: s.text(), Name: s.text(), FirstName: s.text(), LastName: s.text(), Phone: s.text(),
		LastLogin: TimeAt(r, i+len(personColumns)),
	}
}

// gather copies all texts of the row, and the parts, behind each other.
func (s *Scanner) gather(r sqldb.Row) {
	s.texts, s.ends = s.texts[:0], s.ends[:0]
	add := func(i int) {
		s.texts = r.Bytes(i, s.texts)
		s.ends = append(s.ends, len(s.texts))
	}
	i := 4
	if s.Selection.parts {
		add(i)
		i++
		s.bound()
	}
	for _, f := range s.Selection.fields {
		switch f.Type {
		case kind.Text:
			add(i)
		case kind.PersonRef:
			for j := range len(personColumns) - 1 { // the last one is a time
				add(i + 1 + j)
			}
			i += len(personColumns)
		case kind.RecordRef:
			add(i + 1)
			i++
		}
		i++
	}
}

// bound leaves the beginning of parts that take more than their share among the
// texts: a page of records with very many parts is then in little memory.
func (s *Scanner) bound() {
	s.parts = s.parts[:0]
	if s.Share > 0 && len(s.texts) > s.Share {
		s.parts = append(s.parts, s.texts...)
		s.texts, s.ends[0] = s.texts[:s.Share], s.Share
	}
}

// unpackParts reads the nested collections of a row, or what there is room for.
func (s *Scanner) unpackParts(stored string, rec any) error {
	if s.Share == 0 {
		return s.Table.unpackParts(stored, rec)
	}
	defer s.Table.Kind.CutTexts(rec)
	if len(s.parts) == 0 {
		return s.Table.unpackParts(stored, rec)
	}
	u, doc, err := s.Table.unpacker(stored)
	if err != nil || u.UnpackSome(doc, rec) {
		return err
	}
	if err := s.Table.unpackParts(string(s.parts), rec); err != nil {
		return err
	}
	s.Table.Kind.KeepLeast(rec)
	return nil
}

// TimeAt returns the time in a column, zero for null.
func TimeAt(r sqldb.Row, i int) time.Time {
	if r.Null(i) {
		return time.Time{}
	}
	return time.Unix(r.Int(i), 0).UTC()
}

// unpackParts reads the nested collections: the number of their layout, then
// the packed document. A record that is older than the collections has none.
func (t *Table) unpackParts(stored string, rec any) error {
	if stored == "" {
		return nil
	}
	u, doc, err := t.unpacker(stored)
	if err != nil {
		return err
	}
	err = u.Unpack(doc, rec)
	t.Kind.CountItems(rec)
	return err
}

// unpacker returns what reads stored parts, and the packed document that they are.
func (t *Table) unpacker(stored string) (*kind.Unpacker, string, error) {
	layout, n := binary.Uvarint([]byte(stored[:min(len(stored), binary.MaxVarintLen64)]))
	u := t.Unpack[int64(layout)]
	if n <= 0 || u == nil {
		return nil, "", fmt.Errorf("its parts are stored in the unknown layout %d", layout)
	}
	return u, stored[n:], nil
}

// packParts returns the nested collections as they are stored.
func (t *Table) packParts(rec any) (stored []byte) {
	Drafted(func(b []byte) []byte {
		b = t.Kind.Pack(binary.AppendUvarint(b, uint64(t.Layout)), rec)
		stored = slices.Clone(b)
		return b
	})
	return stored
}

// Args returns the values of columns of rec, in their order.
func (t *Table) Args(rec any, columns []Column) []any {
	v, meta := t.Kind.Values(rec), t.Kind.Meta(rec)
	args := make([]any, len(columns), len(columns)+2)
	for i, c := range columns {
		switch c.Role {
		case isVersion:
			args[i] = meta.Version
		case isCreated:
			args[i] = meta.CreatedAt.Unix()
		case isUpdated:
			args[i] = meta.UpdatedAt.Unix()
		case isParts:
			args[i] = t.packParts(rec)
		case isUnique:
			hash := UniqueHashOf(t.Kind, rec)
			args[i] = hash[:]
		case IsFolded:
			args[i] = TextArg(c.Fold(*v.Text(c.Field)))
		case isRef:
			args[i] = refArg(v, c.Field)
		default:
			args[i] = valueArg(v, c.Field)
		}
	}
	return args
}

// TextArg returns a text as it is stored, null for none.
func TextArg(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// BoolArg returns a truth value as it is stored.
func BoolArg(b bool) any {
	if b {
		return int64(1)
	}
	return int64(0)
}

// BlobArg returns a blob, or null for none.
func BlobArg(b []byte) any {
	if len(b) == 0 {
		return nil
	}
	return b
}

// refArg returns the id of the record that a field refers to.
func refArg(v kind.Values, f *kind.Field) any {
	var id int64
	if f.Type == kind.PersonRef {
		id = v.Person(f).ID
	} else {
		id = v.Ref(f).ID
	}
	if id == 0 {
		return nil
	}
	return id
}

func valueArg(v kind.Values, f *kind.Field) any {
	switch f.Type {
	case kind.Text:
		return TextArg(*v.Text(f))
	case kind.Integer:
		if n := v.Int(f); n.Valid {
			return n.V
		}
	case kind.Amount:
		if d := v.Decimal(f); d.Valid {
			return d.V
		}
	case kind.Boolean:
		if t := v.Bool(f); t.Valid {
			if t.V {
				return int64(1)
			}
			return int64(0)
		}
	case kind.Time, kind.Date:
		return TimeArg(*v.Time(f))
	}
	return nil
}

// TimeArg returns a time as it is stored, null for none.
func TimeArg(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.Unix()
}
