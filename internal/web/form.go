package web

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/internal/kind"
)

// A formPage is what the page of a form shows.
type formPage struct {
	Title   string
	Action  string   // the path that the form is posted to
	Back    string   // the path of who changes their mind
	Save    string   // on its button
	Version int64    // of the record that is changed, 0 for a new one
	Notice  string   // of what happened meanwhile
	Faults  []string // that belong to no input
	Inputs  []input
}

// An input is where a person sets the value of a field.
type input struct {
	ID, Name, Label string
	Look            string // text, area, select, tick, date, time, number, password, links, items
	Value           string
	Hint, Fault     string
	Required, First bool // First has the focus
	Max             int
	Options         []option
	Heads           []string  // of items
	Items           [][]input // rows of a nested collection, the last one empty
}

// An option is a value that can be chosen.
type option struct {
	Value, Label string
	Chosen       bool
}

// inputs returns the inputs for the fields that a person may set: with what was
// sent, if something was, else with what the record has.
func (s *section) inputs(c *call, rec any, sent url.Values) (inputs []input) {
	v := s.kind.Values(rec)
	for _, f := range s.kind.Fields {
		if f.Editable() && !f.Computed && !f.Included && !f.Kept && f.Days == nil && !f.Tied {
			inputs = append(inputs, c.input(v, f, f.Name, sent))
		}
	}
	return inputs
}

// input returns the input of one field.
func (c *call) input(v kind.Values, f *kind.Field, name string, sent url.Values) input {
	in := input{
		ID: "i-" + strings.ReplaceAll(name, ".", "-"), Name: name, Label: c.label(f), Required: f.Required, Max: f.Max, Hint: c.hint(f),
	}
	switch {
	case f.Targets != nil:
		in.Look, in.Options = "links", linkOptions(f, *v.Links(f), sent)
		return in
	case f.Type == kind.List:
		in.Look = "items"
		in.Heads, in.Items = c.items(v, f, sent)
		return in
	}
	in.Look, in.Value = inputLook(f), c.inputValue(v, f)
	if given, ok := sent[name]; ok {
		in.Value = given[len(given)-1]
	}
	for _, value := range c.web.Desk.Allowed(f) {
		in.Options = append(in.Options, option{value, c.t(value), value == in.Value})
	}
	return in
}

// maxOptions is how many values can be chosen from; more are typed.
const maxOptions = 50

// inputLook returns how the value of a field is asked for.
func inputLook(f *kind.Field) string {
	switch {
	case f.Secret:
		return "password"
	case f.Long:
		return "area"
	case f.OneOf != nil && len(f.OneOf) <= maxOptions:
		return "select"
	}
	switch f.Type {
	case kind.Boolean:
		return "tick"
	case kind.Date:
		return "date"
	case kind.Time:
		return "time"
	case kind.Integer:
		return "number"
	}
	return "text"
}

// localTime is how browsers write a time that people set.
const localTime = "2006-01-02T15:04"

// inputValue returns the value of a field as its input has it.
func (c *call) inputValue(v kind.Values, f *kind.Field) string {
	if f.Type == kind.Time && !v.Time(f).IsZero() {
		return v.Time(f).In(c.zone()).Format(localTime)
	}
	return v.Format(f)
}

// hint returns what helps to fill in a field.
func (c *call) hint(f *kind.Field) string {
	switch {
	case f.Type == kind.PersonRef:
		return c.t("Name or mail address")
	case f.Secret:
		return c.t("Leave it empty to keep the present one")
	case f.Unit != "":
		return f.Unit
	case f.Targets != nil:
		return c.t("Numbers of the records, each in a field of its own")
	}
	return ""
}

// linkOptions returns the linked records, or what was sent instead.
func linkOptions(f *kind.Field, links []kind.Linked, sent url.Values) (all []option) {
	for _, l := range links {
		value := strconv.FormatInt(l.ID.V, 10)
		if len(f.Targets) > 1 {
			value = l.Item + ":" + value
		}
		all = append(all, option{value, l.Name, !sent.Has(f.Name) || slices.Contains(sent[f.Name], value)})
	}
	for _, value := range sent[f.Name] {
		if value != "" && !slices.ContainsFunc(all, func(o option) bool { return o.Value == value }) {
			all = append(all, option{value, value, true})
		}
	}
	return all
}

// items returns the inputs of a nested collection, with an empty row for one
// more.
func (c *call) items(v kind.Values, f *kind.Field, sent url.Values) (heads []string, rows [][]input) {
	var fields []*kind.Field
	for _, sub := range f.Items.Fields {
		if sub.Editable() {
			fields, heads = append(fields, sub), append(heads, c.label(sub))
		}
	}
	row := func(item kind.Values, n int) (inputs []input) {
		for _, sub := range fields {
			inputs = append(inputs, c.input(item, sub, f.Name+"."+strconv.Itoa(n)+"."+sub.Name, sent))
		}
		return inputs
	}
	for item := range v.Items(f) {
		rows = append(rows, row(item, len(rows)))
	}
	empty := f.Items.Values(f.Items.Empty(1)[0])
	for more := true; more; more = sent.Has(f.Name + "." + strconv.Itoa(len(rows)-1) + "." + fields[0].Name) {
		rows = append(rows, row(empty, len(rows)))
	}
	return heads, rows
}

// document returns what the desk reads the posted form with. Times are those of
// the person's zone.
func (c *call) document(k *kind.Schema) func() (*kind.Patch, error) { return c.documentOf(k, c.form) }

// documentOf returns what the desk reads some values with.
func (c *call) documentOf(k *kind.Schema, values url.Values) func() (*kind.Patch, error) {
	return func() (*kind.Patch, error) {
		form := without(values)
		for _, f := range k.Fields {
			if f.Type != kind.Time || !form.Has(f.Name) {
				continue
			}
			if at, err := time.ParseInLocation(localTime, form.Get(f.Name), c.zone()); err == nil {
				form[f.Name] = []string{at.UTC().Format(time.RFC3339)}
			}
		}
		return k.ReadForm(form), nil
	}
}

// place puts faults to the inputs that they are about; the first of these gets
// the focus.
func (p *formPage) place(k *kind.Schema, faults []string) {
	for _, fault := range faults {
		if in := p.about(k, fault); in != nil && in.Fault == "" {
			in.Fault = fault
			continue
		}
		p.Faults = append(p.Faults, fault)
	}
	first := slices.IndexFunc(p.Inputs, func(in input) bool { return in.Fault != "" })
	if first < 0 && len(p.Inputs) > 0 && len(p.Faults) == 0 {
		first = 0
	}
	if first >= 0 {
		p.Inputs[first].First = true
	}
}

// about returns the input whose field a fault begins with, nil for none.
func (p *formPage) about(k *kind.Schema, fault string) (found *input) {
	longest := 0
	for i := range p.Inputs {
		words := k.Field(p.Inputs[i].Name).Words()
		if strings.HasPrefix(fault, words+" ") && len(words) > longest {
			found, longest = &p.Inputs[i], len(words)
		}
	}
	return found
}
