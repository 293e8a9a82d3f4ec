package inventory_test

import (
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"muster/internal/kind"
)

// people are the users to whom drawn records refer.
var people = []kind.Person{
	{},
	{ID: 7, Email: "anna@example.com", Name: "Anna Berg", FirstName: "Anna", LastName: "Berg", LastLogin: time.Unix(1_700_000_000, 0).UTC()},
	{ID: 8, Email: "bert@example.com", Name: "bert@example.com", Phone: "<1>"},
}

// findPerson completes a reference, as a store does.
func findPerson(p *kind.Person) (string, error) {
	for _, known := range people[1:] {
		if p.ID == known.ID || p.Email == known.Email {
			*p = known
			return "", nil
		}
	}
	return "does not exist", nil
}

// anyText draws a value of a Text field, "" for null.
func anyText(t *rapid.T, f *kind.Field) string {
	if f.OneOf != nil {
		return rapid.SampledFrom(f.OneOf).Draw(t, f.Name)
	}
	text := rapid.StringOfN(rapid.RuneFrom([]rune("ab<>&'\"\t\n\r ]é😀\u00a0"), unicode.Latin), 0, 12, -1).Draw(t, f.Name)
	trimmed := strings.TrimSpace(text)
	switch {
	case trimmed == "" && f.Required:
		return "x"
	case trimmed == "" || f.Named:
		return trimmed
	}
	return text
}

// anyNumber draws a value of another field in the form in which it is packed:
// a number, 0 and 1 for truth values, seconds for times.
func anyNumber(t *rapid.T, f *kind.Field) kind.Int {
	const day = 24 * 60 * 60
	if !f.Required && rapid.Bool().Draw(t, "null") {
		return kind.Int{}
	}
	switch f.Type {
	case kind.Boolean:
		return kind.Some(rapid.Int64Range(0, 1).Draw(t, f.Name))
	case kind.Time:
		return kind.Some(rapid.Int64Range(-1e10, 1e11).Draw(t, f.Name))
	case kind.Date:
		return kind.Some(day * rapid.Int64Range(-1e5, 1e6).Draw(t, f.Name))
	}
	return kind.Some(rapid.Int64Min(0).Draw(t, f.Name))
}

// anyRecord draws a record of any kind, and returns with it what documents can
// set of it, and its nested collections as they must be packed.
func anyRecord(t *rapid.T, s *kind.Schema) (rec, writable any, packed string) {
	rec, writable = s.Empty(1)[0], s.Empty(1)[0]
	s.Meta(rec).ID = rapid.Int64Range(1, 1<<62).Draw(t, "id")
	parts, sent := []byte{1}, []byte{1}
	for _, f := range s.Fields {
		switch {
		case f.Targets != nil:
			links := anyLinks(t, f)
			*s.Values(rec).Links(f), *s.Values(writable).Links(f) = links, links
			continue
		case f.Computed || f.Secret || f.Days != nil:
			continue
		case f.Type == kind.List:
			list := anyList(t, f)
			parts = append(parts, list...)
			if !f.Editable() {
				list = []byte{0}
			}
			sent = append(sent, list...)
			continue
		}
		anyScalar(t, s.Values(rec), f)
		if f.Editable() {
			copyScalar(s.Values(writable), s.Values(rec), f)
		}
	}
	if s.HasParts() {
		unpack(t, s, string(parts), rec)
		unpack(t, s, string(sent), writable)
	}
	return rec, writable, string(parts)
}

func unpack(t rapid.TB, s *kind.Schema, doc string, rec any) {
	u, err := s.Unpacker(s.Layout())
	if err == nil {
		err = u.Unpack(doc, rec)
	}
	if err != nil {
		t.Fatalf("%s: %v", s.Plural, err)
	}
}

// anyLinks draws linked records as a store reads them.
func anyLinks(t *rapid.T, f *kind.Field) (links []kind.Linked) {
	for _, target := range f.Targets {
		for id := range int64(3) {
			if rapid.Bool().Draw(t, f.Name) {
				links = append(links, kind.Linked{Item: target.Item, ID: kind.Some(id), Name: linkedName(target.Item, id)})
			}
		}
	}
	return links
}

func linkedName(item string, id int64) string { return fmt.Sprintf("<%s> %d", item, id) }

// vendors are records that others refer to by name.
var vendors = []kind.Ref{{}, {ID: 3, Name: "Acme & <Co>"}, {ID: 4, Name: "ACME"}}

// everything completes what a document refers to, as a store does.
var everything = kind.Resolver{
	Person: findPerson,
	Ref: func(_ *kind.Schema, r *kind.Ref) (string, error) {
		for _, known := range vendors[1:] {
			if r.Name == known.Name {
				*r = known
				return "", nil
			}
		}
		return "does not exist", nil
	},
	Links: func(_ *kind.Field, l []kind.Linked) ([]kind.Linked, string, error) {
		for i := range l {
			l[i].Name = linkedName(l[i].Item, l[i].ID.V)
		}
		return l, "", nil
	},
}

