package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"muster/bench/result"
)

// A task is something that people, or programs of theirs, do all day.
type task struct{ name, operation string }

// tasks begin the document: how long each takes while others work.
var tasks = []task{
	{"open the dashboard", "page, dashboard"},
	{"open the list of computers", "page, computers"},
	{"open it by last report", "page, computers, by last report"},
	{"open the list of open tickets", "page, tickets, all open"},
	{"search at a key stroke", "page, instant search"},
	{"search everything for a word", "page, search"},
	{"open a computer", "page, a computer"},
	{"open a ticket", "page, a ticket"},
	{"save a ticket", "audited update of a ticket"},
	{"take in an agent's report", agentReport},
	{"get 250 computers through the API", listName(listSize, filter{name: "no filter"}, firstPage)},
	{"get 250 changes through the API", "change feed of 250, brief"},
}

// layout returns which operations stand in which table of the document.
func layout() (l result.Layout) {
	for _, t := range tasks {
		l.Tasks = append(l.Tasks, result.Row{
			Words: []string{t.name}, Operations: []string{t.operation + ", " + writings[0].name},
		})
	}
	for _, perPage := range listLengths {
		for _, f := range filters(epoch) {
			row := result.Row{Words: []string{fmt.Sprint(perPage), f.name}}
			for _, p := range pagesOfList {
				row.Operations = append(row.Operations, listName(perPage, f, p))
			}
			l.Lists = append(l.Lists, row)
		}
	}
	return l
}

// taskOperations returns what the tasks ask a server with so many computers for.
func taskOperations(n int) (all []operation) {
	known := slices.Concat(pages(n), computerLists(), rowReads(n), rowWrites(n), []operation{reportAgain()})
	for _, t := range tasks {
		i := slices.IndexFunc(known, func(o operation) bool { return o.name == t.operation })
		if i < 0 {
			panic("unreachable: no operation is called " + t.operation)
		}
		all = append(all, known[i])
	}
	return all
}

// agentReport is the report of a known computer of which two programs have changed.
const agentReport = "typical report of an agent"

// The computers that report beside writers: so many, and the first is none of those of an ingest.
const (
	besideReporters = 64
	besideReporter  = 1 << 20
)

// reportAgain returns the operation of sending reports, of computers that have sent their first before.
func reportAgain() operation {
	return operation{
		name: agentReport, status: http.StatusOK, agent: true, changes: true,
		ready: func(ctx context.Context, a *arena, c *result.Comparison) error {
			if len(c.Ours) > 0 {
				return nil
			}
			return a.firstReports(ctx)
		},
		make: func(i int64) request { return reportRequest(i, 1+int(i/besideReporters)) },
	}
}

// reportRequest sends a report of the i-th of the computers that report, all of them in turn.
func reportRequest(i int64, revision int) request {
	r := reported{besideReporter + int(i%besideReporters), revision, revision}
	return request{http.MethodPost, intake, r.packed()}
}

// firstReports has each computer send its first report.
func (a *arena) firstReports(ctx context.Context) error {
	c, err := dial(ctx, a.muster)
	if err != nil {
		return err
	}
	defer c.close()
	if c.basic, err = a.agentCredentials(ctx); err != nil {
		return err
	}
	i := int64(-1)
	d := &driver{client: c, status: http.StatusOK, next: func() request { i++; return reportRequest(i, 0) }}
	return d.make(ctx, besideReporters)
}
