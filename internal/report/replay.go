package report

import "bytes"

// An aside is a value that a scan has seen and that its fingerprint does not count.
type aside struct {
	at    int // where in the notes it would stand
	field int
	text  string
}

// A span is a part of the notes.
type span struct{ start, end int }

// headSize is how many bytes a row of the notes begins with, before its values.
const headSize = 2

// replay takes in what a scan has noted, as if the message was read again: its form has been made sure of.
// What begins with a zero byte is a row, anything else a value of it.
func (c *collector) replay(seen *collector) error {
	c.query, c.deviceID, c.oldDeviceID, c.client, c.size = seen.query, seen.deviceID, seen.oldDeviceID, seen.client,
		seen.size
	c.logDate = seen.logDate
	c.present, c.ahead = seen.present, &seen.rows
	notes, asides, programRows := seen.notes, seen.asides, seen.programRows
	c.programs = Programs{Sums: make([]uint64, 0, len(programRows)), notes: notes, rows: programRows}
	var r *row
	for at := 0; at < len(notes) || len(asides) > 0; {
		switch {
		case len(asides) > 0 && asides[0].at == at:
			fill(&r.values[asides[0].field], asides[0].text)
			asides = asides[1:]
		case len(programRows) > 0 && programRows[0].start == at:
			c.programs.Sums = append(c.programs.Sums, fingerprint(notes[at:programRows[0].end]))
			at, programRows = programRows[0].end, programRows[1:]
		case notes[at] == 0:
			c.ended(r)
			var err error
			if r, err = c.begin(numbered[notes[at+1]-1]); err != nil {
				return err
			}
			at += headSize
		default:
			at = c.value(r, notes, at)
		}
	}
	c.ended(r)
	return nil
}

// value takes in the value of a row that the notes have at a place, and returns where the next one is.
func (c *collector) value(r *row, notes []byte, at int) int {
	i, end := int(notes[at])-1, at+1+bytes.IndexByte(notes[at+1:], 0)
	if r.values[i] == "" {
		r.values[i] = c.keep(notes[at+1:end], r.section.forms[i])
	}
	return end + 1
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
