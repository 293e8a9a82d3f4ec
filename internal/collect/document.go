package collect

import (
	"strconv"
	"strings"

	"muster/internal/markup"
)

// How many rows of a section a server takes; it refuses a message with more.
const (
	maxRows      = 2_000
	maxSoftwares = 20_000
)

// A document is a message in the making.
type document struct {
	text []byte
	rows map[string]int
}

func (d *document) open(name string) {
	if d.text == nil {
		d.text = append(d.text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"...)
	}
	d.text = append(append(append(d.text, '<'), name...), ">\n"...)
}

func (d *document) close(name string) {
	d.text = append(append(append(d.text, "</"...), name...), ">\n"...)
}

// value adds an element with a text, unless the text is empty.
func (d *document) value(name, text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	d.text = append(append(append(d.text, '<'), name...), '>')
	d.text = markup.AppendText(d.text, text)
	d.close(name)
}

// A field is a name and its value.
type field struct{ name, value string }

// row adds a row of a section, without the fields that have no value, unless none has one or there are enough rows.
func (d *document) row(section string, fields ...field) {
	if !d.hasSpace(section) {
		return
	}
	before := len(d.text)
	d.open(section)
	start := len(d.text)
	for _, f := range fields {
		d.value(f.name, f.value)
	}
	if len(d.text) == start {
		d.text = d.text[:before]
		return
	}
	d.close(section)
	d.rows[section]++
}

// hasSpace reports whether a section may have another row.
func (d *document) hasSpace(section string) bool {
	if d.rows == nil {
		d.rows = map[string]int{}
	}
	if section == "SOFTWARES" {
		return d.rows[section] < maxSoftwares
	}
	return d.rows[section] < maxRows
}

// whole returns a number as text, nothing for zero, which is how much is known of what has none.
func whole[T int | int64 | uint64 | uint32 | uint16](n T) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatUint(uint64(n), 10)
}
