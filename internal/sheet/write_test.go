package sheet

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

// files returns the files of a workbook, each of which must be XML.
func files(t *testing.T, book []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(book), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		for d := xml.NewDecoder(bytes.NewReader(text)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v: %s", f.Name, err, text)
			}
		}
		all[f.Name] = string(text)
	}
	return all
}

// TestWriter writes values of all types, and texts that look like formulas or are
// no XML.
func TestWriter(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, "Computers [all]", []string{"Name", "Memory"})
	berlin := time.FixedZone("Berlin", 3600)
	for _, row := range [][]any{
		{"=1+1 <&\"", int64(-5), 1.5, true, time.Date(2026, 1, 31, 23, 30, 0, 0, berlin)},
		{"", nil, "a\x00b", false, time.Time{}},
	} {
		if err := w.Row(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	all := files(t, out.Bytes())
	sheet := all["xl/worksheets/sheet1.xml"]
	for _, want := range []string{
		`<c r="A1" s="1" t="inlineStr"><is><t xml:space="preserve">Name</t>`, `=1+1 &lt;&amp;&#34;</t>`,
		`<c r="B2"><v>-5</v>`, `<c r="C2"><v>1.5</v>`,
		`<c r="D2" t="b"><v>1</v>`, `<c r="E2" s="2"><v>46053.979`,
		`<row r="3"><c r="C3" s="0" t="inlineStr"><is><t xml:space="preserve">a` + "\uFFFD" + `b</t>`,
	} {
		if !strings.Contains(sheet, want) {
			t.Errorf("sheet: got %s, want %s in it", sheet, want)
		}
	}
	if !strings.Contains(all["xl/workbook.xml"], `<sheet name="Computers  all " sheetId="1"`) {
		t.Errorf("workbook: got %s", all["xl/workbook.xml"])
	}
}

// TestWriterSheets goes on in a second sheet, and writes the heads of a table
// without rows.
func TestWriterSheets(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, "T", []string{"N"})
	w.rows = 3
	for i := range 5 {
		if err := w.Row([]any{int64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	all := files(t, out.Bytes())
	if got := all["xl/worksheets/sheet3.xml"]; !strings.Contains(got, `<c r="A2"><v>4</v>`) ||
		!strings.Contains(got, ">N</t>") {
		t.Errorf("third sheet: got %s", got)
	}
	out.Reset()
	if err := NewWriter(&out, "T", []string{"N"}).Close(); err != nil {
		t.Fatal(err)
	}
	if got := files(t, out.Bytes())["xl/worksheets/sheet1.xml"]; !strings.Contains(got, ">N</t>") {
		t.Errorf("no rows: got %s", got)
	}
}

// TestLetters counts in letters.
func TestLetters(t *testing.T) {
	for n, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 701: "ZZ", 702: "AAA"} {
		if got := Letters(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}
