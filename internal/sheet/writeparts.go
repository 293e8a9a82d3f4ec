package sheet

import (
	"fmt"
	"strings"
)

// Names of what the parts of a workbook are.
const (
	spreadsheet = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	relations   = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packages    = "http://schemas.openxmlformats.org/package/2006/"
	content     = "application/vnd.openxmlformats-officedocument.spreadsheetml."
)

// styleSheet is that of cells: a usual one, heads, and times.
const styleSheet = `<styleSheet xmlns="` + spreadsheet +
	`"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd\ hh:mm"/></numFmts>` +
	`<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
	`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
	`<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>` +
	`<cellXfs count="3"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>`

// parts returns the files of the workbook besides its sheets, with their names.
func (w *Writer) parts() [][2]string {
	var types, sheets, related strings.Builder
	for i, name := range w.names {
		n := i + 1
		fmt.Fprintf(&types, `<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="%sworksheet+xml"/>`,
			n, content)
		fmt.Fprintf(&sheets, `<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, appendText(nil, name), n, n)
		fmt.Fprintf(&related, `<Relationship Id="rId%d" Type="%s/worksheet" Target="worksheets/sheet%d.xml"/>`, n,
			relations, n)
	}
	return [][2]string{
		{"xl/styles.xml", styleSheet},
		{"xl/workbook.xml", `<workbook xmlns="` + spreadsheet + `" xmlns:r="` + relations + `"><sheets>` +
			sheets.String() + `</sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="` + packages + `relationships">` + related.String() +
			fmt.Sprintf(`<Relationship Id="rId%d" Type="%s/styles" Target="styles.xml"/></Relationships>`,
				len(w.names)+1, relations)},
		{"_rels/.rels", `<Relationships xmlns="` + packages + `relationships"><Relationship Id="rId1" Type="` +
			relations +
			`/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"[Content_Types].xml",
			`<Types xmlns="` + packages +
				`content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
				`<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="` + content + `sheet.main+xml"/>` +
				`<Override PartName="/xl/styles.xml" ContentType="` + content + `styles+xml"/>` + types.String() +
				`</Types>`},
	}
}
