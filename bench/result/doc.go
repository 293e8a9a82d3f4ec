package result

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// DocArgument makes the program write the figures of a run into the document.
const DocArgument = "doc"

// docFile is the document, in whose folder its figures are.
const docFile = "performance.md"

// A Layout tells which comparisons stand in the tables of the document that are not of all there are.
type Layout struct {
	Tasks []Row // what people do, each with one operation
	Lists []Row // of computers, each with its pages
}

// A Row of a table begins with words and has figures of operations.
type Row struct {
	Words      []string
	Operations []string
}

// WriteDoc renews the document in a folder and its figures from a file that -json has written.
func WriteDoc(args []string, l Layout) error {
	if len(args) != 2 {
		return errors.New("doc needs a file that -json has written and the folder of " + docFile +
			": doc RESULT.json doc")
	}
	r, err := Read(args[0])
	if err != nil {
		return err
	}
	short := r.condensed()
	page, err := short.document(args[1], l)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(args[1], docFile), []byte(page), 0o644); err != nil {
		return err
	}
	text, err := short.marshal("")
	if err != nil {
		return err
	}
	// a line each, for those who look at changes
	text = bytes.ReplaceAll(text, []byte(`,{"name"`), []byte(",\n{\"name\""))
	return os.WriteFile(filepath.Join(args[1], "performance.json"), text, 0o644)
}

// document returns the document of a folder with the figures of a run.
func (r *Run) document(folder string, l Layout) (string, error) {
	old, err := os.ReadFile(filepath.Join(folder, docFile))
	if err != nil {
		return "", err
	}
	text := string(old)
	for name, part := range r.docParts(l) {
		if text, err = replacePart(text, name, part); err != nil {
			return "", err
		}
	}
	return text, nil
}

// replacePart puts figures between the comments that mark their place.
func replacePart(text, name, part string) (string, error) {
	place := regexp.MustCompile(`(?s)<!-- ` + regexp.QuoteMeta(name) + `: [^\n]*-->\n(.*?)<!-- end -->`)
	at := place.FindStringSubmatchIndex(text)
	if at == nil {
		return "", fmt.Errorf("%s has no place for %s, which begins with <!-- %s: made from performance.json --> and ends with <!-- end -->", docFile, name, name)
	}
	return text[:at[2]] + "\n" + strings.TrimSpace(part) + "\n\n" + text[at[3]:], nil
}

// condensed returns the run with the medians of each comparison instead of
// its rounds, and of these what can be seen: a small part of the size.
func (r *Run) condensed() *Run {
	short := *r
	short.Comparisons = nil
	for _, c := range r.Comparisons {
		one := *c
		one.Ratio, one.Ours = rounded(c.Times()), []Sample{Median(c.Ours).rounded()}
		if one.Theirs = nil; len(c.Theirs) > 0 {
			one.Theirs = []Sample{Median(c.Theirs).rounded()}
		}
		short.Comparisons = append(short.Comparisons, &one)
	}
	return &short
}

// rounded returns the sample with as many digits as mean something.
func (s Sample) rounded() Sample {
	for _, figure := range []*float64{
		&s.CPU, &s.Allocs, &s.AllocBytes, &s.Bytes, &s.P50, &s.P99, &s.PerSecond, &s.Resident, &s.DatabaseCPU, &s.Pace,
	} {
		*figure = rounded(*figure)
	}
	return s
}

// rounded returns a figure with four digits.
func rounded(x float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	if err != nil {
		panic("unreachable: a number that was just written cannot be read: " + err.Error())
	}
	return short
}

// docParts returns the figures of the document, by the names of their places.
func (r *Run) docParts(l Layout) map[string]string {
	return map[string]string{
		"missed": r.missedText(markdown),
		"tasks":  markdown(r.taskRows(SQLite, l.Tasks)),
		"run": fmt.Sprintf("Measured on %s with %s on %s, %s; medians of %d rounds.",
			r.Time.Format(time.DateOnly), r.Go, r.Machine, r.paceText(), r.Rounds),
		"goals":  markdown(r.goalRows()),
		"lists":  r.each(r.listRows, l),
		"others": r.each(r.otherRows, l),
		"memory": markdown(r.memoryRows()),
		"work":   r.workParts(),
		"parts":  markdown(r.partRows()),
	}
}

// each returns a table of each database that was measured, below its name.
func (r *Run) each(rows func(database string, l Layout) [][]string, l Layout) string {
	var b strings.Builder
	for _, database := range []string{SQLite, Postgres} {
		if all := rows(database, l); len(all) > 1 {
			fmt.Fprintf(&b, "**%s**\n\n%s\n", databaseTitles[database], markdown(all))
		}
	}
	return b.String()
}

// markdown returns rows as a table, the first of them as its head.
func markdown(rows [][]string) string {
	var b strings.Builder
	for i, row := range rows {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
	return b.String()
}

// sizeHeads returns words with a column for each size behind them.
func (r *Run) sizeHeads(words ...string) []string {
	head := slices.Clone(words)
	for _, n := range r.Sizes {
		head = append(head, Counted(n))
	}
	return head
}

// databaseTitles are the names of databases for readers.
var databaseTitles = map[string]string{SQLite: "SQLite", Postgres: "PostgreSQL"}

// Counted returns a number with commas.
func Counted(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
