package sheet

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"time"
)

// Characters of CSV. Spreadsheets of some countries split lines at semicolons, others at commas, and both at
// tabs on demand; where one splits at another than ours, it does so within quotes too.
const (
	formulas   = "=+-@\t\r＝＋－＠" // with which spreadsheets let formulas begin, some as wide as Chinese characters
	cellStarts = ";\t\r\n"      // after which a cell may begin, besides our own
)

// Safe returns a text as a cell of CSV that no spreadsheet takes for a formula, nor a part of it where it splits
// lines in another way: where a cell may begin, a mark stands before what lets a formula begin.
func Safe(text string) string {
	if !strings.ContainsAny(text, formulas) {
		return text
	}
	return eachCell(text, func(b *strings.Builder, cell string) {
		if beginsFormula(cell) {
			b.WriteByte('\'')
		}
		b.WriteString(cell)
	})
}

// Plain returns the text that Safe has made one of.
func Plain(cell string) string {
	if !strings.Contains(cell, "'") {
		return cell
	}
	return eachCell(cell, func(b *strings.Builder, cell string) {
		if beginsFormula(cell) {
			cell = strings.TrimPrefix(cell, "'")
		}
		b.WriteString(cell)
	})
}

// eachCell returns what is written for each part of a text that may be a cell of its own, with the character that
// ends it.
func eachCell(text string, write func(b *strings.Builder, cell string)) string {
	var b strings.Builder
	for text != "" {
		end := strings.IndexAny(text, cellStarts) + 1
		if end == 0 {
			end = len(text)
		}
		write(&b, text[:end])
		text = text[end:]
	}
	return b.String()
}

// beginsFormula reports whether a spreadsheet would let a formula begin here, or would if marks were not there, or
// quotation marks and blanks, which it takes away where it splits lines within a text of ours.
func beginsFormula(text string) bool {
	text = strings.TrimLeft(text, `'" `)
	return text != "" && strings.IndexAny(text, formulas) == 0
}

// A CSV writes rows that spreadsheets read as they are meant: in UTF-8, with the byte order mark by which Excel
// knows that, and without formulas.
type CSV struct{ out *bufio.Writer }

// NewCSV begins a table under its heads.
func NewCSV(w io.Writer, heads []string) *CSV {
	c := &CSV{bufio.NewWriterSize(w, 64<<10)}
	_, _ = c.out.WriteString("\ufeff") // Close returns what goes wrong, as it does of the rows
	values := make([]any, len(heads))
	for i, head := range heads {
		values[i] = head
	}
	_ = c.Row(values)
	return c
}

// Row writes a row. A value is a string, an int64 or a time.Time, which is shown as it is in its zone; any other is an
// empty cell.
func (c *CSV) Row(values []any) error {
	for i, value := range values {
		if i > 0 {
			_ = c.out.WriteByte(',')
		}
		switch v := value.(type) {
		case int64:
			_, _ = c.out.WriteString(strconv.FormatInt(v, 10))
		case time.Time:
			_, _ = c.out.WriteString(CSVTime(v))
		case string:
			c.text(Safe(v))
		}
	}
	_, err := c.out.WriteString("\r\n")
	return err
}

// CSVTime returns a time as spreadsheets read it, of a date the day alone.
func CSVTime(at time.Time) string {
	switch {
	case at.IsZero():
		return ""
	case at.Location() == time.UTC && at.Hour() == 0 && at.Minute() == 0 && at.Second() == 0:
		return at.Format(time.DateOnly)
	}
	return at.Format("2006-01-02 15:04:05")
}

func (c *CSV) text(text string) {
	// which is the end of PostgreSQL's COPY
	if !strings.ContainsAny(text, `",`+cellStarts) && strings.TrimSpace(text) == text && text != `\.` {
		_, _ = c.out.WriteString(text)
		return
	}
	_ = c.out.WriteByte('"')
	_, _ = c.out.WriteString(strings.ReplaceAll(text, `"`, `""`))
	_ = c.out.WriteByte('"')
}

// Close writes what is left.
func (c *CSV) Close() error { return c.out.Flush() }
