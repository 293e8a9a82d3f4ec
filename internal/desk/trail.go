package desk

import (
	"context"
	"errors"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// Complete is called before records of a kind are read: on PostgreSQL the audit
// records of changes that were acknowledged are added to the trail first, so
// that everybody sees their own; and old claims are gone.
func (d *Desk) Complete(ctx context.Context, k *kind.Schema) error {
	d.Expire(ctx, k)
	return d.store.Chain(ctx, k)
}

// Head returns how far the audit trail goes.
func (d *Desk) Head(ctx context.Context) (head store.Head, err error) {
	k := inventory.Audits.Schema
	if err := d.Complete(ctx, k); err != nil {
		return head, err
	}
	err = d.store.View(ctx, func(tx *store.Tx) error {
		head, err = tx.Head(ctx, k)
		return err
	})
	return head, err
}

// FollowEvery is how often a node looks for what other nodes and commands did,
// followTime how long that may take, and learnTime how long to read what was
// changed here, which nobody would make up for.
const (
	FollowEvery = time.Second
	followTime  = 5 * time.Second
	learnTime   = 30 * time.Second
)

// Learn reads again what this node holds in memory, after a change that is
// made: also when whoever asked for the change has gone since, as nothing else
// would tell a node on a database of its own.
func (d *Desk) Learn(ctx context.Context, reload func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), learnTime)
	defer cancel()
	return reload(ctx)
}

// Stale reports whether a counter is not what it was when this node last read
// what it counts.
func (d *Desk) Stale(ctx context.Context, counter string, known int64) (bool, error) {
	var version int64
	err := d.store.Read(ctx, func(tx *store.Tx) (err error) {
		version, err = tx.Counter(ctx, counter)
		return err
	})
	return version != known, err
}

// repeat does something again and again. Its failure is logged as lost, once,
// and the end of that as back.
func (d *Desk) repeat(ctx context.Context, lost, back string, do func(context.Context) error) {
	tick := time.NewTicker(FollowEvery)
	defer tick.Stop()
	for away := false; ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		limited, cancel := context.WithTimeout(ctx, followTime)
		err := do(limited)
		cancel()
		if err != nil && !away && ctx.Err() == nil {
			d.log.Warn(lost, "error", err)
		}
		if err == nil && away {
			d.log.Info(back)
		}
		away = err != nil
	}
}

// CatchUp reads what another desk of the same database has changed of settings and of what
// packages above have in memory.
func (d *Desk) CatchUp(ctx context.Context) error {
	return errors.Join(d.settings.catchUp(ctx), d.hooks.catchUpAll(ctx))
}

// follow notices changes of users, settings and agent tokens by other nodes and
// commands, and adds the audit records of all to the trail.
func (d *Desk) follow(ctx context.Context) {
	if !d.store.Shared() {
		return
	}
	d.background.Go(func() {
		const lost, back = "changes of users, settings and agent tokens cannot be read",
			"changes of users, settings and agent tokens can be read again"
		d.repeat(ctx, lost, back, d.CatchUp)
	})
	d.background.Go(func() {
		d.repeat(ctx, "the audit trail cannot be written", "the audit trail can be written again",
			func(ctx context.Context) error {
				return d.Complete(ctx, inventory.Audits.Schema)
			})
	})
}
