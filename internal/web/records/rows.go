package records

import (
	"html/template"
	"net/url"
	"strconv"
	"strings"

	"muster/internal/kind"
	"muster/internal/web/page"
)

// SideRow returns a record as the side of a page shows it: by its name, a ticket
// also by its number, with how it is.
func SideRow(c *page.Call, s *Section, rec any) Row {
	v := s.Kind.Values(rec)
	one := Row{ID: v.ID(), Name: s.Name(rec), Href: s.RecordPath(v.ID())}
	if number := s.Kind.Field("number"); number != nil {
		one.Name = c.Cell(v, number).Text + " " + one.Name
	}
	if s.State != "" {
		one.Cells = []page.Cell{c.Cell(v, s.Kind.Field(s.State))}
	}
	return one
}

// A Row is a record as lists beside another show it.
type Row struct {
	ID    int64
	Name  string
	Href  string
	Cells []page.Cell
}

// A listPlace is where records are in a list: their pages lead through it.
type listPlace struct {
	values url.Values // of the list
	from   int        // the number of the first one
	ticks  bool       // rows can be ticked
}

// rows renders records as the rows of a table. It does without a template, which would
// take ten times as long: most of what pages show are such rows.
func (s *Section) rows(c *page.Call, records []any, shown []Column, place listPlace) template.HTML {
	b := make([]byte, 0, 1024*len(records))
	fields, begins := make([]*kind.Field, len(shown)), make([]string, len(shown))
	for i, col := range shown {
		fields[i] = s.Kind.Field(col.Field)
		begins[i] = s.cellBegin(c, fields[i], col.Class)
	}
	list := ""
	if query := page.EncodeAs(c.URL.RawQuery, place.values); query != "" {
		list = "&list=" + url.QueryEscape(query)
	}
	for n, rec := range records {
		v := s.Kind.Values(rec)
		b = append(b, `<tr role="row">`...)
		if place.ticks {
			b = append(strconv.AppendInt(append(b,
				`<td role="cell" class="pick"><input class="tick" type="checkbox" name="id" value="`...), v.ID(), 10),
				`" aria-label="`...)
			b = append(append(b, template.HTMLEscapeString(c.T("Select %s", nameTo(s, c, rec)))...), `"></td>`...)
		}
		for i, f := range fields {
			one := s.CellOf(c, v, f)
			if f.Name == s.Lead {
				one = page.Cell{
					Look: "name", Text: nameTo(s, c, rec),
					Href: s.RecordPath(v.ID()) + "?n=" + strconv.Itoa(place.from+n) + list,
				}
			}
			b = append(c.App.AppendCell(append(b, begins[i]...), &one), `</td>`...)
		}
		b = append(b, "</tr>\n"...)
	}
	return template.HTML(b)
}

// cellBegin returns how the cells of a column begin. What a person has added to
// the usual columns has its name in it: cards have no heads.
func (s *Section) cellBegin(c *page.Call, f *kind.Field, class string) string {
	label := ""
	if strings.Contains(class, "extra") {
		label = `" data-label="` + template.HTMLEscapeString(s.Heading(c.Locale, f))
	}
	return `<td role="cell" class="` + class + label + `">`
}

// StaleDays is from how many days on the time of a computer's last report warns.
const StaleDays = 10

// CellOf returns the value of a field as lists show it: the last report of a
// computer warns when it is long ago.
func (s *Section) CellOf(c *page.Call, v kind.Values, f *kind.Field) page.Cell {
	one := c.Cell(v, f)
	if one.Look == "link" { // the name is the one link of a row
		one.Look = "text"
	}
	if s.ListCell != nil {
		return s.ListCell(c, v, f, one)
	}
	return one
}
