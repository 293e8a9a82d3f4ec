package records

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"muster/internal/kind"
	"muster/internal/web/lang"
	"muster/internal/web/page"
)

// FormValues returns a record as its form has it, and the names of the records
// that it is linked to by their values.
func (s *Section) FormValues(c *page.Call, rec any) (values url.Values, names map[string]string) {
	values, names = url.Values{}, map[string]string{}
	v := s.Kind.Values(rec)
	for _, f := range s.Kind.Fields {
		switch {
		case !Editable(f) || f.Secret:
		case f.Targets != nil:
			values[f.Name] = []string{""}
			for _, l := range *v.Links(f) {
				value := f.LinkInput(l.Item, l.ID.V)
				values.Add(f.Name, value)
				names[value] = l.Name
			}
		case f.Type == kind.List:
			values.Set(f.Name, "")
			n := 0
			for item := range v.Items(f) {
				for _, sub := range f.Items.Fields {
					if sub.Editable() {
						values.Set(itemName(f, n, sub), InputValue(c, item, sub))
					}
				}
				n++
			}
		default:
			values.Set(f.Name, InputValue(c, v, f))
		}
	}
	return values, names
}

// itemName returns the name of the input of an item's field.
func itemName(f *kind.Field, n int, sub *kind.Field) string {
	return f.Name + "." + strconv.Itoa(n) + "." + sub.Name
}

// InputValue returns the value of a field as its input has it.
func InputValue(c *page.Call, v kind.Values, f *kind.Field) string {
	switch {
	case f.Type == kind.Time && !v.Time(f).IsZero():
		return v.Time(f).In(c.Zone()).Format(lang.LocalTime)
	case f.Type == kind.Boolean:
		return strconv.FormatBool(v.Bool(f).V)
	case lang.IsSize(f) && v.Int(f).Valid:
		n, unit := lang.WholeUnit(v.Int(f).V)
		return fmt.Sprint(n, " ", unit)
	}
	return v.Format(f)
}

// places returns the numbers of the rows that a form has of a collection.
func places(f *kind.Field, values url.Values) []int {
	found := map[int]bool{}
	for name := range values {
		rest, ok := strings.CutPrefix(name, f.Name+".")
		number, _, dotted := strings.Cut(rest, ".")
		if n, err := strconv.Atoi(number); ok && dotted && err == nil && n >= 0 {
			found[n] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// fieldText returns what a form has for a field as one text, to be compared.
func fieldText(f *kind.Field, values url.Values) string {
	if f.Targets != nil {
		given := slices.DeleteFunc(slices.Clone(values[f.Name]),
			func(v string) bool { return strings.TrimSpace(v) == "" })
		slices.Sort(given)
		return strings.Join(slices.Compact(given), "\n")
	}
	if f.Type != kind.List {
		return InputText(values, f.Name)
	}
	var rows []string
	for _, n := range places(f, values) {
		var texts []string
		for _, sub := range f.Items.Fields {
			texts = append(texts, InputText(values, itemName(f, n, sub)))
		}
		if row := strings.Join(texts, "\t"); strings.TrimSpace(row) != "" {
			rows = append(rows, row)
		}
	}
	return strings.Join(rows, "\n")
}

func InputText(values url.Values, name string) string {
	given := values[name]
	if len(given) == 0 {
		return ""
	}
	return strings.TrimSpace(strings.ReplaceAll(given[len(given)-1], "\r\n", "\n"))
}

// overlay returns what a form has where it says something, else what there was.
func overlay(k *kind.Schema, was, sent url.Values) url.Values {
	out := page.Without(was)
	for _, f := range k.Fields {
		if Editable(f) && sent.Has(f.Name) {
			take(f, out, sent)
		}
	}
	for name, given := range sent {
		if strings.HasPrefix(name, findPrefix) {
			out[name] = given
		}
	}
	return out
}

// take sets what one form has for a field to what another has.
func take(f *kind.Field, to, from url.Values) {
	drop(f, to)
	if given, ok := from[f.Name]; ok {
		to[f.Name] = given
	}
	for name, given := range from {
		if f.Type == kind.List && strings.HasPrefix(name, f.Name+".") {
			to[name] = given
		}
	}
}

// drop takes out what a form has for a field.
func drop(f *kind.Field, values url.Values) {
	delete(values, f.Name)
	for name := range values {
		if f.Type == kind.List && strings.HasPrefix(name, f.Name+".") {
			delete(values, name)
		}
	}
}

// formFingerprint returns what the fields of a form have, so that it is known later which of
// them a person has changed.
func formFingerprint(s *Section, values url.Values) string {
	var all []string
	for _, f := range s.Kind.Fields {
		if Editable(f) {
			all = append(all, f.Name+"="+page.Fingerprint(fieldText(f, values)))
		}
	}
	return strings.Join(all, " ")
}

// A memory is what the fields had when a form was shown, nil when that is not
// known.
type memory map[string]string

// remember reads what was returns.
func remember(text string) memory {
	if text == "" {
		return nil
	}
	m := memory{}
	for part := range strings.FieldsSeq(text) {
		name, sum, _ := strings.Cut(part, "=")
		m[name] = sum
	}
	return m
}

// changed reports whether a form has another value for a field than it was shown
// with; one that nobody remembers counts as changed.
func (m memory) changed(f *kind.Field, values url.Values) bool {
	sum, ok := m[f.Name]
	return !ok || sum != page.Fingerprint(fieldText(f, values))
}

// document returns what the desk reads the posted form with. Times are those of
// the person's zone, sizes may have their unit.
func document(c *page.Call, k *kind.Schema) func() (*kind.Patch, error) {
	return DocumentOf(c, k, c.Form)
}

func DocumentOf(c *page.Call, k *kind.Schema, values url.Values) func() (*kind.Patch, error) {
	return func() (*kind.Patch, error) {
		form := page.Without(values)
		for _, f := range k.Fields {
			plain(c, form, f, f.Name)
			for _, n := range rowsOf(f, form) {
				for _, sub := range f.Items.Fields {
					plain(c, form, sub, itemName(f, n, sub))
				}
			}
		}
		return k.ReadForm(form), nil
	}
}

// rowsOf is places of a collection, none of another field.
func rowsOf(f *kind.Field, form url.Values) []int {
	if f.Type != kind.List {
		return nil
	}
	return places(f, form)
}

// plain writes what a form has for a field as documents have it.
func plain(c *page.Call, form url.Values, f *kind.Field, name string) {
	text := InputText(form, name)
	switch {
	case !form.Has(name):
	case lang.IsSize(f):
		form[name] = []string{c.Conventions.ReadMegabytes(text)}
	case f.Type == kind.Time:
		form[name] = []string{lang.ReadTime(text, c.Zone())}
	}
}
