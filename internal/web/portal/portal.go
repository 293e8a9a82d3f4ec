// Package portal has the self-service pages of requesters: their requests and devices,
// and articles to read. The pages on which staff work on tickets belong in package
// tickets.
package portal

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/web/lang"
	"muster/internal/web/page"
	"muster/internal/web/records"
	"muster/internal/web/tickets"
)

// A portalPage is what the first page of the self-service shows.
type portalPage struct {
	Search    string
	Searched  bool
	Articles  []portalItem
	Form      requestForm
	Tickets   []portalItem
	Total     int // of tickets
	Computers []portalItem
	Write     bool // the person may open tickets
}

// A portalItem leads to an article, a ticket or a computer.
type portalItem struct {
	Name, Href string
	State      page.Cell
	Sub        string
}

// A requestForm is the form in which a ticket is opened.
type requestForm struct {
	*records.FormPage
	What, More records.Input
	Computer   *records.Input // nil for people without one
}

// How many articles, tickets and computers the first page shows.
const (
	portalArticles  = 5
	portalTickets   = 5
	portalComputers = 20
)

// portalAnswer answers with a page of the self-service.
func portalAnswer(c *page.Call, status int, template, title string, data any, scripts ...string) (*page.Answer, error) {
	return &page.Answer{Status: status, Template: template, Page: page.Page{
		Title: title, Bare: "portal", Scripts: scripts, Data: data,
	}}, nil
}

// Show shows where requesters begin: articles first, then a short form.
func Show(c *page.Call) (*page.Answer, error) {
	return newPortalPage(c, http.StatusOK, url.Values{"name": {c.URL.Query().Get("q")}}, nil)
}

// newPortalPage shows the first page of the self-service, whose form has some values
// and what is wrong with them.
func newPortalPage(c *page.Call, status int, values url.Values, faults []message.Text) (*page.Answer, error) {
	p := &portalPage{Search: c.URL.Query().Get("q"), Write: !c.User.ReadOnly.V}
	p.Searched = strings.TrimSpace(p.Search) != ""
	var err error
	if p.Articles, err = helpfulArticles(c, p.Search); err != nil {
		return nil, err
	}
	if p.Tickets, p.Total, err = ownTickets(c, portalTickets); err != nil {
		return nil, err
	}
	computers, err := ownComputers(c)
	if err != nil {
		return nil, err
	}
	for _, rec := range computers {
		p.Computers = append(p.Computers, deviceItem(c, rec))
	}
	p.Form = newRequestForm(c, values, computers, faults)
	return portalAnswer(c, status, "portal", c.T("Help"), p)
}

// newRequestForm returns the form in which a person opens a ticket, maybe about one of
// their computers. A single computer is preselected.
func newRequestForm(c *page.Call, values url.Values, computers []*inventory.Computer,
	faults []message.Text) requestForm {
	s := records.SectionOf(c.App, inventory.Tickets.Schema)
	asks := func(name string) records.Input { return s.Input(c, s.Kind.Field(name), values, nil) }
	inputs := []records.Input{asks("name"), asks("description")}
	inputs[1].Hint = c.T("Never send a password.")
	if len(computers) > 0 {
		one := asks("hardwares")
		one.Options = nil
		for _, rec := range computers {
			id := strconv.FormatInt(rec.ID, 10)
			one.Options = append(one.Options,
				records.Option{Value: id, Label: rec.Name, Chosen: values.Get("hardwares") == id ||
					!values.Has("hardwares") && len(computers) == 1})
		}
		inputs = append(inputs, one)
	}
	f := requestForm{FormPage: &records.FormPage{Key: c.FormKey(), Groups: []records.InputGroup{{Inputs: inputs}}}}
	if c.Form != nil { // it was sent and is shown again
		f.Place(c.Locale, faults)
	}
	f.What, f.More = inputs[0], inputs[1]
	if len(inputs) > 2 {
		f.Computer = &inputs[2]
	}
	return f
}

