package main

import (
	"fmt"
	"net/http"

	"muster/bench/result"
)

// walkWithin is how many times the CPU time of a page that everybody asks for each page may take that nobody has
// asked for before.
const walkWithin = 4

// walkCount is how many pages a connection asks for in a round.
const walkCount = 25

// walks ask for all pages of a list, one after the other, beside its first page again and again.
func walks(n int) []operation {
	pages := max(1, n/listSize)
	walk := func(name string, target func(page int) string) operation {
		ask := func(page func(i int64) int) func(int64) request {
			return func(i int64) request { return request{http.MethodGet, target(page(i)), ""} }
		}
		return operation{
			name: name, status: http.StatusOK, count: walkCount, rival: "first page",
			goals: result.Goals{Aim: "any page beside the first", Within: walkWithin},
			make:  ask(func(i int64) int { return int(i) % pages }), second: ask(func(int64) int { return 0 }),
		}
	}
	return []operation{
		walk("walk through pages of 250", func(page int) string {
			return fmt.Sprintf("/hardwares.xml?per_page=%d&page=%d", listSize, page+1)
		}),
		walk("walk by after=, 250 at once", func(page int) string {
			return fmt.Sprintf("/hardwares.xml?per_page=%d&after=%d", listSize, page*listSize)
		}),
	}
}
