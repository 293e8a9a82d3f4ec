package sqldb

import (
	"context"
	"fmt"
)

// MergeWords merges the parts in which SQLite has stored the words of very many records in a search table, a step at a
// time. It would do so with the next changes otherwise, each of which would take several times as long. PostgreSQL has
// no such parts.
func MergeWords(ctx context.Context, db Database, table string) error {
	merge := fmt.Sprintf("INSERT INTO %[1]s (%[1]s, rank) VALUES ('merge', -500)", table)
	for wrote := db.Dialect() == &SQLiteDialect; wrote; {
		err := db.Migrate(ctx, func(c Conn) error {
			var changes []int64 // of the connection so far, before and after a step
			for _, sql := range []string{"SELECT total_changes()", merge, "SELECT total_changes()"} {
				err := c.Query(ctx, sql, nil, func(r Row) error {
					changes = append(changes, r.Int(0))
					return nil
				})
				if err != nil {
					return err
				}
			}
			wrote = changes[1]-changes[0] > 1 // the statement itself counts as a change
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
