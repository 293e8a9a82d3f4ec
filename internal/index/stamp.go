package index

import (
	"math"
	"sync/atomic"
)

// Later is the stamp of a record whose state is uncertain: nothing that is cached of it is valid.
const Later = math.MaxInt64

// stamps has a stamp for each record: the value of a clock at the last update of the record in the index. What
// is cached of records is valid if it was read after their stamps. Stamps are read without a lock.
type stamps struct {
	chunks atomic.Pointer[[]*chunk] // by id; 0 for missing ones
	off    atomic.Bool              // nothing is certain
}

// A chunk has the stamps of adjacent ids.
type chunk [1024]atomic.Int64

// farthest is the highest id that has a stamp; all higher ones are Later.
const farthest = 1 << 27

// at returns the stamp of an id.
func (s *stamps) at(id int64) int64 {
	chunks, i := s.chunks.Load(), int(id/int64(len(chunk{})))
	switch {
	case s.off.Load() || id > farthest:
		return Later
	case id < 0:
		return 0
	case chunks == nil || i >= len(*chunks) || (*chunks)[i] == nil:
		return 0
	}
	return (*chunks)[i][id%int64(len(chunk{}))].Load()
}

// set sets the stamp of an id. It must not be called concurrently.
func (s *stamps) set(id, stamp int64) {
	if id < 0 || id > farthest {
		return
	}
	chunks, i := s.chunks.Load(), int(id/int64(len(chunk{})))
	if chunks == nil || i >= len(*chunks) || (*chunks)[i] == nil {
		if stamp == 0 { // as all have at first
			return
		}
		chunks = s.grow(i)
	}
	(*chunks)[i][id%int64(len(chunk{}))].Store(stamp)
}

// grow allocates a chunk.
func (s *stamps) grow(i int) *[]*chunk {
	var grown []*chunk
	if chunks := s.chunks.Load(); chunks != nil {
		grown = append(grown, *chunks...)
	}
	for i >= len(grown) {
		grown = append(grown, nil)
	}
	grown[i] = new(chunk)
	s.chunks.Store(&grown)
	return &grown
}

// Touch sets the stamp of records of which something has changed that the index does not keep. With the stamp
// Later they are uncertain until they are set, removed or touched again.
func (x *Index) Touch(stamp int64, ids ...int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, id := range ids {
		x.stamps.set(id, stamp)
	}
}

// Stamp returns the stamp of a record. It is 0 for an id that was not updated since the index was made, whether
// it exists or not; a removed record keeps its last one. It is Later for extremely high ids.
func (x *Index) Stamp(id int64) int64 { return x.stamps.at(id) }
