package main

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"muster/bench/result"
	"muster/internal/inventory"
)

// Goals of the first use of a filter, in microseconds more than the second.
const (
	firstFilters = 1000
	firstTime    = 3000
)

// firstUse is how many filters a connection tries in a round. The server keeps
// more than those of all connections.
const firstUse = 25

// Values of computers that are combined.
var (
	sites       = []string{"Hamburg", "London", "Boston", "Montréal", "Paris", "Göteborg", "Sydney", "Dublin"}
	departments = []string{
		"Engineering", "Production", "Sales", "Customer Service", "Logistics", "Finance", "Information Technology",
		"Research & Development", "Marketing", "Human Resources",
	}
	categories = []string{"Laptop", "Desktop", "Server", "Virtual Machine"}
)

// firstUses are lists with filters that nobody has asked for, beside lists with
// filters that somebody has: combinations beside the same once more, times, which
// are others each second, beside a filter of another sort. They have one computer,
// since what differs is to be seen.
func firstUses() []operation {
	days := int(time.Since(epoch).Hours() / 24)
	ask := func(query func(i int) string) func(int64) request {
		return func(i int64) request {
			return request{http.MethodGet, "/hardwares.xml?per_page=1&" + query(int(i)), ""}
		}
	}
	first := func(name string, most float64, make, second func(int64) request) operation {
		return operation{
			name: name, status: http.StatusOK, count: firstUse, goals: result.Goals{Aim: name, MaxExtra: most},
			make: make, rival: "known filters", second: second,
		}
	}
	return []operation{
		first("first use of three filters", firstFilters, ask(combination), ask(combination)),
		first("first use of a time filter", firstTime,
			ask(func(i int) string { return "not_reporting=" + strconv.Itoa(days+i) }),
			ask(func(int) string { return "status=Operational" })),
	}
}

// combination returns the i-th combination of three filters, of which there are
// 800, more than the server keeps.
func combination(i int) string {
	text := func(name string, values []string, step int) string {
		return name + "=" + url.QueryEscape(values[i/step%len(values)])
	}
	site, department := text("site", sites, 1), text("department", departments, len(sites))
	rest := len(sites) * len(departments)
	if i/rest%(len(inventory.Statuses)+len(categories)) < len(categories) {
		return fmt.Sprintf("%s&%s&%s", site, department, text("category", categories, rest))
	}
	return fmt.Sprintf("%s&%s&%s", site, department, text("status", inventory.Statuses, rest))
}
