package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"time"

	"muster/bench/result"
)

// A filter is what lists of computers are asked for.
type filter struct{ name, query string }

// filters are those that are measured. Days are counted back from epoch, so that
// the same computers are found whenever the run is.
func filters(now time.Time) []filter {
	days := strconv.Itoa(int(now.Sub(epoch).Hours()/24) + 30)
	return []filter{
		{"no filter", ""},
		{"one filter", "status=Operational"},
		{"three filters", "status=Operational&site=Hamburg&department=Engineering"},
		{"not_reporting", "not_reporting=" + days},
		{"recently_added", "recently_added=" + days},
		{"processor", "processor=" + url.QueryEscape("13th Gen Intel(R) Core(TM) i7-1365U")},
		{"q", "q=virtualisation"}, // less than one of a hundred
	}
}

// A page is one of a list: how many of the others come before it, in halves. The
// last is the last full one, if there is one: a shorter page costs less, and
// could not be compared with that of another size.
type page struct {
	name   string
	halves int
}

var firstPage, middlePage, lastPage = page{"first page", 0}, page{"middle page", 1}, page{"last page", 2}

// pagesOfList are the pages that are measured of each list of computers.
var pagesOfList = []page{firstPage, middlePage, lastPage}

// listLengths are how many computers are on a page.
var listLengths = []int{25, listSize, 1000}

// listName returns the name of the operation that gets a page.
func listName(perPage int, f filter, p page) string {
	return fmt.Sprintf("list of %d, %s, %s", perPage, f.name, p.name)
}

// computerLists are the lists of computers: of each length, with each filter,
// each page.
func computerLists() (all []operation) {
	for _, perPage := range listLengths {
		for _, f := range filters(time.Now()) {
			for _, p := range pagesOfList {
				o := listPage(listName(perPage, f, p), "/hardwares.xml", f.query, perPage, p.halves)
				o.goals = listGoal(f, perPage)
				all = append(all, o)
			}
		}
	}
	return all
}

// Goals of lists: times the CPU time of a fixed body that those of so many
// computers may take, and microseconds for what asks the database. On
// PostgreSQL, whose own processes count there, lists have a common one, and
// searches.
var listWithin = map[int]float64{25: 2.5, listSize: 2}

const (
	searchCPU              = 50_000
	listWithPostgres       = 3
	searchWithPostgres     = 70
	nearUniqueWithPostgres = 150
)

// listGoal returns the goals of a list.
func listGoal(f filter, perPage int) result.Goals {
	if f.name == "q" {
		return result.Goals{Aim: searchGoal.Aim, MaxCPU: searchCPU, WithPostgres: searchWithPostgres}
	}
	return result.Goals{Aim: listAim(perPage), Within: listWithin[perPage], Flat: true, WithPostgres: listWithPostgres}
}

func listAim(perPage int) string { return fmt.Sprintf("list of %d", perPage) }

// shortGoal is that of lists that have fewer records than a page. The fixed cost of a request is a larger part
// of these, so their goal is that of the shortest lists.
var shortGoal = result.Goals{Aim: "list shorter than its page", Within: listWithin[25], Flat: true}

// searchGoal is that of lists that the database answers.
var searchGoal = result.Goals{
	Aim: "search, near-unique filter or sort", MaxCPU: searchCPU, WithPostgres: nearUniqueWithPostgres,
}

// listPage returns the operation that gets a page of a list. Which page depends on the number of records, which
// the server returns.
func listPage(name, path, query string, perPage, halves int) operation {
	target := fmt.Sprintf("%s?per_page=%d&%s", path, perPage, query)
	page := 1
	return operation{
		name: name, status: http.StatusOK,
		ready: func(ctx context.Context, a *arena, c *result.Comparison) error {
			total, err := a.total(ctx, path+"?per_page=1&"+query)
			page = 1 + (max(1, total/perPage)-1)*halves/2
			if c.Within == listWithin[listSize] && total < perPage {
				c.Goals = shortGoal
			}
			return err
		},
		make: func(int64) request { return request{http.MethodGet, target + "&page=" + strconv.Itoa(page), ""} },
	}
}

var totalEntries = regexp.MustCompile(`<total_entries[^>]*>(\d+)<`)

// total returns how many records a list has.
func (a *arena) total(ctx context.Context, target string) (int, error) {
	body, err := a.get(ctx, target)
	if err != nil {
		return 0, err
	}
	m := totalEntries.FindSubmatch(body)
	if m == nil {
		return 0, fmt.Errorf("GET %s: the list does not tell its total", target)
	}
	return strconv.Atoi(string(m[1]))
}

// get returns the body of an answer of the server.
func (a *arena) get(ctx context.Context, target string) ([]byte, error) {
	c, err := dial(ctx, a.muster)
	if err != nil {
		return nil, err
	}
	defer c.close()
	if err := c.do(request{http.MethodGet, target, ""}); err != nil {
		return nil, fmt.Errorf("GET %s: %w", target, err)
	}
	if c.status != http.StatusOK {
		return nil, fmt.Errorf("GET %s: got status %d: %s", target, c.status, c.body)
	}
	return c.body, nil
}
