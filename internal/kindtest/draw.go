// Package kindtest generates random records of any kind, for tests over all kinds. What is true of one kind
// alone does not belong here.
package kindtest

import (
	"encoding/binary"
	"strings"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"muster/internal/kind"
)

// A World is what drawn records refer to, and what their values are drawn from.
type World struct {
	People []kind.Person // users
	Refs   []kind.Ref    // records that others refer to by name
	// Linked returns the records of a kind that others can be tied to, in the
	// order of their ids.
	Linked func(target *kind.Schema) []kind.Linked
	// Texts are what texts are drawn from, nil for any. Then other values are few
	// too, so that records share some.
	Texts []string
	// Today is near the dates that are drawn when values are few.
	Today time.Time
}

// Example returns a record of a kind, the same for the same number, with what
// documents can set of it.
func (w World) Example(s *kind.Schema, number int) (rec, writable any) {
	type pair struct{ rec, writable any }
	p := rapid.Custom(func(t *rapid.T) pair {
		rec, writable, _ := w.Record(t, s)
		return pair{rec, writable}
	}).Example(number)
	return p.rec, p.writable
}

// Record draws a record of any kind, and returns with it what documents can set
// of it, and its nested collections as they must be packed.
func (w World) Record(t *rapid.T, s *kind.Schema) (rec, writable any, packed string) {
	rec, writable = s.Empty(1)[0], s.Empty(1)[0]
	s.Meta(rec).ID = rapid.Int64Range(1, 1<<62).Draw(t, "id")
	parts, sent := []byte{1}, []byte{1}
	for _, f := range s.Fields {
		switch {
		case f.Targets != nil:
			links := w.links(t, f)
			*s.Values(rec).Links(f), *s.Values(writable).Links(f) = links, links
			continue
		case f.Computed || f.Secret || f.Days != nil:
			continue
		case f.Type == kind.List:
			list := w.list(t, f)
			parts = append(parts, list...)
			if !f.Editable() {
				list = []byte{0}
			}
			sent = append(sent, list...)
			continue
		}
		w.scalar(t, s.Values(rec), f)
		if f.Editable() {
			copyScalar(s.Values(writable), s.Values(rec), f)
		}
	}
	if len(s.Parts.Lists) > 0 {
		unpack(t, s, string(parts), rec)
		unpack(t, s, string(sent), writable)
	}
	return rec, writable, string(parts)
}

func unpack(t rapid.TB, s *kind.Schema, doc string, rec any) {
	u, err := s.Parts.Unpacker(s.Parts.Layout())
	if err == nil {
		err = u.Unpack(doc, rec)
	}
	if err != nil {
		t.Fatalf("%s: %v", s.Plural, err)
	}
}

// text draws a value of a Text field, "" for null.
func (w World) text(t *rapid.T, f *kind.Field) string {
	if f.OneOf != nil {
		return rapid.SampledFrom(f.OneOf).Draw(t, f.Name)
	}
	texts := rapid.StringOfN(rapid.RuneFrom([]rune("ab<>&'\"\t\n\r ]é😀\u00a0"), unicode.Latin), 0, 12, -1)
	if w.Texts != nil {
		texts = rapid.SampledFrom(w.Texts)
	}
	text := texts.Draw(t, f.Name)
	trimmed := strings.TrimSpace(text)
	switch {
	case trimmed == "" && f.Required:
		return "x"
	case trimmed == "" || f.Named:
		return trimmed
	}
	return text
}

const day = 24 * 60 * 60

// number draws a value of another field in the form in which it is packed:
// a number, 0 and 1 for truth values, seconds for times.
func (w World) number(t *rapid.T, f *kind.Field) kind.Int {
	if !f.Required && rapid.Bool().Draw(t, "null") {
		return kind.Int{}
	}
	if w.Texts != nil {
		return kind.Some(w.fewNumbers(f).Draw(t, f.Name))
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

// fewNumbers are values of which records share some.
func (w World) fewNumbers(f *kind.Field) *rapid.Generator[int64] {
	today := w.Today.Unix() / day * day
	switch f.Type {
	case kind.Boolean:
		return rapid.Int64Range(0, 1)
	case kind.Time:
		return rapid.SampledFrom([]int64{today - day, today - 1, today, today + 1, today + day - 1, today + day})
	case kind.Date:
		return rapid.SampledFrom([]int64{today - 2*day, today - day, today, today + day, today + 2*day})
	}
	return rapid.SampledFrom([]int64{0, 2, 10, 10_000, 1<<63 - 1})
}

// links draws linked records as a store reads them.
func (w World) links(t *rapid.T, f *kind.Field) (links []kind.Linked) {
	for _, target := range f.Targets {
		for _, l := range w.Linked(target) {
			if rapid.Bool().Draw(t, f.Name) {
				links = append(links, l)
			}
		}
	}
	return links
}

// list draws the packed form of a nested collection. Every item has a value.
func (w World) list(t *rapid.T, f *kind.Field) []byte {
	n := rapid.IntRange(0, 3).Draw(t, f.Name)
	b := binary.AppendUvarint(nil, uint64(n))
	for range n {
		null := true
		for i, sub := range f.Items.Fields {
			last := null && i == len(f.Items.Fields)-1
			item := w.packed(t, sub, last)
			null = null && item[0] == 0
			b = append(b, item...)
		}
	}
	return b
}

// packed draws the packed form of a value that may be null unless it must not.
func (w World) packed(t *rapid.T, f *kind.Field, must bool) []byte {
	if f.Type != kind.Text {
		n := w.number(t, f)
		n.Valid = n.Valid || must
		return appendNumber(nil, n)
	}
	text := w.text(t, f)
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

// scalar draws the value of a field that is no collection.
func (w World) scalar(t *rapid.T, v kind.Values, f *kind.Field) {
	switch f.Type {
	case kind.Text:
		*v.Text(f) = w.text(t, f)
	case kind.Integer:
		*v.Int(f) = w.number(t, f)
	case kind.Boolean:
		n := w.number(t, f)
		*v.Bool(f) = kind.Bool{V: n.V == 1, Valid: n.Valid}
	case kind.Time, kind.Date:
		if n := w.number(t, f); n.Valid {
			*v.Time(f) = time.Unix(n.V, 0).UTC()
		}
	case kind.Amount:
		*v.Decimal(f) = kind.Decimal(w.number(t, f))
	case kind.PersonRef:
		*v.Person(f) = oneOf(t, f, w.People)
	case kind.RecordRef:
		*v.Ref(f) = oneOf(t, f, w.Refs)
	}
}

// oneOf draws what a field refers to, also nothing unless it must.
func oneOf[T any](t *rapid.T, f *kind.Field, known []T) (none T) {
	if !f.Required && rapid.Bool().Draw(t, "null") {
		return none
	}
	return rapid.SampledFrom(known).Draw(t, f.Name)
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
