package computers

import (
	"net/http"
	"net/url"
	"slices"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// A factDraft is what a person wants a fact to be that could not be saved yet.
type factDraft struct {
	field         string
	sent          url.Values // nil for nothing yet
	fault, notice string
	status        int
}

// factField returns the field of a name that can be changed where it stands, nil
// for none.
func factField(s *records.Section, name string) *kind.Field {
	f := s.Kind.Field(name)
	if f == nil || !records.Editable(f) || !records.Shown(f) || f.Targets != nil || f.Secret {
		return nil
	}
	return f
}

// openFacts lets the facts of a computer be changed where they stand, and opens
// the one that is asked for.
func openFacts(s *records.Section, c *page.Call, p *computerPage, rec any, draft factDraft) {
	if !p.Change || p.Tab != "" {
		return
	}
	query := page.Without(c.URL.Query(), "edit")
	open := func(one *records.Fact) {
		f := factField(s, one.Name)
		if f == nil {
			return
		}
		one.Change = page.Address(p.Path, page.With(query, "edit", f.Name)) + "#fact-" + f.Name
		if f.Name == draft.field {
			one.Form = newFactForm(s, c, p, rec, f, draft)
		}
	}
	for g := range p.Facts {
		for i := range p.Facts[g].Items {
			open(&p.Facts[g].Items[i])
		}
	}
	for _, f := range s.Kind.Fields { // a text that is not there yet can be written
		shown := slices.ContainsFunc(p.Texts, func(one records.Fact) bool { return one.Name == f.Name })
		if f.Long && !shown && factField(s, f.Name) != nil {
			p.Texts = append(p.Texts, s.NewFact(c, f, rec))
		}
	}
	for i := range p.Texts {
		open(&p.Texts[i])
	}
}

// newFactForm returns the form of a fact.
func newFactForm(s *records.Section, c *page.Call, p *computerPage, rec any, f *kind.Field,
	draft factDraft) *records.FactForm {
	values, names := s.FormValues(c, rec)
	form := &records.FactForm{Path: p.Path, Version: p.Version, Was: values.Get(f.Name), Notice: draft.notice}
	if draft.sent != nil {
		values.Set(f.Name, records.InputText(draft.sent, f.Name))
	}
	form.Input = s.Input(c, f, values, names)
	form.Input.First, form.Input.Fault = true, draft.fault
	rest := page.Without(c.URL.Query(), "edit")
	form.Rest, form.Cancel = rest.Encode(), page.Address(p.Path, rest)
	return form
}

// factTries is how often a fact is set again of a record that changes meanwhile,
// as by a report.
const factTries = 3

// SetFact changes one fact of a computer, unless somebody else has changed the
// same one since it was shown.
func SetFact(c *page.Call) (*page.Answer, error) {
	s := records.SectionOf(c.App, inventory.Computers.Schema)
	id, err := c.ID(s.Kind)
	if err != nil {
		return nil, err
	}
	f := factField(s, c.Form.Get("field"))
	if f == nil {
		return nil, c.App.Missing(c.Request)
	}
	value := url.Values{f.Name: c.Form[f.Name]}
	target, theirs := s.Target(c, id), ""
	for range factTries {
		_, err = c.App.Desk.Update(c.Context(), c.Who(), target, records.DocumentOf(c, s.Kind, value))
		if !page.IsRefusal(err, desk.Changed) {
			break
		}
		rec, wrong := c.App.Desk.Get(c.Context(), c.Who(), s.Kind, id)
		if wrong != nil {
			return nil, wrong
		}
		if theirs = records.InputValue(c, s.Kind.Values(rec), f); theirs != c.Form.Get("was") {
			break
		}
		version := s.Kind.Meta(rec).Version
		target.If = func(now int64) bool { return now == version }
	}
	return factAnswer(c, s, id, f, theirs, err)
}

// factAnswer leads back to the computer, or shows its form again with what is
// wrong.
func factAnswer(c *page.Call, s *records.Section, id int64, f *kind.Field, theirs string,
	err error) (*page.Answer, error) {
	draft := factDraft{field: f.Name, sent: c.Form}
	faults := records.FaultsOf(err)
	switch {
	case len(faults) > 0:
		draft.status, draft.fault = http.StatusUnprocessableEntity, c.Fault(faults[0])
	case page.IsRefusal(err, desk.Changed):
		if theirs == "" {
			theirs = c.T("nothing")
		}
		draft.status, draft.notice = http.StatusConflict,
			c.T("Someone set this to “%s” in the meantime, so nothing was saved. Save again to use your value.", theirs)
	case err != nil:
		return nil, err
	default:
		if err := c.NotifyUndo(c.T("%s was saved", c.Label(f)), s.Kind, id); err != nil {
			return nil, err
		}
		return c.GoTo(records.ListAddress(s.RecordPath(id), c.Form.Get("rest")))
	}
	c.URL.RawQuery = c.Form.Get("rest") // the page is shown as it was
	return computerAnswer(c, draft)
}
