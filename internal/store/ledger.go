package store

import (
	"context"
	"maps"
	"slices"

	"muster/internal/index"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// A ledger records what the writer of an SQLite file changes in the transaction under way. Only the writer uses
// it.
type ledger struct {
	recall  *recall
	touched map[*mapping.Table]touched // what it has changed, for the indexes; nil without indexes
}

// A commit is one of an SQLite file that is under way and may affect what a search and the index find together. It
// is not known whether a transaction that begins meanwhile reads its changes.
type commit struct {
	tables []*mapping.Table // whose records it changes
	ended  chan struct{}    // closed when the indexes have its changes
}

// changes reports whether the commit changes records of one of the tables. It may be nil.
func (c *commit) changes(tables []*mapping.Table) bool {
	return c != nil && slices.ContainsFunc(c.tables, func(t *mapping.Table) bool { return slices.Contains(tables, t) })
}

// end wakes those who wait for the end of the commit. It may be nil.
func (c *commit) end() {
	if c != nil {
		close(c.ended)
	}
}

// noteChanges makes the writer of an SQLite file record its changes in a ledger.
func (s *Store) noteChanges(db *sqldb.SQLite) {
	l := &ledger{recall: newRecall()}
	s.ledger = l
	db.SetHooks(sqldb.Hooks{
		Begin:      l.begin,
		Undone:     l.recall.undone,
		Committing: s.beginCommit,
		Ended: func(c sqldb.Conn, committed bool) {
			if committed {
				l.recall.committed()
			}
			s.renew(c)
		},
	})
}

// begin clears what was recorded of the transaction before.
func (l *ledger) begin() {
	clear(l.touched)
	l.recall.undone()
}

// beginCommit invalidates what is cached of touched records, since others may see the change as soon as it is
// committed.
func (s *Store) beginCommit() {
	var tables []*mapping.Table
	for t, ids := range s.ledger.touched {
		if ids.decide() {
			tables = append(tables, t)
		}
	}
	if len(tables) > 0 {
		s.pending.Store(&commit{tables, make(chan struct{})})
	}
	all := s.indexes.Load()
	for t, ids := range s.ledger.touched {
		if all != nil {
			(*all)[t.Kind].Touch(index.Later, slices.Collect(maps.Keys(ids))...)
		}
	}
}

// renew updates the indexes after a transaction. It runs before the callers of Update return, so that their
// next list has their change. It also runs after a failed commit, which makes the state of the records certain
// again. If the records cannot be read, the indexes are dropped and the tables answer.
func (s *Store) renew(c sqldb.Conn) {
	if len(s.ledger.touched) == 0 {
		return
	}
	defer func() { s.pending.Swap(nil).end() }()
	all, stamp, state := s.indexes.Load(), s.clock.Add(1), s.seen.Load()
	if s.pending.Load() != nil {
		state = &seen{number: state.number + 1}
	}
	for t, ids := range s.ledger.touched {
		s.recent.add(state.number, t, ids)
		if err := (*all)[t.Kind].renew(context.Background(), c, stamp, ids); err != nil {
			s.indexes.Store(nil)
			s.drops.Add(1)
			s.ledger.touched = nil // nobody reads it any more
			s.log.Error("lists are read from the tables until the next start: "+
				"the changed records in memory cannot be updated", "error", err)
			return
		}
	}
	s.seen.Store(state)
	clear(s.ledger.touched)
}
