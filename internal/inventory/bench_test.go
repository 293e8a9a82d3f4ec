package inventory_test

import (
	"bytes"
	"encoding/xml"
	"testing"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// The benchmarks compare with what encoding/xml does for tagged structs of the
// same fields, in xml_test.go. Their ratio is what counts, not their figures.

func BenchmarkEncodeList(b *testing.B) {
	page := kind.Page{Position: kind.Position{Number: 1, PerPage: 250, Total: 250}}
	for i := range 250 {
		c := fullComputer()
		c.ID = int64(i + 1)
		page.Records = append(page.Records, c)
	}
	plain, err := xmlListOf(page)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("kind", func(b *testing.B) {
		b.ReportAllocs()
		var buf []byte
		for b.Loop() {
			buf = inventory.Computers.AppendList(buf[:0], kind.XML, base, page)
		}
		b.SetBytes(int64(len(buf)))
	})
	b.Run("xml", func(b *testing.B) { benchMarshal(b, &plain) })
}

func BenchmarkEncodeRecord(b *testing.B) {
	c := fullComputer()
	plain, err := xmlComputerOf(c)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("kind", func(b *testing.B) {
		b.ReportAllocs()
		var buf []byte
		for b.Loop() {
			buf = inventory.Computers.AppendRecord(buf[:0], kind.XML, base, c)
		}
		b.SetBytes(int64(len(buf)))
	})
	b.Run("xml", func(b *testing.B) { benchMarshal(b, &plain) })
}

func benchMarshal(b *testing.B, v any) {
	b.ReportAllocs()
	for b.Loop() {
		doc, err := xml.MarshalIndent(v, "", "  ")
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(doc)))
	}
}

func BenchmarkDecodeRecord(b *testing.B) {
	doc := inventory.Computers.AppendRecord(nil, kind.XML, base, fullComputer())
	b.Run("kind", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(doc)))
		for b.Loop() {
			patch, err := inventory.Computers.Decode(doc)
			if err != nil || patch.Faults() != nil {
				b.Fatal(err, patch.Faults())
			}
		}
	})
	b.Run("xml", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(doc)))
		for b.Loop() {
			var c xmlComputer
			if err := xml.Unmarshal(doc, &c); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkParts(b *testing.B) {
	c := fullComputer()
	packed := string(inventory.Computers.Parts.Pack(nil, c))
	u, err := inventory.Computers.Parts.Unpacker(inventory.Computers.Parts.Layout())
	if err != nil {
		b.Fatal(err)
	}
	b.Run("pack", func(b *testing.B) {
		b.ReportAllocs()
		var buf []byte
		for b.Loop() {
			buf = inventory.Computers.Parts.Pack(buf[:0], c)
		}
	})
	b.Run("unpack", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := u.Unpack(packed, c); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestComparisonIsFair checks that the tagged structs make as many elements as
// the documents have.
func TestComparisonIsFair(t *testing.T) {
	c := fullComputer()
	computer, err := xmlComputerOf(c)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := xml.MarshalIndent(computer, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "elements", elements(doc), elements(inventory.Computers.AppendRecord(nil, kind.XML, base, c)))
}

// elements counts the elements of a document.
func elements(doc []byte) (n int) {
	for d := xml.NewDecoder(bytes.NewReader(doc)); ; {
		token, err := d.Token()
		if err != nil {
			return n
		}
		if _, ok := token.(xml.StartElement); ok {
			n++
		}
	}
}
