package mapping

import (
	"fmt"
	"strings"

	"muster/internal/kind"
	"muster/internal/store/sqldb"
)

// HashColumn has the hash of a record of a chained kind: SHA-256 over the hash of the record before it, 32 zero
// bytes for the first, and its own content.
const HashColumn = "_hash"

// A chain has the statements for a chained kind. On PostgreSQL a change adds its record to the table of pending
// ones, so that it waits for no other change; Store.Chain moves them to the chain after the commit.
type chain struct {
	Pending string         // the name of the table
	Add     map[int]string // inserts so many pending records
	Waiting Selection      // reads pending records
	Whole   Selection      // reads records with their hashes and folded texts
	Extend  map[int]string // inserts so many records with their ids and hashes
}

func newChain(t *Table) *chain {
	c := &chain{Pending: t.Name + "_pending", Add: map[int]string{}, Extend: map[int]string{}}
	var names, folded []string
	for _, col := range t.Columns {
		names = append(names, col.Name)
		if col.Role == IsFolded {
			folded = append(folded, "r."+col.Name)
		}
		if col.Role == isValue && col.Field.Default != "" {
			panic(fmt.Sprintf("store: %s: records before a default would get it, and not fit their hashes any more",
				t.Name))
		}
	}
	all := func(*kind.Field) bool { return true }
	c.Waiting = newSelection(t.Kind, c.Pending, all)
	c.Whole = newSelection(t.Kind, t.Name, all, append([]string{"r." + HashColumn}, folded...)...)
	columns := strings.Join(names, ", ")
	for _, size := range sqldb.Batches {
		if size > sqldb.MostRows {
			break
		}
		c.Add[size] = fmt.Sprintf("INSERT INTO %s (%s) VALUES %s", c.Pending, columns, sqldb.Tuples(size, len(names)))
		c.Extend[size] = fmt.Sprintf("INSERT INTO %s (id, %s, %s) VALUES %s",
			t.Name, HashColumn, columns, sqldb.Tuples(size, len(names)+2))
	}
	return c
}
