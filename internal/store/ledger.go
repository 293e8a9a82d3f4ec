package store

import (
	"context"
	"maps"
	"slices"

	"muster/internal/index"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// A ledger is what the writer of an SQLite file notes of the transaction under way.
// Nobody else changes it.
type ledger struct {
	recall   *recall
	touched  map[*mapping.Table]touched // what it has changed, for the indexes; nil without any
	reworded map[*mapping.Table]bool    // of which it has changed words; nil as touched
}

// noteChanges makes the writer of an SQLite file note what it changes.
func (s *Store) noteChanges(db *sqldb.SQLite) {
	l := &ledger{recall: newRecall()}
	s.ledger = l
	db.SetHooks(sqldb.Hooks{
		Begin:      l.begin,
		Undone:     l.recall.undone,
		Committing: s.invalidateTouched,
		Ended: func(c sqldb.Conn, committed bool) {
			if committed {
				l.recall.committed()
			}
			s.renew(c)
		},
	})
}

// begin forgets what was noted of the transaction before.
func (l *ledger) begin() {
	clear(l.touched)
	clear(l.reworded)
	l.recall.undone()
}

// invalidateTouched makes what was made of touched records no good from now on: others may
// see the change as soon as it is committed.
func (s *Store) invalidateTouched() {
	all := s.indexes.Load()
	s.uncertain.Store(len(s.ledger.touched)+len(s.ledger.reworded) > 0)
	s.wordsChange()
	for t, ids := range s.ledger.touched {
		if all != nil {
			(*all)[t.Kind].Touch(index.Later, slices.Collect(maps.Keys(ids))...)
		}
	}
}

// renew makes the indexes know what a transaction has changed. It runs before
// those who changed it are told, so that their next list has it; and after one
// that could not be committed, since then too its records are certain again.
// What cannot be read makes the indexes worthless, and the tables answer.
func (s *Store) renew(c sqldb.Conn) {
	s.wordsChange()
	all, stamp, changes := s.indexes.Load(), s.clock.Add(1), int64(0)
	for t, ids := range s.ledger.touched {
		x := (*all)[t.Kind]
		changes -= x.Changes()
		err := x.renew(context.Background(), c, stamp, ids)
		changes += x.Changes()
		if err != nil {
			s.indexes.Store(nil)
			s.ledger.touched = nil // from now on nobody reads what is noted
			s.log.Error("lists come from the tables until the next start: "+
				"what memory has of changed records cannot be renewed", "error", err)
			return
		}
	}
	s.changes.Add(changes)
	s.uncertain.Store(false)
	clear(s.ledger.touched)
	clear(s.ledger.reworded)
}
