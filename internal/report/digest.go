package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strconv"
	"sync"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// A Digest is a fingerprint of a section of a report. It ignores the order of rows, and what changes from one
// minute to the next.
type Digest struct {
	Section string // a collection of the computer, SoftwareSection, or ComputerSection for its plain fields
	Sum     Sum
}

// A Sum is the fingerprint of a section.
type Sum [16]byte

// Sections that are not a collection of the computer.
const (
	ComputerSection = "computer"
	SoftwareSection = "programs"
)

// volatile are the fields that make no difference.
var volatile = inventory.Computers.Field("drives").Items.Field("free-space")

// Digests returns the digests of the sections of the report. A partial report has none for ComputerSection,
// since it has only some of the fields: the caller compares those themselves, and if one differs, the stored
// digest is outdated.
func (r *Report) Digests() []Digest {
	d := digesters.Get().(*digester)
	defer d.release()
	all := make([]Digest, 0, 16)
	v := inventory.Computers.Values(&r.Computer)
	for _, f := range r.Fields {
		if f.Type == kind.List {
			all = append(all, Digest{f.Name, d.list(v, f)})
		}
	}
	if !r.Partial {
		all = append(all, Digest{ComputerSection, d.plain(v, r.Fields)})
	}
	if r.HasPrograms {
		all = append(all, Digest{SoftwareSection, d.programs(&r.Programs)})
	}
	return all
}

// NoRows is the sum of a section without rows.
var NoRows = sum(nil)

// A digester has the memory for encoding sections. Values end with a zero byte, which they cannot contain.
type digester struct {
	buf, sorted []byte
	ends        []int
	rows        [][]byte
	programRows []span
}

var digesters = sync.Pool{New: func() any { return new(digester) }}

func (d *digester) release() {
	clear(d.rows)
	if cap(d.buf)+cap(d.sorted) <= maxKept {
		digesters.Put(d)
	}
}

func sum(b []byte) Sum {
	full := sha256.Sum256(b)
	return Sum(full[:len(Sum{})])
}

// plain returns the sum of the fields that are no collections.
func (d *digester) plain(v kind.Values, fields []*kind.Field) Sum {
	d.buf = d.buf[:0]
	for _, f := range fields {
		if f.Type != kind.List {
			d.buf = append(append(d.buf, f.Name...), 0)
			d.buf = appendValue(d.buf, v, f)
		}
	}
	return sum(d.buf)
}

// list returns the sum of a collection, its rows sorted.
func (d *digester) list(v kind.Values, f *kind.Field) Sum {
	d.buf, d.sorted, d.ends, d.rows = d.buf[:0], d.sorted[:0], d.ends[:0], d.rows[:0]
	for item := range v.Items(f) {
		for _, sub := range f.Items.Fields {
			if sub != volatile {
				d.buf = appendValue(d.buf, item, sub)
			}
		}
		d.ends = append(d.ends, len(d.buf))
	}
	start := 0
	for _, end := range d.ends {
		d.rows = append(d.rows, d.buf[start:end])
		start = end
	}
	slices.SortFunc(d.rows, bytes.Compare)
	for _, row := range d.rows {
		d.sorted = append(d.sorted, row...)
	}
	return sum(d.sorted)
}

// programs returns the sum of programs, whatever their order.
func (d *digester) programs(p *Programs) Sum {
	d.buf = d.buf[:0]
	for _, row := range p.Order() {
		d.buf = binary.BigEndian.AppendUint64(d.buf, p.Sums[row])
	}
	return sum(d.buf)
}

// appendValue appends a value and its end; null is empty.
func appendValue(b []byte, v kind.Values, f *kind.Field) []byte {
	switch f.Type {
	case kind.Text:
		b = append(b, *v.Text(f)...)
	case kind.Integer:
		if n := v.Int(f); n.Valid {
			b = strconv.AppendInt(b, n.V, 10)
		}
	}
	return append(b, 0)
}
