package records

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"muster/internal/desk/bulk"
	"muster/internal/front"
	"muster/internal/kind"
	"muster/internal/store/queue"
	"muster/internal/web/page"
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
func bulkFields(s *Section, c *page.Call) (fields []bulkField) {
	if c.User.ReadOnly.V {
		return nil
	}
	for _, name := range s.Bulk {
		f := s.Kind.Field(name)
		one := bulkField{Name: name, Title: c.Label(f), Look: "text", Hint: hint(c, f), Suggest: suggestions(s, f),
			Options: c.App.Desk.Settings().Allowed(f)}
		switch {
		case one.Options != nil:
			one.Look = "select"
		case !f.Required:
			one.Hint = strings.TrimSpace(one.Hint + " " + c.T("Leave empty to clear."))
		}
		fields = append(fields, one)
	}
	return fields
}

// selectedIDs returns the ids of the records that a form selects: all of its list,
// or those that are ticked.
func selectedIDs(s *Section, c *page.Call, form url.Values) (ids []int64, err error) {
	if form.Get("all") != "" {
		values, err := url.ParseQuery(form.Get("query"))
		if err != nil {
			return nil, front.Fault(http.StatusBadRequest, "the query does not parse: %v", err)
		}
		q, err := s.Query(c, page.Without(s.Tidy(values), "page", "per_page", "after"))
		if err != nil {
			return nil, err
		}
		return c.App.Desk.IDs(c.Context(), c.Who(), s.Kind, q)
	}
	for _, text := range form["id"] {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, front.Fault(http.StatusBadRequest, "%q is no id", text)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// ChangeMany sets a field of all selected records.
func (s *Section) ChangeMany(c *page.Call) (*page.Answer, error) {
	name, back := c.Form.Get("field"), ListAddress("/"+s.Path, c.Form.Get("query"))
	if name == "" {
		name = typedField(s, c)
	}
	if name == "" {
		c.Warn(c.T("Nothing was set"))
		return c.GoTo(back)
	}
	if !slices.Contains(s.Bulk, name) {
		return nil, front.Fault(http.StatusBadRequest, "%q is no field that can be changed of many records", name)
	}
	ids, err := selectedIDs(s, c, c.Form)
	if err != nil {
		return nil, err
	}
	value := c.Form.Get("to-" + name)
	if len(ids) == 0 {
		c.Warn(c.T("Nothing was selected"))
		return c.GoTo(back)
	}
	b, err := c.App.Bulks.Start(c.Context(), c.Who(), s.Kind, ids, name, value)
	if err != nil {
		return nil, err
	}
	return bulkAnswer(s, c, b, back)
}

// typedField returns the field in whose input a person has pressed Enter: the only
// one with a text, "" when there is none or are several.
func typedField(s *Section, c *page.Call) (name string) {
	for _, one := range bulkFields(s, c) {
		if one.Look != "text" || c.Form.Get("to-"+one.Name) == "" {
			continue
		}
		if name != "" {
			return ""
		}
		name = one.Name
	}
	return name
}

// ListAddress returns the address of a list with a query that a form names.
func ListAddress(path, query string) string {
	values, err := url.ParseQuery(query)
	if err != nil {
		return path
	}
	return page.AddressAs(query, path, values)
}

// bulkAnswer leads back to the list when all is done, and else to where one sees how
// far it is and what failed.
func bulkAnswer(s *Section, c *page.Call, b *bulk.Change, back string) (*page.Answer, error) {
	if b.State != queue.Done || b.Failed > 0 {
		return c.GoTo(bulkPath(s, b, back))
	}
	c.Toast = &page.Toast{Text: bulkOutcome(s, c, b)}
	if b.Undoable { // it goes back to the page that it is on
		c.Toast.Undo = page.Address(s.UndoPath(), url.Values{"job": {strconv.FormatInt(b.Job, 10)}})
	}
	return c.GoTo(back)
}

// bulkPath returns where one sees how far a change of many records is.
func bulkPath(s *Section, b *bulk.Change, back string) string {
	return "/" + s.Path + "/bulk?" + url.Values{"job": {strconv.FormatInt(b.Job, 10)}, "back": {back}}.Encode()
}

// ManyPath returns where one sees how far a job is that changes many records, "" for nowhere.
func ManyPath(w *page.App, j *queue.Job) string {
	k := w.Bulks.KindOf(j)
	for _, s := range SectionsOf(w) {
		if s.Kind == k && s.Bulk != nil {
			return bulkPath(s, &bulk.Change{Job: j.ID}, "/"+s.Path)
		}
	}
	return ""
}

// bulkOf returns the change of many records that a request names.
func bulkOf(s *Section, c *page.Call) (*bulk.Change, error) {
	return c.App.Bulks.Progress(c.Context(), c.Who(), s.Kind, jobID(c))
}

// jobID returns the id of the job that a request names, 0 for none that is one.
func jobID(c *page.Call) int64 {
	id, err := strconv.ParseInt(c.URL.Query().Get("job"), 10, 64)
	if err != nil {
		return 0
	}
	return id
}

// bulkOutcome returns a sentence about what a change of many records has done.
func bulkOutcome(s *Section, c *page.Call, b *bulk.Change) string {
	label := c.Label(s.Kind.Field(b.Field))
	switch {
	case b.Changed == 0 && b.Failed > 0:
		return failed(c, b)
	case b.Undoes:
		return c.TN(b.Changed, "%s record was changed back", "%s records were changed back")
	case b.Changed == 0:
		return c.T("Nothing to change: all had that value already")
	case b.Value == "":
		return c.T("%s: cleared of %s", label, c.TN(b.Changed, "%s record", "%s records"))
	}
	return c.T("%s: set to %s for %s", label, c.EventValue(s.Kind.Field(b.Field), b.Value),
		c.TN(b.Changed, "%s record", "%s records"))
}

// failed returns a sentence about how many records could not be changed.
func failed(c *page.Call, b *bulk.Change) string {
	return c.TN(b.Failed, "%s record could not be changed", "%s records could not be changed")
}

// A bulkPage is what the page of a change of many records shows.
type bulkPage struct {
	Title    string
	Bulk     *bulk.Change
	Outcome  string
	Failed   string // how many could not be changed, "" for none or when that is the outcome
	Back     string
	Ended    bool
	Cut      bool   // before all were done
	Why      string // it has failed or is tried again, "" for neither
	Stop     string // the address that ends it when it is posted to, "" for none
	Undo     string // the address that takes it back when it is posted to, "" for none
	Failures []Row
	More     int // failures that are not listed one by one
}

// ShowMany shows how far a change of many records is, or what became of it.
func (s *Section) ShowMany(c *page.Call) (*page.Answer, error) {
	b, err := bulkOf(s, c)
	if err != nil {
		return nil, err
	}
	p := bulkPage{Title: c.T("Changing %s", c.Label(s.Kind.Field(b.Field))), Bulk: b, Outcome: bulkOutcome(s, c, b),
		Back: page.OwnPath(cmp.Or(c.URL.Query().Get("back"), "/"+s.Path)), More: b.Failed - len(b.Failures),
		Ended: b.State.Ended(), Cut: b.State == queue.Stopped || b.State == queue.Failed, Why: c.Fault(b.Fault)}
	if b.Failed > 0 && b.Changed > 0 {
		p.Failed = failed(c, b)
	}
	if p.Ended {
		p.Title = c.T("%s was changed", c.Label(s.Kind.Field(b.Field)))
		if b.Changed == 0 {
			p.Title = c.T("%s was not changed", c.Label(s.Kind.Field(b.Field)))
		}
		if b.Undoable {
			p.Undo = page.Address(s.UndoPath(), url.Values{"job": {strconv.FormatInt(b.Job, 10)}, "back": {p.Back}})
		}
	} else {
		p.Stop = page.Address(page.JobPath(b.Job)+"/stop", url.Values{"back": {bulkPath(s, b, p.Back)}})
	}
	if p.Failures, err = bulkFailures(s, c, b); err != nil {
		return nil, err
	}
	return c.Show("bulk", page.Page{Title: p.Title, Here: "/" + s.Path, Scripts: []string{"bulk.js"}, Data: p})
}

// bulkFailures returns the records that could not be changed, by their names.
func bulkFailures(s *Section, c *page.Call, b *bulk.Change) (rows []Row, err error) {
	var ids []int64
	for _, f := range b.Failures {
		ids = append(ids, f.ID)
		rows = append(rows, Row{ID: f.ID, Name: c.T("%s %d", c.T(s.Kind.Noun), f.ID), Href: s.RecordPath(f.ID),
			Cells: []page.Cell{{Look: "text", Text: c.Fault(f.Why)}}})
	}
	err = c.App.Desk.Each(c.Context(), c.Who(), s.Kind, ids, func(recs []any) error {
		for _, rec := range recs {
			for i := range rows {
				if rows[i].ID == s.Kind.Meta(rec).ID {
					rows[i].Name = s.Name(rec)
				}
			}
		}
		return nil
	})
	return rows, err
}

// UndoPath is where a change of many records is taken back.
func (s *Section) UndoPath() string { return page.UndoPath + "/" + s.Path }

// UndoMany takes a change of many records back.
func (s *Section) UndoMany(c *page.Call) (*page.Answer, error) {
	query := c.URL.Query()
	b, err := c.App.Bulks.Undo(c.Context(), c.Who(), s.Kind, jobID(c))
	if err != nil {
		return nil, err
	}
	return bulkAnswer(s, c, b, page.OwnPath(cmp.Or(query.Get("back"), c.Form.Get("to"))))
}

// canSelect reports whether something can be done with selected records.
func canSelect(s *Section, c *page.Call) bool { return bulkFields(s, c) != nil || s.Labelled() }

// Labelled reports whether the section's records are things that labels are stuck
// on.
func (s *Section) Labelled() bool { return isThing(s.Kind) }

// isThing reports whether records of a kind are things that stand somewhere.
func isThing(k *kind.Schema) bool { return k.Field("asset-id") != nil }
