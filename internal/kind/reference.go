package kind

import (
	"fmt"
	"slices"
	"strings"
)

// Reference returns the section of the API reference about the kind, as
// Markdown.
func (s *Schema) Reference() string {
	var b strings.Builder
	path := "/" + s.Path()
	if s.parent != nil {
		path = "/" + s.parent.Target.Path() + "/<id>" + path
	}
	fmt.Fprintf(&b, "Collection `%s.xml` with root `%s`, record `%s/<id>.xml` with root `%s`.", path, s.Plural,
		path, s.Item)
	if s.stored != nil {
		fmt.Fprintf(&b, " Fields and parameters are those of `%s`.\n", s.stored.Item)
		return b.String()
	}
	if s.Given {
		b.WriteString(" The service alone makes records; all fields are read-only.")
	}
	b.WriteString("\n\n" + s.FieldTable())
	for _, f := range s.Fields {
		if f.Type == List && !f.Hidden {
			fmt.Fprintf(&b, "\n`%s` holds `%s`:\n\n%s", f.Name, f.Items.Item, f.Items.FieldTable())
		}
	}
	b.WriteString("\n| Parameter | Looks at | Value |\n|---|---|---|\n")
	for _, f := range s.Filters {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Param, f.looksAt(), f.value())
	}
	fmt.Fprintf(&b, "| `%s` | %s | words in any order, the last one may be a beginning |\n", search, s.Searched.inWords())
	return b.String()
}

// FieldTable returns the fields of the kind's documents, as Markdown.
func (s *Schema) FieldTable() string {
	var b strings.Builder
	b.WriteString("| Field | Type | Notes |\n|---|---|---|\n")
	for _, f := range s.Fields {
		if !f.Hidden {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Name, f.Type, f.notes())
		}
	}
	return b.String()
}

// notes says in words what the declaration says in options.
func (f *Field) notes() string {
	var n []string
	add := func(ok bool, format string, args ...any) {
		if ok {
			n = append(n, fmt.Sprintf(format, args...))
		}
	}
	add(f.Detail, "single record only")
	add(f.Required, "required")
	add(f.ReadOnly && f.Type != Link && f.Type != Address && f.Type != ID, "read-only")
	add(f.Secret, "write-only")
	add(f.Unique, "unique")
	add(slices.Contains(f.schema.Together, f), "unique together with %s", f.others())
	add(f.Included, "with `include=%s` alone", f.Name)
	add(f.Unit != "", "in %s", f.Unit)
	add(f.Long, "at most %d KiB", f.Max>>10)
	add(f.OneOf != nil, "%s", f.allowed())
	add(f.Added != "", "and those that the setting `%s` adds", f.Added)
	add(f.Default != "", "at first %s", f.Default)
	add(f.Padded, "outer blanks are shown in the single record only")
	if f.Target != nil {
		add(true, "name of a %s", f.Target.Noun)
	}
	add(f.Shows != nil, "shows %s", strings.Join(f.Shows, ", "))
	add(f.staffParts != nil, "%s to staff alone", strings.Join(f.staffParts, " and "))
	add(f.Staff, "for staff alone")
	add(f.Type == List, "see below")
	return strings.Join(n, "; ")
}

// others returns the names of the fields that are unique together with this one.
func (f *Field) others() string {
	var names []string
	for _, other := range f.schema.Together {
		if other != f {
			names = append(names, other.Name)
		}
	}
	return strings.Join(names, " and ")
}

// looksAt describes the value that a filter compares.
func (f *Filter) looksAt() string {
	switch {
	case f.In != nil:
		return fmt.Sprintf("`%s` of any of the `%s`", f.Field.Name, f.In.Name)
	case f.Else != nil:
		return fmt.Sprintf("`%s`, or `%s` where that is null", f.Field.Name, f.Else.Name)
	}
	return "`" + f.Field.Name + "`"
}

// value says what a filter takes.
func (f *Filter) value() string {
	switch f.how {
	case withinDays:
		return "days: at most so long ago"
	case beforeDays:
		return "days: longer ago"
	case from:
		return f.Field.Type.String() + ": at or after it"
	case until:
		return f.Field.Type.String() + ": at or before it"
	}
	if f.Field.Type == RecordRef {
		return Text.String()
	}
	return f.Field.Type.String()
}