// anyList draws the packed form of a nested collection. Every item has a value.
func anyList(t *rapid.T, f *kind.Field) []byte {
	n := rapid.IntRange(0, 3).Draw(t, f.Name)
	b := binary.AppendUvarint(nil, uint64(n))
	for range n {
		null := true
		for i, sub := range f.Items.Fields {
			last := null && i == len(f.Items.Fields)-1
			item := anyPacked(t, sub, last)
			null = null && item[0] == 0
			b = append(b, item...)
		}
	}
	return b
}

// anyPacked draws the packed form of a value that may be null unless it must
// not.
func anyPacked(t *rapid.T, f *kind.Field, must bool) []byte {
	if f.Type != kind.Text {
		n := anyNumber(t, f)
		n.Valid = n.Valid || must
		return appendNumber(nil, n)
	}
	text := anyText(t, f)
	if text == "" && must {
		text = "x"
	}
	return append(binary.AppendUvarint(nil, uint64(len(text))), text...)
}

func appendNumber(b []byte, n kind.Int) []byte {
	switch {
	case !n.Valid:
		return append(b, 0)
	case n.V < 0:
		return binary.AppendUvarint(b, 2*uint64(-n.V))
	}
	return binary.AppendUvarint(b, 2*uint64(n.V)+1)
}

// anyScalar draws the value of a field that is no collection.
func anyScalar(t *rapid.T, v kind.Values, f *kind.Field) {
	switch f.Type {
	case kind.Text:
		*v.Text(f) = anyText(t, f)
	case kind.Integer:
		*v.Int(f) = anyNumber(t, f)
	case kind.Boolean:
		n := anyNumber(t, f)
		*v.Bool(f) = kind.Bool{V: n.V == 1, Valid: n.Valid}
	case kind.Time, kind.Date:
		if n := anyNumber(t, f); n.Valid {
			*v.Time(f) = time.Unix(n.V, 0).UTC()
		}
	case kind.Amount:
		*v.Decimal(f) = kind.Decimal(anyNumber(t, f))
	case kind.PersonRef:
		known := people
		if f.Required {
			known = people[1:]
		}
		*v.Person(f) = rapid.SampledFrom(known).Draw(t, f.Name)
	case kind.RecordRef:
		*v.Ref(f) = rapid.SampledFrom(vendors).Draw(t, f.Name)
	}
}

func copyScalar(to, from kind.Values, f *kind.Field) {
	switch f.Type {
	case kind.Text:
		*to.Text(f) = *from.Text(f)
	case kind.Integer:
		*to.Int(f) = *from.Int(f)
	case kind.Boolean:
		*to.Bool(f) = *from.Bool(f)
	case kind.Time, kind.Date:
		*to.Time(f) = *from.Time(f)
	case kind.PersonRef:
		*to.Person(f) = *from.Person(f)
	case kind.Amount:
		*to.Decimal(f) = *from.Decimal(f)
	case kind.RecordRef:
		*to.Ref(f) = *from.Ref(f)
	}
}

// TestEveryKind holds for any record of every kind, those of tomorrow too: its
// document is XML, makes the same record of an empty one and changes nothing
// in the record itself; its nested collections are packed without loss.
func TestEveryKind(t *testing.T) {
	for _, s := range kinds() {
		t.Run(s.Plural, func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) {
				rec, writable, packed := anyRecord(r, s)
				equal(t, "faults", s.Check(rec, nil), []string(nil))
				if s.HasParts() {
					equal(t, "packed", string(s.Pack(nil, rec)), packed)
				}
				doc := s.AppendRecord(nil, kind.XML, base, rec)
				equal(t, "XML", wellFormed(doc), nil)
				equal(t, "XML of a list", wellFormed(s.AppendList(nil, kind.XML, base, kind.Page{Records: []any{rec, rec}})), nil)

				read := s.Empty(1)[0]
				apply(r, s, doc, read)
				equal(t, "record", read, writable)
				same := s.Copy(rec)
				apply(r, s, doc, same)
				equal(t, "record itself", same, rec)
				diff := s.Diff(rec, same)
				equal(t, "changes", diff.Changes, []kind.Change(nil))
				equal(t, "same", s.Same(rec, same), true)
				if t.Failed() {
					r.FailNow()
				}
			})
		})
	}
}

// apply reads a document of ours into rec.
func apply(t *rapid.T, s *kind.Schema, doc []byte, rec any) {
	patch, err := s.Decode(doc)
	if err == nil {
		err = patch.Resolve(everything)
	}
	if err != nil || patch.Faults() != nil {
		t.Fatalf("%s: error %v, faults %v", doc, err, patch.Faults())
	}
	patch.Apply(rec)
}

// wellFormed asks the standard library's reader.
func wellFormed(doc []byte) error {
	for d := xml.NewDecoder(strings.NewReader(string(doc))); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}
