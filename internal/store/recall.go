package store

import (
	"maps"

	"muster/internal/kind"
	"muster/internal/store/mapping"
)

// A recall knows ids of records by what they are unique together, as the writer
// of an SQLite file has found them: nobody else changes the file. Computers that
// report themselves name the same software over and over.
type recall struct {
	ids   map[*kind.Schema]map[mapping.UniqueHash]int64
	found map[*kind.Schema]map[mapping.UniqueHash]int64 // in the transaction under way, which may be undone
}

// maxRecalled is how many ids of a kind are known at most.
const maxRecalled = 1 << 16

func newRecall() *recall {
	return &recall{map[*kind.Schema]map[mapping.UniqueHash]int64{}, map[*kind.Schema]map[mapping.UniqueHash]int64{}}
}

// note keeps what the transaction under way has found.
func (r *recall) note(k *kind.Schema, hash mapping.UniqueHash, id int64) {
	if r == nil {
		return
	}
	if r.found[k] == nil {
		r.found[k] = map[mapping.UniqueHash]int64{}
	}
	r.found[k][hash] = id
}

// id returns the id of a record, 0 when it is not known.
func (r *recall) id(k *kind.Schema, hash mapping.UniqueHash) int64 {
	if r == nil {
		return 0
	}
	return r.ids[k][hash]
}

// forget is called when a record of a kind is changed or removed.
func (r *recall) forget(k *kind.Schema) {
	if r != nil && k.Together != nil {
		delete(r.ids, k)
		delete(r.found, k)
	}
}

// undone forgets what the transaction under way has found.
func (r *recall) undone() { clear(r.found) }

// committed makes what the transaction has found known.
func (r *recall) committed() {
	for k, found := range r.found {
		if r.ids[k] == nil || len(r.ids[k])+len(found) > maxRecalled {
			r.ids[k] = map[mapping.UniqueHash]int64{}
		}
		maps.Copy(r.ids[k], found)
	}
	clear(r.found)
}

// recall returns what the writer knows, nil in a transaction that may not know
// anything.
func (tx *Tx) recall() *recall {
	if tx.ledger == nil {
		return nil
	}
	return tx.ledger.recall
}
