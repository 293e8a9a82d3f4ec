package index

import "math"

// Every record has a stamp: the number that a clock showed when the index was last told of it. What somebody has made of
// records is good as long as it was read after the clock showed their stamps.

// Later is the stamp of a record whose state is not certain: nothing that was made of it is good.
const Later = math.MaxInt64

// Touch gives records a new stamp of which something has changed that the index does not keep. Later gives them doubt,
// until they are set or removed or touched again.
func (x *Index) Touch(stamp int64, ids ...int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, id := range ids {
		if id >= 0 && id <= x.farthest() {
			x.stamp(uint32(id), stamp)
		}
	}
}

// Stamps appends the stamps of records to those given. One that the index was not told of since it was made has the
// stamp 0, whether it is there or not; one that was removed keeps its last.
func (x *Index) Stamps(stamps []int64, ids ...int64) []int64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, id := range ids {
		stamps = append(stamps, x.stampOf(id))
	}
	return stamps
}

func (x *Index) stampOf(id int64) int64 {
	switch {
	case x.off:
		return Later
	case id < 0 || id >= int64(len(x.stamps)):
		return 0
	}
	return x.stamps[id]
}

func (x *Index) stamp(place uint32, stamp int64) {
	if int(place) >= len(x.stamps) {
		if stamp == 0 { // as those have that were there at first
			return
		}
		x.stamps = append(x.stamps, make([]int64, int(place)+1-len(x.stamps))...)
	}
	x.stamps[place] = stamp
}

// farthest returns the last id that a record may have.
func (x *Index) farthest() int64 { return min(int64(4*x.records+maxGaps), math.MaxUint32) }
