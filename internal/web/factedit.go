package web

import (
	"net/http"
	"net/url"
	"slices"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// A factForm is the small form in which one fact is changed where it stands.
type factForm struct {
	Input   input
	Path    string // of the record
	Version int64
	Was     string // what the field had when the form was shown
	Rest    string // the query of the page, to come back to it
	Cancel  string // the address without the form
	Notice  string // of what happened meanwhile
}

// A factDraft is what a person wants a fact to be that could not be saved yet.
type factDraft struct {
	field         string
	sent          url.Values // nil for nothing yet
	fault, notice string
	status        int
}

// factField returns the field of a name that can be changed where it stands, nil
// for none.
func (s *section) factField(name string) *kind.Field {
	f := s.kind.Field(name)
	if f == nil || !editable(f) || !shown(f) || f.Targets != nil || f.Secret {
		return nil
	}
	return f
}

// openFacts lets the facts of a computer be changed where they stand, and opens
// the one that is asked for.
func (s *section) openFacts(c *call, p *computerPage, rec any, draft factDraft) {
	if !p.Change || p.Tab != "" {
		return
	}
	query := without(c.URL.Query(), "edit")
	open := func(one *fact) {
		f := s.factField(one.Name)
		if f == nil {
			return
		}
		one.Change = address(p.Path, with(query, "edit", f.Name)) + "#fact-" + f.Name
		if f.Name == draft.field {
			one.Form = s.factForm(c, p, rec, f, draft)
		}
	}
	for g := range p.Facts {
		for i := range p.Facts[g].Items {
			open(&p.Facts[g].Items[i])
		}
	}
	for _, f := range s.kind.Fields { // a text that is not there yet can be written
		told := slices.ContainsFunc(p.Texts, func(one fact) bool { return one.Name == f.Name })
		if f.Long && !told && s.factField(f.Name) != nil {
			p.Texts = append(p.Texts, c.fact(s.kind, f, rec))
		}
	}
	for i := range p.Texts {
		open(&p.Texts[i])
	}
}

// factForm returns the form of a fact.
func (s *section) factForm(c *call, p *computerPage, rec any, f *kind.Field, draft factDraft) *factForm {
	values, names := s.formValues(c, rec)
	form := &factForm{Path: p.Path, Version: p.Version, Was: values.Get(f.Name), Notice: draft.notice}
	if draft.sent != nil {
		values.Set(f.Name, inputText(draft.sent, f.Name))
	}
	form.Input = s.input(c, f, values, names)
	form.Input.First, form.Input.Fault = true, draft.fault
	rest := without(c.URL.Query(), "edit")
	form.Rest, form.Cancel = rest.Encode(), address(p.Path, rest)
	return form
}

// factTries is how often a fact is set again of a record that changes meanwhile,
// as by a report.
const factTries = 3

// setFact changes one fact of a computer, unless somebody else has changed the
// same one since it was shown.
func (c *call) setFact() (*answer, error) {
	s := sectionOf(inventory.Computers.Schema)
	id, err := c.id(s.kind)
	if err != nil {
		return nil, err
	}
	f := s.factField(c.form.Get("field"))
	if f == nil {
		return nil, c.web.missing(c.Request)
	}
	value := url.Values{f.Name: c.form[f.Name]}
	target, theirs := s.target(c, id), ""
	for range factTries {
		_, err = c.web.Desk.Update(c.Context(), c.who(), target, c.documentOf(s.kind, value))
		if !isRefusal(err, desk.Changed) {
			break
		}
		rec, wrong := c.web.Desk.Get(c.Context(), c.who(), s.kind, id)
		if wrong != nil {
			return nil, wrong
		}
		if theirs = c.inputValue(s.kind.Values(rec), f); theirs != c.form.Get("was") {
			break
		}
		version := s.kind.Meta(rec).Version
		target.If = func(now int64) bool { return now == version }
	}
	return c.factAnswer(s, id, f, theirs, err)
}

// factAnswer leads back to the computer, or shows its form again with what is
// wrong.
func (c *call) factAnswer(s *section, id int64, f *kind.Field, theirs string, err error) (*answer, error) {
	draft := factDraft{field: f.Name, sent: c.form}
	faults := faultsOf(err)
	switch {
	case len(faults) > 0:
		draft.status, draft.fault = http.StatusUnprocessableEntity, c.fault(faults[0])
	case isRefusal(err, desk.Changed):
		if theirs == "" {
			theirs = c.t("nothing")
		}
		draft.status, draft.notice = http.StatusConflict, c.t("Somebody set this to “%s” meanwhile, so nothing was saved. Save again to set what you wrote.", theirs)
	case err != nil:
		return nil, err
	default:
		if err := c.sayUndo(c.t("%s was saved", c.label(f)), s.kind, id); err != nil {
			return nil, err
		}
		return c.goTo(listAddress(s.recordPath(id), c.form.Get("rest")))
	}
	c.URL.RawQuery = c.form.Get("rest") // the page is shown as it was
	return c.computerAnswer(draft)
}
