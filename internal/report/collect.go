package report

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"muster/internal/inventory"
)

// A collector takes the rows of a message in, in whatever order they come. What follows from several sections waits
// until all of them are there.
type collector struct {
	query, itemType       string
	deviceID, oldDeviceID string
	client                string // program and version of the agent
	logDate               string // when the report was made
	tag                   string
	partial               bool

	single      [singles]row
	row         row // the one that is being read, of another section
	rows        [maxSections]int
	ahead       *[maxSections]int // how many rows there will be, nil when that is not known
	present     [maxSections]bool
	texts       strings.Builder
	size        int // of the message, if known
	scanning    bool
	notes       []byte                // what a scan has seen
	start       int                   // of the row in them that is being read
	asides      []aside               // what it has seen besides
	programRows []span                // where the notes have programs
	free        []inventory.FreeSpace // that it keeps
	computer    inventory.Computer
	programs    Programs
	adapters    []Adapter
	routes      []route
	users       string // the first usable login
	usbs        []inventory.USB

	printerSerials map[inventory.LocalPrinter]string
}

// begin returns the row to fill with the next one of a section.
func (c *collector) begin(s *section) (*row, error) {
	c.present[s.id] = true
	if c.rows[s.id]++; c.rows[s.id] > s.limit {
		return nil, tooLarge("more than %d rows of %s", s.limit, s.name)
	}
	r := &c.row
	switch {
	case c.scanning:
		c.start = len(c.notes)
		c.notes = append(c.notes, 0, byte(s.id+1))
		if s == drives {
			clear(r.values[:len(s.fields)])
		}
	case s.single >= 0:
		r = &c.single[s.single]
	default:
		clear(r.values[:len(s.fields)])
	}
	r.section = s
	return r, nil
}

// end takes the row in that was begun.
func (c *collector) end(s *section) {
	switch {
	case !c.scanning && s.add != nil:
		s.add(c, &c.row)
	case c.scanning && s == drives:
		c.noteFree(&c.row)
	case c.scanning && s == software:
		c.programRows = append(c.programRows, span{c.start, len(c.notes)})
	}
}

// mostExpected limits for how many parts memory is allocated with the first one, since empty rows are cheap to
// send.
const mostExpected = 64

// expected returns for how many parts, of the section of the present row, to make room.
func (c *collector) expected() int {
	if c.ahead == nil {
		return 8 // most have a few
	}
	return min(c.ahead[c.row.section.id], mostExpected)
}

// has reports whether the message has a section, empty or not.
func (c *collector) has(name string) bool { return c.present[sections[name].id] }

// of returns the row of a section that has one, an empty row when the message lacks it.
func (c *collector) of(name string) *row {
	s := sections[name]
	r := &c.single[s.single]
	r.section = s
	return r
}

// How much memory the texts of a message share at a time; a scan keeps few.
const (
	textChunk = 8 << 10
	scanChunk = 1 << 10
)

// keep returns text in its form as a string.
func (c *collector) keep(text []byte, f form) string {
	if text = shape(text, f); len(text) == 0 {
		return ""
	}
	if c.texts.Cap()-c.texts.Len() < len(text) {
		chunk := textChunk
		if c.scanning {
			chunk = scanChunk
		}
		c.texts.Reset()
		c.texts.Grow(max(chunk, len(text)))
	}
	start := c.texts.Len()
	c.texts.Write(text)
	return c.texts.String()[start:]
}

// The longest values: of a line in characters, of a text in bytes.
var (
	maxLine = inventory.Computers.Field("name").Max
	maxText = inventory.Computers.Field("description").Max
)

// shape cuts text to what its form allows. A form leaves nothing of blanks alone.
func shape(text []byte, f form) []byte {
	if n := len(text); n > 0 && n <= maxLine && bare(text[0]) && bare(text[n-1]) {
		return text // as nearly all are
	}
	trimmed := bytes.TrimSpace(text)
	switch {
	case len(trimmed) == 0:
		return nil
	case f == padded:
		return cutLine(text)
	case f == wide:
		return cutText(trimmed)
	}
	return bytes.TrimSpace(cutLine(trimmed))
}

// bare reports whether a byte is a character that is seen.
func bare(c byte) bool { return c > ' ' && c < utf8.RuneSelf }

// cutLine cuts text behind the last character that a line has room for.
func cutLine(text []byte) []byte {
	if len(text) <= maxLine {
		return text
	}
	chars := 0
	for i, b := range text {
		if b&0xC0 != 0x80 { // the first byte of a character
			if chars == maxLine {
				return text[:i]
			}
			chars++
		}
	}
	return text
}

// cutText cuts text before the first character that it has no room for.
func cutText(text []byte) []byte {
	if len(text) <= maxText {
		return text
	}
	end := maxText
	for end > 0 && text[end]&0xC0 == 0x80 {
		end--
	}
	return text[:end]
}
