package sheet_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"muster/internal/sheet"
)

// show returns a table as one text: a line for each row.
func show(t *sheet.Table) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", strings.Join(t.Columns, "|"))
	for _, r := range t.Rows {
		cells := make([]string, len(t.Columns))
		for column := range cells {
			cells[column] = r.Cell(column)
		}
		fmt.Fprintf(&b, "%d:%s", r.Number, strings.Join(cells, "|"))
		if !r.Fault.IsZero() {
			fmt.Fprintf(&b, " !%s", r.Fault)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestCSV reads files as spreadsheets and other programs write them.
func TestCSV(t *testing.T) {
	for name, test := range map[string]struct{ file, want string }{
		"commas":            {"Name,Site\na,Berlin\nb,\"München, Süd\"\n", "Name|Site\n2:a|Berlin\n3:b|München, Süd\n"},
		"semicolons":        {"Name;Price\r\na;1,5\r\nb;2,5\r\n", "Name|Price\n2:a|1,5\n3:b|2,5\n"},
		"tabs":              {"Name\tSite\na\tBerlin, Mitte", "Name|Site\n2:a|Berlin, Mitte\n"},
		"one column":        {"Name\na\nb", "Name\n2:a\n3:b\n"},
		"says its own":      {"sep=;\nName;Site\na,b;c", "Name|Site\n3:a,b|c\n"},
		"byte order mark":   {"\xef\xbb\xbfName,Site\nä,b", "Name|Site\n2:ä|b\n"},
		"Windows-1252":      {"Name,Site\nM\xfcnchen,\x80 5", "Name|Site\n2:München|€ 5\n"},
		"UTF-16":            {"\xff\xfeN\x00;\x00S\x00\n\x00\xfc\x00;\x00b\x00", "N|S\n2:ü|b\n"},
		"UTF-16 big endian": {"\x00N\x00;\x00S\x00\n\x00\xfc\x00;\x00b", "N|S\n2:ü|b\n"},
		"empty rows":        {"\nName,Site\n\na,b\n,\n\nc,d\n", "Name|Site\n4:a|b\n7:c|d\n"},
		"lines in cells":    {"Name,Notes\na,\"x\ny\"\n\nb,z\n", "Name|Notes\n2:a|x\ny\n4:b|z\n"},
		"inches": {
			"Name,Model\na,MacBook 14\" (M5)\nb,\"say \"\"hi\"\"\"\n",
			"Name|Model\n2:a|MacBook 14\" (M5)\n3:b|say \"hi\"\n",
		},
		"ragged": {"Name,Site,Tag\na,b,c,d\ne,f\ng,h,i,\n",
			"Name|Site|Tag\n2:a|b|c !The row has 4 columns, 3 expected\n3:e|f| !The row has 2 columns, 3 expected\n4:g|h|i\n"},
		"a column without a name": {"Name,,Site\na,b,c\n", "Name|Column B|Site\n2:a|b|c\n"},
	} {
		got, err := sheet.Read([]byte(test.file))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if show(got) != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, show(got), test.want)
		}
	}
}

// TestRefused checks the errors for files that are no tables.
func TestRefused(t *testing.T) {
	for name, test := range map[string]struct{ file, want string }{
		"nothing":       {"", "the file is empty"},
		"blanks":        {" \n,,\n", "the file is empty"},
		"an open quote": {"Name\n\"a\nb\n", "line 2: the quotation marks do not match"},
		"an old file":   {"\xd0\xcf\x11\xe0\xa1\xb1", "old Excel file"},
		"no table":      {"\x07\x00\x12x,y\n\x01", "neither an XLSX workbook nor text"},
		"half a zip":    {"PK\x03\x04abc", "damaged"},
		"another zip":   {string(pack(map[string]string{"content.xml": "<x/>"})), "no XLSX workbook"},
		"many columns":  {strings.Repeat("a,", 300) + "b", "row 1 has more than 256 columns"},
		"many rows":     {strings.Repeat("a\n", 100_002), "row 100002: the file has more than 100000 rows"},
		"a long text": {
			"Name,Site\na," + strings.Repeat("b", 70_000), "row 2, column B: the text is longer than 64 KiB",
		},
		"a large file": {strings.Repeat(" ", 33<<20), "larger than 32 MiB"},
		"a bomb":       {string(workbook(strings.Repeat(" ", 70<<20))), "it is too large"},
		"no sheet": {string(pack(map[string]string{"xl/workbook.xml": "<workbook><sheets/></workbook>"})),
			"no sheet that is not hidden"},
		"no XML": {string(workbook("<row><c></row>&")), "damaged"},
		"a far column": {
			string(workbook(`<row r="1"><c r="ZZ1"><v>1</v></c></row>`)), "row 1, column ZZ: more than 256 columns",
		},
		"no such column": {
			string(workbook(`<row r="1"><c r="ZZZZZ1"><v>1</v></c></row>`)), "more columns than a sheet can have",
		},
	} {
		got, err := sheet.Read([]byte(test.file))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v (a table: %v), want an error with %q", name, err, got != nil, test.want)
		}
	}
}

