package report

import "bytes"

// An aside is a value that a scan has seen and that its fingerprint does not count.
type aside struct {
	at    int // where in the notes it would stand
	field int
	text  string
}

// replay takes in what a scan has noted, as if the message was read again: its form has been made sure of. What begins with
// a zero byte is a row, anything else a value of it.
func (c *collector) replay(seen *collector) error {
	c.query, c.deviceID, c.oldDeviceID, c.client, c.size = seen.query, seen.deviceID, seen.oldDeviceID, seen.client, seen.size
	notes, asides := seen.notes, seen.asides
	var r *row
	for at := 0; at < len(notes) || len(asides) > 0; {
		switch {
		case len(asides) > 0 && asides[0].at == at:
			fill(&r.values[asides[0].field], asides[0].text)
			asides = asides[1:]
		case notes[at] == 0:
			c.ended(r)
			var err error
			if r, err = c.begin(numbered[notes[at+1]-1]); err != nil {
				return err
			}
			at += 2
		default:
			i, end := int(notes[at])-1, at+1+bytes.IndexByte(notes[at+1:], 0)
			if r.values[i] == "" {
				r.values[i] = c.keep(notes[at+1:end], r.section.forms[i])
			}
			at = end + 1
		}
	}
	c.ended(r)
	return nil
}

// ended takes the row in that was begun, if there is one.
func (c *collector) ended(r *row) {
	if r != nil {
		c.end(r.section)
	}
}

// numbered are the sections by their ids.
var numbered = func() []*section {
	all := make([]*section, len(sections))
	for _, s := range sections {
		all[s.id] = s
	}
	return all
}()
