//go:build volume

package api_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A shape is what the reference says of the elements of a document: their
// names in order, and of each its type.
type shape []column

// A column is one field.
type column struct {
	name, typ string
	detail    bool     // in the single record only
	included  bool     // when it is asked for only
	shows     []string // of a person
	item      string   // of a collection: the element of its items
	items     shape
}

// A manual is the reference, as a reader without the program takes it from the
// page.
type manual struct {
	fields  map[string]shape  // by the root of a record, or by the path of a list that has its own
	item    map[string]string // by the root of a list
	related []relatedList
}

// A relatedList is a row of the table of lists that belong to records.
type relatedList struct {
	path, item string // the path with <id> for the parent's
	single     bool
}

var (
	madeSection = regexp.MustCompile(`(?s)<!-- ([a-z -]+): made from[^\n]*-->\n(.*?)<!-- end -->`)
	rootsLine   = regexp.MustCompile("Collection `([^`]+)\\.xml` with root `([a-z-]+)`, record `[^`]+` with root `([a-z-]+)`")
	aliasLine   = regexp.MustCompile("are those of `([a-z-]+)`")
	fieldRow    = regexp.MustCompile("^\\| `([a-z-]+)` \\| ([a-z]+) \\| (.*) \\|$")
	holdsLine   = regexp.MustCompile("^`([a-z-]+)` holds `([a-z-]+)`:$")
	relatedRow  = regexp.MustCompile("^\\| `([^`]+)` \\| `([a-z-]+)` \\| [A-Z, ]+ \\| (.*) \\|$")
)

// readManual reads doc/kinds.md.
func readManual(t *testing.T) *manual {
	t.Helper()
	page, err := os.ReadFile("../../doc/kinds.md")
	if err != nil {
		t.Fatal(err)
	}
	m := &manual{fields: map[string]shape{}, item: map[string]string{}}
	for _, section := range madeSection.FindAllStringSubmatch(string(page), -1) {
		if section[1] == "related lists" {
			m.readRelated(section[2])
			continue
		}
		m.readKind(section[1], section[2])
	}
	if len(m.fields) < 12 || len(m.related) < 6 {
		t.Fatalf("got %d kinds and %d related lists from the page, want more", len(m.fields), len(m.related))
	}
	return m
}

func (m *manual) readRelated(section string) {
	for line := range strings.Lines(section) {
		if row := relatedRow.FindStringSubmatch(strings.TrimSpace(line)); row != nil {
			m.related = append(m.related, relatedList{row[1], row[2], row[3] != ""})
		}
	}
}

// readKind reads the section of one kind, which has the name of its records, or
// another one if it is about records in one place.
func (m *manual) readKind(name, section string) {
	roots := rootsLine.FindStringSubmatch(section)
	if roots == nil {
		return
	}
	fields := readFields(section)
	if alias := aliasLine.FindStringSubmatch(section); alias != nil {
		fields = m.fields[alias[1]]
	}
	path, list, item := roots[1], roots[2], roots[3]
	m.item[list] = item
	if name == item {
		m.fields[item] = fields
	} else {
		m.fields[path] = fields
	}
}

// of returns the fields of the records at a target, with those that documents
// have only when a single record is read.
func (m *manual) of(target, item string) shape {
	if own := m.fields[strings.TrimSuffix(pattern(target), "/<id>")]; own != nil {
		return own
	}
	return m.fields[item]
}

// shown returns the fields that the document at a target has.
func (m *manual) shown(target, item string, list bool) shape {
	_, query, _ := strings.Cut(target, "?")
	return slices.DeleteFunc(slices.Clone(m.of(target, item)), func(c column) bool {
		return list && c.detail || c.included && !strings.Contains(query, "include="+c.name)
	})
}

// readFields reads the tables of fields: that of the record, then those of its
// collections.
func readFields(section string) (fields shape) {
	into := &fields
	for line := range strings.Lines(section) {
		line = strings.TrimSpace(line)
		if holds := holdsLine.FindStringSubmatch(line); holds != nil {
			at := slices.IndexFunc(fields, func(c column) bool { return c.name == holds[1] })
			fields[at].item, into = holds[2], &fields[at].items
		}
		row := fieldRow.FindStringSubmatch(line)
		if row == nil || strings.Contains(row[3], "write-only") {
			continue
		}
		c := column{name: row[1], typ: row[2], detail: strings.HasPrefix(row[3], "single record only"),
			included: strings.Contains(row[3], "with `include=")}
		if _, shows, person := strings.Cut(row[3], "shows "); person {
			shows, _, _ = strings.Cut(shows, "; ") // the crawler is staff, who see all
			c.shows = strings.Split(shows, ", ")
		}
		*into = append(*into, c)
	}
	return fields
}
