package digest

import "math/bits"

// A set keeps hashes of 64 bits in an open table, which grows by a quarter: a map takes half as much again,
// and doubles.
type set struct {
	table []uint64 // 0 where nothing is
	n     int
}

// leastTable is how long the table is at first.
const leastTable = 16

// add adds a hash, false when the set has it.
func (s *set) add(hash uint64) bool {
	if hash == 0 {
		hash = 1 // the two collide
	}
	if 5*s.n >= 4*len(s.table) {
		s.grow()
	}
	i := s.place(hash)
	if s.table[i] == hash {
		return false
	}
	s.table[i] = hash
	s.n++
	return true
}

// place returns where a hash is, or would be.
func (s *set) place(hash uint64) uint64 {
	n := uint64(len(s.table))
	i, _ := bits.Mul64(hash, n)
	for s.table[i] != 0 && s.table[i] != hash {
		if i++; i == n {
			i = 0
		}
	}
	return i
}

// grow makes the table longer.
func (s *set) grow() {
	old := s.table
	s.table = make([]uint64, max(leastTable, len(old)+len(old)/4))
	for _, hash := range old {
		if hash != 0 {
			s.table[s.place(hash)] = hash
		}
	}
}
