package main

import (
	"context"
	"fmt"
	"net/http"

	"muster/bench/result"
	"muster/internal/demo"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// An operation is a request that is made again and again.
type operation struct {
	name   string
	status int
	make   func(i int64) request // the i-th request, from 0
	// before each round finds out or makes what make needs, nil for nothing
	ready   func(ctx context.Context, a *arena, c *result.Comparison) error
	goals   result.Goals
	count   int                   // requests of a connection in a round, 0 for as many as there is time for
	rival   string                // the name of what second makes, "" for a fixed body
	session bool                  // it is asked for as browsers do, by somebody who has signed in
	fresh   bool                  // each request has a connection and a nonce of its own
	agent   bool                  // it is sent as agents do, with their token
	changes bool                  // it changes records
	second  func(i int64) request // as make, of the server's second side of a round, instead of a fixed body
}

// get returns the operation of getting something.
func get(name string, target func(i int64) string) operation {
	return operation{name: name, status: http.StatusOK, make: func(i int64) request {
		return request{http.MethodGet, target(i), ""}
	}}
}

// warmRecords is how many single records are asked for again and again.
const warmRecords = 25

// reads are the operations that leave the database as it is, beside the lists
// of computers.
func reads(n int) []operation {
	of := func(name, path string, limits result.Goals) operation {
		o := get(name, func(i int64) string { return fmt.Sprintf("/hardwares/%d%s.xml", scattered(i, n), path) })
		o.goals = limits
		return o
	}
	program := func(name string, p page) operation {
		o := listPage(name, "/softwares/1/hardwares.xml", "", listSize, p.halves)
		o.goals = programGoals[n]
		return o
	}
	single := get("single record",
		func(i int64) string { return fmt.Sprintf("/hardwares/%d.xml", scattered(i%warmRecords, n)) })
	single.goals = result.Goals{Aim: "single record", Within: 2, WithPostgres: 14}
	withSoftware := get("list of 100 with software",
		func(int64) string { return "/hardwares.xml?per_page=100&include=softwares" })
	withSoftware.goals = result.Goals{Aim: "list of 100 with software", Within: 24, WithPostgres: 37}
	return []operation{
		single,
		of("single record, any", "", result.Goals{Aim: "single record, any", Within: 8, WithPostgres: 13}),
		of("software of a computer", "/softwares", relatedGoal),
		of("tickets of a computer", "/tickets", relatedGoal),
		of("risks of a computer", "/risks", relatedGoal),
		of("audits of a computer", "/audits", relatedGoal),
		program("computers with a program, first page", firstPage),
		program("computers with a program, last page", lastPage),
		withSoftware,
		get("entry point", func(int64) string { return "/api.xml" }),
	}
}

// relatedGoal is that of what belongs to a computer.
var relatedGoal = result.Goals{Aim: "related records", Within: 18, WithPostgres: 39}

// programGoals are those of the computers that have a program, by the number of all computers, of which most have it.
var programGoals = map[int]result.Goals{
	1000:      {Aim: "computers with a program, of 1,000", Within: 20, WithPostgres: 35},
	10_000:    {Aim: "computers with a program, of 10,000", Within: 24, WithPostgres: 43},
	100_000:   {Aim: "computers with a program, of 100,000", Within: 57, WithPostgres: 187},
	1_000_000: {Aim: "computers with a program, of 1,000,000", Within: 340, WithPostgres: 1470},
}

// writes are the operations that change the database.
func writes(n int) []operation {
	update := operation{name: "update", status: http.StatusOK, changes: true, make: func(i int64) request {
		body := fmt.Sprintf("<hardware><notes>Seen in round %d</notes></hardware>", i)
		return request{http.MethodPut, fmt.Sprintf("/hardwares/%d.xml", scattered(i, n)), body}
	}}
	create := operation{name: "create", status: http.StatusCreated, changes: true, make: func(i int64) request {
		c := demo.Computer(n+int(i), nil, epoch)
		c.AssetID = ""
		return request{
			http.MethodPost, "/hardwares.xml", string(inventory.Computers.AppendRecord(nil, kind.XML, base, c)),
		}
	}}
	update.goals = result.Goals{Aim: "update", Within: 57, WithPostgres: 88}
	create.goals = result.Goals{Aim: "create", Within: 50, WithPostgres: 85}
	remove := deletion(create)
	remove.goals = result.Goals{Aim: "delete", Within: 51, WithPostgres: 101}
	return []operation{update, create, remove}
}

// scattered returns the id of a computer, all of them in turn and neighbours
// far from each other.
func scattered(i int64, n int) int64 { return i*7919%int64(n) + 1 }
