package store

import (
	"context"
	"strings"

	"muster/internal/store/mapping"
)

// The guards of a table are triggers that allow rows to be added and nothing else. They stop mistakes, and
// users who do not own the database; a change that gets past them is found by Verify. Backups do not contain
// them, since rows are loaded without them: the server creates missing ones when it starts, before anybody
// writes.

// guard creates the guards that are missing.
func (tx *Tx) guard(ctx context.Context, t *mapping.Table) error {
	d := tx.Dialect()
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

// unguard removes the guards, so that this transaction can change the tables.
func (tx *Tx) unguard(ctx context.Context, t *mapping.Table) error {
	for _, table := range t.Kept() {
		if err := tx.forTable(ctx, tx.Dialect().Unguard, t, table); err != nil {
			return err
		}
	}
	return nil
}

// forTable runs statements for one table of a kind. A record may have several ties.
func (tx *Tx) forTable(ctx context.Context, statements []string, t *mapping.Table, table string) error {
	words := strings.NewReplacer("{table}", table, "{late}", "<=")
	if table != t.Name {
		words = strings.NewReplacer("{table}", table, "{late}", "<")
	}
	for _, sql := range statements {
		if err := tx.Exec(ctx, words.Replace(sql)); err != nil {
			return err
		}
	}
	return nil
}

// isGuarded reports whether all guards are present.
func (tx *Tx) isGuarded(ctx context.Context, t *mapping.Table) (bool, error) {
	d := tx.Dialect()
	for _, table := range t.Kept() {
		have, err := tx.names(ctx, d.Triggers, table)
		if err != nil || len(have) != d.Guarded {
			return false, err
		}
	}
	return true, nil
}
