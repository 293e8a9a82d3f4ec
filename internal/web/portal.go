package web

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
)

// portalRoutes are the paths of the self-service. Who may see which record there
// is the desk's to say; staff see it as requesters do.
func (w *Web) portalRoutes() {
	w.route("/portal", everyone, verbs{"GET": (*call).portal})
	w.route("/help/{id}", everyone, verbs{"GET": (*call).showHelp})
	w.route("/requests", everyone, verbs{"GET": (*call).listRequests, "POST": (*call).openRequest})
	w.route("/requests/{id}", everyone, verbs{"GET": (*call).showRequest})
	w.route("/requests/{id}/reply", everyone, verbs{"POST": (*call).replyToRequest})
	w.route("/requests/{id}/events", everyone, verbs{"GET": (*call).followTicket})
	w.route("/devices/{id}", everyone, verbs{"GET": (*call).showDevice})
}

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
	State      cell
	Sub        string
}

// A requestForm is the form in which a ticket is opened.
type requestForm struct {
	*formPage
	What, More input
	Computer   *input // nil for who has none
}

// How many articles, tickets and computers the first page shows.
const (
	portalArticles  = 5
	portalTickets   = 5
	portalComputers = 20
)

// portalAnswer answers with a page of the self-service.
func (c *call) portalAnswer(status int, template, title string, data any, scripts ...string) (*answer, error) {
	return &answer{status: status, template: template, page: page{Title: title, Bare: "portal", Scripts: scripts, Data: data}}, nil
}

// portal shows where requesters begin: articles first, then a short form.
func (c *call) portal() (*answer, error) {
	return c.portalPage(http.StatusOK, url.Values{"name": {c.URL.Query().Get("q")}}, nil)
}

// portalPage shows the first page of the self-service, whose form has some values
// and what is wrong with them.
func (c *call) portalPage(status int, values url.Values, faults []message.Text) (*answer, error) {
	p := &portalPage{Search: c.URL.Query().Get("q"), Write: !c.user.ReadOnly.V}
	p.Searched = strings.TrimSpace(p.Search) != ""
	var err error
	if p.Articles, err = c.helpfulArticles(p.Search); err != nil {
		return nil, err
	}
	if p.Tickets, p.Total, err = c.ownTickets(portalTickets); err != nil {
		return nil, err
	}
	computers, err := c.ownComputers()
	if err != nil {
		return nil, err
	}
	for _, rec := range computers {
		p.Computers = append(p.Computers, c.deviceItem(rec))
	}
	p.Form = c.requestForm(values, computers, faults)
	return c.portalAnswer(status, "portal", c.t("Help"), p)
}

// requestForm returns the form in which a person opens a ticket, maybe about one
// of their computers: if they have one alone, it is that.
func (c *call) requestForm(values url.Values, computers []*inventory.Computer, faults []message.Text) requestForm {
	s := sectionOf(inventory.Tickets.Schema)
	asks := func(name string) input { return s.input(c, s.kind.Field(name), values, nil) }
	inputs := []input{asks("name"), asks("description")}
	inputs[1].Hint = c.t("Never send a password.")
	if len(computers) > 0 {
		one := asks("hardwares")
		one.Options = nil
		for _, rec := range computers {
			id := strconv.FormatInt(rec.ID, 10)
			one.Options = append(one.Options, option{id, rec.Name, values.Get("hardwares") == id || !values.Has("hardwares") && len(computers) == 1})
		}
		inputs = append(inputs, one)
	}
	f := requestForm{formPage: &formPage{Key: c.formKey(), Groups: []inputGroup{{Inputs: inputs}}}}
	if c.form != nil { // it was sent and is shown again
		f.place(c.tongue, faults)
	}
	f.What, f.More = inputs[0], inputs[1]
	if len(inputs) > 2 {
		f.Computer = &inputs[2]
	}
	return f
}

// published is the condition for what everybody may read.
func published() kind.Cond {
	return kind.Cond{Field: inventory.Solutions.Field("state"), Any: []kind.Test{{Text: []string{inventory.SolutionPublished}}}}
}

// helpfulArticles returns the Published articles that have all that was written,
// or, if there are none, those that have some of it.
func (c *call) helpfulArticles(text string) (items []portalItem, err error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	found, err := c.web.Desk.List(c.Context(), c.who(), inventory.Solutions.Schema, &kind.Query{
		Search: &kind.Search{Text: text}, Conds: []kind.Cond{published()}, Page: 1, PerPage: portalArticles, Today: kind.Today(c.web.Now()),
	})
	if err != nil {
		return nil, err
	}
	var articles []*inventory.Solution
	for _, rec := range found.Records {
		articles = append(articles, rec.(*inventory.Solution))
	}
	if len(articles) == 0 {
		if articles, err = c.suggestArticles(text, nil); err != nil {
			return nil, err
		}
	}
	for _, s := range articles {
		if s.State == inventory.SolutionPublished {
			items = append(items, portalItem{Name: s.Name, Href: "/help/" + strconv.FormatInt(s.ID, 10), Sub: c.readingTime(s.Description)})
		}
	}
	return items, nil
}

// wordsAMinute is how fast people read.
const wordsAMinute = 200

// readingTime tells how long it takes to read a text.
func (c *call) readingTime(text string) string {
	return c.tn(max(1, (len(strings.Fields(text))+wordsAMinute/2)/wordsAMinute), "%s min to read", "%s min to read")
}

