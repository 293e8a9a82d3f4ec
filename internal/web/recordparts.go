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
		fields := slices.DeleteFunc(nameFirst(f.Items.Fields), func(sub *kind.Field) bool { return !shown(sub) })
		for _, sub := range fields {
			one.Heads = append(one.Heads, c.label(sub))
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

// nameFirst returns the fields of items with their name in front, by which people
// tell them apart.
func nameFirst(fields []*kind.Field) []*kind.Field {
	if i := slices.IndexFunc(fields, func(f *kind.Field) bool { return f.Name == "name" }); i > 0 {
		return slices.Concat(fields[i:i+1], fields[:i], fields[i+1:])
	}
	return slices.Clone(fields)
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
