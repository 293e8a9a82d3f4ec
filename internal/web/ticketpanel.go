package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// A prop is a field of a ticket that is changed in place.
type prop struct {
	input
	Key  string // that goes to it
	Mark cell   // before it: a dot, a priority or a face
	Tone string // of its text
}

// panelFields are the fields that a ticket's page changes in place, one at a
// time.
var panelFields = []string{"state", "priority", "assignee", "due-at", "category", "subcategory", "site", "tag", "requester"}

// props returns the fields of a ticket that are changed in place.
func (c *call) props(t *inventory.Ticket) (props []prop, err error) {
	v := inventory.Tickets.Values(t)
	for _, name := range panelFields {
		f := inventory.Tickets.Field(name)
		p := prop{input: c.control(f, name, url.Values{name: {c.inputValue(v, f)}})}
		p.ID = "p-" + name
		switch name {
		case "requester":
			continue // has a card of its own
		case "state":
			p.Key, p.Mark = "s", c.cell(v, f)
		case "priority":
			p.Key, p.Mark = "p", c.cell(v, f)
		case "assignee":
			p.Look, p.Key = "select", "a"
			if p.Options, err = c.helpers(&t.Assignee); err != nil {
				return nil, err
			}
			p.Mark = c.personMark(&t.Assignee)
		case "due-at":
			p.Label, p.Key = c.t("Due"), "d"
			if d := c.due(t); d != nil {
				p.Tone = d.Tone
			}
		default:
			if p.Options, err = c.known(f); err != nil {
				return nil, err
			}
		}
		props = append(props, p)
	}
	return props, nil
}

// personMark returns the face of a person.
func (c *call) personMark(p *kind.Person) cell {
	if p.ID == 0 {
		return cell{}
	}
	return cell{Look: "face", Text: initials(personName(p)), Tone: face(p.Email)}
}

// maxHelpers is how many people a ticket can be given to in its page.
const maxHelpers = 500

// workers is the query for those who can work on tickets: technicians and
// administrators who can sign in and change something.
func workers() url.Values {
	return url.Values{"role": {inventory.Technician, inventory.Administrator}, "disabled": {"false"}, "read_only": {"false"}}
}

// helpers returns those to whom a ticket can be given: who has it, and all who
// can work on it.
func (c *call) helpers(now *kind.Person) ([]option, error) {
	query := workers()
	query.Set("sort_by", "name")
	query.Set("per_page", strconv.Itoa(maxHelpers))
	q, err := inventory.Users.ParseQuery(query.Encode(), c.web.Now())
	if err != nil {
		return nil, err
	}
	found, err := c.web.Desk.List(c.Context(), c.who(), inventory.Users.Schema, q)
	if err != nil {
		return nil, err
	}
	all := []option{{Label: c.t("Nobody"), Chosen: now.ID == 0}}
	for _, rec := range found.Records {
		u := rec.(*inventory.User)
		all = append(all, option{u.Email, u.Name, u.ID == now.ID})
	}
	if now.ID != 0 && !slices.ContainsFunc(all, func(o option) bool { return o.Chosen }) {
		all = append(all, option{now.Email, personName(now), true})
	}
	return all, nil
}

// maxKnown is how many values of other tickets are offered.
const maxKnown = 50

// known returns the values that a field has in other tickets, the most frequent
// ones.
func (c *call) known(f *kind.Field) (all []option, err error) {
	q := &kind.Query{Page: 1, PerPage: maxKnown, Today: kind.Today(c.web.Now())}
	counts, err := c.web.Desk.Counts(c.Context(), c.who(), inventory.Tickets.Schema, q, f)
	for _, n := range counts {
		if n.Value != "" {
			all = append(all, option{Value: n.Value})
		}
	}
	return all, err
}

// setTicket changes one field of a ticket.
func (c *call) setTicket() (*answer, error) {
	i := slices.IndexFunc(panelFields, c.form.Has)
	if i < 0 {
		return c.ticketAnswer(http.StatusUnprocessableEntity, c.form, func(p *ticketPage) { p.Fault = c.t("The form names nothing that can be changed here.") })
	}
	return c.changeTicket(c.form, formOf(c.form, panelFields[i]))
}

// changeTicket changes a ticket as values say, unless somebody changed the same
// fields since the form was shown.
func (c *call) changeTicket(form, values url.Values) (*answer, error) {
	was, err := c.ticket()
	if err != nil {
		return nil, err
	}
	rec, clash, err := c.update(was, form, values)
	switch invalid, _ := errors.AsType[*kind.Invalid](err); {
	case clash != nil:
		return c.ticketAnswer(http.StatusConflict, form, func(p *ticketPage) { p.Notice = clash })
	case invalid != nil:
		return c.ticketAnswer(http.StatusUnprocessableEntity, form, func(p *ticketPage) { p.Fault = c.fault(invalid.Faults[0]) })
	case err != nil:
		return nil, err
	}
	if rec.Version != was.Version {
		if err := c.sayChanged(was, rec, values); err != nil {
			return nil, err
		}
	}
	return c.backToTicket(was.ID, form)
}

