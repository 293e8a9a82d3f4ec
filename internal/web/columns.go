package web

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"muster/internal/kind"
)

// A columnsForm is the form in which a person chooses what a list shows.
type columnsForm struct {
	Path    string // of the list
	Back    string // the address to come back to
	Choices []columnChoice
	Compact bool // rows are low
}

// A columnChoice is a column that a list may have.
type columnChoice struct {
	Name, Title string
	Shown       bool
	Fixed       bool // it is always there
}

// A head is the head of a column.
type head struct {
	Title string
	Class string
	Width string // class of the column
	Href  string // that sorts by it, "" where lists cannot be
	Sort  string // ascending or descending, "" when the list is not sorted by it
}

// headings are what people call some columns, by kind and field, where the
// field's own label says less.
var headings = map[string]string{
	"hardware.operating-system": "System",
	"hardware.cpu":              "Processor",
	"ticket.name":               "Subject",
	"ticket.number":             "No.",
	"ticket.hardwares":          "Computer",
	"ticket.created-at":         "Age",
	"ticket.due-at":             "Due",
	"audit.message":             "What",
	"audit.created-at":          "When",
	"audit.user":                "Who",
}

// heading returns what a list calls the values of a field.
func (s *section) heading(t *tongue, f *kind.Field) string {
	if own, ok := headings[s.kind.Item+"."+f.Name]; ok {
		return t.t(own)
	}
	return t.label(f)
}

// columnsCookie returns the name of the cookie with the columns that a person has
// chosen.
func (s *section) columnsCookie() string { return "columns-" + s.path }

// usualColumns reports whether a person has not chosen what a list shows.
func (s *section) usualColumns(c *call) bool { return c.cookieValue(c.cookie(s.columnsCookie())) == "" }

// shownColumns returns the columns that a list shows to the person: those that
// they chose, also on cards that leave some of the usual ones out, or the usual
// ones.
func (s *section) shownColumns(c *call) []column {
	if s.usualColumns(c) {
		return s.columns
	}
	names := strings.Split(c.cookieValue(c.cookie(s.columnsCookie())), ".")
	var shown []column
	for _, col := range s.allColumns() {
		if col.field == s.lead || slices.Contains(names, col.field) {
			col.class = strings.Replace(col.class, "drop", "extra", 1)
			shown = append(shown, col)
		}
	}
	return shown
}

// allColumns returns all columns that a list can show, the usual ones first.
func (s *section) allColumns() []column {
	all := slices.Clone(s.columns)
	for _, f := range s.kind.Fields {
		usual := slices.ContainsFunc(s.columns, func(c column) bool { return c.field == f.Name })
		if !usual && !f.Detail && !f.Long && shown(f) {
			all = append(all, column{f.Name, "cap drop"})
		}
	}
	return all
}

// columnsForm returns the form in which a person chooses columns.
func (s *section) columnsForm(c *call, values url.Values, shown []column) columnsForm {
	form := columnsForm{Path: "/" + s.path, Back: c.address("/"+s.path, values), Compact: c.cookieValue("density") == "compact"}
	for _, col := range s.allColumns() {
		form.Choices = append(form.Choices, columnChoice{
			Name: col.field, Title: s.heading(c.tongue, s.kind.Field(col.field)), Fixed: col.field == s.lead,
			Shown: slices.ContainsFunc(shown, func(now column) bool { return now.field == col.field }),
		})
	}
	return form
}

// keepLook keeps in the browser how the section's list shall look.
func (s *section) keepLook(c *call) (*answer, error) {
	switch {
	case c.form.Get("usual") != "":
		c.setCookie(s.columnsCookie(), "", -time.Second)
	case c.form.Has("column"):
		var names []string
		for _, col := range s.allColumns() {
			if slices.Contains(c.form["column"], col.field) {
				names = append(names, col.field)
			}
		}
		c.setCookie(s.columnsCookie(), strings.Join(names, "."), preferenceTime)
	}
	if density := oneOf(c.form.Get("density"), preferences["density"]...); density != "" {
		c.setPreference("density", density, preferenceTime)
	}
	return c.goTo(ownPath(c.form.Get("to")))
}

// heads returns the heads of the columns.
func (s *section) heads(c *call, q *kind.Query, values url.Values, shown []column) (heads []head) {
	for _, col := range shown {
		f := s.kind.Field(col.field)
		h := head{Title: s.heading(c.tongue, f), Class: headClass(col.class), Width: s.width(f)}
		if f.Sortable() {
			order := "ASC"
			if q.Sort == f {
				h.Sort = "ascending"
				if q.Desc {
					h.Sort = "descending"
				} else {
					order = "DESC"
				}
			}
			h.Href = c.address("/"+s.path, with(with(values, "sort_by", f.Column()), "sort_order", order))
		}
		heads = append(heads, h)
	}
	return heads
}

// headClass returns of the class of a column's cells what its head needs: the
// rest is about cards.
func headClass(class string) string {
	var own []string
	for word := range strings.FieldsSeq(class) {
		if word == "p3" || word == "p4" || word == "end" {
			own = append(own, word)
		}
	}
	return strings.Join(own, " ")
}

// width returns the class by which a column gets its width, "" for a share of
// what is left.
func (s *section) width(f *kind.Field) string {
	if own := s.widths[f.Name]; own != "" {
		return own
	}
	switch {
	case f.Name == s.lead && s.shortName:
		return "w-name"
	case f.Name == s.lead:
		return ""
	case f.Name == "number" || f.Type == kind.Boolean:
		return "w-5"
	case f.Name == s.state, f.OneOf != nil, f.Days != nil:
		return "w-9"
	case f.Type == kind.Time, f.Type == kind.Date, f.Type == kind.Integer, f.Name == "site", f.Name == "asset-id":
		return "w-6"
	case s.shortName:
		return ""
	case f.Type == kind.PersonRef, f.Type == kind.RecordRef:
		return "w-10"
	}
	return "w-9"
}
