package records

import (
	"slices"

	"muster/internal/kind"
	"muster/internal/web/page"
)

// A Part is a nested collection of a record.
type Part struct {
	Field string // its name
	Title string
	Heads []string
	Rows  [][]page.Cell
	Held  Fact // the collection itself
}

// partsOf returns the nested collections of a record that have items.
func partsOf(s *Section, c *page.Call, rec any) (parts []Part) {
	v := s.Kind.Values(rec)
	for _, f := range s.Kind.Fields {
		if f.Type != kind.List || f.Hidden || f.Tied || f.Included || isSideList(s, c, f) {
			continue
		}
		one := Part{Field: f.Name, Title: c.Label(f), Held: s.labelled(c, f, rec)}
		fields := slices.DeleteFunc(nameFirst(f.Items.Fields), func(sub *kind.Field) bool { return !Shown(sub) })
		for _, sub := range fields {
			one.Heads = append(one.Heads, c.Label(sub))
		}
		for item := range v.Items(f) {
			var cells []page.Cell
			for _, sub := range fields {
				cells = append(cells, c.Cell(item, sub))
			}
			one.Rows = append(one.Rows, cells)
		}
		if f.Targets != nil {
			one.link(c, f.Targets, *v.Links(f))
		}
		if len(one.Rows) > 0 {
			parts = append(parts, one)
		}
	}
	return parts
}

// nameFirst returns the fields of items with the name first.
func nameFirst(fields []*kind.Field) []*kind.Field {
	if i := slices.IndexFunc(fields, func(f *kind.Field) bool { return f.Name == "name" }); i > 0 {
		return slices.Concat(fields[i:i+1], fields[:i], fields[i+1:])
	}
	return slices.Clone(fields)
}

// isSideList reports whether the records that a field links are a list beside the
// record.
func isSideList(s *Section, c *page.Call, f *kind.Field) bool {
	return len(f.Targets) == 1 && slices.ContainsFunc(s.Relations(c.App), func(r Related) bool {
		return r.Of.Kind == f.Targets[0] && r.Path == r.Of.Path
	})
}

// link makes the names of linked records lead to these.
func (p *Part) link(c *page.Call, targets []*kind.Schema, links []kind.Linked) {
	p.Heads, p.Rows = []string{c.T("Name")}, nil
	for _, l := range links {
		one := page.Cell{Look: "text", Text: l.Name}
		if i := slices.IndexFunc(targets, func(k *kind.Schema) bool { return k.Item == l.Item }); i >= 0 {
			one = page.Cell{Look: "link", Text: l.Name, Href: c.RecordPath(targets[i], l.ID.V)}
		}
		p.Rows = append(p.Rows, []page.Cell{one})
	}
}