// TestWorkbook reads cells of all types.
func TestWorkbook(t *testing.T) {
	file := workbook(`<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><r><t>Bo</t></r><r><t>ught</t></r><rPh><t>no</t></rPh></is></c><c r="C1" t="str"><v>Seats</v></c><c r="D1" t="str"><v>On</v></c></row>
<row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3" s="1"><v>45992</v></c><c r="C3"><v>1.1000000000000001</v></c><c r="D3" t="b"><v>1</v></c></row>
<row><c><v>1.23456789012E11</v></c><c s="2"><f>NOW()</f><v>45992.75</v></c><c r="D4" t="b"><v>0</v></c><c r="F4"><v></v></c></row>
<row r="9"><c r="B9" s="3"><v>0.5</v></c><c r="C9" t="e"><v>#N/A</v></c></row>
<row r="10"><c r="A10" t="s"><v>7</v></c><c r="E10"><v>-3</v></c></row>
<row r="11"><c r="A11" s="4"><v>1.5</v></c><c r="B11" t="d"><v>2026-01-31</v></c><c r="C11" s="5"><v>12.50</v></c></row>`)
	want := `Name|Bought|Seats|On
3:a & b_|2025-12-01|1.1|true
4:123456789012|2025-12-01T18:00:00||false
9:|12:00:00|#N/A| !The cell C9 holds the error #N/A
10:||| !The cell A10 refers to a text that is not there
11:36:00:00|2026-01-31|12.5|
`
	got, err := sheet.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if show(got) != want {
		t.Errorf("got\n%s\nwant\n%s", show(got), want)
	}
}

// TestDaysFrom1904 reads the dates of workbooks that old Macs made.
func TestDaysFrom1904(t *testing.T) {
	parts := parts(`<row><c t="str"><v>Day</v></c></row><row><c s="1"><v>44530</v></c></row>`)
	parts["xl/workbook.xml"] = strings.Replace(parts["xl/workbook.xml"], "<sheets>",
		`<workbookPr date1904="1"/><sheets>`, 1)
	got, err := sheet.Read(pack(parts))
	if err != nil {
		t.Fatal(err)
	}
	if show(got) != "Day\n2:2025-12-01\n" {
		t.Errorf("got %s", show(got))
	}
}

