package web

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/door"
	"muster/internal/kind"
)

// A bulkField is a field that can be changed of all selected records.
type bulkField struct {
	Name, Title string
	Look        string // select or text
	Hint        string
	Suggest     string // path that suggests values
	Options     []string
}

// bulkFields returns the fields that the person may change of many records.
func (s *section) bulkFields(c *call) (fields []bulkField) {
	if c.user.ReadOnly.V {
		return nil
	}
	for _, name := range s.bulk {
		f := s.kind.Field(name)
		one := bulkField{Name: name, Title: c.label(f), Look: "text", Hint: c.hint(f), Suggest: s.suggestions(f), Options: c.web.Desk.Allowed(f)}
		switch {
		case one.Options != nil:
			one.Look = "select"
		case !f.Required:
			one.Hint = strings.TrimSpace(one.Hint + " " + c.t("Left empty, the value is taken away."))
		}
		fields = append(fields, one)
	}
	return fields
}

// selected returns the ids of the records that a form selects: all of its list,
// or those that are ticked.
func (s *section) selected(c *call, form url.Values) (ids []int64, err error) {
	if form.Get("all") != "" {
		values, err := url.ParseQuery(form.Get("query"))
		if err != nil {
			return nil, door.Fault(http.StatusBadRequest, "the query does not parse: %v", err)
		}
		q, err := s.query(c, without(s.tidy(values), "page", "per_page", "after"))
		if err != nil {
			return nil, err
		}
		return c.web.Desk.IDs(c.Context(), c.who(), s.kind, q)
	}
	for _, text := range form["id"] {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, door.Fault(http.StatusBadRequest, "%q is no id", text)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// changeMany sets a field of all selected records.
func (s *section) changeMany(c *call) (*answer, error) {
	name, back := c.form.Get("field"), listAddress("/"+s.path, c.form.Get("query"))
	if name == "" {
		name = s.typed(c)
	}
	if name == "" {
		c.warn(c.t("Nothing was set"))
		return c.goTo(back)
	}
	if !slices.Contains(s.bulk, name) {
		return nil, door.Fault(http.StatusBadRequest, "%q is no field that can be changed of many records", name)
	}
	ids, err := s.selected(c, c.form)
	if err != nil {
		return nil, err
	}
	value, f := c.form.Get("to-"+name), s.kind.Field(name)
	switch {
	case len(ids) == 0:
		c.warn(c.t("Nothing was selected"))
		return c.goTo(back)
	case len(ids) > desk.MaxUndo && c.form.Get("sure") == "":
		return c.confirm("/"+s.path, confirmPage{
			Title: c.t("Set %s of %s records to “%s”?", c.label(f), c.number(len(ids)), c.eventValue(f, value)),
			Texts: []string{c.t("A change of more than %s records cannot be taken back at once.", c.number(desk.MaxUndo))}, Do: c.t("Change all"), Keep: c.t("Keep"), Back: back,
			Action: "/" + s.path + "/bulk", Fields: append(pairsAs("", c.form), pair{"sure", "yes"}),
		})
	}
	b, err := c.web.Desk.StartBulk(c.Context(), c.who(), s.kind, ids, name, value)
	if err != nil {
		return nil, err
	}
	return s.told(c, b, back)
}

// typed returns the field in whose input a person has pressed Enter: the only
// one with a text, "" when there is none or are several.
func (s *section) typed(c *call) (name string) {
	for _, one := range s.bulkFields(c) {
		if one.Look != "text" || c.form.Get("to-"+one.Name) == "" {
			continue
		}
		if name != "" {
			return ""
		}
		name = one.Name
	}
	return name
}

// listAddress returns the address of a list with a query that a form names.
func listAddress(path, query string) string {
	values, err := url.ParseQuery(query)
	if err != nil {
		return path
	}
	return addressAs(query, path, values)
}

// told leads back to the list when all is done, and else to where one sees how
// far it is and what failed.
func (s *section) told(c *call, b *desk.Bulk, back string) (*answer, error) {
	report := "/" + s.path + "/bulk?" + url.Values{"job": {b.Key}, "back": {back}}.Encode()
	if !b.Ended || b.Failed > 0 || b.Cut {
		return c.goTo(report)
	}
	c.toast = &toast{Text: s.outcome(c, b)}
	if len(b.Undo) > 0 { // it goes back to the page that it is on
		c.toast.Undo = address(s.undoPath(), url.Values{"job": {b.Key}})
	}
	return c.goTo(back)
}

// outcome tells what a change of many records has done.
func (s *section) outcome(c *call, b *desk.Bulk) string {
	label := c.label(s.kind.Field(b.Field))
	switch {
	case b.Changed == 0 && b.Failed > 0:
		return c.failed(b)
	case b.Undoes:
		return c.tn(b.Changed, "%s record is as it was before", "%s records are as they were before")
	case b.Changed == 0:
		return c.t("Nothing was changed: all had that value already")
	case b.Value == "":
		return c.t("%s: cleared of %s", label, c.tn(b.Changed, "%s record", "%s records"))
	}
	return c.t("%s: set to %s for %s", label, c.eventValue(s.kind.Field(b.Field), b.Value), c.tn(b.Changed, "%s record", "%s records"))
}

// failed tells how many records could not be changed.
func (c *call) failed(b *desk.Bulk) string {
	return c.tn(b.Failed, "%s record could not be changed", "%s records could not be changed")
}

// A bulkPage is what the page of a change of many records shows.
type bulkPage struct {
	Title    string
	Bulk     *desk.Bulk
	Outcome  string
	Failed   string // how many could not be changed, "" for none or when that is the outcome
	Back     string
	Undo     string // the address that takes it back when it is posted to, "" for none
	Failures []row
	More     int // failures that are not told one by one
}

// showMany shows how far a change of many records is, or what became of it.
func (s *section) showMany(c *call) (*answer, error) {
	query := c.URL.Query()
	b, err := c.web.Desk.Bulk(c.Context(), c.who(), s.kind, query.Get("job"))
	if err != nil {
		return nil, err
	}
	p := bulkPage{Title: c.t("Changing %s", c.label(s.kind.Field(b.Field))), Bulk: b, Outcome: s.outcome(c, b), Back: ownPath(query.Get("back")), More: b.Failed - len(b.Failures)}
	if b.Failed > 0 && b.Changed > 0 {
		p.Failed = c.failed(b)
	}
	if b.Ended {
		p.Title = c.t("%s was changed", c.label(s.kind.Field(b.Field)))
		if b.Changed == 0 {
			p.Title = c.t("%s was not changed", c.label(s.kind.Field(b.Field)))
		}
		if len(b.Undo) > 0 {
			p.Undo = address(s.undoPath(), url.Values{"job": {b.Key}, "back": {p.Back}})
		}
	}
	if p.Failures, err = s.failures(c, b); err != nil {
		return nil, err
	}
	return c.show("bulk", page{Title: p.Title, Here: "/" + s.path, Scripts: []string{"bulk.js"}, Data: p})
}

// failures returns the records that could not be changed, by their names.
func (s *section) failures(c *call, b *desk.Bulk) (rows []row, err error) {
	var ids []int64
	for _, f := range b.Failures {
		ids = append(ids, f.ID)
		rows = append(rows, row{ID: f.ID, Name: c.t("%s %d", c.t(s.kind.Noun), f.ID), Href: s.recordPath(f.ID), Cells: []cell{{Look: "text", Text: c.fault(f.Message())}}})
	}
	err = c.web.Desk.Each(c.Context(), c.who(), s.kind, ids, func(recs []any) error {
		for _, rec := range recs {
			for i := range rows {
				if rows[i].ID == s.kind.Meta(rec).ID {
					rows[i].Name = s.name(rec)
				}
			}
		}
		return nil
	})
	return rows, err
}

// undoPath is where a change of many records is taken back.
func (s *section) undoPath() string { return undoPath + "/" + s.path }

// undoMany takes a change of many records back.
func (s *section) undoMany(c *call) (*answer, error) {
	query := c.URL.Query()
	b, err := c.web.Desk.UndoBulk(c.Context(), c.who(), s.kind, query.Get("job"))
	if err != nil {
		return nil, err
	}
	return s.told(c, b, ownPath(cmp.Or(query.Get("back"), c.form.Get("to"))))
}

// canSelect reports whether something can be done with selected records.
func (s *section) canSelect(c *call) bool { return s.bulkFields(c) != nil || s.labelled() }

// labelled reports whether the section's records are things that labels are stuck
// on.
func (s *section) labelled() bool { return isThing(s.kind) }

// isThing reports whether records of a kind are things that stand somewhere.
func isThing(k *kind.Schema) bool { return k.Field("asset-id") != nil }
