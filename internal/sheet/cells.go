package sheet

import (
	"encoding/xml"
	"io"
	"strconv"
	"strings"

	"muster/internal/message"
)

// texts collects what elements of a text say: all of its runs, but not how it
// is read aloud.
type texts struct {
	b    strings.Builder
	inT  bool
	skip int // depth below an element that does not count
}

// begin notes the beginning of an element.
func (t *texts) begin(name string) {
	switch {
	case t.skip > 0 || name == "rPh":
		t.skip++
	case name == "t":
		t.inT = true
	}
}

// end notes the end of an element.
func (t *texts) end(name string) {
	switch {
	case t.skip > 0:
		t.skip--
	case name == "t":
		t.inT = false
	}
}

// add takes text, as far as it counts.
func (t *texts) add(text []byte) {
	if t.inT && t.skip == 0 && t.b.Len() <= maxCell {
		t.b.Write(text)
	}
}

// take returns the text, and begins the next.
func (t *texts) take() string {
	text := unescape(t.b.String())
	*t = texts{}
	return text
}

// unescape replaces characters that XML cannot contain, which workbooks write as _x000D_.
func unescape(text string) string {
	at := strings.Index(text, "_x")
	if at < 0 {
		return text
	}
	var b strings.Builder
	for ; at >= 0; at = strings.Index(text, "_x") {
		b.WriteString(text[:at])
		text = text[at:]
		if len(text) >= 7 && text[6] == '_' {
			if n, err := strconv.ParseUint(text[2:6], 16, 16); err == nil {
				b.WriteRune(rune(n))
				text = text[7:]
				continue
			}
		}
		b.WriteString("_x")
		text = text[2:]
	}
	b.WriteString(text)
	return b.String()
}

// readTexts reads the texts that cells refer to by number.
func (w *workbook) readTexts(d *xml.Decoder) error {
	var t texts
	size := 0
	for {
		token, err := d.RawToken()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			t.begin(token.Name.Local)
		case xml.CharData:
			t.add(token)
		case xml.EndElement:
			t.end(token.Name.Local)
			if token.Name.Local != "si" || t.skip > 0 {
				continue
			}
			w.texts = append(w.texts, t.take())
			if size += len(w.texts[len(w.texts)-1]); size > maxText || len(w.texts) > maxCells {
				return &problem{message.Errorf("the workbook has more than %d MiB or %d cells of text: split it",
					maxText>>20, maxCells)}
			}
		}
	}
}

// cells reads the cells of a sheet.
type cells struct {
	*workbook
	to *builder

	number int // of the row
	row    []string
	fault  message.Text // of the row

	inCell bool
	column int // of the cell
	form   string
	style  int
	inline texts
	inV    bool
	value  strings.Builder
}

// read reads all rows.
func (c *cells) read(d *xml.Decoder) error {
	for {
		token, err := d.RawToken()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			err = c.begin(token)
		case xml.CharData:
			c.inline.add(token)
			if c.inV && c.value.Len() <= maxCell {
				c.value.Write(token)
			}
		case xml.EndElement:
			err = c.end(token.Name.Local)
		}
		if err != nil {
			return err
		}
	}
}

// begin notes the beginning of an element.
func (c *cells) begin(e xml.StartElement) error {
	switch name := e.Name.Local; name {
	case "row":
		c.number++
		if n, err := strconv.Atoi(attribute(e, "r")); err == nil && n >= c.number {
			c.number = n
		}
		if c.number > 1<<20 {
			return &problem{message.Errorf("the sheet has more rows than a sheet can have")}
		}
		c.row, c.fault, c.column, c.inCell = nil, message.Text{}, -1, false
	case "c":
		return c.beginCell(e)
	case "v":
		c.inV = true
	default:
		c.inline.begin(name)
	}
	return nil
}

// beginCell notes where a cell is, and how it is to be read.
func (c *cells) beginCell(e xml.StartElement) error {
	c.column++
	if at := attribute(e, "r"); at != "" {
		if n := columnOf(at); n >= c.column {
			c.column = n
		}
	}
	if c.column > 1<<14 {
		return &problem{message.Errorf("row %d has more columns than a sheet can have", c.number)}
	}
	c.inCell, c.form, c.style, c.inline = true, attribute(e, "t"), -1, texts{}
	c.value.Reset()
	if style, err := strconv.Atoi(attribute(e, "s")); err == nil {
		c.style = style
	}
	return nil
}

// end notes the end of an element.
func (c *cells) end(name string) error {
	switch name {
	case "v":
		c.inV = false
	case "c":
		return c.endCell()
	case "row":
		if err := c.to.add(c.number, c.row, c.fault); err != nil {
			return &problem{err}
		}
		c.row = nil
	default:
		c.inline.end(name)
	}
	return nil
}

// endCell puts the value of a cell into its row. Cells without a value are not
// stored, however far to the right they are.
func (c *cells) endCell() error {
	if !c.inCell {
		return nil
	}
	c.inCell = false
	text := c.text()
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if c.column >= MaxColumns {
		return &problem{message.Errorf("row %d, column %s: more than %d columns are not possible",
			c.number, Letters(c.column), MaxColumns)}
	}
	for len(c.row) <= c.column {
		c.row = append(c.row, "")
	}
	c.row[c.column] = text
	return nil
}

// text returns the text of the cell.
func (c *cells) text() string {
	value := c.value.String()
	switch c.form {
	case "s":
		if n, err := strconv.Atoi(strings.TrimSpace(value)); err == nil && n >= 0 && n < len(c.texts) {
			return c.texts[n]
		}
		c.fault = message.New("The cell %s%d refers to a text that is not there", Letters(c.column), c.number)
		return ""
	case "inlineStr":
		return c.inline.take()
	case "str", "d":
		return unescape(value)
	case "b":
		if strings.TrimSpace(value) == "" {
			return ""
		}
		return strconv.FormatBool(strings.TrimSpace(value) == "1" || strings.TrimSpace(value) == "true")
	case "e":
		c.fault = message.New("The cell %s%d holds the error %s", Letters(c.column), c.number, value)
		return value
	}
	return c.workbook.number(strings.TrimSpace(value), c.style)
}

// attribute returns the value of an attribute, "" when there is none.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}

// columnOf returns the number of the column of a cell such as C7, from 0; -1
// when it is none.
func columnOf(cell string) int {
	n := 0
	for _, c := range cell {
		if c < 'A' || c > 'Z' || n > 1<<20 {
			break
		}
		n = n*26 + int(c-'A') + 1
	}
	return n - 1
}
