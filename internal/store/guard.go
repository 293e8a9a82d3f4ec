package store

import (
	"context"
	"strings"

	"muster/internal/store/mapping"
)

// The guards of a table are triggers that let rows be added to it, and nothing
// else. They stop mistakes, and those who do not own the database; whoever gets
// past them is found by Verify. They are not among the statements that a backup
// repeats: its rows are loaded without them, and the start of the server, before
// which nobody writes, makes those that are missing.

// guard makes the guards that are missing.
func (tx *Tx) guard(ctx context.Context, t *mapping.Table) error {
	d := tx.store.database.Dialect()
	for _, table := range t.Kept() {
		have, err := tx.names(ctx, d.Triggers, table)
		if err != nil {
			return err
		}
		if len(have) == d.Guarded || tx.store.frozen {
			continue
		}
		if err := tx.forTable(ctx, d.Guard, t, table); err != nil {
			return err
		}
	}
	return nil
}

// unguard removes the guards, for a change of the tables in this transaction.
func (tx *Tx) unguard(ctx context.Context, t *mapping.Table) error {
	for _, table := range t.Kept() {
		if err := tx.forTable(ctx, tx.store.database.Dialect().Unguard, t, table); err != nil {
			return err
		}
	}
	return nil
}

// forTable runs statements about a table of a kind. A record may have several
// ties.
func (tx *Tx) forTable(ctx context.Context, statements []string, t *mapping.Table, table string) error {
	words := strings.NewReplacer("{table}", table, "{late}", "<=")
	if table != t.Name {
		words = strings.NewReplacer("{table}", table, "{late}", "<")
	}
	for _, sql := range statements {
		if err := tx.exec(ctx, words.Replace(sql)); err != nil {
			return err
		}
	}
	return nil
}

// isGuarded reports whether no guard is missing.
func (tx *Tx) isGuarded(ctx context.Context, t *mapping.Table) (bool, error) {
	d := tx.store.database.Dialect()
	for _, table := range t.Kept() {
		have, err := tx.names(ctx, d.Triggers, table)
		if err != nil || len(have) != d.Guarded {
			return false, err
		}
	}
	return true, nil
}