// update changes a ticket as values say, unless that clashes.
func (c *call) update(was *inventory.Ticket, form, values url.Values) (rec *inventory.Ticket, clash *changedNotice, err error) {
	document := c.documentOf(inventory.Tickets.Schema, values)
	clash, err = c.unlessClash(form, values, func(fits func(int64) bool) error {
		changed, err := c.web.Desk.Update(c.Context(), c.who(), desk.Target{Kind: inventory.Tickets.Schema, ID: was.ID, If: fits}, document)
		if err == nil {
			rec = changed.(*inventory.Ticket)
		}
		return err
	})
	return rec, clash, err
}

// unlessClash changes a ticket, if it is in a version that fits. One that is not
// that which the form was shown with is no matter if none of the fields has
// changed since: then nothing is overwritten. Otherwise clash tells what has.
func (c *call) unlessClash(form, values url.Values, change func(fits func(int64) bool) error) (clash *changedNotice, err error) {
	expected := number(form, "version")
	for {
		err := change(func(now int64) bool { return expected == 0 || now == expected })
		if !isRefusal(err, desk.Changed) {
			return nil, err
		}
		now, err := c.ticket()
		if err != nil {
			return nil, err
		}
		entries, fields, err := c.changedSince(now, number(form, "seen"), number(form, "said"))
		if err != nil {
			return nil, err
		}
		for name := range values {
			if fields[name] || form.Has("body") && len(entries) > 0 { // an answer may be another after what was said
				return &changedNotice{c.t("This ticket was changed while you had it open, so nothing was saved. Look at what is new, then do it again if it still fits."), entries}, nil
			}
		}
		expected = now.Version
	}
}

// sayChanged tells what was changed, with the way to take it back. Linked records
// are set once more: the trail does not tell which they were.
func (c *call) sayChanged(was, rec *inventory.Ticket, values url.Values) error {
	for name := range values {
		f := inventory.Tickets.Field(name)
		if f.Targets == nil {
			return c.sayUndo(c.told(inventory.Tickets.Values(rec), f), inventory.Tickets.Schema, rec.ID)
		}
		seen, err := c.ownChange(rec.ID, name)
		if err != nil {
			return err
		}
		before, after := *inventory.Tickets.Values(was).Links(f), *inventory.Tickets.Values(rec).Links(f)
		back := url.Values{name: ids(before)}
		for part, n := range map[string]int64{"version": rec.Version, "seen": seen, "said": max(lastSaid(was), lastSaid(rec))} {
			back.Set(part, strconv.FormatInt(n, 10))
		}
		c.toast = &toast{Text: c.toldLinks(f, before, after), Undo: address(undoPath+ticketPath(rec.ID)+"/link", back)}
	}
	return nil
}

// ownChange returns the audit record of the person's latest change of a field of
// a ticket: what others have changed since is news to them.
func (c *call) ownChange(id int64, field string) (int64, error) {
	audits, err := c.auditsOf(id)
	for _, a := range slices.Backward(audits) {
		if a.User.ID == c.user.ID && slices.ContainsFunc(a.Changes, func(ch inventory.AuditChange) bool { return ch.Field == field }) {
			return a.ID, err
		}
	}
	return 0, err
}

// toldLinks says which record is linked now, or no longer.
func (c *call) toldLinks(f *kind.Field, before, after []kind.Linked) string {
	more, less := beyond(after, before), beyond(before, after)
	switch {
	case len(more) == 1 && len(less) == 0:
		return c.t("%s linked", more[0].Name)
	case len(more) == 0 && len(less) == 1:
		return c.t("%s unlinked", less[0].Name)
	}
	return c.t("%s changed", c.label(f))
}

// beyond returns the links that others have not.
func beyond(links, others []kind.Linked) []kind.Linked {
	return slices.DeleteFunc(slices.Clone(links), func(l kind.Linked) bool {
		return slices.ContainsFunc(others, func(o kind.Linked) bool { return o.ID == l.ID && o.Item == l.Item })
	})
}

// told says what a field was set to.
func (c *call) told(v kind.Values, f *kind.Field) string {
	text, label := v.Format(f), c.label(f)
	if f.Name == "due-at" {
		label = c.t("Due date")
	}
	switch {
	case f.Name == "assignee" && text != "":
		return c.t("Given to %s", personName(v.Person(f)))
	case text == "":
		return c.t("%s cleared", label)
	}
	return c.t("%s is now %s", label, c.eventValue(f, text))
}

// number returns the number that a form has under a name, 0 for none.
func number(form url.Values, name string) int64 {
	n, err := strconv.ParseInt(form.Get(name), 10, 64)
	if err != nil {
		return 0
	}
	return n
}
