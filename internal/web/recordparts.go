package web

import (
	"slices"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// A part is a nested collection of a record.
type part struct {
	field string // its name
	Title string
	Heads []string
	Rows  [][]cell
	Held  fact // the collection itself
}

// parts returns the nested collections of a record that have items.
func (s *section) parts(c *call, rec any) (parts []part) {
	v := s.kind.Values(rec)
	for _, f := range s.kind.Fields {
		if f.Type != kind.List || f.Hidden || f.Tied || f.Included || s.beside(c, f) {
			continue
		}
		one := part{field: f.Name, Title: c.label(f), Held: c.held(f, rec)}
		var fields []*kind.Field
		for _, sub := range f.Items.Fields {
			if shown(sub) {
				fields = append(fields, sub)
				one.Heads = append(one.Heads, c.label(sub))
			}
		}
		for item := range v.Items(f) {
			var cells []cell
			for _, sub := range fields {
				cells = append(cells, c.cell(item, sub))
			}
			one.Rows = append(one.Rows, cells)
		}
		if f.Targets != nil {
			one.link(c, *v.Links(f))
		}
		if len(one.Rows) > 0 {
			parts = append(parts, one)
		}
	}
	return parts
}

// beside reports whether the records that a field links are a list beside the
// record.
func (s *section) beside(c *call, f *kind.Field) bool {
	return len(f.Targets) == 1 && slices.ContainsFunc(s.relations(c), func(r related) bool { return r.of.kind == f.Targets[0] && r.path == r.of.path })
}

// link makes the names of linked records lead to these.
func (p *part) link(c *call, links []kind.Linked) {
	p.Heads, p.Rows = []string{c.t("Name")}, nil
	for _, l := range links {
		one := cell{Look: "text", Text: l.Name}
		if k := inventory.Find(l.Item); k != nil {
			one = cell{Look: "link", Text: l.Name, Href: c.recordPath(k, l.ID.V)}
		}
		p.Rows = append(p.Rows, []cell{one})
	}
}
