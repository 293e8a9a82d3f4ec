package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"muster/bench/result"
	"muster/internal/demo"
	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// Goals of lists of what there is most of, in id order, and of those who follow all changes.
var (
	rowGoal   = result.Goals{Aim: "list of 250 tickets or software", Flat: true, WithPostgres: 3}
	auditGoal = result.Goals{Aim: "list of 250 audits", Within: 2.3, Flat: true, WithPostgres: 3.7}
	feedGoal  = result.Goals{Aim: "change feed", Within: 29, WithPostgres: 40}
	briefGoal = result.Goals{Aim: "change feed, brief", Within: 21, WithPostgres: 85}
)

// rowLists are the lists of what there is most of: tickets, software, and the
// audit records of all that was made.
var rowLists = []struct {
	name, path string
	filter
	result.Goals
}{
	{"tickets", "/tickets.xml", filter{"no filter", ""}, rowGoal},
	{"tickets", "/tickets.xml", filter{"two filters", "state=Assigned&priority=High"}, rowGoal},
	{"tickets", "/tickets.xml", filter{"three filters", "state=Assigned&site=Hamburg&category=Hardware"}, rowGoal},
	{"tickets", "/tickets.xml", filter{
		"due before a day", "due_at_to=" + epoch.AddDate(0, 0, 2).Format(time.DateOnly),
	}, rowGoal},
	{"tickets", "/tickets.xml", filter{"by due date", "sort_by=due-at"}, result.Goals{}},
	{"software", "/softwares.xml", filter{"no filter", ""}, rowGoal},
	{"software", "/softwares.xml", filter{"two filters", "category=Office&hidden=false"}, rowGoal},
	{"software", "/softwares.xml", filter{"by name", "name=microsoft*"}, result.Goals{}},
	{"audits", "/audits.xml", filter{"no filter", ""}, auditGoal},
	{"audits", "/audits.xml", filter{"one filter", "record_type=software"}, auditGoal},
	{"audits", "/audits.xml", filter{"two filters", "action=create&record_type=ticket"}, auditGoal},
}

// rowReads are pages of these lists, and the change feed.
func rowReads(rows int) (all []operation) {
	for _, l := range rowLists {
		for _, p := range []page{firstPage, middlePage, lastPage} {
			name := fmt.Sprintf("list of 250 %s, %s, %s", l.name, l.filter.name, p.name)
			o := listPage(name, l.path, l.query, listSize, p.halves)
			o.goals = l.Goals
			all = append(all, o)
		}
	}
	feed := func(name, view string, limits result.Goals) operation {
		o := get(name, func(i int64) string {
			return fmt.Sprintf("/audits.xml?per_page=250&after=%d%s", scattered(i, rows), view)
		})
		o.goals = limits
		return o
	}
	return append(all, feed("change feed of 250", "", feedGoal),
		feed("change feed of 250, brief", "&view=brief", briefGoal))
}

// rowWrites are changes among many rows, each with its audit record.
func rowWrites(rows int) []operation {
	goal := result.Goals{Aim: "update of a ticket", Within: 47, WithPostgres: 87}
	return []operation{
		{name: "audited update of a ticket", status: http.StatusOK, changes: true, goals: goal, make: func(i int64) request {
			body := fmt.Sprintf("<ticket><tag>round %d</tag></ticket>", i)
			return request{http.MethodPut, fmt.Sprintf("/tickets/%d.xml", scattered(i, rows)), body}
		}},
	}
}

// fillRows makes the tickets, the software and the risks.
func fillRows(ctx context.Context, d *desk.Desk, who desk.Caller, people []kind.Person, n int) error {
	for first := 0; first < n; first += rowBatch {
		var tickets, softwares []any
		for i := first; i < min(first+rowBatch, n); i++ {
			tickets = append(tickets, sampleTicket(i, people, n))
			softwares = append(softwares, demo.Software(i))
		}
		if err := d.Add(ctx, who, inventory.Tickets.Schema, tickets); err != nil {
			return err
		}
		if err := d.Add(ctx, who, inventory.Softwares.Schema, softwares); err != nil {
			return err
		}
	}
	var risks []any
	for i := range n / aboutRisk {
		risks = append(risks, sampleRisk(i))
	}
	for batch := range slices.Chunk(risks, rowBatch) {
		if err := d.Add(ctx, who, inventory.Risks.Schema, batch); err != nil {
			return err
		}
	}
	return nil
}

// aboutRisk is how many computers a risk is about.
const aboutRisk = 10

// sampleRisk returns the i-th risk, about computers that follow each other.
func sampleRisk(i int) *inventory.Risk {
	r := &inventory.Risk{
		Name: fmt.Sprintf("Updates are %d weeks behind", 2+i%50), Description: "Found in the yearly review.",
		Category: "Security", Severity: []string{"Low", "Medium", "High", "Critical"}[i%4], Status: inventory.RiskOpen,
		Source: inventory.RiskManual, DetectedAt: epoch.Add(-time.Duration(i%50_000) * time.Minute),
	}
	for c := range aboutRisk {
		r.Assets = append(r.Assets,
			kind.Linked{Item: inventory.Computers.Item, ID: kind.Some(int64(i*aboutRisk + c + 1))})
	}
	return r
}

// fillInstalled adds what each computer has installed, after software and computers.
func fillInstalled(ctx context.Context, d *desk.Desk, who desk.Caller, computers int) error {
	for i := range computers {
		if err := d.SetSoftware(ctx, who, int64(i+1), demo.InstalledOn(i, sampleComputer(i), epoch)); err != nil {
			return err
		}
	}
	return nil
}

// rowBatch is how many small records are stored at once.
const rowBatch = 2000

// sampleTicket returns the i-th ticket, in some state and about a computer.
func sampleTicket(i int, people []kind.Person, computers int) *inventory.Ticket {
	t := demo.Ticket(i, people)
	t.State = inventory.TicketStates[i%len(inventory.TicketStates)]
	t.Assignee = people[i%2]
	t.CreatedAt = epoch.Add(-time.Duration(i%50_000) * time.Minute)
	t.DueAt = t.CreatedAt.Add(72 * time.Hour)
	computer := scattered(int64(i), computers)
	t.Computers = []kind.Linked{{Item: inventory.Computers.Item, ID: kind.Some(computer)}}
	return t
}
