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
	d.claims.Expire(ctx, k)
	return d.store.Chain(ctx, k)
}

// FollowEvery is how often a node looks for what other nodes and commands did,
// followTime how long that may take, and learnTime how long to read what was
// changed here, which nobody would make up for.
const (
	FollowEvery = time.Second
	followTime  = 5 * time.Second
	learnTime   = 30 * time.Second
)

// Learn reads again what this node has in memory, after a change that is made:
// also when whoever asked for the change has gone since, as a node on a database
// of its own would not notice otherwise.
func Learn(ctx context.Context, reload func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), learnTime)
	defer cancel()
	return reload(ctx)
}

// Stale reports whether a counter is not what it was when this node last read
// what it counts.
func Stale(ctx context.Context, db *store.Store, counter string, known int64) (bool, error) {
	var version int64
	err := db.Read(ctx, func(tx *store.Tx) (err error) {
		version, err = tx.Counter(ctx, counter)
		return err
	})
	return version != known, err
}

// A follower looks for what other nodes and commands have done.
type follower struct{ desk *Desk }

// repeat does something again and again. Its failure is logged as lost, once,
// and the end of that as back.
func (f *follower) repeat(ctx context.Context, lost, back string, do func(context.Context) error) {
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
			f.desk.log.Warn(lost, "error", err)
		}
		if err == nil && away {
			f.desk.log.Info(back)
		}
		away = err != nil
	}
}

// CatchUp reads what another desk of the same database has changed of settings and of what
// packages above have in memory.
func (d *Desk) CatchUp(ctx context.Context) error {
	return errors.Join(d.settings.catchUp(ctx), d.hooks.catchUpAll(ctx))
}

// start notices changes of users, settings and agent tokens by other nodes and
// commands, and adds the audit records of all to the trail.
func (f *follower) start(ctx context.Context) {
	if !f.desk.store.Shared() {
		return
	}
	f.desk.background.Go(func() {
		const lost, back = "changes of users, settings and agent tokens cannot be read",
			"changes of users, settings and agent tokens can be read again"
		f.repeat(ctx, lost, back, f.desk.CatchUp)
	})
	f.desk.background.Go(func() {
		f.repeat(ctx, "the audit trail cannot be written", "the audit trail can be written again",
			func(ctx context.Context) error {
				return f.desk.Complete(ctx, inventory.Audits.Schema)
			})
	})
}
