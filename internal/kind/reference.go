package kind

import (
	"fmt"
	"strings"
)

// Reference returns the section of the API reference about the kind, as
// Markdown.
func (s *Schema) Reference() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Collection `/%s.xml` with root `%s`, record `/%s/<id>.xml` with root `%s`.\n\n", s.Path(), s.Plural, s.Path(), s.Item)
	b.WriteString("| Field | Type | Notes |\n|---|---|---|\n")
	for _, f := range s.Fields {
		if !f.Hidden {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Name, f.Type, f.notes())
		}
	}
	for _, f := range s.Fields {
		if f.Type == List && !f.Hidden {
			fmt.Fprintf(&b, "\n`%s` holds `%s`:\n\n| Field | Type | Notes |\n|---|---|---|\n", f.Name, f.Items.Item)
			for _, sub := range f.Items.Fields {
				if sub.Hidden {
					continue
				}
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", sub.Name, sub.Type, sub.notes())
			}
		}
	}
	b.WriteString("\n| Parameter | Looks at | Value |\n|---|---|---|\n")
	for _, f := range s.Filters {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Param, f.looksAt(), f.value())
	}
	fmt.Fprintf(&b, "| `%s` | %s | words in any order, the last one may be a beginning |\n", search, s.textNames())
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
	add(f.Type == List, "see below")
	return strings.Join(n, "; ")
}

// looksAt says which value a filter is held against.
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
		return fmt.Sprintf("days, 0 to %d: at most so long ago", maxDays)
	case beforeDays:
		return fmt.Sprintf("days, 0 to %d: longer ago", maxDays)
	case from:
		return f.want() + ": at or after it"
	case until:
		return f.want() + ": at or before it"
	}
	switch f.Field.Type {
	case Text, RecordRef:
		return "text, any case, `*` for any run of characters"
	case PersonRef:
		return "e-mail address or name, as text"
	case Time, Date:
		return f.want()
	}
	return f.Field.Type.String()
}