// asking is the condition that somebody's own tickets have. Requesters see no
// others anyway, but also those that they opened for somebody.
func (c *call) asking() []kind.Cond {
	if !staff.admits(c.user) {
		return nil
	}
	return []kind.Cond{{Field: inventory.Tickets.Field("requester"), Any: []kind.Test{{Range: true, Min: c.user.ID, Max: c.user.ID}}}}
}

// ownTickets returns the person's latest tickets.
func (c *call) ownTickets(n int) (items []portalItem, total int, err error) {
	found, err := c.web.Desk.List(c.Context(), c.who(), inventory.Tickets.Schema, &kind.Query{
		Conds: c.asking(), Sort: inventory.Tickets.Field("updated-at"), Desc: true, Page: 1, PerPage: n, Today: kind.Today(c.web.Now()),
	})
	for _, rec := range found.Records {
		t := rec.(*inventory.Ticket)
		items = append(items, portalItem{
			Name: t.Name, Href: requestPath(t.ID), State: c.friendly(t),
			Sub: "#" + strconv.FormatInt(t.Number.V, 10) + " · " + c.moment(t.UpdatedAt).Short,
		})
	}
	return items, found.Total, err
}

// ownComputers returns the computers that the person has.
func (c *call) ownComputers() (computers []*inventory.Computer, err error) {
	recs, err := c.first(inventory.Computers.Schema, portalComputers,
		kind.Cond{Field: inventory.Computers.Field("owner"), Any: []kind.Test{{Range: true, Min: c.user.ID, Max: c.user.ID}}})
	for _, rec := range recs {
		computers = append(computers, rec.(*inventory.Computer))
	}
	return computers, err
}

func (c *call) deviceItem(rec *inventory.Computer) portalItem {
	return portalItem{
		Name: rec.Name, Href: "/devices/" + strconv.FormatInt(rec.ID, 10), Sub: strings.TrimSpace(rec.Manufacturer + " " + rec.Model),
		State: c.cell(inventory.Computers.Values(rec), inventory.Computers.Field("status")),
	}
}

// friendly returns the state of a ticket as requesters read it.
func (c *call) friendly(t *inventory.Ticket) cell {
	words := map[string]string{
		inventory.TicketNew: msg("Received"), inventory.TicketAssigned: msg("In progress"), inventory.TicketAwaiting: msg("We need your answer"), inventory.TicketOnHold: msg("Waiting"),
	}
	one := c.cell(inventory.Tickets.Values(t), inventory.Tickets.Field("state"))
	if word, ok := words[t.State]; ok {
		one.Text = c.t(word)
	}
	return one
}

// openRequest opens a ticket for the person: one, if the form is sent twice. A
// button that puts back what they had typed shows the form with it.
func (c *call) openRequest() (*answer, error) {
	if c.form.Get(doName) != "" {
		return c.portalPage(http.StatusOK, c.form, nil)
	}
	values := formOf(c.form, "name", "description", "hardwares")
	asked := desk.New{Kind: inventory.Tickets.Schema, Document: c.documentOf(inventory.Tickets.Schema, values), Once: c.onceOf("/requests", values)}
	var rec any
	err := c.afterFirst(func() (err error) {
		rec, _, err = c.web.Desk.Create(c.Context(), c.who(), asked)
		return err
	})
	if invalid, ok := errors.AsType[*kind.Invalid](err); ok {
		return c.portalPage(http.StatusUnprocessableEntity, c.form, invalid.Faults)
	}
	if err != nil {
		return nil, err
	}
	t := rec.(*inventory.Ticket)
	c.say(c.t("Your ticket #%d was sent", t.Number.V))
	return c.goTo(requestPath(t.ID))
}

// listRequests shows all tickets of the person.
func (c *call) listRequests() (*answer, error) {
	items, total, err := c.ownTickets(kind.MaxPerPage)
	if err != nil {
		return nil, err
	}
	return c.portalAnswer(http.StatusOK, "requests", c.t("Your tickets"), map[string]any{"Tickets": items, "Total": total})
}

// A helpPage is an article as everybody reads it.
type helpPage struct {
	Name string
	Text any
	When *moment
}

// showHelp shows an article.
func (c *call) showHelp() (*answer, error) {
	id, err := c.id(inventory.Solutions.Schema)
	if err != nil {
		return nil, err
	}
	rec, err := c.web.Desk.Get(c.Context(), c.who(), inventory.Solutions.Schema, id)
	if err != nil {
		return nil, err
	}
	s := rec.(*inventory.Solution)
	return c.portalAnswer(http.StatusOK, "help-article", s.Name, helpPage{s.Name, c.markdown(s.Description), c.moment(s.UpdatedAt)})
}

// showDevice shows a computer of the person, in few words.
func (c *call) showDevice() (*answer, error) {
	id, err := c.id(inventory.Computers.Schema)
	if err != nil {
		return nil, err
	}
	rec, err := c.web.Desk.Get(c.Context(), c.who(), inventory.Computers.Schema, id)
	if err != nil {
		return nil, err
	}
	computer, k := rec.(*inventory.Computer), inventory.Computers.Schema
	var known []fact
	for _, name := range []string{"asset-id", "serial-number", "manufacturer", "model", "operating-system", "memory", "site", "detected-at"} {
		if one := c.fact(k, k.Field(name), rec); one.Cell.Look != "" {
			known = append(known, one)
		}
	}
	return c.portalAnswer(http.StatusOK, "device", computer.Name, map[string]any{"Item": c.deviceItem(computer), "Facts": known})
}

func requestPath(id int64) string { return "/requests/" + strconv.FormatInt(id, 10) }
