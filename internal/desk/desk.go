// Package desk is what the product does: it reads and changes records for
// people and programs. It is the only writer, so that rights, rules and the
// audit trail live in one place: a change is checked, stored and recorded in
// one transaction, whatever its origin. How people come in, what agents report, what
// tables bring, changes of many records and the way back are in packages above it:
// access, agents, imports, bulk and trail. Where to change what: doc/design.md.
package desk

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"muster/internal/desk/seal"
	"muster/internal/fragment"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// Config says what a desk works with.
type Config struct {
	Store *store.Store
	Key   []byte // seals credentials, 32 bytes
	Realm string // of digest authentication, fixed when a database is made
	Now   func() time.Time
	Log   *slog.Logger
	Cache int64 // bytes at most of what is kept of documents, 0 for nothing
}

// A Desk serves the records of one database.
type Desk struct {
	store    *store.Store
	sealer   *seal.Sealer
	realm    string
	now      func() time.Time
	log      *slog.Logger
	settings Settings
	creating running
	living   context.Context // ends with stop
	stop     context.CancelFunc

	claims   Claims
	renderer Renderer

	hooks      Hooks
	background sync.WaitGroup // what is done until stop

	ready    sync.Mutex
	readyAt  time.Time
	readyErr error
}

// Open returns a desk over a store. A key or a realm other than those that the
// database was made with is an error.
func Open(ctx context.Context, cfg Config) (*Desk, error) {
	sealer, err := seal.New(cfg.Key)
	if err != nil {
		return nil, err
	}
	d := &Desk{store: cfg.Store, sealer: sealer, realm: cfg.Realm, now: cfg.Now, log: cfg.Log}
	if err := sealer.Claim(ctx, d.store, d.realm); err != nil {
		return nil, err
	}
	d.settings.desk, d.claims.desk = d, d
	d.renderer = Renderer{d, fragment.New(cfg.Cache)}
	if err := d.settings.reload(ctx); err != nil {
		return nil, fmt.Errorf("load the settings: %w", err)
	}
	d.living, d.stop = context.WithCancel(context.Background())
	(&follower{d}).start(d.living)
	return d, nil
}

// Close ends what the desk does in the background. The store stays open.
func (d *Desk) Close() {
	d.stop()
	d.background.Wait()
}

// Background runs f apart from what calls it, with a context that ends when the
// desk is closed or cancel is called. Close waits for it.
func (d *Desk) Background(f func(context.Context)) (cancel context.CancelFunc) {
	ctx, cancel := context.WithCancel(d.living)
	d.background.Go(func() {
		defer cancel()
		f(ctx)
	})
	return cancel
}

// Store returns the store below, for packages that change records as the desk does.
func (d *Desk) Store() *store.Store { return d.store }

// Realm returns that of digest authentication.
func (d *Desk) Realm() string { return d.realm }

// Sealer returns what encrypts secrets under the server's key.
func (d *Desk) Sealer() *seal.Sealer { return d.sealer }

// Now returns the time.
func (d *Desk) Now() time.Time { return d.now() }

// Log returns the logger of the desk.
func (d *Desk) Log() *slog.Logger { return d.log }

// readyTime is how long the database may take to answer Ready.
const readyTime = 2 * time.Second

// errLoading is why a server is not ready that has just started.
var errLoading = message.Errorf("the server is starting: it reads its records into memory")

// Ready returns an error unless the database answers and the records have been read into memory once. Those who ask
// at once get one answer: they need not sign in to ask.
func (d *Desk) Ready(ctx context.Context) error {
	if !d.store.Loaded() {
		return errLoading
	}
	asked := time.Now()
	d.ready.Lock()
	defer d.ready.Unlock()
	if d.readyAt.After(asked) {
		return d.readyErr
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyTime)
	defer cancel()
	begun := time.Now()
	d.readyErr = d.store.Read(ctx, func(tx *store.Tx) error {
		return tx.CheckWriter(ctx)
	})
	d.readyAt = begun
	return d.readyErr
}

// A Code says which sort of mistake an Error is.
type Code uint8

// Codes of errors.
const (
	NotFound Code = iota
	Forbidden
	Conflict
	Changed // a condition on the record's version is not met
	Running // the same is being done, and the answer is not known yet
)

