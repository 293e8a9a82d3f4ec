package sheet

import (
	"encoding/csv"
	"io"
	"strings"
)

// formulas are the characters with which spreadsheets let formulas begin.
const formulas = "=+-@\t\r"

// Safe returns a text as a cell of CSV that no spreadsheet takes for a formula.
func Safe(text string) string {
	if text != "" && strings.ContainsRune(formulas, rune(text[0])) {
		return "'" + text
	}
	return text
}

// Plain returns the text that Safe has made one of.
func Plain(cell string) string {
	if len(cell) > 1 && cell[0] == '\'' && strings.ContainsRune(formulas, rune(cell[1])) {
		return cell[1:]
	}
	return cell
}

// WriteCSV writes rows as CSV that spreadsheets read as it is meant: in UTF-8,
// with a byte order mark, and without formulas.
func WriteCSV(w io.Writer, rows func(yield func([]string) bool)) error {
	if _, err := io.WriteString(w, "\ufeff"); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	var safe []string
	for cells := range rows {
		safe = safe[:0]
		for _, cell := range cells {
			safe = append(safe, Safe(cell))
		}
		if err := out.Write(safe); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
