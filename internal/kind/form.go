package kind

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"slices"
	"strconv"
	"sync/atomic"
	"unsafe"
)

// A Form is how records of a kind are rendered: in one format, as documents or as items of lists. There is one
// instance of each, so that forms can be compared by their addresses.
type Form struct {
	schema *Schema
	single bool
	plan   plan
	usual  atomic.Int64 // the length of what was rendered last, by record
}

// newForm returns the form of documents, or of items of lists.
func newForm(s *Schema, f Format, single bool) *Form {
	return &Form{schema: s, single: single, plan: newPlan(s, f, single)}
}

// Single returns the form of documents of one record.
func (s *Schema) Single(f Format) *Form { return s.single[f] }

// Listed returns the form of items of lists.
func (s *Schema) Listed(f Format) *Form { return s.listed[f] }

// Kind returns the kind that the records are stored as.
func (f *Form) Kind() *Schema { return f.schema.Stored() }

// IsSingle reports whether the form is that of documents of one record.
func (f *Form) IsSingle() bool { return f.single }

// Includes reports whether records are shown with others that they include.
func (f *Form) Includes() bool { return f.schema.include != "" }

// mark stands in a fragment where the address of the service stands in a
// document. UTF-8 does not have it.
const mark = "\xff"

// A Sum is a fingerprint of a text, the same on every node. It notices a change by chance, not one that somebody has
// calculated: whoever may write a record gains nothing by that.
type Sum [8]byte

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// SumOf returns the sum of a text: two CRCs for which processors have instructions. Together they are one of 64 bits,
// by the product of their polynomials.
func SumOf(text []byte) (s Sum) {
	binary.BigEndian.PutUint32(s[:4], crc32.ChecksumIEEE(text))
	binary.BigEndian.PutUint32(s[4:], crc32.Checksum(text, castagnoli))
	return s
}

// A Fragment is one record in a form, as documents have it but for the address
// of the service. It is never changed.
type Fragment struct {
	ID, Version int64
	Part        bool    // there was no room for all items of the counted collection
	Text        []byte  // with marks
	Sum         Sum     // of the text
	marks       []int32 // where they are in the text
}

// Render returns records in the form, each of at most so many bytes if its items can
// be left out; 0 is any number. Their texts share memory.
func (f *Form) Render(recs []any, share int) []*Fragment {
	all, text := make([]Fragment, len(recs)), make([]byte, 0, len(recs)*f.room())
	out := make([]*Fragment, len(recs))
	for i, rec := range recs {
		from, v := len(text), f.schema.Values(rec)
		text = f.plan.append(text, mark, v)
		fits, part := f.fitting(rec, text[from:], share)
		if part {
			text = f.plan.append(text[:from], mark, f.schema.Values(fits))
		}
		own := text[from:len(text):len(text)]
		meta := v.record(f.schema.meta)
		all[i] = Fragment{meta.ID, meta.Version, part, own, SumOf(own), marksOf(own)}
		out[i] = &all[i]
	}
	if len(recs) > 0 {
		f.usual.Store(int64(len(text) / len(recs)))
	}
	return out
}

// room returns how many bytes to reserve for a record: somewhat more than the last ones took, so that their texts need
// not be moved while they grow.
func (f *Form) room() int {
	const least = 512
	usual := int(f.usual.Load())
	return max(least, usual+usual/8)
}

// marksOf returns where the marks of a text are.
func marksOf(text []byte) []int32 {
	all := make([]int32, 0, bytes.Count(text, []byte(mark)))
	for from := 0; len(all) < cap(all); from = int(all[len(all)-1]) + len(mark) {
		all = append(all, int32(from+bytes.IndexByte(text[from:], mark[0])))
	}
	return all
}

// Copy returns a fragment whose text shares no memory with others.
func (f *Fragment) Copy() *Fragment {
	own := *f
	own.Text = bytes.Clone(f.Text)
	return &own
}

// Memory returns how many bytes of memory the fragment takes.
func (f *Fragment) Memory() int {
	return int(unsafe.Sizeof(*f)) + cap(f.Text) + cap(f.marks)*int(unsafe.Sizeof(f.marks[0]))
}

// append appends the text with the address of the service.
func (f *Fragment) append(b []byte, base string) []byte {
	from := 0
	for _, at := range f.marks {
		b = append(append(b, f.Text[from:at]...), base...)
		from = int(at) + len(mark)
	}
	return append(b, f.Text[from:]...)
}

