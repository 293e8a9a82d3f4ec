package records

import (
	"html/template"
	"net/url"
	"slices"
	"strings"

	"muster/internal/kind"
	"muster/internal/web/lang"
	"muster/internal/web/page"
)

// A FormPage is what the page of a form shows.
type FormPage struct {
	List, Section string // path and title of the section
	Title         string
	Action        string // the path that the form is posted to
	Back          string // the path of who changes their mind
	Save          string // on its button
	Version       int64  // of the record that is changed, 0 for a new one
	Key           string // makes the same form that is sent twice one record, "" where none is made
	Was           string // what the fields had when the form was shown
	Notice        string // of what happened meanwhile
	Faults        []formFault
	Groups        []InputGroup
}

// A formFault is what is wrong with a form, and where.
type formFault struct {
	Text string
	ID   string // of the input, "" when it belongs to none
}

// An InputGroup is a part of a form.
type InputGroup struct {
	Title  string
	Inputs []Input
}

// An Input is where a person sets the value of a field.
type Input struct {
	field *kind.Field

	ID, Name, Label string
	Look            string // text, area, select, tick, date, time, password, links, items
	Mode            string // which keyboard a telephone shows
	Value           string
	Hint, Fault     string
	Required, First bool // First has the focus
	Max             int
	Options         []Option
	Suggest         string // path that suggests values
	Markdown        bool
	Preview         template.HTML
	Add             string    // on the button that adds a row or a linked record
	Search          string    // what linked records are looked for by
	Heads           []string  // of items
	Rows            []itemRow // of a nested collection
	Blank           *itemRow  // for rows that a script adds
	Open            bool      // the rows are not folded away
	Clash           *clash    // what another person has set meanwhile, nil for nothing
}

// An Option is a value that can be chosen.
type Option struct {
	Value, Label string
	Chosen       bool
}

// A clash is a field that two people have changed at the same time.
type clash struct{ Theirs, Mine string }

// Editable reports whether forms have an input for a field.
func Editable(f *kind.Field) bool {
	return f.Editable() && !f.Computed && !f.Included && !f.Kept && f.Days == nil && !f.Tied
}

// isNew reports whether the page is about a record that is not yet there.
func isNew(c *page.Call) bool { return c.PathValue("id") == "" }

// isInstruction reports whether a field says how a record is changed, and not what it is.
func isInstruction(f *kind.Field) bool { return f.Secret && f.Type == kind.Boolean }

// inputGroups returns the inputs of a form in the groups of the section, with
// values as browsers send them. Names are those of linked records.
func inputGroups(s *Section, c *page.Call, values url.Values, names map[string]string) (groups []InputGroup) {
	done := map[*kind.Field]bool{}
	add := func(title string, fields []*kind.Field) {
		group := InputGroup{Title: title}
		for _, f := range fields {
			if !done[f] && Editable(f) && !(isNew(c) && isInstruction(f)) {
				done[f] = true
				group.Inputs = append(group.Inputs, s.Input(c, f, values, names))
			}
		}
		if len(group.Inputs) > 0 {
			groups = append(groups, group)
		}
	}
	for _, g := range s.Facts {
		var fields []*kind.Field
		for _, name := range g.Fields {
			fields = append(fields, s.Kind.Field(name))
		}
		add(c.T(g.Title), fields)
	}
	add(c.T("More"), slices.DeleteFunc(slices.Clone(s.Kind.Fields),
		func(f *kind.Field) bool { return f.Type == kind.List }))
	for _, f := range s.Kind.Fields {
		add(c.Label(f), []*kind.Field{f})
	}
	return groups
}

