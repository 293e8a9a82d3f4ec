//go:build full && !race

package intake_test

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"runtime"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// A cost is what one request takes of the database and of memory.
type cost struct{ statements, transactions, allocations float64 }

// TestCosts: what is asked for most, an unchanged report and a list of 250 computers,
// costs no more than is written here. Who makes it cost less writes that down. A list is
// seen at 154 to 156 allocations, since a garbage collection may empty pools between two.
func TestCosts(t *testing.T) { // not beside others, whose memory would count
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, func(cfg *server.Config) { cfg.Jobs = 0 }) // which look for work beside requests
		a := newAgent(t, s)
		for i := range 260 {
			if got := a.post(deflated(inventory(fmt.Sprint("pc", i),
				fmt.Sprintf("<HARDWARE><NAME>pc%d</NAME></HARDWARE>", i)))); got.status != http.StatusOK {
				t.Fatalf("a report: got %d %s, want 200", got.status, got.text)
			}
		}
		same := deflated(inventory("pc7", "<HARDWARE><NAME>pc7</NAME></HARDWARE>"))
		script := s.Bearer(server.TokenCommand{Email: server.Administrator, Name: "script"})
		list := func() {
			req, _ := http.NewRequest(http.MethodGet, s.Base+"/hardwares.xml?per_page=250", nil)
			req.Header.Set("Authorization", "Bearer "+script.Token)
			resp, err := a.http.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			if n, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != http.StatusOK || n < 250_000 {
				t.Fatalf("the list: got %d with %d bytes, %v", resp.StatusCode, n, err)
			}
			_ = resp.Body.Close() // it is read to its end
		}
		report := cost{statements: 6, transactions: 1, allocations: 195}
		if db.Name == "postgres" {
			report = cost{statements: 3, transactions: 1, allocations: 218}
		}
		for _, one := range []struct {
			name    string
			request func()
			most    cost
		}{{"an unchanged report", func() { a.post(same) }, report}, {"a list of 250", list, cost{allocations: 158}}} {
			if got := measure(s, one.request); got.statements > one.most.statements ||
				got.transactions > one.most.transactions || got.allocations > one.most.allocations {
				t.Errorf("%s: got %+v, want at most %+v", one.name, got, one.most)
			}
		}
	})
}

// measure returns what a request costs: the least of some rounds, since whatever else
// goes on in the process counts too; parts are those of reading the metrics.
func measure(s *mustertest.Server, request func()) cost {
	const rounds, n = 10, 50
	least := cost{math.Inf(1), math.Inf(1), math.Inf(1)}
	for range rounds {
		var before, after runtime.MemStats
		from := s.Metrics()
		runtime.ReadMemStats(&before)
		for range n {
			request()
		}
		runtime.ReadMemStats(&after)
		to := s.Metrics()
		least.statements = min(least.statements, math.Floor((to[statements]-from[statements])/n))
		least.transactions = min(least.transactions, math.Floor((transactions(to)-transactions(from))/n))
		least.allocations = min(least.allocations, math.Floor(float64(after.Mallocs-before.Mallocs)/n))
	}
	return least
}

const statements = "muster_database_statements_total"

// transactions returns how many there were.
func transactions(metrics map[string]float64) (sum float64) {
	for _, mode := range []string{"read", "view", "update"} {
		sum += metrics[`muster_database_transaction_duration_seconds_count{mode="`+mode+`"}`]
	}
	return sum
}
