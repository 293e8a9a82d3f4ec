package sheet

import (
	"archive/zip"
	"bufio"
	"compress/flate"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits of a workbook.
const (
	sheetRows = 1 << 20
	cellText  = 32_767 // characters
)

// A Writer writes one table as a workbook, row by row: nothing of it is kept in
// memory, so that it may have as many rows as there are. Texts are texts,
// whatever they begin with, and never formulas. A table that is longer than a
// sheet may be goes on in the next one, under the same heads.
type Writer struct {
	zip   *zip.Writer
	name  string
	heads []string
	rows  int // of a sheet at most
	sheet *bufio.Writer
	row   int // that was written last
	names []string
	cell  []byte
}

// NewWriter begins a table of a name under its heads.
func NewWriter(out io.Writer, name string, heads []string) *Writer {
	w := &Writer{zip: zip.NewWriter(out), name: sheetName(name), heads: heads, rows: sheetRows}
	w.zip.RegisterCompressor(zip.Deflate,
		func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.BestSpeed) })
	return w
}

// sheetName returns a name that a sheet may have.
func sheetName(name string) string {
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`[]:*?/\'`, r) {
			return ' '
		}
		return r
	}, name)
	return string([]rune(name)[:min(24, utf8.RuneCountInString(name))])
}

// Row writes a row. A value is a string, an int64, a float64, a bool or a
// time.Time, which is shown as it is in its zone; "", nil and the zero time are
// an empty cell.
func (w *Writer) Row(values []any) error {
	if w.sheet == nil || w.row >= w.rows {
		if err := w.nextSheet(); err != nil {
			return err
		}
	}
	return w.write(values, 0)
}

// nextSheet begins a sheet with the heads.
func (w *Writer) nextSheet() error {
	if err := w.endSheet(); err != nil {
		return err
	}
	name := w.name
	if n := len(w.names); n > 0 {
		name += " " + strconv.Itoa(n+1)
	}
	w.names = append(w.names, name)
	file, err := w.zip.Create(fmt.Sprintf("xl/worksheets/sheet%d.xml", len(w.names)))
	if err != nil {
		return err
	}
	w.sheet, w.row = bufio.NewWriterSize(file, 64<<10), 0
	_, _ = w.sheet.WriteString(xml.Header +
		`<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">` +
		`<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
		fmt.Sprintf(`<cols><col min="1" max="%d" width="20" customWidth="1"/></cols><sheetData>`, max(1, len(w.heads))))
	heads := make([]any, len(w.heads))
	for i, head := range w.heads {
		heads[i] = head
	}
	return w.write(heads, styleHead)
}

// endSheet ends the sheet that is being written, if there is one.
func (w *Writer) endSheet() error {
	if w.sheet == nil {
		return nil
	}
	_, _ = w.sheet.WriteString("</sheetData></worksheet>")
	return w.sheet.Flush() // tells of earlier failures too
}

// Styles of cells, in the order of the stylesheet.
const (
	styleHead = iota + 1
	styleTime
)

// write writes a row; its texts have a style.
func (w *Writer) write(values []any, style int) error {
	w.row++
	b := append(strconv.AppendInt(append(w.cell[:0], `<row r="`...), int64(w.row), 10), `">`...)
	for i, value := range values {
		b = w.append(b, i, value, style)
	}
	b = append(b, "</row>"...)
	w.cell = b
	_, err := w.sheet.Write(b)
	return err
}

// append appends a cell, none for an empty one.
func (w *Writer) append(b []byte, column int, value any, style int) []byte {
	at := func(attributes string) []byte {
		b = append(append(b, `<c r="`...), Letters(column)...)
		b = strconv.AppendInt(b, int64(w.row), 10)
		return append(append(append(b, '"'), attributes...), '>')
	}
	end := func(b []byte) []byte { return append(b, "</v></c>"...) }
	switch v := value.(type) {
	case string:
		if v == "" {
			return b
		}
		b = append(at(fmt.Sprintf(` s="%d" t="inlineStr"`, style)), `<is><t xml:space="preserve">`...)
		return append(appendText(b, v), "</t></is></c>"...)
	case int64:
		return end(strconv.AppendInt(append(at(""), "<v>"...), v, 10))
	case float64:
		return end(strconv.AppendFloat(append(at(""), "<v>"...), v, 'f', -1, 64))
	case bool:
		return end(strconv.AppendInt(append(at(` t="b"`), "<v>"...), int64(map[bool]int{true: 1}[v]), 10))
	case time.Time:
		if v.IsZero() {
			return b
		}
		return end(strconv.AppendFloat(append(at(fmt.Sprintf(` s="%d"`, styleTime)), "<v>"...), days(v), 'f', -1, 64))
	}
	return b
}

// days returns a time as Excel counts it, as the clocks of its zone show it.
func days(at time.Time) float64 {
	_, offset := at.Zone()
	return float64(at.Unix()+int64(offset))/86_400 + 25_569
}

// appendText appends a text as XML, cut to the limit of a cell.
func appendText(b []byte, text string) []byte {
	if utf8.RuneCountInString(text) > cellText {
		text = string([]rune(text)[:cellText])
	}
	var out strings.Builder
	_ = xml.EscapeText(&out, []byte(text)) // a builder takes all
	return append(b, out.String()...)
}

// Close ends the workbook. One without rows has the heads.
func (w *Writer) Close() error {
	if w.sheet == nil {
		if err := w.nextSheet(); err != nil {
			return err
		}
	}
	if err := w.endSheet(); err != nil {
		return err
	}
	for _, part := range w.parts() {
		file, err := w.zip.Create(part[0])
		if err == nil {
			_, err = io.WriteString(file, xml.Header+part[1])
		}
		if err != nil {
			return err
		}
	}
	return w.zip.Close()
}