// published is the condition for what everybody may read.
func published() kind.Cond {
	return kind.Cond{
		Field: inventory.Solutions.Field("state"), Any: []kind.Test{{Text: []string{inventory.SolutionPublished}}},
	}
}

// helpfulArticles returns the Published articles that have all that was written,
// or, if there are none, those that have some of it.
func helpfulArticles(c *page.Call, text string) (items []portalItem, err error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	found, err := c.App.Desk.List(c.Context(), c.Who(), inventory.Solutions.Schema, &kind.Query{
		Search: &kind.Search{Text: text}, Conds: []kind.Cond{published()}, Page: 1, PerPage: portalArticles,
		Today: kind.Today(c.App.Now()),
	})
	if err != nil {
		return nil, err
	}
	var articles []*inventory.Solution
	for _, rec := range found.Records {
		articles = append(articles, rec.(*inventory.Solution))
	}
	if len(articles) == 0 {
		if articles, err = tickets.SuggestArticles(c, text, nil); err != nil {
			return nil, err
		}
	}
	for _, s := range articles {
		if s.State == inventory.SolutionPublished {
			items = append(items, portalItem{
				Name: s.Name, Href: "/help/" + strconv.FormatInt(s.ID, 10), Sub: readingTime(c, s.Description),
			})
		}
	}
	return items, nil
}

// wordsAMinute is how fast people read.
const wordsAMinute = 200

// readingTime returns how long it takes to read a text.
func readingTime(c *page.Call, text string) string {
	return c.TN(max(1, (len(strings.Fields(text))+wordsAMinute/2)/wordsAMinute), "%s min to read", "%s min to read")
}

// asking is the condition that somebody's own tickets have. Requesters see no
// others anyway, but also those that they opened for somebody.
func asking(c *page.Call) []kind.Cond {
	if !page.Staff.Allows(c.User) {
		return nil
	}
	return []kind.Cond{
		{Field: inventory.Tickets.Field("requester"), Any: []kind.Test{{Range: true, Min: c.User.ID, Max: c.User.ID}}},
	}
}

// ownTickets returns the person's latest tickets.
func ownTickets(c *page.Call, n int) (items []portalItem, total int, err error) {
	found, err := c.App.Desk.List(c.Context(), c.Who(), inventory.Tickets.Schema, &kind.Query{
		Conds: asking(c), Sort: inventory.Tickets.Field("updated-at"), Desc: true, Page: 1, PerPage: n,
		Today: kind.Today(c.App.Now()),
	})
	for _, rec := range found.Records {
		t := rec.(*inventory.Ticket)
		items = append(items, portalItem{
			Name: t.Name, Href: requestPath(t.ID), State: friendly(c, t),
			Sub: "#" + strconv.FormatInt(t.Number.V, 10) + " · " + c.Moment(t.UpdatedAt).Short,
		})
	}
	return items, found.Total, err
}

// ownComputers returns the computers that the person has.
func ownComputers(c *page.Call) (computers []*inventory.Computer, err error) {
	recs, err := tickets.First(c, inventory.Computers.Schema, portalComputers,
		kind.Cond{
			Field: inventory.Computers.Field("owner"), Any: []kind.Test{{Range: true, Min: c.User.ID, Max: c.User.ID}},
		})
	for _, rec := range recs {
		computers = append(computers, rec.(*inventory.Computer))
	}
	return computers, err
}

func deviceItem(c *page.Call, rec *inventory.Computer) portalItem {
	return portalItem{
		Name: rec.Name, Href: "/devices/" + strconv.FormatInt(rec.ID, 10),
		Sub:   strings.TrimSpace(rec.Manufacturer + " " + rec.Model),
		State: c.Cell(inventory.Computers.Values(rec), inventory.Computers.Field("status")),
	}
}

