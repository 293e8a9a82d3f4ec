package store

import (
	"context"

	"muster/internal/message"
)

// ErrOvertaken is returned for a change by a process beside which a newer version has changed the tables.
var ErrOvertaken error = &message.Error{
	Text: message.New("a newer version of Muster has taken over the database, so this server changes nothing any more: " +
		"an administrator installs that version here too, and restarts it"),
	Cause: ErrUnavailable,
}

// generation counts in table counters how often running processes have lost the right to write: a process may write
// while the count is what it was when it opened the database and found that it knows all of it.
const generation = "generation"

// generationNow is the present count, as part of a statement.
const generationNow = "coalesce((SELECT value FROM counters WHERE name = '" + generation + "'), 0)"

// overtake lets no process write any more that has the database open, except this one.
func (tx *Tx) overtake(ctx context.Context) error {
	_, err := tx.Count(ctx, generation)
	return err
}

// CheckWriter returns ErrOvertaken for a process that may not write the database any more.
func (tx *Tx) CheckWriter(ctx context.Context) error {
	now, err := tx.Counter(ctx, generation)
	if err != nil {
		return err
	}
	return tx.mayWrite(now)
}

// mayWrite is CheckWriter with the present count.
func (tx *Tx) mayWrite(now int64) error {
	tx.checked = true
	if now != tx.store.generation.Load() {
		return ErrOvertaken
	}
	return nil
}
