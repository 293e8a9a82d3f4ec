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
	chunks atomic.Pointer[[]*chunk] // by place; where there is none, all are 0
	off    atomic.Bool              // nothing is certain
}

// A chunk has the stamps of neighbours.
type chunk [1024]atomic.Int64

// at returns the stamp of a place.
func (s *stamps) at(place uint32) int64 {
	chunks, i := s.chunks.Load(), int(place)/len(chunk{})
	switch {
	case s.off.Load():
		return Later
	case chunks == nil || i >= len(*chunks) || (*chunks)[i] == nil:
		return 0
	}
	return (*chunks)[i][int(place)%len(chunk{})].Load()
}

// set sets the stamp of a place. One does so at a time.
func (s *stamps) set(place uint32, stamp int64) {
	chunks, i := s.chunks.Load(), int(place)/len(chunk{})
	if chunks == nil || i >= len(*chunks) || (*chunks)[i] == nil {
		if stamp == 0 { // as all have at first
			return
		}
		chunks = s.grow(i)
	}
	(*chunks)[i][int(place)%len(chunk{})].Store(stamp)
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
		if id >= 0 && id <= x.farthest() {
			x.stamps.set(uint32(id), stamp)
		}
	}
}

// Stamp returns the stamp of a record. One that the index was not told of since it was made has the stamp 0, whether it
// is there or not; one that was removed keeps its last.
func (x *Index) Stamp(id int64) int64 {
	if id < 0 || id > math.MaxUint32 {
		return 0
	}
	return x.stamps.at(uint32(id))
}

// farthest returns the last id that a record may have.
func (x *Index) farthest() int64 { return min(int64(4*x.records+maxGaps), math.MaxUint32) }

// Bytes returns about how much memory the index takes.
func (x *Index) Bytes() int64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	const text, number, view = 2 + 4, 8, 1.0 / 8
	each := float64(text*len(x.texts)+number*(len(x.numbers)+2)) + view*float64(1+len(x.views.all))
	return int64(each * float64(x.records))
}
