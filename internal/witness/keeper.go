package witness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"muster/internal/store"
)

// Every is how often the file is written at most, and repeat how often it is
// logged that the trail is not the one that the node saw.
const (
	Every  = 10 * time.Second
	repeat = time.Hour
)

// A Trail is the audit trail of an installation that is open.
type Trail struct {
	Store *store.Store
	// Complete adds the records of all changes that are made to the trail.
	Complete func(context.Context) error
	// Note writes a record about the file.
	Note func(ctx context.Context, text string) error
}

// A Keeper keeps the file of a node. What it knows is in the file: it reads it
// each time, so that commands beside a server may write it too. It never
// replaces a file that the trail does not fit, which is the evidence, unless
// an administrator accepts that.
type Keeper struct {
	File
	Trail
	Node     string // name of the machine
	Database string // name of the database, for people
	Now      func() time.Time
	Log      *slog.Logger

	mu       sync.Mutex
	kept     time.Time // when Keep last looked
	isLost   bool      // the last time failed
	dispute  string    // what is wrong, "" for nothing
	said     time.Time // when that was logged
	noted    string    // the last note that the trail got
	disputed atomic.Bool
	failures atomic.Int64
}

// State is the state of a keeper, for metrics.
type State struct {
	Disputed bool  // the file and the trail do not fit each other
	Failures int64 // times that the file could not be written
}

// State returns how it is, also while the database does not answer.
func (k *Keeper) State() State { return State{k.disputed.Load(), k.failures.Load()} }

// Begin writes the first statement of a new installation: that its trail is
// empty. Elsewhere it does nothing.
func (k *Keeper) Begin(ctx context.Context) {
	k.mu.Lock()
	defer k.mu.Unlock()
	_, err := k.Read()
	if !errors.Is(err, fs.ErrNotExist) {
		return
	}
	c, err := compare(ctx, k.Store, nil)
	if err == nil && c.end == (store.Mark{}) {
		err = k.Write(k.fresh(c.end, ""))
	}
	k.log(err)
}

// Keep brings the file up to date, and makes it where there is none, with a
// record in the trail. A server calls it when it starts, and again and again.
func (k *Keeper) Keep(ctx context.Context) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept = k.Now()
	s, err := k.Read()
	if errors.Is(err, fs.ErrNotExist) {
		s, err = k.first(ctx)
	}
	k.log(k.advance(ctx, s, err))
}

// IsDue reports whether Keep is to be called again.
func (k *Keeper) IsDue() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.Now().Sub(k.kept) >= Every
}

// Close brings the file up to date at the end of a server or command. One that is
// about another database stays as it is, as does a missing one.
func (k *Keeper) Close(ctx context.Context) {
	k.mu.Lock()
	defer k.mu.Unlock()
	s, err := k.Read()
	if errors.Is(err, fs.ErrNotExist) || err == nil && s.Database != k.Database {
		return
	}
	k.log(k.advance(ctx, s, err))
}

// first writes a first statement, with a note, as records before it are vouched
// for by nothing. The file comes first: where it cannot be written, the trail
// does not fill with notes.
func (k *Keeper) first(ctx context.Context) (*Statement, error) {
	c, err := compare(ctx, k.Store, nil)
	if err != nil {
		return nil, err
	}
	s := k.fresh(c.end, fmt.Sprintf("%s of %s begun: there was none, so nothing vouches for the end of the audit trail before, at the head %s",
		FileName, k.Node, c.end.Head))
	return s, k.Write(s)
}

// fresh returns a statement that has seen nothing else.
func (k *Keeper) fresh(end store.Mark, note string) *Statement {
	return &Statement{Database: k.Database, Marks: []Mark{{end, k.Now()}}, Note: note}
}

// advance writes how far the trail goes now, if it is the one of the statement.
// It is given the outcome of reading that.
func (k *Keeper) advance(ctx context.Context, s *Statement, err error) error {
	if err != nil {
		return err
	}
	end, err := k.reached(ctx, s)
	if err == nil && s.Note != "" && s.Note != k.noted {
		end, err = k.settle(ctx, s)
	}
	if err != nil || end == s.newest().Mark && s.Note == "" && s.Database == k.Database {
		return err
	}
	s.see(Mark{end, k.Now()})
	s.Database, s.Note = k.Database, ""
	return k.Write(s)
}

// reached returns the end of the trail, if it is the one of the statement.
func (k *Keeper) reached(ctx context.Context, s *Statement) (end store.Mark, err error) {
	if err := k.Complete(ctx); err != nil {
		return end, err
	}
	c, err := compare(ctx, k.Store, s)
	if err != nil {
		return end, err
	}
	if d := c.disagreement(); d != nil {
		return end, d
	}
	return c.end, nil
}

// settle writes the statement's note into the trail, and returns the end of that.
// It is done once, also when the file cannot be written afterwards.
func (k *Keeper) settle(ctx context.Context, s *Statement) (end store.Mark, err error) {
	if err := k.Note(ctx, s.Note); err != nil {
		return end, err
	}
	k.noted = s.Note
	return k.reached(ctx, s)
}

// log logs what has become of an attempt, and remembers it.
func (k *Keeper) log(err error) {
	remedy := Remedy(err)
	switch {
	case remedy != "":
		if k.dispute != err.Error() || k.Now().Sub(k.said) >= repeat {
			k.Log.Error("the audit trail is not the one that this node saw", "file", k.Path, "error", err,
				"remedy", remedy)
			k.said = k.Now()
		}
		k.dispute = err.Error()
	case err != nil:
		k.failures.Add(1)
		if !k.isLost {
			k.Log.Warn("the head of the audit trail cannot be written, so nothing vouches for its end",
				"file", k.Path, "error", err)
		}
	default:
		if k.dispute != "" || k.isLost {
			k.Log.Info("the head of the audit trail is written again", "file", k.Path)
		}
		k.dispute = ""
	}
	k.disputed.Store(k.dispute != "")
	k.isLost = err != nil && remedy == ""
}
