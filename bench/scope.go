package main

import (
	"regexp"
	"strconv"
	"strings"

	"muster/bench/result"
)

// A scope is what a run measures where no other flag says otherwise.
type scope struct {
	sizes  string // as the flag
	rounds int
	names  func() *regexp.Regexp // of what is measured
}

// usual is the scope of a run of less than half an hour, and whole that of the document: all there is with wholeSize
// computers, and what is usual with fewer and with more.
var (
	usual = scope{"10000,100000", 3, usualNames}
	whole = scope{"10000,100000,1000000", 3, wholeNames}
)

// wholeSize is the number of computers with which everything is measured for the document.
const wholeSize = besideSize

// usualOperations are measured with each database in the usual scope: of each sort of request those that cost most, or
// are made most. The tasks beside writers are measured too.
var usualOperations = []string{
	"start",
	"memory",

	"list of 25, no filter, first page",
	"list of 25, three filters, last page",
	"list of 25, q, first page",
	"list of 250, no filter, first page",
	"list of 250, no filter, last page",
	"list of 250, three filters, first page",
	"list of 250, three filters, last page",
	"list of 250, not_reporting, first page",
	"list of 250, q, first page",
	"list of 250, q, last page",
	"list of 1000, no filter, last page",
	"walk through pages of 250",
	"walk by after=, 250 at once",
	"list of 25, name",
	"list of 25, mac_address",
	"list of 25, inner wildcard, first page",
	"list of 25, two filters by last report, first page",
	"list of 25, all by name, last page",
	"first use of three filters",
	"first use of a time filter",

	"single record",
	"single record, any",
	"software of a computer",
	"tickets of a computer",
	"risks of a computer",
	"audits of a computer",
	"computers with a program, first page",
	"computers with a program, last page",
	"list of 100 with software",
	"entry point",
	"single record, new connection and nonce",
	"first page, dashboard",
	"first page, search",

	"list of 250 tickets, no filter, first page",
	"list of 250 tickets, three filters, last page",
	"list of 250 tickets, by due date, first page",
	"list of 250 software, two filters, first page",
	"list of 250 audits, no filter, first page",
	"list of 250 audits, two filters, last page",
	"change feed of 250",
	"change feed of 250, brief",

	"page, dashboard",
	"page, computers",
	"page, computers, two filters",
	"page, computers, a search with many hits",
	"page, computers, by last report",
	"page, computers, page in the middle",
	"page, tickets, all open",
	"page, tickets, queue of a person",
	"page, tickets, a search with many hits",
	"page, software",
	"page, contracts, licences",
	"page, activity",
	"page, search",
	"page, search, few hits",
	"page, instant search",
	"page, suggestions",
	"page, a computer",
	"page, software of a computer",
	"page, history of a computer",
	"page, form of a computer",
	"page, a ticket",
	"page, a program",
	"page, computers with a program",

	"first 10 updates after the making",
	"updates 1 to 100 after the making",
	"first update after an import",
	"updates 1 to 100 after an import",
	"update",
	"create",
	"delete",
	"audited update of a ticket",
	"ingest of a first report",
	"ingest of a typical report",
	"ingest of an unchanged report",
}

// usualNames matches the names of what the usual scope has: the parts that need no server, which are cheap to measure,
// and the operations on a database, whose names begin with it and its size.
func usualNames() *regexp.Regexp {
	var names []string
	for _, name := range usualOperations {
		names = append(names, regexp.QuoteMeta(name))
	}
	for _, t := range tasks {
		names = append(names, regexp.QuoteMeta(t.operation+", "+writings[0].name))
	}
	return regexp.MustCompile(`^(stripped|encode|decode|digest) |` + ofDatabases + `\d+ (` + strings.Join(names, "|") + `)$`)
}

// ofDatabases matches the beginning of the names of operations on a database.
const ofDatabases = "^(" + result.SQLite + "|" + result.Postgres + ") "

// wholeNames matches the names of what the whole scope has.
func wholeNames() *regexp.Regexp {
	return regexp.MustCompile(usualNames().String() + "|" + ofDatabases + strconv.Itoa(wholeSize) + " ")
}
