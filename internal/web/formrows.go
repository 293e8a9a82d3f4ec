package web

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/kind"
)

// An itemRow is one item of a nested collection.
type itemRow struct {
	Title  string
	Remove string // the value of the button that takes it out
	Inputs []input
}

// Names of what forms have beside fields.
const (
	doName     = "do"    // a button that shows the form again: add, remove, find, preview, restore
	findPrefix = "find." // what linked records are looked for by
	takePrefix = "take." // whose value of a field is kept, mine or theirs
)

// rows sets the rows of a nested collection, and an empty one for scripts.
func (c *call) rows(in *input, f *kind.Field, values url.Values) {
	fields := slices.DeleteFunc(nameFirst(f.Items.Fields), func(sub *kind.Field) bool { return !sub.Editable() })
	for _, sub := range fields {
		in.Heads = append(in.Heads, c.label(sub))
	}
	row := func(number, shown string) itemRow {
		one := itemRow{Title: c.t("%s, row %s", in.Label, shown), Remove: "remove:" + f.Name + ":" + number}
		for _, sub := range fields {
			control := c.control(sub, f.Name+"."+number+"."+sub.Name, values)
			control.Hint = ""
			one.Inputs = append(one.Inputs, control)
		}
		return one
	}
	for i, n := range places(f, values) {
		in.Rows = append(in.Rows, row(strconv.Itoa(n), strconv.Itoa(i+1)))
	}
	blank := row("N", "…")
	in.Blank = &blank
	in.Open = len(in.Rows) > 0 && len(in.Rows) <= maxOpenRows
}

// maxOpenRows is how many rows are shown without being asked for.
const maxOpenRows = 20

// again does what a button asks for that shows the form once more, and returns
// the id of the input to go on with. It reports whether there is such a button.
func (s *section) again(c *call) (focus string, is bool, err error) {
	verb, rest, _ := strings.Cut(c.form.Get(doName), ":")
	if verb == "" {
		verb, rest = s.unfound(c)
	}
	name, number, _ := strings.Cut(rest, ":")
	f := s.kind.Field(name)
	switch {
	case verb == "preview":
		return "i-description", true, nil
	case f == nil || !editable(f):
		return "", verb != "", nil
	case verb == "add" && f.Type == kind.List && f.Targets == nil:
		return addRow(f, c.form), true, nil
	case verb == "remove":
		for field := range c.form {
			if strings.HasPrefix(field, name+"."+number+".") {
				delete(c.form, field)
			}
		}
		return "i-" + name, true, nil
	case verb == "find":
		return "i-" + name, true, nil
	}
	return "", verb != "", nil
}

// unfound returns the search for linked records that was typed and not done yet:
// without a script the Enter key sends the form.
func (s *section) unfound(c *call) (verb, name string) {
	for _, f := range s.kind.Fields {
		if text := c.form.Get(findPrefix + f.Name); f.Targets != nil && text != "" && text != c.form.Get("found."+f.Name) {
			return "find", f.Name
		}
	}
	return "", ""
}

// addRow adds an empty row to a collection and returns the id of its first input.
func addRow(f *kind.Field, values url.Values) string {
	next := 0
	if all := places(f, values); len(all) > 0 {
		next = all[len(all)-1] + 1
	}
	values.Set(f.Name, "")
	first := slices.IndexFunc(f.Items.Fields, func(sub *kind.Field) bool { return sub.Editable() })
	name := itemName(f, next, f.Items.Fields[first])
	values.Set(name, "")
	return "i-" + strings.ReplaceAll(name, ".", "-")
}

// foundLinks is how many records are offered that could be linked.
const foundLinks = 10

// findLinks offers the records that are looked for as more options of an input.
func (c *call) findLinks(in *input) error {
	if in.Search == "" {
		return nil
	}
	found, err := c.suggestLinks(in.field, in.Search)
	if err != nil {
		return err
	}
	for _, o := range found {
		if !slices.ContainsFunc(in.Options, func(has option) bool { return has.Value == o.Value }) {
			in.Options = append(in.Options, o)
		}
	}
	if len(found) == 0 {
		in.Hint = c.t("Nothing is called %s", in.Search)
	}
	return nil
}

// nameLinks returns the names of linked records that a form has and the record
// has not yet.
func (s *section) nameLinks(c *call, values url.Values, names map[string]string) error {
	for _, f := range s.kind.Fields {
		if f.Targets == nil {
			continue
		}
		for _, value := range values[f.Name] {
			item, number, several := strings.Cut(value, ":")
			if !several {
				item, number = f.Targets[0].Item, value
			}
			id, err := strconv.ParseInt(number, 10, 64)
			target := slices.IndexFunc(f.Targets, func(k *kind.Schema) bool { return k.Item == item })
			if err != nil || target < 0 || names[value] != "" || len(names) > maxNames {
				continue
			}
			name, err := c.nameOf(f.Targets[target], id)
			if err != nil {
				return err
			}
			names[value] = name
		}
	}
	return nil
}

// maxNames is how many linked records a form tells by their names.
const maxNames = 250

// nameOf returns what a record is called, "" when there is none.
func (c *call) nameOf(k *kind.Schema, id int64) (string, error) {
	rec, err := c.web.Desk.Get(c.Context(), c.who(), k, id)
	if isRefusal(err, desk.NotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return sectionOf(k).name(rec), nil
}