// Input returns the input of a field of the record.
func (s *Section) Input(c *page.Call, f *kind.Field, values url.Values, names map[string]string) Input {
	in := Control(c, f, f.Name, values)
	if f.Name == s.Lead {
		in.Label = s.Heading(c.Locale, f) // as lists call it
	}
	switch {
	case f.Targets != nil:
		in.Look, in.Search, in.Add = "links", values.Get(findPrefix+f.Name), c.T("Find")
		in.Options, in.Suggest = linkOptions(values[f.Name], names), "/suggest/"+s.Path+"/"+f.Name
	case f.Type == kind.List:
		in.Look, in.Add = "items", c.T("Add row")
		rows(c, &in, f, values)
	default:
		in.Suggest = suggestions(s, f)
	}
	if s.Special.Input != nil {
		s.Special.Input(c, &in, f)
	}
	return in
}

// suggestions returns the path that suggests values of a field, "" for none.
func suggestions(s *Section, f *kind.Field) string {
	if f.Type == kind.PersonRef || f.Type == kind.RecordRef || f.Type == kind.Text && f.OneOf == nil &&
		f.Countable() && !f.Rare {
		return "/suggest/" + s.Path + "/" + f.Name
	}
	return ""
}

// Control returns the input of one value, by the name that it has in the form.
func Control(c *page.Call, f *kind.Field, name string, values url.Values) Input {
	in := Input{
		field: f, ID: "i-" + strings.ReplaceAll(name, ".", "-"), Name: name, Label: c.Label(f), Look: inputLook(f),
		Mode:     inputMode(f),
		Required: f.Required, Max: f.Max, Hint: hint(c, f),
	}
	if given := values[name]; len(given) > 0 && !f.Secret {
		in.Value = given[len(given)-1]
	}
	for _, value := range c.App.Desk.Settings().Allowed(f) {
		in.Options = append(in.Options, Option{value, c.Value(value), value == in.Value})
	}
	return in
}

// inputLook returns how the value of a field is asked for.
func inputLook(f *kind.Field) string {
	switch {
	case f.Secret && f.Type == kind.Text:
		return "password"
	case f.Long:
		return "area"
	case f.OneOf != nil:
		return "select"
	}
	switch f.Type {
	case kind.Boolean:
		return "tick"
	case kind.Date:
		return "date"
	case kind.Time:
		return "time"
	}
	return "text"
}

// inputMode returns which keyboard a telephone shows for a text, "" for the
// usual one.
func inputMode(f *kind.Field) string {
	switch {
	case lang.IsSize(f): // whose unit has letters
		return ""
	case f.Type == kind.Integer:
		return "numeric"
	case f.Type == kind.Amount:
		return "decimal"
	}
	return ""
}

// hint returns what helps to fill in a field.
func hint(c *page.Call, f *kind.Field) string {
	switch {
	case f.Type == kind.PersonRef:
		return c.T("Name or email address")
	case f.Type == kind.RecordRef:
		return c.T("A new name creates a new %s", c.T(f.Target.Noun))
	case f.Type == kind.Time:
		return c.T("Time zone: %s", c.Zone().String())
	case isInstruction(f):
		return c.T("Otherwise a new password revokes them.")
	case f.Secret && isNew(c):
		return c.T("At least 12 characters. Without one they cannot sign in.")
	case f.Secret:
		return c.T("At least 12 characters. Leave empty to keep the current one.")
	case lang.IsSize(f):
		return c.T("Such as 16 GB; without a unit in MB")
	case f.Unit != "":
		return c.T("In %s", f.Unit)
	}
	return ""
}

// linkOptions returns linked records by the values that the form has for them.
func linkOptions(values []string, names map[string]string) (all []Option) {
	for _, value := range values {
		if value = strings.TrimSpace(value); value == "" ||
			slices.ContainsFunc(all, func(o Option) bool { return o.Value == value }) {
			continue
		}
		label := names[value]
		if label == "" {
			label = value
		}
		all = append(all, Option{value, label, true})
	}
	return all
}

// Each calls a function with every input of a form, in order, until it returns
// false.
func (p *FormPage) Each(f func(*Input) bool) {
	for g := range p.Groups {
		for i := range p.Groups[g].Inputs {
			if !f(&p.Groups[g].Inputs[i]) {
				return
			}
		}
	}
}
