package sheet

import (
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"muster/internal/message"
)

// readCSV reads rows that are lines of cells. A quotation mark within a cell
// that does not begin with one is a character like others, as in 14" screens;
// such files are read once more.
func readCSV(file []byte, b *builder) error {
	text := decode(file)
	if line, _, _ := strings.Cut(text, "\n"); strings.ContainsFunc(line, noText) {
		return message.Errorf("the file is neither an XLSX workbook nor text with commas: " +
			"save the table as one of them")
	}
	comma, text, first := separator(text)
	err := readLines(text, comma, first, false, b)
	if errors.Is(err, csv.ErrBareQuote) {
		*b = builder{table: &Table{}, even: b.even}
		err = readLines(text, comma, first, true, b)
	}
	if e, ok := errors.AsType[*csv.ParseError](err); ok {
		return message.Errorf("line %d: the quotation marks do not match: %v", e.StartLine+first-1, e.Err)
	}
	return err
}

// noText reports whether no text has a character.
func noText(r rune) bool { return r < ' ' && r != '\t' && r != '\r' }

// readLines reads the rows of a text, of which the first line has a number.
func readLines(text string, comma rune, first int, lazy bool, b *builder) error {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = comma, -1, lazy
	number, end := first-1, 0 // the row before, and the line in which it ended
	for {
		cells, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		line, _ := r.FieldPos(0)
		number += line - end // lines between them are empty rows
		end = line
		for _, cell := range cells {
			end += strings.Count(cell, "\n")
		}
		if err := b.add(number, cells, message.Text{}); err != nil {
			return err
		}
	}
}

// separators are the characters that stand between cells, the most usual first.
const separators = ",;\t|"

// separator returns what stands between the cells of a text, as its first line
// says by sep=; or as its first lines let guess, the text without such a line,
// and the number of its first line.
func separator(text string) (comma rune, rest string, first int) {
	line, rest, _ := strings.Cut(text, "\n")
	if sep, ok := strings.CutPrefix(strings.TrimRight(line, "\r"), "sep="); ok && len(sep) == 1 &&
		strings.Contains(separators, sep) {
		return rune(sep[0]), rest, 2
	}
	best, most := ',', 0
	for _, sep := range separators {
		if n := regular(text, sep); n > most {
			best, most = sep, n
		}
	}
	return best, text, 1
}

// guessLines is how many lines are looked at for the separator.
const guessLines = 20

// regular returns how often a separator occurs in the first line, outside of
// quotation marks, times the number of lines in which it occurs as often.
func regular(text string, sep rune) (score int) {
	inFirst, n, lines, quoted := -1, 0, 0, false
	for _, c := range text {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == sep:
			n++
		case c == '\n':
			if inFirst < 0 {
				inFirst = n
			}
			if n == inFirst {
				score += n
			}
			n = 0
			if lines++; lines == guessLines {
				return score
			}
		}
	}
	if inFirst < 0 || n == inFirst { // the last line has no end
		score += n
	}
	return score
}
