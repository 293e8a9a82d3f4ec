package report

import (
	"bytes"

	"muster/internal/inventory"
)

// A Scan is the result of a first look at a message: its sort, its sender, and a fingerprint of all that Read
// would use, except the free space of drives, which it has as Read would return it.
type Scan struct {
	Action   Action
	DeviceID string
	Sum      Sum
	Free     []inventory.FreeSpace // of drives that have it, by the names that Read returns
}

// Scan looks at a body in XML, for half the cost of reading it, and checks its syntax. Two messages with the
// same Sum differ in nothing but the free space of drives. The same rows in another order have another Sum, but
// the same Digests. It is not ok for a body in JSON, which must be read.
func (b *Body) Scan() (scan Scan, ok bool, err error) {
	if b.Format != XML {
		return Scan{}, false, nil
	}
	d := digesters.Get().(*digester)
	b.forget()
	b.notes = d
	c := &collector{notes: d.buf[:0], programRows: d.programRows[:0], asides: make([]aside, 0, 8), scanning: true}
	err = b.decode.readXML(c)
	d.buf, d.programRows = c.notes, c.programRows
	if err != nil {
		return Scan{}, false, refine(err)
	}
	b.seen = c
	for _, text := range [...]string{c.query, c.deviceID, c.oldDeviceID, c.client} {
		d.buf = append(append(d.buf, text...), 0)
	}
	return Scan{c.action(XML), c.deviceID, sum(d.buf), c.free}, true, nil
}

// drives is the section of which a scan keeps something.
var drives = sections["DRIVES"]

// note writes a value of a row down for the fingerprint, unless it changes from one minute to the next.
func (c *collector) note(r *row, i int, text []byte) {
	s := r.section
	if s == drives && r.values[i] == "" {
		r.values[i] = c.keep(text, s.forms[i])
	}
	switch name := s.fields[i]; {
	case name == "FREE" && s == drives:
		c.asides = append(c.asides, aside{len(c.notes), i, r.values[i]})
		return
	case name == "DESCRIPTION" && s.name == "HARDWARE" && uptime.Match(bytes.TrimSpace(text)):
		c.asides = append(c.asides, aside{len(c.notes), i, c.keep(text, s.forms[i])})
		return
	}
	c.notes = append(c.notes, byte(i+1))
	c.notes = append(append(c.notes, text...), 0)
}

// noteFree keeps the free space of a drive.
func (c *collector) noteFree(r *row) {
	free := number(r.text("FREE"))
	if !free.Valid {
		return
	}
	if c.free == nil {
		c.free = make([]inventory.FreeSpace, 0, 8) // most computers have a few
	}
	c.free = append(c.free, inventory.FreeSpace{Name: driveName(r), Free: free.V})
}
