package store

import (
	"context"
	"strings"
)

// The guards of a table are triggers that let rows be added to it, and nothing
// else. They stop mistakes, and those who do not own the database; whoever gets
// past them is found by Verify. They are not among the statements that a backup
// repeats: its rows are loaded without them, and the start of the server, before
// which nobody writes, makes those that are missing.

// kept are the tables of a kind that have guards.
func (t *table) kept() []string {
	if t.chain == nil {
		return nil
	}
	return append(t.tieTables(), t.name)
}

// guard makes the guards that are missing.
func (tx *Tx) guard(ctx context.Context, t *table) error {
	d := tx.store.database.Dialect()
	for _, table := range t.kept() {
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
func (tx *Tx) unguard(ctx context.Context, t *table) error {
	for _, table := range t.kept() {
		if err := tx.forTable(ctx, tx.store.database.Dialect().Unguard, t, table); err != nil {
			return err
		}
	}
	return nil
}

// forTable runs statements about a table of a kind. A record may have several
// ties.
func (tx *Tx) forTable(ctx context.Context, statements []string, t *table, table string) error {
	words := strings.NewReplacer("{table}", table, "{late}", "<=")
	if table != t.name {
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
func (tx *Tx) isGuarded(ctx context.Context, t *table) (bool, error) {
	d := tx.store.database.Dialect()
	for _, table := range t.kept() {
		have, err := tx.names(ctx, d.Triggers, table)
		if err != nil || len(have) != d.Guarded {
			return false, err
		}
	}
	return true, nil
}