// An Error is a mistake of the client, in words fit for the client.
// Mistakes in a record are a *kind.Invalid instead.
type Error struct {
	Code Code
	Text message.Text
	// MergedInto is the computer that the one sought was merged into, 0 for none.
	MergedInto int64
}

// Error returns the text for the client.
func (e *Error) Error() string { return e.Text.String() }

// Message returns the text for people.
func (e *Error) Message() message.Text { return e.Text }

// Refuse returns an error for the client. Its format is the English text, and the key of its
// translation in internal/web/lang/catalogues.
func Refuse(code Code, format string, args ...any) error {
	return &Error{Code: code, Text: message.New(format, args...)}
}

// List returns one page of the records that the caller may see.
func (d *Desk) List(ctx context.Context, who Caller, k *kind.Schema, q *kind.Query) (page kind.Page, err error) {
	return d.list(ctx, who, k, q, d.store.List)
}

// Glance is List for people who watch while they type: where very many records have the words that they search for,
// it returns some of them, see Store.Glance.
func (d *Desk) Glance(ctx context.Context, who Caller, k *kind.Schema, q *kind.Query) (page kind.Page, err error) {
	return d.list(ctx, who, k, q, d.store.Glance)
}

// list returns one page of the records that the caller may see, read in one of the ways of the store.
func (d *Desk) list(ctx context.Context, who Caller, k *kind.Schema, q *kind.Query,
	read func(context.Context, *kind.Schema, *kind.Query, func(*store.Tx, []any) error) (kind.Page, error),
) (page kind.Page, err error) {
	if err := d.Complete(ctx, k); err != nil {
		return page, err
	}
	scoped, err := scope(who.User, k, q)
	if err != nil {
		return page, err
	}
	return read(ctx, k, scoped, func(tx *store.Tx, recs []any) error {
		return (&view{d, tx, who.User, false}).showList(ctx, k, q, recs)
	})
}

// Get returns one record that the caller may see.
func (d *Desk) Get(ctx context.Context, who Caller, k *kind.Schema, id int64) (rec any, err error) {
	if err := d.Complete(ctx, k); err != nil {
		return nil, err
	}
	read := d.store.View
	if plain(k) {
		read = d.store.Read
	}
	err = read(ctx, func(tx *store.Tx) error {
		rec, err = (&view{d, tx, who.User, true}).one(ctx, k, id)
		return err
	})
	return rec, err
}

// GetIncluding is Get of a record with the collection that the kind may include.
func (d *Desk) GetIncluding(ctx context.Context, who Caller, k *kind.Schema, id int64) (rec any, err error) {
	err = d.store.View(ctx, func(tx *store.Tx) error {
		v := &view{d, tx, who.User, true}
		if rec, err = v.one(ctx, k, id); err != nil {
			return err
		}
		return rules[k].include(ctx, v, []any{rec})
	})
	return rec, err
}

// Load loads a record for a user; one that they may not see does not exist for
// them.
func (d *Desk) Load(ctx context.Context, tx *store.Tx, user *inventory.User, k *kind.Schema, id int64) (any, error) {
	rec, err := tx.Get(ctx, k, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && !sees(user, k, rec) {
		return nil, d.NoSuch(ctx, tx, user, k, id)
	}
	return rec, err
}

// NoSuch is the refusal for a record that does not exist for a user. To those who
// may see all it says what has become of it.
func (d *Desk) NoSuch(ctx context.Context, tx *store.Tx, user *inventory.User, k *kind.Schema, id int64) error {
	if k != inventory.Computers.Schema || Limited(user) {
		return NoSuch(k, id)
	}
	into, err := tx.MergedInto(ctx, id)
	switch {
	case err != nil:
		return err
	case into == 0:
		return NoSuch(k, id)
	}
	text := message.New("%s: it was merged into computer %d", message.Of(NoSuch(k, id)), into)
	return &Error{Code: NotFound, Text: text, MergedInto: into}
}

// NoSuch is the refusal for a record that does not exist.
func NoSuch(k *kind.Schema, id int64) error {
	return Refuse(NotFound, "there is no %s with the id %d", message.Word(k.Noun), id)
}
