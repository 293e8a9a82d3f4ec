package store

import (
	"maps"

	"muster/internal/kind"
	"muster/internal/store/mapping"
)

// A recall caches ids of records by the values that they are unique by, for the writer of an SQLite file, which
// nobody else changes. Agents report the same software over and over.
type recall struct {
	ids   map[*kind.Schema]map[mapping.UniqueHash]int64
	found map[*kind.Schema]map[mapping.UniqueHash]int64 // by the transaction under way, which may be undone
}

// maxRecalled is how many ids of a kind are cached at most.
const maxRecalled = 1 << 16

func newRecall() *recall {
	return &recall{map[*kind.Schema]map[mapping.UniqueHash]int64{}, map[*kind.Schema]map[mapping.UniqueHash]int64{}}
}

// note stores an id that the transaction under way has found.
func (r *recall) note(k *kind.Schema, hash mapping.UniqueHash, id int64) {
	if r == nil {
		return
	}
	if r.found[k] == nil {
		r.found[k] = map[mapping.UniqueHash]int64{}
	}
	r.found[k][hash] = id
}

// id returns the id of a record, 0 when it is not cached.
func (r *recall) id(k *kind.Schema, hash mapping.UniqueHash) int64 {
	if r == nil {
		return 0
	}
	return r.ids[k][hash]
}

// forget drops the ids of a kind when one of its records is changed or removed.
func (r *recall) forget(k *kind.Schema) {
	if r != nil && k.Together != nil {
		delete(r.ids, k)
		delete(r.found, k)
	}
}

// undone drops what the transaction under way has found.
func (r *recall) undone() { clear(r.found) }

// committed adds what the transaction has found to the cache.
func (r *recall) committed() {
	for k, found := range r.found {
		if r.ids[k] == nil || len(r.ids[k])+len(found) > maxRecalled {
			r.ids[k] = map[mapping.UniqueHash]int64{}
		}
		maps.Copy(r.ids[k], found)
	}
	clear(r.found)
}

// recall returns the writer's cache, nil in a transaction that may not use it.
func (tx *Tx) recall() *recall {
	if tx.ledger == nil {
		return nil
	}
	return tx.ledger.recall
}
