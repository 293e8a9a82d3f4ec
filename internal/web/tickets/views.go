package tickets

import (
	"net/url"
	"slices"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// The states of tickets that are to be worked on, and of those that are done, as
// addresses name them.
const (
	OpenStates = "state=New&state=Assigned&state=Awaiting+Input&state=On+Hold"
	DoneStates = "state=Resolved&state=Closed"
)

// startQueue goes to the queue that a person begins with.
func startQueue(c *page.Call, s *records.Section) (*page.Answer, error) {
	query := "assignee=" + records.Me + "&" + OpenStates
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, err
	}
	mine, err := s.Total(c, values)
	if err != nil {
		return nil, err
	}
	if mine == 0 {
		query = OpenStates
	}
	return c.GoTo("/tickets?" + query)
}

// QueueWidths are the widths of columns of queues, no more than their values
// need: the subject gets the rest.
var QueueWidths = map[string]string{
	"number": "w-3", "priority": "w-5", "state": "w-9", "requester": "w-9", "assignee": "w-8", "created-at": "w-4",
	"due-at": "w-9",
}

// QueueColumns returns the default columns of a queue. A queue of the person's own
// tickets has no assignee, and more room for the computer.
func QueueColumns(usual []records.Column, values url.Values) (shown []records.Column) {
	mine := slices.Equal(values["assignee"], []string{records.Me})
	for _, col := range usual {
		switch {
		case mine && col.Field == "assignee":
			continue
		case !mine && col.Field == "hardwares":
			col.Class = "cap drop p4"
		}
		shown = append(shown, col)
	}
	return shown
}

// ListCell returns a value of a ticket as queues show it.
func ListCell(c *page.Call, v kind.Values, f *kind.Field, usual page.Cell) page.Cell {
	switch f.Name {
	case "due-at":
		if at := *v.Time(f); usual.Look != "" &&
			!(&inventory.Ticket{State: *v.Text(inventory.Tickets.Field("state"))}).Done() {
			d := dueAt(c, at)
			if d.Tone == "is-bad" { // the head of the column says what the others are
				d.When.Short = d.Text
			}
			return page.Cell{Look: "when", When: d.When, Tone: d.Tone}
		}
	case "created-at":
		if usual.When != nil {
			usual.When.Short = span(c, c.Now().Sub(*v.Time(f)))
		}
	case "hardwares":
		switch links := *v.Links(f); len(links) {
		case 0:
		case 1:
			return page.Cell{Look: "text", Text: links[0].Name}
		default:
			return page.Cell{Look: "text", Text: c.TN(len(links), "%s computer", "%s computers")}
		}
	}
	return usual
}