// TestLetters names columns as spreadsheets do.
func TestLetters(t *testing.T) {
	var got []string
	for _, n := range []int{0, 25, 26, 51, 52, 701, 702} {
		got = append(got, sheet.Letters(n))
	}
	if want := []string{"A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// FuzzRead reads anything without a panic; a table has as many cells in each row
// as it has columns.
func FuzzRead(f *testing.F) {
	f.Add([]byte("Name,Site\na,b\n"))
	f.Add([]byte("\xff\xfeN\x00"))
	f.Add([]byte("sep=;\n\"a"))
	f.Add(workbook(`<row><c t="s"><v>0</v></c></row><row><c s="1"><v>1</v></c></row>`))
	f.Fuzz(func(t *testing.T, file []byte) { checkTable(t, file) })
}

// TestWideRows reads many short rows below a long first one: they take no more memory than they have cells.
func TestWideRows(t *testing.T) {
	file := []byte(strings.Repeat("c,", sheet.MaxColumns-1) + "c\n" + strings.Repeat("x\n", sheet.MaxRows))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	table, err := sheet.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if took := int64(after.HeapAlloc) - int64(before.HeapAlloc); took > 64<<20 || int64(table.Size) > 64<<20 {
		t.Errorf("%d rows of one cell: took %d MB, it says %d", len(table.Rows), took>>20, table.Size>>20)
	}
	if got := table.Rows[7].Cell(0) + table.Rows[7].Cell(sheet.MaxColumns-1); got != "x" {
		t.Errorf("a row: got %q", got)
	}
	runtime.KeepAlive(table)
}

// FuzzCells reads any cells of a workbook.
func FuzzCells(f *testing.F) {
	f.Add(`<row><c t="s"><v>0</v></c></row><row><c s="1"><v>1</v></c></row>`)
	f.Add(`<row r="7"><c r="C7" t="inlineStr"><is><t>_x000D_</t></is></c></row><row r="3"/>`)
	f.Fuzz(func(t *testing.T, rows string) { checkTable(t, workbook(rows)) })
}

func checkTable(t *testing.T, file []byte) {
	table, err := sheet.Read(file)
	if err != nil {
		return
	}
	last := 0
	for _, r := range table.Rows {
		if past := r.Cell(len(table.Columns)); past != "" || r.Number <= last {
			t.Fatalf("row %d after %d: got the cell %q beyond the last column", r.Number, last, past)
		}
		last = r.Number
	}
}

// workbook returns a workbook with a sheet of the given rows.
func workbook(rows string) []byte { return pack(parts(rows)) }

// parts returns the parts of a workbook, as spreadsheets write them.
func parts(rows string) map[string]string {
	return map[string]string{
		"_rels/.rels": `<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml": `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>
			<sheet name="Old" sheetId="1" state="hidden" r:id="rId7"/><sheet name="Now" sheetId="2" r:id="rId8"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId7" Target="worksheets/sheet1.xml"/><Relationship Id="rId8" Target="worksheets/sheet2.xml"/></Relationships>`,
		"xl/sharedStrings.xml":       `<sst><si><t>Name</t></si><si><r><t>a &amp; b</t></r><r><t>_x005F_</t></r></si></sst>`,
		"xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-407]dd.mm.yyyy\ hh:mm"/><numFmt numFmtId="165" formatCode="[h]:mm"/><numFmt numFmtId="166" formatCode="0.00&quot; days&quot;"/></numFmts>
			<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="20"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs></styleSheet>`,
		"xl/worksheets/sheet2.xml": `<worksheet><sheetData>` + rows + `</sheetData></worksheet>`,
	}
}

func pack(parts map[string]string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range parts {
		part, err := w.Create(name)
		if err != nil {
			panic(err)
		}
		if _, err := part.Write([]byte(text)); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// TestSafe writes cells that no spreadsheet takes for formulas, and reads them
// as they were.
func TestSafe(t *testing.T) {
	texts := []string{
		"", "a", "=1+1", "+49 30", "-5", "@x", "'quoted", "'=quoted", "''=twice", "\tx", "\r=x", "＝1", "＋1", "－1",
		"＠x", "a;=b", "a;'=b", "a\t=b", "a\n+b", "a\r\n@b",
		"a,=b", "a;b", ";;-", "\"=x", "x\";=y", "x;\"=y", "x\n\"=y", "x\t\"\"=y", "x;'\"=y", "x; =y", "x;\" \"=y", " =x", "a-b", "a; b", `\.`, "ä;＝x",
	}
	for _, text := range texts {
		cell := sheet.Safe(text)
		if sheet.Plain(cell) != text {
			t.Errorf("%q: got %q and back %q", text, cell, sheet.Plain(cell))
		}
		var b bytes.Buffer
		out := sheet.NewCSV(&b, []string{"Name", "Tag"})
		if err := errors.Join(out.Row([]any{"first", text, int64(-5)}), out.Row([]any{text}), out.Close()); err != nil {
			t.Fatal(err)
		}
		file := strings.TrimPrefix(b.String(), "\ufeff")
		read, err := csv.NewReader(strings.NewReader(file)).Read()
		if err != nil || len(read) != 2 {
			t.Errorf("%q: got heads %q, error %v", text, read, err)
		}
		for _, cell := range split(file) {
			if number := cell == "-5"; !number && strings.IndexAny(cell, "=+-@＝＋－＠") == 0 {
				t.Errorf("%q: a spreadsheet takes %q for a formula, of the file\n%s", text, cell, file)
			}
		}
	}
}

// split returns the cells that spreadsheets see in a file: those that know its separator, and those that split it at
// another one, also within quotes.
func split(file string) (cells []string) {
	for _, separator := range ",;\t" {
		r := csv.NewReader(strings.NewReader(file))
		r.Comma, r.LazyQuotes, r.FieldsPerRecord = separator, true, -1
		if rows, err := r.ReadAll(); err == nil {
			for _, row := range rows {
				cells = append(cells, row...)
			}
		}
		if separator == ',' {
			continue // all know quotes of their own separator
		}
		for line := range strings.FieldsFuncSeq(file, func(r rune) bool { return r == '\r' || r == '\n' }) {
			cells = append(cells, strings.Split(line, string(separator))...)
		}
	}
	return cells
}
