package web

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// The states of tickets that are to be worked on, and of those that are done, as
// addresses name them.
const (
	openStates = "state=New&state=Assigned&state=Awaiting+Input&state=On+Hold"
	doneStates = "state=Resolved&state=Closed"
)

// What addresses say for what is another for each person, and at each time. So
// a view can be sent to somebody else.
const (
	me  = "me"
	now = "now"
)

// meant returns what the query of a list asks for: who me is, and when now.
func (s *section) meant(c *call, values url.Values) url.Values {
	out := values
	for _, f := range s.kind.Filters {
		word, text := "", ""
		switch {
		case f.Field.Type == kind.PersonRef:
			word, text = me, c.user.Email
		case f.Field.Type == kind.Time && !f.Days():
			word, text = now, c.web.Now().UTC().Format(time.RFC3339)
		}
		given := values[f.Param]
		if i := slices.Index(given, word); i >= 0 && word != "" {
			given = slices.Clone(given)
			given[i] = text
			out = with(out, f.Param, given...)
		}
	}
	return out
}

// viewsFor returns the views of a section for the person: one of a department
// only if they have one.
func (s *section) viewsFor(c *call) (views []view) {
	for _, v := range s.views {
		if strings.Contains(v.query, "{department}") {
			if c.user.Department == "" {
				continue
			}
			v.query = strings.ReplaceAll(v.query, "{department}", url.QueryEscape(c.user.Department))
		}
		views = append(views, v)
	}
	return views
}

// startQueue goes to the queue that a person begins with.
func (c *call) startQueue(s *section) (*answer, error) {
	query := "assignee=" + me + "&" + openStates
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, err
	}
	mine, err := s.total(c, values)
	if err != nil {
		return nil, err
	}
	if mine == 0 {
		query = openStates
	}
	return c.goTo("/tickets?" + query)
}

// queueWidths are the widths of columns of queues, no more than their values
// need: the subject gets the rest.
var queueWidths = map[string]string{
	"number": "w-3", "priority": "w-5", "state": "w-9", "requester": "w-9", "assignee": "w-8", "created-at": "w-4", "due-at": "w-9",
}

// queueColumns returns the usual columns of a queue: who has the tickets, unless
// they are all the person's own. Then there is more room for the computer.
func queueColumns(usual []column, values url.Values) (shown []column) {
	mine := slices.Equal(values["assignee"], []string{me})
	for _, col := range usual {
		switch {
		case mine && col.field == "assignee":
			continue
		case !mine && col.field == "hardwares":
			col.class = "cap drop p4"
		}
		shown = append(shown, col)
	}
	return shown
}

// ticketCell returns a value of a ticket as queues show it.
func (c *call) ticketCell(v kind.Values, f *kind.Field, usual cell) cell {
	switch f.Name {
	case "due-at":
		if at := *v.Time(f); usual.Look != "" && !(&inventory.Ticket{State: *v.Text(inventory.Tickets.Field("state"))}).Done() {
			d := c.dueAt(at)
			if d.Tone == "is-bad" { // the head of the column says what the others are
				d.When.Short = d.Text
			}
			return cell{Look: "when", When: d.When, Tone: d.Tone}
		}
	case "created-at":
		if usual.When != nil {
			usual.When.Short = c.span(c.now().Sub(*v.Time(f)))
		}
	case "hardwares":
		switch links := *v.Links(f); len(links) {
		case 0:
		case 1:
			return cell{Look: "text", Text: links[0].Name}
		default:
			return cell{Look: "text", Text: c.tn(len(links), "%s computer", "%s computers")}
		}
	}
	return usual
}
