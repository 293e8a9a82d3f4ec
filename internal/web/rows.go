package web

import (
	"html/template"
	"net/url"
	"strconv"
	"strings"

	"muster/internal/kind"
)

// A row is a record as lists beside another show it.
type row struct {
	ID    int64
	Name  string
	Href  string
	Cells []cell
}

// A listPlace is where records are in a list: their pages lead through it.
type listPlace struct {
	values url.Values // of the list
	from   int        // the number of the first one
	ticks  bool       // rows can be ticked
}

// rows returns records as the rows of a table. They are written by hand: of all
// that pages show, there is most of this, and templates take ten times as long.
func (s *section) rows(c *call, records []any, shown []column, place listPlace) template.HTML {
	b := make([]byte, 0, 1024*len(records))
	fields, begins := make([]*kind.Field, len(shown)), make([]string, len(shown))
	for i, col := range shown {
		fields[i] = s.kind.Field(col.field)
		begins[i] = s.cellBegin(c, fields[i], col.class)
	}
	list := ""
	if query := encodeAs(c.URL.RawQuery, place.values); query != "" {
		list = "&list=" + url.QueryEscape(query)
	}
	for n, rec := range records {
		v := s.kind.Values(rec)
		b = append(b, `<tr role="row">`...)
		if place.ticks {
			b = append(strconv.AppendInt(append(b, `<td role="cell" class="pick"><input class="tick" type="checkbox" name="id" value="`...), v.ID(), 10), `" aria-label="`...)
			b = append(append(b, template.HTMLEscapeString(c.t("Select %s", s.nameTo(c, rec)))...), `"></td>`...)
		}
		for i, f := range fields {
			one := s.cellOf(c, v, f)
			if f.Name == s.lead {
				one = cell{Look: "name", Text: s.nameTo(c, rec), Href: s.recordPath(v.ID()) + "?n=" + strconv.Itoa(place.from+n) + list}
			}
			b = append(c.web.appendCell(append(b, begins[i]...), &one), `</td>`...)
		}
		b = append(b, "</tr>\n"...)
	}
	return template.HTML(b)
}

// cellBegin returns how the cells of a column begin. What a person has added to
// the usual columns has its name in it: cards have no heads.
func (s *section) cellBegin(c *call, f *kind.Field, class string) string {
	label := ""
	if strings.Contains(class, "extra") {
		label = `" data-label="` + template.HTMLEscapeString(s.heading(c.tongue, f))
	}
	return `<td role="cell" class="` + class + label + `">`
}

// staleDays is from how many days on the time of a computer's last report warns.
const staleDays = 10

// cellOf returns the value of a field as lists show it: the last report of a
// computer warns when it is long ago.
func (s *section) cellOf(c *call, v kind.Values, f *kind.Field) cell {
	one := c.cell(v, f)
	if one.Look == "link" { // the name is the one link of a row
		one.Look = "text"
	}
	if s.listCell != nil {
		return s.listCell(c, v, f, one)
	}
	return one
}

// appendCell appends the HTML of a cell.
func (w *Web) appendCell(b []byte, one *cell) []byte {
	text := template.HTMLEscapeString(one.Text)
	switch one.Look {
	case "name", "link":
		if one.Href == "" {
			return append(b, text...)
		}
		b = append(b, "<a "...)
		if one.Look == "name" {
			b = append(b, `class="name" `...)
		}
		b = append(append(b, `href="`...), template.HTMLEscapeString(w.at(one.Href))...)
		return append(append(append(b, `">`...), text...), "</a>"...)
	case "dot":
		return append(append(append(append(append(b, `<span class="dot `...), one.Tone...), `">`...), text...), "</span>"...)
	case "prio":
		b = append(append(append(b, `<span class="prio `...), one.Tone...), `">`...)
		return append(append(append(b, w.icon("prio-"+one.Tone)...), text...), "</span>"...)
	case "when":
		return appendWhen(b, one.When, one.Tone)
	case "out":
		b = append(append(b, `<a rel="noopener nofollow" href="`...), template.HTMLEscapeString(one.Out)...)
		return append(append(append(b, `">`...), text...), "</a>"...)
	}
	if one.Tone != "" && one.Look == "text" {
		return append(append(append(append(append(b, `<span class="`...), one.Tone...), `">`...), text...), "</span>"...)
	}
	return append(b, text...)
}

// appendWhen appends the HTML of a time.
func appendWhen(b []byte, at *moment, tone string) []byte {
	if at == nil {
		return b
	}
	b = append(append(b, `<time datetime="`...), at.ISO...)
	if tone != "" {
		b = append(append(b, `" class="`...), tone...)
	}
	b = append(append(b, `" title="`...), template.HTMLEscapeString(at.Full)...)
	return append(append(append(b, `">`...), template.HTMLEscapeString(at.Short)...), "</time>"...)
}

// cellHTML returns the HTML of a cell, for templates.
func (w *Web) cellHTML(one cell) template.HTML { return template.HTML(w.appendCell(nil, &one)) }
