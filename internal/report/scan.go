package report

import "bytes"

// A Scan is a first look at a message: what it is, whose, and a fingerprint of all that a Read of it would use.
type Scan struct {
	Action   Action
	DeviceID string
	Sum      Sum
}

// Scan looks at a body in XML, which costs half of reading it, and makes sure of its form. Of two messages with the same
// Sum the second tells nothing new, but for the free space of drives. The same rows in another order have another Sum;
// Digests tells that nothing changed. It is not ok for a body in JSON, which is to be read.
func (b *Body) Scan() (scan Scan, ok bool, err error) {
	if b.Format != XML {
		return Scan{}, false, nil
	}
	d := digesters.Get().(*digester)
	defer d.release()
	c := &collector{notes: d.buf[:0], scanning: true}
	err = b.decode.readXML(c)
	d.buf = c.notes
	if err != nil {
		return Scan{}, false, b.decode.refine(err)
	}
	for _, text := range [...]string{c.query, c.deviceID, c.oldDeviceID, c.client} {
		d.buf = append(append(d.buf, text...), 0)
	}
	return Scan{c.action(XML), c.deviceID, sum(d.buf)}, true, nil
}

// note writes a value of a row down for the fingerprint, unless it changes from one minute to the next.
func (c *collector) note(s *section, i int, text []byte) {
	switch name := s.fields[i]; {
	case name == "FREE" && s.name == "DRIVES":
		return
	case name == "DESCRIPTION" && s.name == "HARDWARE" && uptime.Match(bytes.TrimSpace(text)):
		return
	}
	c.notes = append(c.notes, byte(i+1))
	c.notes = append(append(c.notes, text...), 0)
}
