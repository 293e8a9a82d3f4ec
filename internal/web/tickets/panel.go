package tickets

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/lang"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// A prop is a field of a ticket that is changed in place.
type prop struct {
	records.Input
	Key  string    // that goes to it
	Mark page.Cell // before it: a dot, a priority or a face
	Tone string    // of its text
}

// panelFields are the fields that a ticket's page changes in place, one at a time, in the
// order in which it shows them, and all that Set accepts. The requester is among them for
// Set alone: it is shown in a card of its own, see requesterOf. The order of the form is
// that of Facts in internal/web/sections.go.
var panelFields = []string{
	"state", "priority", "assignee", "due-at", "category", "subcategory", "site", "tag", "requester",
}

// props returns the fields of a ticket that are changed in place.
func props(c *page.Call, t *inventory.Ticket) (props []prop, err error) {
	v := inventory.Tickets.Values(t)
	for _, name := range panelFields {
		f := inventory.Tickets.Field(name)
		p := prop{Input: records.Control(c, f, name, url.Values{name: {records.InputValue(c, v, f)}})}
		p.ID = "p-" + name
		switch name {
		case "requester":
			continue // is shown in a card of its own
		case "state":
			p.Key, p.Mark = "s", c.Cell(v, f)
		case "priority":
			p.Key, p.Mark = "p", c.Cell(v, f)
		case "assignee":
			p.Look, p.Key = "select", "a"
			if p.Options, err = helpers(c, &t.Assignee); err != nil {
				return nil, err
			}
			p.Mark = personMark(c, &t.Assignee)
		case "due-at":
			p.Label, p.Key = c.T("Due"), "d"
			if d := newDue(c, t); d != nil {
				p.Tone = d.Tone
			}
		default:
			if p.Options, err = known(c, f); err != nil {
				return nil, err
			}
		}
		props = append(props, p)
	}
	return props, nil
}

// personMark returns the face of a person.
func personMark(c *page.Call, p *kind.Person) page.Cell {
	if p.ID == 0 {
		return page.Cell{}
	}
	return page.Cell{Look: "face", Text: page.Initials(lang.PersonName(p)), Tone: page.Face(p.Email)}
}

// maxHelpers is how many people a ticket can be given to in its page.
const maxHelpers = 500

// Workers is the query for those who can work on tickets: technicians and
// administrators who can sign in and change something.
func Workers() url.Values {
	return url.Values{"role": {inventory.Technician, inventory.Administrator}, "disabled": {"false"}, "read_only": {
		"false",
	}}
}

// helpers returns the possible assignees of a ticket: the present one, and all who can
// work on it.
func helpers(c *page.Call, now *kind.Person) ([]records.Option, error) {
	query := Workers()
	query.Set("sort_by", "name")
	query.Set("per_page", strconv.Itoa(maxHelpers))
	q, err := inventory.Users.ParseQuery(query.Encode(), c.App.Now())
	if err != nil {
		return nil, err
	}
	found, err := c.App.Desk.List(c.Context(), c.Who(), inventory.Users.Schema, q)
	if err != nil {
		return nil, err
	}
	all := []records.Option{{Label: c.T("Nobody"), Chosen: now.ID == 0}}
	for _, rec := range found.Records {
		u := rec.(*inventory.User)
		all = append(all, records.Option{Value: u.Email, Label: u.Name, Chosen: u.ID == now.ID})
	}
	if now.ID != 0 && !slices.ContainsFunc(all, func(o records.Option) bool { return o.Chosen }) {
		all = append(all, records.Option{Value: now.Email, Label: lang.PersonName(now), Chosen: true})
	}
	return all, nil
}

// maxKnown is how many values of other tickets are offered.
const maxKnown = 50

// known returns the values that a field has in other tickets, the most frequent
// ones.
func known(c *page.Call, f *kind.Field) (all []records.Option, err error) {
	q := &kind.Query{Page: 1, PerPage: maxKnown, Today: kind.Today(c.App.Now())}
	counts, err := c.App.Desk.Counts(c.Context(), c.Who(), inventory.Tickets.Schema, q, f)
	for _, n := range counts {
		if n.Value != "" {
			all = append(all, records.Option{Value: n.Value})
		}
	}
	return all, err
}

// Set changes one field of a ticket.
func Set(c *page.Call) (*page.Answer, error) {
	i := slices.IndexFunc(panelFields, c.Form.Has)
	if i < 0 {
		return ticketAnswer(c, http.StatusUnprocessableEntity, c.Form,
			func(p *ticketPage) { p.Fault = c.T("The form names nothing that can be changed here.") })
	}
	return changeTicket(c, c.Form, FormOf(c.Form, panelFields[i]))
}

