package records

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/kind"
	"muster/internal/web/page"
)

// An itemRow is one item of a nested collection.
type itemRow struct {
	Title  string
	Remove string // the value of the button that takes it out
	Inputs []Input
}

// Names of what forms have beside fields.
const (
	DoName     = "do"    // a button that shows the form again: add, remove, find, preview, restore
	findPrefix = "find." // what linked records are looked for by
	takePrefix = "take." // whose value of a field is kept, mine or theirs
)

// rows sets the rows of a nested collection, and an empty one for scripts.
func rows(c *page.Call, in *Input, f *kind.Field, values url.Values) {
	fields := slices.DeleteFunc(nameFirst(f.Items.Fields), func(sub *kind.Field) bool { return !sub.Editable() })
	for _, sub := range fields {
		in.Heads = append(in.Heads, c.Label(sub))
	}
	row := func(number, shown string) itemRow {
		one := itemRow{Title: c.T("%s, row %s", in.Label, shown), Remove: "remove:" + f.Name + ":" + number}
		for _, sub := range fields {
			control := Control(c, sub, f.Name+"."+number+"."+sub.Name, values)
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

// formAgain handles buttons that change the form and show it once more, such as one that
// adds a row. It returns the id of the input that gets the focus, and whether such a
// button was pressed.
func formAgain(s *Section, c *page.Call) (focus string, is bool, err error) {
	verb, rest, _ := strings.Cut(c.Form.Get(DoName), ":")
	if verb == "" {
		verb, rest = unfoundLink(s, c)
	}
	name, number, _ := strings.Cut(rest, ":")
	f := s.Kind.Field(name)
	switch {
	case verb == "preview":
		return "i-description", true, nil
	case f == nil || !Editable(f):
		return "", verb != "", nil
	case verb == "add" && f.Type == kind.List && f.Targets == nil:
		return addRow(f, c.Form), true, nil
	case verb == "remove":
		for field := range c.Form {
			if strings.HasPrefix(field, name+"."+number+".") {
				delete(c.Form, field)
			}
		}
		return "i-" + name, true, nil
	case verb == "find":
		return "i-" + name, true, nil
	}
	return "", verb != "", nil
}

// unfoundLink returns the search for linked records that was typed and not done yet:
// without a script the Enter key sends the form.
func unfoundLink(s *Section, c *page.Call) (verb, name string) {
	for _, f := range s.Kind.Fields {
		if text := c.Form.Get(findPrefix + f.Name); f.Targets != nil && text != "" &&
			text != c.Form.Get("found."+f.Name) {
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
func findLinks(c *page.Call, in *Input) error {
	if in.Search == "" {
		return nil
	}
	found, err := SuggestLinks(c, in.field, in.Search)
	if err != nil {
		return err
	}
	for _, o := range found {
		if !slices.ContainsFunc(in.Options, func(has Option) bool { return has.Value == o.Value }) {
			in.Options = append(in.Options, o)
		}
	}
	if len(found) == 0 {
		in.Hint = c.T("Nothing is called %s", in.Search)
	}
	return nil
}

// nameLinks returns the names of linked records that a form has and the record
// has not yet.
func nameLinks(s *Section, c *page.Call, values url.Values, names map[string]string) error {
	for _, f := range s.Kind.Fields {
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
			name, err := nameOf(c, f.Targets[target], id)
			if err != nil {
				return err
			}
			names[value] = name
		}
	}
	return nil
}

// maxNames is how many linked records a form lists by name.
const maxNames = 250

// nameOf returns what a record is called, "" when there is none.
func nameOf(c *page.Call, k *kind.Schema, id int64) (string, error) {
	rec, err := c.App.Desk.Get(c.Context(), c.Who(), k, id)
	if page.IsRefusal(err, desk.NotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return SectionOf(c.App, k).Name(rec), nil
}
