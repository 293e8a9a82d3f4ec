package result

import (
	"fmt"
	"strings"
)

// sidesWithin is how many times the server's CPU time with SQLite pages may take
// with PostgreSQL.
const sidesWithin = 2

// SQLite and Postgres are names of databases, which begin those of comparisons.
const SQLite, Postgres = "sqlite", "postgres"

// A side is an operation on both databases, of the largest size.
type side struct{ sqlite, postgres *Comparison }

// sides returns the operations that were measured on both databases.
func (r *Run) sides() (all []side) {
	if len(r.Sizes) == 0 {
		return nil
	}
	for _, c := range r.Comparisons {
		rest, ok := strings.CutPrefix(c.Name, SQLite)
		if !ok || c.Computers != r.Sizes[len(r.Sizes)-1] || c.Times() == 0 {
			continue
		}
		if other := r.find(&Comparison{Name: Postgres + rest, Rival: c.Rival}); other != nil && other.Times() > 0 {
			all = append(all, side{c, other})
		}
	}
	return all
}

// factor returns how many times the server's CPU time with SQLite it takes with
// PostgreSQL, each in times of the rival's.
func (s side) factor() float64 { return s.postgres.Times() / s.sqlite.Times() }

// verdicts judges pages.
func (s side) verdicts() []verdict {
	if !s.sqlite.Flat {
		return nil
	}
	name := strings.TrimPrefix(s.sqlite.Name, SQLite+" ")
	return []verdict{{
		aim: "pages with PostgreSQL beside SQLite", goal: fmt.Sprintf("<= %dx", sidesWithin), name: name,
		found: fmt.Sprintf("%.2fx", s.factor()), share: s.factor() / sidesWithin,
	}}
}
