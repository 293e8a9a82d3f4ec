package desk

import (
	"context"

	"muster/internal/kind"
	"muster/internal/message"
)

// Counts returns what values of a field the records have that match a query and
// that the caller may see, and how many have each: those that most have first,
// no more of them than a page has records.
func (d *Desk) Counts(ctx context.Context, who Caller, k *kind.Schema, q *kind.Query,
	f *kind.Field) (counts []kind.Count, err error) {
	if !f.Countable() {
		return nil, &kind.BadQuery{Text: message.Says("is not a field whose values can be " +
			"counted").Of(message.Word(f.Column()))}
	}
	if err := d.Complete(ctx, k); err != nil {
		return nil, err
	}
	scoped, err := scope(who.User, k, q)
	if err != nil {
		return nil, err
	}
	return d.store.Counts(ctx, k, scoped, f)
}

// Total returns how many records match a query that the caller may see, without
// reading them.
func (d *Desk) Total(ctx context.Context, who Caller, k *kind.Schema, q *kind.Query) (int, error) {
	if err := d.Complete(ctx, k); err != nil {
		return 0, err
	}
	scoped, err := scope(who.User, k, q)
	if err != nil {
		return 0, err
	}
	return d.store.Total(ctx, k, scoped)
}
