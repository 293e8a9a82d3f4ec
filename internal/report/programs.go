package report

import (
	"cmp"
	"hash/crc64"
	"slices"
	"strings"
	"time"
)

// Programs are the installed programs of a report, a row each, as they were told. Most are those that the agent told
// before, so that they need not be read.
type Programs struct {
	// Sums are the fingerprints of the rows, in their order. They need tell the programs of one computer from each
	// other alone, so they are short.
	Sums []uint64

	told []byte // as a scan notes rows
	ends []int  // of the rows in it
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

var crcTable = crc64.MakeTable(crc64.ECMA)

// grow makes room for rows that the notes of a scan have.
func (p *Programs) grow(rows []span) {
	size := 0
	for _, row := range rows {
		size += row.end - row.start
	}
	p.Sums, p.told, p.ends = make([]uint64, 0, len(rows)), make([]byte, 0, size), make([]int, 0, len(rows))
}

// add adds a row as a scan has noted it.
func (p *Programs) add(noted []byte) {
	p.told = append(p.told, noted...)
	p.ends = append(p.ends, len(p.told))
	p.Sums = append(p.Sums, crc64.Checksum(noted, crcTable))
}

// program takes in a row of software that was read.
func (c *collector) program(r *row) {
	noted := append(make([]byte, 0, 256), 0, byte(r.section.id+1))
	for i, text := range r.values[:len(r.section.fields)] {
		if text != "" {
			noted = append(append(append(noted, byte(i+1)), text...), 0)
		}
	}
	c.programs.add(noted)
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
func (p *Programs) row(n int) []byte {
	start := 0
	if n > 0 {
		start = p.ends[n-1]
	}
	return p.told[start:p.ends[n]]
}

// installed reads the row of a program.
func (c *collector) installed(noted []byte) Installed {
	r := row{section: software}
	for at := headSize; at < len(noted); {
		at = c.value(&r, noted, at)
	}
	s := Installed{
		Name: r.text("NAME", "GUID"), Version: r.text("VERSION"), Manufacturer: r.text("PUBLISHER"),
		InstallPath: r.text("FOLDER"), Hidden: hidden(&r),
	}
	if date := r.text("INSTALLDATE"); date != "" {
		s.InstallDate = day(date)
	}
	return s
}

// All reads all programs, and returns the rows that tell them. They are sorted by what tells one from another; of those
// that agree in this, the first counts.
func (p *Programs) All() (rows []int, programs []Installed) {
	order := make([]int, len(p.Sums))
	for i := range order {
		order[i] = i
	}
	all := p.Read(order)
	order = slices.DeleteFunc(order, func(n int) bool { return all[n].Name == "" })
	slices.SortFunc(order, func(i, j int) int { return compare(&all[i], &all[j]) })
	programs = make([]Installed, len(order))
	for i, n := range order {
		programs[i] = all[n]
	}
	return order, programs
}

// compare orders software by what tells one from another, then by the rest, so that the order does not depend on that of
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
