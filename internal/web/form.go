package web

import (
	"html/template"
	"net/url"
	"slices"
	"strings"

	"muster/internal/kind"
)

// A formPage is what the page of a form shows.
type formPage struct {
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
	Groups        []inputGroup
}

// A formFault is what is wrong with a form, and where.
type formFault struct {
	Text string
	ID   string // of the input, "" when it belongs to none
}

// An inputGroup is a part of a form.
type inputGroup struct {
	Title  string
	Inputs []input
}

// An input is where a person sets the value of a field.
type input struct {
	field *kind.Field

	ID, Name, Label string
	Look            string // text, area, select, tick, date, time, password, links, items
	Mode            string // which keyboard a telephone shows
	Value           string
	Hint, Fault     string
	Required, First bool // First has the focus
	Max             int
	Options         []option
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

// An option is a value that can be chosen.
type option struct {
	Value, Label string
	Chosen       bool
}

// A clash is a field that two people have changed at the same time.
type clash struct{ Theirs, Mine string }

// editable reports whether forms have an input for a field.
func editable(f *kind.Field) bool {
	return f.Editable() && !f.Computed && !f.Included && !f.Kept && f.Days == nil && !f.Tied
}

// isNew reports whether the page is about a record that is not yet there.
func (c *call) isNew() bool { return c.PathValue("id") == "" }

// saysHow reports whether a field says how a record is changed, and not what it is.
func saysHow(f *kind.Field) bool { return f.Secret && f.Type == kind.Boolean }

// inputGroups returns the inputs of a form in the groups of the section, with
// values as browsers send them. Names are those of linked records.
func (s *section) inputGroups(c *call, values url.Values, names map[string]string) (groups []inputGroup) {
	done := map[*kind.Field]bool{}
	add := func(title string, fields []*kind.Field) {
		group := inputGroup{Title: title}
		for _, f := range fields {
			if !done[f] && editable(f) && !(c.isNew() && saysHow(f)) {
				done[f] = true
				group.Inputs = append(group.Inputs, s.input(c, f, values, names))
			}
		}
		if len(group.Inputs) > 0 {
			groups = append(groups, group)
		}
	}
	for _, g := range s.facts {
		var fields []*kind.Field
		for _, name := range g.fields {
			fields = append(fields, s.kind.Field(name))
		}
		add(c.t(g.title), fields)
	}
	add(c.t("More"), slices.DeleteFunc(slices.Clone(s.kind.Fields), func(f *kind.Field) bool { return f.Type == kind.List }))
	for _, f := range s.kind.Fields {
		add(c.label(f), []*kind.Field{f})
	}
	return groups
}

// input returns the input of a field of the record.
func (s *section) input(c *call, f *kind.Field, values url.Values, names map[string]string) input {
	in := c.control(f, f.Name, values)
	if f.Name == s.lead {
		in.Label = s.heading(c.tongue, f) // as lists call it
	}
	switch {
	case f.Targets != nil:
		in.Look, in.Search, in.Add = "links", values.Get(findPrefix+f.Name), c.t("Find")
		in.Options, in.Suggest = linkOptions(values[f.Name], names), "/suggest/"+s.path+"/"+f.Name
	case f.Type == kind.List:
		in.Look, in.Add = "items", c.t("Add row")
		c.rows(&in, f, values)
	default:
		in.Suggest = s.suggestions(f)
	}
	if s.special.input != nil {
		s.special.input(c, &in, f)
	}
	return in
}

// suggestions returns the path that suggests values of a field, "" for none.
func (s *section) suggestions(f *kind.Field) string {
	if f.Type == kind.PersonRef || f.Type == kind.RecordRef || f.Type == kind.Text && f.OneOf == nil && f.Countable() && !f.Rare {
		return "/suggest/" + s.path + "/" + f.Name
	}
	return ""
}

// control returns the input of one value, by the name that it has in the form.
func (c *call) control(f *kind.Field, name string, values url.Values) input {
	in := input{
		field: f, ID: "i-" + strings.ReplaceAll(name, ".", "-"), Name: name, Label: c.label(f), Look: inputLook(f), Mode: inputMode(f),
		Required: f.Required, Max: f.Max, Hint: c.hint(f),
	}
	if given := values[name]; len(given) > 0 && !f.Secret {
		in.Value = given[len(given)-1]
	}
	for _, value := range c.web.Desk.Allowed(f) {
		in.Options = append(in.Options, option{value, c.value(value), value == in.Value})
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
	case isSize(f): // whose unit has letters
		return ""
	case f.Type == kind.Integer:
		return "numeric"
	case f.Type == kind.Amount:
		return "decimal"
	}
	return ""
}

// hint returns what helps to fill in a field.
func (c *call) hint(f *kind.Field) string {
	switch {
	case f.Type == kind.PersonRef:
		return c.t("Name or email address")
	case f.Type == kind.RecordRef:
		return c.t("A new name makes a new %s", c.t(f.Target.Noun))
	case f.Type == kind.Time:
		return c.t("Time zone: %s", c.zone().String())
	case saysHow(f):
		return c.t("With a new password they are revoked otherwise.")
	case f.Secret && c.isNew():
		return c.t("At least 12 characters. Without one they cannot sign in.")
	case f.Secret:
		return c.t("At least 12 characters. Leave it empty to keep the present one.")
	case isSize(f):
		return c.t("Such as 16 GB; without a unit in MB")
	case f.Unit != "":
		return c.t("In %s", f.Unit)
	}
	return ""
}

// linkOptions returns linked records by the values that the form has for them.
func linkOptions(values []string, names map[string]string) (all []option) {
	for _, value := range values {
		if value = strings.TrimSpace(value); value == "" || slices.ContainsFunc(all, func(o option) bool { return o.Value == value }) {
			continue
		}
		label := names[value]
		if label == "" {
			label = value
		}
		all = append(all, option{value, label, true})
	}
	return all
}

// each calls a function with every input of a form, in order, until it returns
// false.
func (p *formPage) each(f func(*input) bool) {
	for g := range p.Groups {
		for i := range p.Groups[g].Inputs {
			if !f(&p.Groups[g].Inputs[i]) {
				return
			}
		}
	}
}