// changeTicket changes a ticket as values say, unless somebody changed the same
// fields since the form was shown.
func changeTicket(c *page.Call, form, values url.Values) (*page.Answer, error) {
	was, err := Ticket(c)
	if err != nil {
		return nil, err
	}
	rec, clash, err := update(c, was, form, values)
	switch invalid, _ := errors.AsType[*kind.Invalid](err); {
	case clash != nil:
		return ticketAnswer(c, http.StatusConflict, form, func(p *ticketPage) { p.Notice = clash })
	case invalid != nil:
		return ticketAnswer(c, http.StatusUnprocessableEntity, form,
			func(p *ticketPage) { p.Fault = c.Fault(invalid.Faults[0]) })
	case err != nil:
		return nil, err
	}
	if rec.Version != was.Version {
		if err := notifyChanged(c, was, rec, values); err != nil {
			return nil, err
		}
	}
	return backToTicket(c, was.ID, form)
}

// update changes a ticket as values say, unless that clashes.
func update(c *page.Call, was *inventory.Ticket,
	form, values url.Values) (rec *inventory.Ticket, clash *changedNotice, err error) {
	document := records.DocumentOf(c, inventory.Tickets.Schema, values)
	clash, err = unlessClash(c, form, values, func(fits func(int64) bool) error {
		changed, err := c.App.Desk.Update(c.Context(), c.Who(),
			desk.Target{Kind: inventory.Tickets.Schema, ID: was.ID, If: fits}, document)
		if err == nil {
			rec = changed.(*inventory.Ticket)
		}
		return err
	})
	return rec, clash, err
}

// unlessClash changes a ticket if that overwrites no change of others. A version other
// than the form's is accepted if none of the form's fields has changed since. Otherwise
// clash says which have.
func unlessClash(c *page.Call, form, values url.Values,
	change func(fits func(int64) bool) error) (clash *changedNotice, err error) {
	expected := page.Number(form, "version")
	for {
		err := change(func(now int64) bool { return expected == 0 || now == expected })
		if !page.IsRefusal(err, desk.Changed) {
			return nil, err
		}
		now, err := Ticket(c)
		if err != nil {
			return nil, err
		}
		entries, fields, err := changedSince(c, now, page.Number(form, "seen"), page.Number(form, "said"))
		if err != nil {
			return nil, err
		}
		for name := range values {
			if fields[name] || form.Has("body") && len(entries) > 0 { // an answer may be another after what was said
				return &changedNotice{
					c.T("This ticket was changed while you had it open, so nothing was saved. Look at what is new, then do it again if it still fits."), entries,
				}, nil
			}
		}
		expected = now.Version
	}
}

// notifyChanged notifies of what was changed, with an undo button. Linked records are
// set once more, since the audit trail does not record which they were.
func notifyChanged(c *page.Call, was, rec *inventory.Ticket, values url.Values) error {
	for name := range values {
		f := inventory.Tickets.Field(name)
		if f.Targets == nil {
			return c.NotifyUndo(fieldMessage(c, inventory.Tickets.Values(rec), f), inventory.Tickets.Schema, rec.ID)
		}
		seen, err := ownChange(c, rec.ID, name)
		if err != nil {
			return err
		}
		before, after := *inventory.Tickets.Values(was).Links(f), *inventory.Tickets.Values(rec).Links(f)
		back := url.Values{name: ids(before)}
		for part, n := range map[string]int64{
			"version": rec.Version, "seen": seen, "said": max(LastSaid(was), LastSaid(rec)),
		} {
			back.Set(part, strconv.FormatInt(n, 10))
		}
		c.Toast = &page.Toast{
			Text: linksMessage(c, f, before, after), Undo: page.Address(page.UndoPath+ticketPath(rec.ID)+"/link", back),
		}
	}
	return nil
}

// ownChange returns the audit record of the person's latest change of a field of
// a ticket: what others have changed since is news to them.
func ownChange(c *page.Call, id int64, field string) (int64, error) {
	audits, err := auditsOf(c, id)
	for _, a := range slices.Backward(audits) {
		if a.User.ID == c.User.ID &&
			slices.ContainsFunc(a.Changes, func(ch inventory.AuditChange) bool { return ch.Field == field }) {
			return a.ID, err
		}
	}
	return 0, err
}

// linksMessage says which record is linked now, or no longer.
func linksMessage(c *page.Call, f *kind.Field, before, after []kind.Linked) string {
	more, less := beyond(after, before), beyond(before, after)
	switch {
	case len(more) == 1 && len(less) == 0:
		return c.T("%s linked", more[0].Name)
	case len(more) == 0 && len(less) == 1:
		return c.T("%s unlinked", less[0].Name)
	}
	return c.T("%s changed", c.Label(f))
}

// beyond returns the links that others have not.
func beyond(links, others []kind.Linked) []kind.Linked {
	return slices.DeleteFunc(slices.Clone(links), func(l kind.Linked) bool {
		return slices.ContainsFunc(others, func(o kind.Linked) bool { return o.ID == l.ID && o.Item == l.Item })
	})
}

// fieldMessage says what a field was set to.
func fieldMessage(c *page.Call, v kind.Values, f *kind.Field) string {
	text, label := v.Format(f), c.Label(f)
	if f.Name == "due-at" {
		label = c.T("Due date")
	}
	switch {
	case f.Name == "assignee" && text != "":
		return c.T("Given to %s", lang.PersonName(v.Person(f)))
	case text == "":
		return c.T("%s cleared", label)
	}
	return c.T("%s is now %s", label, c.EventValue(f, text))
}
