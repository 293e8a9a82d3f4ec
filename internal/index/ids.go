package index

import (
	"slices"
	"sort"
)

// ids maps ids to places. Places are in the order of ids. A gap between two ids is also a gap between their
// places, which costs memory, unless it is wide.
type ids struct {
	runs []run // in the order of ids
	old  int64 // lower ids come in order, while the index is filled
}

// A run is a range of ids without gaps, and the range of their places.
type run struct {
	id    int64
	place uint32 // of the id
	n     uint32 // how many
}

// The sizes from which on gaps are wide. Gaps between old records will not be filled; between new ones a record
// may come late, and its place is kept free for it. spare is how many places there are for that.
const (
	oldGap  = 16
	newGap  = 1 << 16
	toSpare = 1 << 20
)

// behind returns the number of runs that begin at or before an id.
func (s *ids) behind(id int64) int {
	if n := len(s.runs); n == 0 || s.runs[n-1].id <= id { // nearly always
		return n
	}
	return sort.Search(len(s.runs), func(i int) bool { return s.runs[i].id > id })
}

// upTo returns the number of places up to an id.
func (s *ids) upTo(id int64) int {
	i := s.behind(id)
	if i == 0 {
		return 0
	}
	r := &s.runs[i-1]
	return int(r.place) + int(min(id-r.id+1, int64(r.n)))
}

// find returns the place of an id. It is not ok when it has none.
func (s *ids) find(id int64) (place uint32, ok bool) {
	i := s.behind(id)
	if i == 0 || id-s.runs[i-1].id >= int64(s.runs[i-1].n) {
		return 0, false
	}
	return s.runs[i-1].place + uint32(id-s.runs[i-1].id), true
}

// at returns the id that has a place.
func (s *ids) at(place uint32) int64 {
	i := len(s.runs) - 1
	if s.runs[i].place > place {
		i = sort.Search(i, func(i int) bool { return s.runs[i].place > place }) - 1
	}
	return s.runs[i].id + int64(place-s.runs[i].place)
}

// size returns how many places there are.
func (s *ids) size() int {
	if len(s.runs) == 0 {
		return 0
	}
	last := &s.runs[len(s.runs)-1]
	return int(last.place) + int(last.n)
}

// add gives a place to an id that has none. The existing places from that one on have moved up by moved.
func (s *ids) add(id int64, records int) (place, moved uint32) {
	i := s.behind(id)
	at := uint32(0) // where new places are inserted
	if i > 0 {
		r := &s.runs[i-1]
		at = r.place + r.n
		if gap := id - r.id - int64(r.n); gap < s.wide(id, records) {
			r.n, moved = r.n+uint32(gap)+1, uint32(gap)+1
		}
	}
	if moved == 0 {
		moved = 1
		s.runs = slices.Insert(s.runs, i, run{id, at, 1})
		i++
	}
	for ; i < len(s.runs); i++ {
		s.runs[i].place += moved
	}
	return at + moved - 1, moved
}

// wide returns the smallest gap before an id that is wide.
func (s *ids) wide(id int64, records int) int64 {
	if id < s.old || s.size() > 4*records+toSpare {
		return oldGap
	}
	return newGap
}
