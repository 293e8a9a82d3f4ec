package digest

import (
	"cmp"
	"hash/maphash"
	"slices"
	"sync"
	"sync/atomic"
)

// entrySize is how many bytes a used triple takes in a set, with the free space of one that has just grown.
const entrySize = 16

// slotsPerLife is in how many slots the triples of a nonce's life are kept: a slot is what is forgotten at once.
const slotsPerLife = 60

// A memory knows the used triples of live nonces. They lie in slots by the time of their nonce. When it
// forgets a slot, because its nonces have expired or because it is full, it raises a floor over the nonces of
// that slot: nonces under the floor are stale, so what is forgotten can never be accepted again.
//
// Of a triple it keeps 64 bits of a hash. Should two triples ever collide, the second is stale and its client
// tries again.
type memory struct {
	width int64 // of a slot, in milliseconds
	max   int   // triples
	seed  maphash.Seed

	low   atomic.Int64 // the floor; written under mu
	mu    sync.Mutex
	slots []slot // by rising id
	n     int    // triples in all slots
}

type slot struct {
	id   int64 // the time of its nonces divided by the width
	last int64 // the latest time of its nonces
	used set
}

func newMemory(bytes int, lifetime int64) *memory {
	return &memory{width: max(lifetime/slotsPerLife, 1), max: bytes / entrySize, seed: maphash.MakeSeed()}
}

// floor returns the time before which nonces are stale.
func (m *memory) floor() int64 { return m.low.Load() }

// add notes a triple whose nonce was issued at a time. It returns errUsed when the triple is known and errExpired when
// the nonce is under the floor. Nonces issued at or before ended have expired, and are forgotten.
func (m *memory) add(t Triple, issued, ended int64) error {
	var space [textSize]byte
	key := maphash.Bytes(m.seed, t.append(space[:0]))
	m.mu.Lock()
	defer m.mu.Unlock()
	if issued < m.floor() {
		return errExpired
	}
	for len(m.slots) > 0 && m.slots[0].last <= ended {
		m.forget()
	}
	s := m.slot(issued)
	if !s.used.add(key) {
		return errUsed
	}
	s.last = max(s.last, issued)
	m.n++
	for m.n > m.max {
		m.forget()
	}
	return nil
}

// slot returns the slot for nonces issued at a time.
func (m *memory) slot(issued int64) *slot {
	id := issued / m.width
	i, found := slices.BinarySearchFunc(m.slots, id, func(s slot, id int64) int { return cmp.Compare(s.id, id) })
	if !found {
		m.slots = slices.Insert(m.slots, i, slot{id: id})
	}
	return &m.slots[i]
}

// forget drops the oldest slot and raises the floor over its nonces.
func (m *memory) forget() {
	oldest := m.slots[0]
	m.low.Store(max(m.floor(), oldest.last+1))
	m.n -= oldest.used.n
	m.slots = slices.Delete(m.slots, 0, 1)
}
