package records

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"muster/internal/kind"
	"muster/internal/web/lang"
	"muster/internal/web/page"
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

// Heading returns what a list calls the values of a field.
func (s *Section) Heading(t *lang.Locale, f *kind.Field) string {
	if own, ok := s.Headings[f.Name]; ok {
		return t.T(own)
	}
	return t.Label(f)
}

// columnsCookie returns the name of the cookie with the columns that a person has
// chosen.
func (s *Section) columnsCookie() string { return "columns-" + s.Path }

// usualColumns reports whether a person has not chosen what a list shows.
func (s *Section) usualColumns(c *page.Call) bool {
	return c.CookieValue(c.CookieName(s.columnsCookie())) == ""
}

// shownColumns returns the columns that a list shows to the person: those that
// they chose, also on cards that leave some of the usual ones out, or the usual
// ones.
func (s *Section) shownColumns(c *page.Call) []Column {
	if s.usualColumns(c) {
		return s.Columns
	}
	names := strings.Split(c.CookieValue(c.CookieName(s.columnsCookie())), ".")
	var shown []Column
	for _, col := range s.allColumns() {
		if col.Field == s.Lead || slices.Contains(names, col.Field) {
			col.Class = strings.Replace(col.Class, "drop", "extra", 1)
			shown = append(shown, col)
		}
	}
	return shown
}

// allColumns returns all columns that a list can show, the usual ones first.
func (s *Section) allColumns() []Column {
	all := slices.Clone(s.Columns)
	for _, f := range s.Kind.Fields {
		usual := slices.ContainsFunc(s.Columns, func(c Column) bool { return c.Field == f.Name })
		if !usual && isColumn(f) {
			all = append(all, Column{f.Name, "cap drop"})
		}
	}
	return all
}

// columnsForm returns the form in which a person chooses columns.
func (s *Section) columnsForm(c *page.Call, values url.Values, shown []Column) columnsForm {
	form := columnsForm{
		Path: "/" + s.Path, Back: c.Address("/"+s.Path, values), Compact: c.CookieValue("density") == "compact",
	}
	for _, col := range s.allColumns() {
		form.Choices = append(form.Choices, columnChoice{
			Name: col.Field, Title: s.Heading(c.Locale, s.Kind.Field(col.Field)), Fixed: col.Field == s.Lead,
			Shown: slices.ContainsFunc(shown, func(now Column) bool { return now.Field == col.Field }),
		})
	}
	return form
}

// KeepLook keeps in the browser how the section's list shall look.
func (s *Section) KeepLook(c *page.Call) (*page.Answer, error) {
	switch {
	case c.Form.Get("usual") != "":
		c.SetCookie(s.columnsCookie(), "", -time.Second)
	case c.Form.Has("column"):
		var names []string
		for _, col := range s.allColumns() {
			if slices.Contains(c.Form["column"], col.Field) {
				names = append(names, col.Field)
			}
		}
		c.SetCookie(s.columnsCookie(), strings.Join(names, "."), page.PreferenceTime)
	}
	if density := page.OneOf(c.Form.Get("density"), page.Preferences["density"]...); density != "" {
		c.SetPreference("density", density, page.PreferenceTime)
	}
	return c.GoTo(page.OwnPath(c.Form.Get("to")))
}

// heads returns the heads of the columns.
func (s *Section) heads(c *page.Call, q *kind.Query, values url.Values, shown []Column) (heads []head) {
	for _, col := range shown {
		f := s.Kind.Field(col.Field)
		h := head{Title: s.Heading(c.Locale, f), Class: headClass(col.Class), Width: s.width(f)}
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
			h.Href = c.Address("/"+s.Path, page.With(page.With(values, "sort_by", f.Column()), "sort_order", order))
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
func (s *Section) width(f *kind.Field) string {
	if own := s.Widths[f.Name]; own != "" {
		return own
	}
	switch {
	case f.Name == s.Lead && s.ShortName:
		return "w-name"
	case f.Name == s.Lead:
		return ""
	case f.Name == "number" || f.Type == kind.Boolean:
		return "w-5"
	case f.Name == s.State, f.OneOf != nil, f.Days != nil:
		return "w-9"
	case f.Type == kind.Time, f.Type == kind.Date, f.Type == kind.Integer, f.Name == "site", f.Name == "asset-id":
		return "w-6"
	case s.ShortName:
		return ""
	case f.Type == kind.PersonRef, f.Type == kind.RecordRef:
		return "w-10"
	}
	return "w-9"
}
