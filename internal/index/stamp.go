package index

import (
	"math"
	"sync/atomic"
)

// Later is the stamp of a record whose state is not certain: nothing that was made of it is good.
const Later = math.MaxInt64

// stamps has a stamp for each record: the number that a clock showed when the index was last told of it. What somebody
// has made of records is good as long as it was read after the clock showed their stamps. They are read without a lock.
type stamps struct {
	chunks atomic.Pointer[[]*chunk] // by id; where there is none, all are 0
	off    atomic.Bool              // nothing is certain
}

// A chunk has the stamps of neighbours.
type chunk [1024]atomic.Int64

// farthest is the last id that has a stamp of its own; of others nothing is certain.
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

// set sets the stamp of an id. One does so at a time.
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

// grow makes a chunk.
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

// Touch gives records a new stamp of which something has changed that the index does not keep. Later gives them doubt,
// until they are set, removed or touched again.
func (x *Index) Touch(stamp int64, ids ...int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, id := range ids {
		x.stamps.set(id, stamp)
	}
}

// Stamp returns the stamp of a record. One that the index was not told of since it was made has the stamp 0, whether it
// is there or not; one that was removed keeps its last. Of ids that are very far nothing is certain.
func (x *Index) Stamp(id int64) int64 { return x.stamps.at(id) }
