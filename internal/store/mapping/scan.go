package mapping

import (
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store/sqldb"
)

// A Scanner reads rows of a selection into records. It collects the texts of a row in one string, so that a row
// costs one allocation.
type Scanner struct {
	Table     *Table
	Selection *Selection
	texts     []byte
	ends      []int
	Whole     string // the texts of the row
	next      int    // number of the next text
	Share     int    // limit for the bytes of the nested collections, 0 for none; or kind.NoItems
	parts     []byte // all of them, when the texts have only their beginning
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

// person reads a person from the id in column i and the columns after it.
func (s *Scanner) person(r sqldb.Row, i int) kind.Person {
	return kind.Person{
		ID: r.Int(i), Email: s.text(), Name: s.text(), FirstName: s.text(), LastName: s.text(), Phone: s.text(),
		LastLogin: TimeAt(r, i+len(personColumns)),
	}
}

// gather copies all texts of the row, and the nested collections, into one buffer.
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

// bound cuts nested collections that exceed their share, so that a page of records with very many needs little
// memory.
func (s *Scanner) bound() {
	s.parts = s.parts[:0]
	most := s.Share
	if most == kind.NoItems {
		most = countRoom
	}
	if most > 0 && len(s.texts) > most {
		s.parts = append(s.parts, s.texts...)
		s.texts, s.ends[0] = s.texts[:most], most
	}
}

// countRoom is how many bytes the beginning of a packed document has that says how many items there are, with the
// number of its layout.
const countRoom = 32

// unpackParts reads the nested collections of a row, up to the share.
func (s *Scanner) unpackParts(stored string, rec any) error {
	counted := s.Table.Kind.Counted
	switch s.Share {
	case 0:
		return s.Table.unpackParts(stored, rec)
	case kind.NoItems:
		defer counted.DropItems(rec)
	default:
		defer counted.CutTexts(rec)
	}
	if len(s.parts) == 0 {
		return s.Table.unpackParts(stored, rec)
	}
	u, doc, err := s.Table.unpacker(stored)
	if err != nil || s.Share == kind.NoItems && u.Count(doc, rec) || s.Share > 0 && u.UnpackSome(doc, rec) {
		return err
	}
	if err := s.Table.unpackParts(string(s.parts), rec); err != nil {
		return err
	}
	if s.Share > 0 {
		counted.KeepLeast(rec)
	}
	return nil
}

// TimeAt reads a time from a column, zero for null.
func TimeAt(r sqldb.Row, i int) time.Time {
	if r.Null(i) {
		return time.Time{}
	}
	return time.Unix(r.Int(i), 0).UTC()
}

// unpackParts reads the nested collections: the number of their layout, then the packed document. A record from
// before the collections were declared has none.
func (t *Table) unpackParts(stored string, rec any) error {
	if stored == "" {
		return nil
	}
	u, doc, err := t.unpacker(stored)
	if err != nil {
		return err
	}
	err = u.Unpack(doc, rec)
	if counted := t.Kind.Counted; counted != nil {
		counted.CountItems(rec)
	}
	return err
}

// ErrNewerLayout is returned for a record that a newer version has stored, while this process ran.
var ErrNewerLayout error = &message.Error{
	Text: message.New("a newer version of Muster has stored this record, so this server cannot read it: " +
		"an administrator installs that version here too, and restarts it"),
	Cause: sqldb.ErrUnavailable,
}

// unpacker returns the decoder of stored nested collections, and the packed document.
func (t *Table) unpacker(stored string) (*kind.Unpacker, string, error) {
	layout, n := binary.Uvarint([]byte(stored[:min(len(stored), binary.MaxVarintLen64)]))
	u := t.Unpack[int64(layout)]
	if n <= 0 {
		return nil, "", fmt.Errorf("its parts are stored in the unknown layout %d", layout)
	}
	if u == nil { // it was not there when this process started
		return nil, "", ErrNewerLayout
	}
	return u, stored[n:], nil
}

// packParts returns the nested collections as they are stored.
func (t *Table) packParts(rec any) (stored []byte) {
	Drafted(func(b []byte) []byte {
		b = t.Kind.Parts.Pack(binary.AppendUvarint(b, uint64(t.Layout)), rec)
		stored = slices.Clone(b)
		return b
	})
	return stored
}

// Args returns the values of columns of rec, as arguments of a statement.
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

// TextArg returns a text as an argument, null for "".
func TextArg(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// BoolArg returns a truth value as an argument.
func BoolArg(b bool) any {
	if b {
		return int64(1)
	}
	return int64(0)
}

// BlobArg returns a blob as an argument, null for an empty one.
func BlobArg(b []byte) any {
	if len(b) == 0 {
		return nil
	}
	return b
}

// refArg returns the id of the record that a field refers to, as an argument.
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

// TimeArg returns a time as an argument, null for the zero time.
func TimeArg(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.Unix()
}
