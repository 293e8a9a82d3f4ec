package tickets

import (
	"slices"
	"strconv"
	"strings"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/lang"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// A newTicketPage is the form in which technicians open a ticket: what each has
// first, what some have beside it, and the rest folded away.
type newTicketPage struct {
	*records.FormPage
	What   []records.Input // what it is about
	Who    records.Input   // the requester
	Links  records.Input   // the computers that it is about
	Theirs string          // who has the computers that are offered
	Offers []records.Option
	Beside []records.Input
	More   []records.Input
	Open   bool // the rest is not folded away
}

// besideTicket are the fields that a new ticket has beside what it is about.
var besideTicket = []string{"priority", "assignee", "due-at", "category", "subcategory"}

// NewForm lays out the form of a new ticket.
func NewForm(c *page.Call, status int, p *records.FormPage) (*page.Answer, error) {
	n := &newTicketPage{FormPage: p}
	p.Save = c.T("Open ticket")
	p.Each(func(in *records.Input) bool {
		n.place(c, *in)
		return true
	})
	slices.SortStableFunc(n.Beside, func(a, b records.Input) int {
		return slices.Index(besideTicket, a.Name) - slices.Index(besideTicket, b.Name)
	})
	for i := range n.Beside {
		if n.Beside[i].Name == "assignee" {
			if err := offerHelpers(c, &n.Beside[i]); err != nil {
				return nil, err
			}
		}
	}
	if err := offerComputers(c, n); err != nil {
		return nil, err
	}
	return &page.Answer{Status: status, Template: "ticket-new", Page: page.Page{
		Title: p.Title, Here: p.List, Scripts: []string{"form.js", "newticket.js"}, Data: n,
	}}, nil
}

// place assigns an input to its part of the form.
func (n *newTicketPage) place(c *page.Call, in records.Input) {
	switch {
	case in.Name == "name", in.Name == "description":
		n.What = append(n.What, in)
	case in.Name == "requester":
		in.Required, in.Hint = false, c.T("Name or email address. Leave empty if it is for you.")
		n.Who = in
	case in.Name == "hardwares":
		n.Links = in
	case in.Name == "due-at":
		in.Label = c.T("Due")
		n.Beside = append(n.Beside, in)
	case slices.Contains(besideTicket, in.Name):
		n.Beside = append(n.Beside, in)
	default:
		n.More = append(n.More, in)
		n.Open = n.Open || in.Fault != "" || in.First || in.Search != "" || len(in.Options) > 0 &&
			in.Look == "links" || in.Look != "select" && in.Value != ""
	}
}

// offerHelpers adds the possible assignees to an input.
func offerHelpers(c *page.Call, in *records.Input) error {
	all, err := helpers(c, &kind.Person{})
	if err != nil {
		return err
	}
	in.Look, in.Hint, in.Options = "select", "", all[1:] // the first is nobody, as every choice has it
	for i := range in.Options {
		in.Options[i].Chosen = in.Options[i].Value == in.Value
	}
	if in.Value != "" && !slices.ContainsFunc(in.Options, func(o records.Option) bool { return o.Chosen }) {
		// as it was written, to be read beside what is wrong with it
		in.Options = append(in.Options, records.Option{Value: in.Value, Label: in.Value, Chosen: true})
	}
	return nil
}

// offerComputers offers the computers of the requester.
func offerComputers(c *page.Call, n *newTicketPage) error {
	who, err := personCalled(c, n.Who.Value)
	if err != nil || who == nil {
		return err
	}
	recs, err := First(c, inventory.Computers.Schema, maxOffered, kind.Cond{
		Field: inventory.Computers.Field("owner"), Any: []kind.Test{{Range: true, Min: who.ID, Max: who.ID}},
	})
	for _, rec := range recs {
		own := records.Option{
			Value: strconv.FormatInt(inventory.Computers.Meta(rec).ID, 10), Label: rec.(*inventory.Computer).Name,
		}
		if !slices.ContainsFunc(n.Links.Options, func(has records.Option) bool { return has.Value == own.Value }) {
			n.Offers = append(n.Offers, own)
		}
	}
	person := who.Person()
	n.Theirs = lang.PersonName(&person)
	return err
}

// personCalled returns the user named in a form, nil when it names none or several match.
func personCalled(c *page.Call, text string) (*inventory.User, error) {
	if text = strings.TrimSpace(text); text == "" {
		return nil, nil
	}
	recs, err := records.MatchingOf(c, inventory.Users.Schema, text, nil)
	if err != nil {
		return nil, err
	}
	for _, rec := range recs {
		u := rec.(*inventory.User)
		if p := u.Person(); len(recs) == 1 || strings.EqualFold(u.Email, text) || p.Title() == text {
			return u, nil
		}
	}
	return nil, nil
}

// AskNew shows the form of a new ticket, filled with the values in the address. The
// requester of a ticket about one computer is the computer's owner, unless the address
// names another.
func AskNew(c *page.Call) (*page.Answer, error) {
	values := c.URL.Query()
	if computers := values["hardwares"]; len(computers) == 1 && !values.Has("requester") {
		owner, err := ownerOf(c, computers[0])
		if err != nil {
			return nil, err
		}
		if owner != "" {
			values = page.With(values, "requester", owner)
		}
	}
	s := records.SectionOf(c.App, inventory.Tickets.Schema)
	return s.AskNewWith(c, values)
}

// ownerOf returns the owner of a computer as forms name people, "" for nobody.
func ownerOf(c *page.Call, id string) (string, error) {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil || n < 1 {
		return "", nil
	}
	recs, err := First(c, inventory.Computers.Schema, 1,
		kind.Cond{Field: inventory.Computers.Field("id"), Any: []kind.Test{{Range: true, Min: n, Max: n}}})
	if err != nil || len(recs) == 0 {
		return "", err
	}
	owner := recs[0].(*inventory.Computer).Owner
	if owner.ID == 0 {
		return "", nil
	}
	return owner.Title(), nil
}