// A Document is what is sent of records: one of them, or a page of a list. All
// of it is there but the address of the service, so that its length and its tag
// are known before it is written.
type Document struct {
	Form     *Form
	Position // of a list
	Items    []*Fragment
}

// Document returns the document of one record.
func (f *Form) Document(rec any) Document {
	return Document{Form: f, Items: f.Render([]any{rec}, f.schema.Share(1))}
}

// Page returns the document of one page of a list.
func (f *Form) Page(p Page) Document {
	return Document{Form: f, Position: p.Position, Items: f.Render(p.Records, f.schema.Share(p.PerPage))}
}

// Piece is how much of a document is written at once: what TLS sends at once. So
// a long document needs no buffer of its length.
const Piece = 16 << 10

// Write writes the document in pieces, but for the last as long as Piece or a
// multiple. Addresses begin with base. b is room for a piece, which it returns
// for others to use.
func (d *Document) Write(w io.Writer, b []byte, base string) (_ []byte, err error) {
	base = d.escaped(base)
	b = d.Form.appendHead(b[:0], d.Position)
	for i, item := range d.Items {
		if i > 0 {
			b = append(b, d.Form.plan.between...)
		}
		if b, err = writePieces(w, item.append(b, base)); err != nil {
			return b, err
		}
	}
	b = d.Form.appendTail(b)
	_, err = w.Write(b)
	return b, err
}

// writePieces writes the pieces that are whole and returns the rest.
func writePieces(w io.Writer, b []byte) ([]byte, error) {
	whole := len(b) - len(b)%Piece
	if whole == 0 {
		return b, nil
	}
	_, err := w.Write(b[:whole])
	return append(b[:0], b[whole:]...), err
}

// escaped returns an address as the document has it.
func (d *Document) escaped(base string) string { return string(d.Form.plan.format.text(nil, base)) }

// Len returns how long the document is.
func (d *Document) Len(base string) int {
	var space [512]byte
	n := len(d.Form.appendTail(d.Form.appendHead(space[:0], d.Position))) + max(0,
		len(d.Items)-1)*len(d.Form.plan.between)
	more := len(d.escaped(base)) - len(mark)
	for _, item := range d.Items {
		n += len(item.Text) + len(item.marks)*more
	}
	return n
}

// Sum returns the fingerprint of the document: it depends only on what the document is made from, and is the
// same on every node.
func (d *Document) Sum(base string) Sum {
	var space [1 << 10]byte // enough for a short list
	b := slices.Grow(space[:0], 512+len(d.Items)*len(Sum{}))
	b = d.Form.appendTail(d.Form.appendHead(b, d.Position))
	b = append(append(b, mark...), base...)
	b = append(b, mark...)
	for _, item := range d.Items {
		b = append(b, item.Sum[:]...)
	}
	return SumOf(b)
}

// appendHead appends what stands before the records.
func (f *Form) appendHead(b []byte, p Position) []byte {
	switch {
	case f.plan.format == XML && f.single:
		return append(b, header...)
	case f.plan.format == XML:
		return f.appendXMLHead(b, p)
	case f.single:
		return b
	}
	return f.appendJSONHead(b, p)
}

// appendTail appends what stands behind the records.
func (f *Form) appendTail(b []byte) []byte {
	switch {
	case f.plan.format == XML && f.single:
		return b
	case f.plan.format == XML:
		return append(append(append(b, "</"...), f.schema.Plural...), ">\n"...)
	case f.single:
		return append(b, '\n')
	}
	return append(b, "]}\n"...)
}

// appendXMLHead begins a list.
func (f *Form) appendXMLHead(b []byte, p Position) []byte {
	b = append(b, header+"<"...)
	b = append(b, f.schema.Plural...)
	b = append(b, ">\n  <page>"...)
	b = strconv.AppendInt(b, int64(p.Number), 10)
	b = append(b, "</page>\n  <per_page>"...)
	b = strconv.AppendInt(b, int64(p.PerPage), 10)
	b = append(b, "</per_page>\n  <total_entries>"...)
	b = strconv.AppendInt(b, int64(p.Total), 10)
	return append(b, "</total_entries>\n"...)
}

// appendJSONHead begins a list.
func (f *Form) appendJSONHead(b []byte, p Position) []byte {
	b = strconv.AppendInt(append(b, `{"page":`...), int64(p.Number), 10)
	b = strconv.AppendInt(append(b, `,"per_page":`...), int64(p.PerPage), 10)
	b = strconv.AppendInt(append(b, `,"total_entries":`...), int64(p.Total), 10)
	return append(append(append(b, `,"`...), f.schema.Path()...), `":[`...)
}
