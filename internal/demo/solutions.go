package demo

import (
	"fmt"
	"strings"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// An article is a solution, with the names of the tickets that it is about.
type article struct {
	Days        int      `xml:"days,attr"` // ago
	Name        string   `xml:"name"`
	Description string   `xml:"description"` // Markdown
	Category    string   `xml:"category"`
	Tag         string   `xml:"tag"`
	State       string   `xml:"state"`
	Tickets     []string `xml:"ticket"`
}

// writeSolutions notes the articles. One is a draft before it is anything
// else.
func (s *story) writeSolutions() {
	for i, a := range data().articles {
		rec, at, by := inventory.Solutions.New(), s.ago(a.Days, 25), s.users[i%technicians]
		rec.Name, rec.Description, rec.Category, rec.Tag = a.Name, a.Description, a.Category, a.Tag
		s.add(at, by, inventory.Solutions.Schema, func() []any {
			rec.Tickets = s.about(a.Tickets)
			return []any{rec}
		})
		if a.State != inventory.SolutionDraft {
			doc := document(inventory.Solutions.Item, "state", a.State)
			s.change(workday(at.AddDate(0, 0, 2)), by, inventory.Solutions.Schema, rec, doc)
		}
		s.laterTicket(&a, rec, by)
	}
}

// laterTicket links an article with its tickets once one came after it.
func (s *story) laterTicket(a *article, rec *inventory.Solution, by *inventory.User) {
	for _, l := range s.tickets {
		if l.Name != a.Tickets[0] || l.opened.Before(s.ago(a.Days, 0)) {
			continue
		}
		s.steps = append(s.steps, Step{
			At: workday(l.opened.AddDate(0, 0, 1)), By: by, Origin: door(by), Kind: inventory.Solutions.Schema, Of: rec,
			Document: func() string {
				return linkDocument(inventory.Solutions.Item, "tickets", "ticket",
					s.about(a.Tickets))
			},
		})
		return
	}
}

// linkDocument returns a document that names linked records.
func linkDocument(item, plural, singular string, links []kind.Linked) string {
	var b strings.Builder
	for _, l := range links {
		fmt.Fprintf(&b, "<%s><id>%d</id></%s>", singular, l.ID.V, singular)
	}
	return fmt.Sprintf("<%s><%s>%s</%s></%s>", item, plural, b.String(), plural, item)
}

// about returns the tickets with the given names that were opened.
func (s *story) about(names []string) (all []kind.Linked) {
	for _, name := range names {
		for _, l := range s.tickets {
			if l.Name == name && l.ID != 0 {
				all = append(all, link(inventory.Tickets, l.Ticket))
			}
		}
	}
	return kind.InOrder(inventory.Solutions.Field("tickets").Targets, all)
}
