package main

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

// docArgument makes the program write the figures of a run into the document.
const docArgument = "doc"

// docFile is the document, in whose folder its figures are.
const docFile = "performance.md"

// writeDoc renews the document in a folder and its figures from a file that -json has written.
func writeDoc(args []string) error {
	if len(args) != 2 {
		return errors.New("doc needs a file that -json has written and the folder of " + docFile +
			": doc RESULT.json doc")
	}
	r, err := readReport(args[0])
	if err != nil {
		return err
	}
	short := r.condensed()
	page, err := short.document(args[1])
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

// document returns the document of a folder with the figures of a report.
func (r *report) document(folder string) (string, error) {
	old, err := os.ReadFile(filepath.Join(folder, docFile))
	if err != nil {
		return "", err
	}
	text := string(old)
	for name, part := range r.docParts() {
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

// condensed returns the report with the medians of each comparison instead of
// its rounds, and of these what can be seen: a small part of the size.
func (r *report) condensed() *report {
	short := *r
	short.Comparisons = nil
	for _, c := range r.Comparisons {
		one := *c
		one.Ratio, one.Ours = rounded(c.ratio()), []sample{median(c.Ours).rounded()}
		if one.Theirs = nil; len(c.Theirs) > 0 {
			one.Theirs = []sample{median(c.Theirs).rounded()}
		}
		short.Comparisons = append(short.Comparisons, &one)
	}
	return &short
}

// rounded returns the sample with as many digits as mean something.
func (s sample) rounded() sample {
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
func (r *report) docParts() map[string]string {
	return map[string]string{
		"missed": r.missedText(markdown),
		"tasks":  markdown(r.taskRows(sqliteName)),
		"run": fmt.Sprintf("Measured on %s with %s on %s, %s; medians of %d rounds.",
			r.Time.Format(time.DateOnly), r.Go, r.Machine, r.paceText(), r.Rounds),
		"goals":  markdown(r.goalRows()),
		"lists":  r.each(r.listRows),
		"others": r.each(r.otherRows),
		"memory": markdown(r.memoryRows()),
		"parts":  markdown(r.partRows()),
	}
}

// each returns a table of each database that was measured, below its name.
func (r *report) each(rows func(database string) [][]string) string {
	var b strings.Builder
	for _, database := range []string{sqliteName, postgresName} {
		if all := rows(database); len(all) > 1 {
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
func (r *report) sizeHeads(words ...string) []string {
	head := slices.Clone(words)
	for _, n := range r.Sizes {
		head = append(head, counted(n))
	}
	return head
}

// databaseTitles are the names of databases for readers.
var databaseTitles = map[string]string{sqliteName: "SQLite", postgresName: "PostgreSQL"}

// counted returns a number with commas.
func counted(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
