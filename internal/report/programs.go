package report

import (
	"cmp"
	"hash/crc32"
	"slices"
	"strings"
	"time"
)

// Programs are the installed programs of a report, a row each, as they were sent. Most were in the agent's last
// report too, so that they need not be read. Those of a scanned Body must be used before it is closed.
type Programs struct {
	// Sums are the fingerprints of the rows, in their order. They are only compared within one computer, so
	// they are short.
	Sums []uint64

	notes []byte // of a scan, or in their form
	rows  []span // in them
	order []int  // of the rows by their fingerprints, nil before somebody asked for it
}

// Order returns the numbers of the rows, those with lower fingerprints first.
func (p *Programs) Order() []int {
	if len(p.order) < len(p.Sums) {
		p.order = numbers(len(p.Sums))
		slices.SortFunc(p.order, func(i, j int) int { return cmp.Compare(p.Sums[i], p.Sums[j]) })
	}
	return p.order
}

// numbers returns the first n numbers.
func numbers(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// An Installed is a program as one computer has it.
type Installed struct {
	Name, Version, Manufacturer string
	InstallDate                 time.Time // a day, zero when unknown
	InstallPath                 string
	Hidden                      bool // a patch or a part of the system
}

// software is the section of programs.
var software = sections["SOFTWARES"]

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// fingerprint returns the sum of a row: two sums of 32 bits, for which processors have instructions, and which
// together are as good as one of 64.
func fingerprint(noted []byte) uint64 {
	return uint64(crc32.ChecksumIEEE(noted))<<32 | uint64(crc32.Checksum(noted, castagnoli))
}

// program takes in a row of software that was read.
func (c *collector) program(r *row) {
	p := &c.programs
	start := len(p.notes)
	p.notes = append(p.notes, 0, byte(r.section.id+1))
	for i, text := range r.values[:len(r.section.fields)] {
		if text != "" {
			p.notes = append(append(append(p.notes, byte(i+1)), text...), 0)
		}
	}
	p.rows = append(p.rows, span{start, len(p.notes)})
	p.Sums = append(p.Sums, fingerprint(p.notes[start:]))
}

// Read reads the programs of rows. One without a name is none.
func (p *Programs) Read(rows []int) []Installed {
	size := 0
	for _, n := range rows {
		size += len(p.row(n))
	}
	all, c := make([]Installed, len(rows)), new(collector)
	c.texts.Grow(size)
	for i, n := range rows {
		all[i] = c.installed(p.row(n))
	}
	return all
}

// row returns a row as it was noted.
func (p *Programs) row(n int) []byte { return p.notes[p.rows[n].start:p.rows[n].end] }

// noted reads the row of a program as it was noted.
func (c *collector) noted(noted []byte) row {
	r := row{section: software}
	for at := headSize; at < len(noted); {
		at = c.value(&r, noted, at)
	}
	return r
}

// installed reads the row of a program.
func (c *collector) installed(noted []byte) Installed {
	r := c.noted(noted)
	s := Installed{
		Name: r.text("NAME", "GUID"), Version: r.text("VERSION"), Manufacturer: r.text("PUBLISHER"),
		InstallPath: r.text("FOLDER"), Hidden: hidden(&r),
	}
	if date := r.text("INSTALLDATE"); date != "" {
		s.InstallDate = day(date)
	}
	return s
}

// All reads all programs, and returns their rows with them, sorted by what identifies a program. The first of
// several with the same identity is taken.
func (p *Programs) All() (rows []int, programs []Installed) {
	order := numbers(len(p.Sums))
	all := p.Read(order)
	order = slices.DeleteFunc(order, func(n int) bool { return all[n].Name == "" })
	slices.SortFunc(order, func(i, j int) int { return compare(&all[i], &all[j]) })
	programs = make([]Installed, len(order))
	for i, n := range order {
		programs[i] = all[n]
	}
	return order, programs
}

// compare orders software by what identifies it, then by the rest, so that the order does not depend on that of
// the report.
func compare(a, b *Installed) int {
	if c := strings.Compare(a.Name, b.Name); c != 0 {
		return c
	}
	if c := strings.Compare(a.Manufacturer, b.Manufacturer); c != 0 {
		return c
	}
	if c := strings.Compare(a.Version, b.Version); c != 0 {
		return c
	}
	if a.Hidden != b.Hidden {
		if a.Hidden {
			return 1
		}
		return -1
	}
	return cmp.Or(a.InstallDate.Compare(b.InstallDate), strings.Compare(a.InstallPath, b.InstallPath))
}