// friendly returns the state of a ticket as requesters read it.
func friendly(c *page.Call, t *inventory.Ticket) page.Cell {
	words := map[string]string{
		inventory.TicketNew: lang.Msg("Received"), inventory.TicketAssigned: lang.Msg("In progress"),
		inventory.TicketAwaiting: lang.Msg("We need your answer"), inventory.TicketOnHold: lang.Msg("Waiting"),
	}
	one := c.Cell(inventory.Tickets.Values(t), inventory.Tickets.Field("state"))
	if word, ok := words[t.State]; ok {
		one.Text = c.T(word)
	}
	return one
}

// OpenRequest opens a ticket for the person, only one if the form is sent twice. The
// button that restores a draft shows the form with it instead.
func OpenRequest(c *page.Call) (*page.Answer, error) {
	if c.Form.Get(records.DoName) != "" {
		return newPortalPage(c, http.StatusOK, c.Form, nil)
	}
	values := tickets.FormOf(c.Form, "name", "description", "hardwares")
	asked := desk.New{Kind: inventory.Tickets.Schema, Document: records.DocumentOf(c, inventory.Tickets.Schema,
		values), Once: c.OnceOf("/requests", values)}
	var rec any
	err := c.AfterFirst(func() (err error) {
		rec, _, err = c.App.Desk.Create(c.Context(), c.Who(), asked)
		return err
	})
	if invalid, ok := errors.AsType[*kind.Invalid](err); ok {
		return newPortalPage(c, http.StatusUnprocessableEntity, c.Form, invalid.Faults)
	}
	if err != nil {
		return nil, err
	}
	t := rec.(*inventory.Ticket)
	c.Notify(c.T("Your ticket #%d was sent", t.Number.V))
	return c.GoTo(requestPath(t.ID))
}

// ListRequests shows the person's tickets: of more than kind.ReadAtOnce only those that
// were changed last, though the heading has the number of all.
func ListRequests(c *page.Call) (*page.Answer, error) {
	items, total, err := ownTickets(c, kind.ReadAtOnce)
	if err != nil {
		return nil, err
	}
	return portalAnswer(c, http.StatusOK, "requests", c.T("Your tickets"),
		map[string]any{"Tickets": items, "Total": total})
}

// A helpPage is an article as everybody reads it.
type helpPage struct {
	Name string
	Text any
	When *page.Moment
}

// ShowHelp shows an article.
func ShowHelp(c *page.Call) (*page.Answer, error) {
	id, err := c.ID(inventory.Solutions.Schema)
	if err != nil {
		return nil, err
	}
	rec, err := c.App.Desk.Get(c.Context(), c.Who(), inventory.Solutions.Schema, id)
	if err != nil {
		return nil, err
	}
	s := rec.(*inventory.Solution)
	return portalAnswer(c, http.StatusOK, "help-article", s.Name,
		helpPage{s.Name, c.Markdown(s.Description), c.Moment(s.UpdatedAt)})
}

// ShowDevice shows a computer of the person, in few words.
func ShowDevice(c *page.Call) (*page.Answer, error) {
	id, err := c.ID(inventory.Computers.Schema)
	if err != nil {
		return nil, err
	}
	rec, err := c.App.Desk.Get(c.Context(), c.Who(), inventory.Computers.Schema, id)
	if err != nil {
		return nil, err
	}
	computer, s := rec.(*inventory.Computer), records.SectionOf(c.App, inventory.Computers.Schema)
	var known []records.Fact
	for _, name := range []string{
		"asset-id", "serial-number", "manufacturer", "model", "operating-system", "memory", "site", "detected-at",
	} {
		if one := s.NewFact(c, s.Kind.Field(name), rec); one.Cell.Look != "" {
			known = append(known, one)
		}
	}
	return portalAnswer(c, http.StatusOK, "device", computer.Name,
		map[string]any{"Item": deviceItem(c, computer), "Facts": known})
}

func requestPath(id int64) string { return "/requests/" + strconv.FormatInt(id, 10) }
