package index

import (
	"encoding/binary"
	"slices"
)

// A vector keeps a number for each place, in as few bytes as the greatest needs. It is 0 until it is set.
type vector struct {
	width int    // in bytes: 1, 2, 4 or 8; 0 means 1
	data  []byte // little-endian
}

// at returns the number of a place.
func (v *vector) at(place uint32) uint64 {
	if !v.has(int(place)) {
		return 0
	}
	return v.get(int(place))
}

// has reports whether a place exists. It is called for each number that is set, so it avoids a division.
func (v *vector) has(place int) bool { return (place+1)*max(1, v.width) <= len(v.data) }

// get returns the number of an existing place.
func (v *vector) get(place int) uint64 {
	switch v.width {
	case 2:
		return uint64(binary.LittleEndian.Uint16(v.data[2*place:]))
	case 4:
		return uint64(binary.LittleEndian.Uint32(v.data[4*place:]))
	case 8:
		return binary.LittleEndian.Uint64(v.data[8*place:])
	}
	return uint64(v.data[place])
}

// set sets the number of a place.
func (v *vector) set(place uint32, n uint64) {
	v.widen(widthOf(n))
	if !v.has(int(place)) {
		if n == 0 {
			return
		}
		v.data = longer(v.data, v.width*(int(place)+1))
	}
	v.put(int(place), n)
}

// put sets the number of an existing place. It must fit.
func (v *vector) put(place int, n uint64) {
	switch v.width {
	case 2:
		binary.LittleEndian.PutUint16(v.data[2*place:], uint16(n))
	case 4:
		binary.LittleEndian.PutUint32(v.data[4*place:], uint32(n))
	case 8:
		binary.LittleEndian.PutUint64(v.data[8*place:], n)
	default:
		v.data[place] = byte(n)
	}
}

// widthOf returns how many bytes a number needs.
func widthOf(n uint64) int {
	switch {
	case n>>32 != 0:
		return 8
	case n>>16 != 0:
		return 4
	case n>>8 != 0:
		return 2
	}
	return 1
}

// longer returns a slice with n elements, new ones 0. It has little spare capacity, since memory matters more
// than copying.
func longer[T any](all []T, n int) []T {
	if n > cap(all) {
		all = slices.Grow(all, max(n-len(all), len(all)/16+64))
	}
	was := len(all)
	all = all[:n]
	clear(all[was:])
	return all
}

// reserve allocates memory for so many places.
func (v *vector) reserve(places int) {
	if n := max(1, v.width) * places; n > cap(v.data) {
		v.data = slices.Grow(v.data, n-len(v.data))
	}
}

// widen makes the numbers at least so many bytes wide.
func (v *vector) widen(width int) {
	if v.width >= width {
		return
	}
	was := *v
	*v = vector{width: width, data: make([]byte, width*was.len(), width*cap(was.data)/max(1, was.width))}
	for place := range was.len() {
		v.put(place, was.get(place))
	}
}

// insert inserts n zeros before other places.
func (v *vector) insert(first, n int) {
	if first < v.len() {
		v.data = slices.Insert(v.data, v.width*first, make([]byte, v.width*n)...)
	}
}

// len returns the number of places, perhaps without zeros at the end.
func (v *vector) len() int { return len(v.data) / max(1, v.width) }

// load reads the numbers of the i-th 64 places.
func (v *vector) load(i int, to *[64]uint64) {
	n := max(0, min(64, v.len()-i*64))
	switch part := v.part(i); v.width {
	case 2:
		for bit := range n {
			to[bit&63] = uint64(binary.LittleEndian.Uint16(part[2*bit:]))
		}
	case 4:
		for bit := range n {
			to[bit&63] = uint64(binary.LittleEndian.Uint32(part[4*bit:]))
		}
	case 8:
		for bit := range n {
			to[bit&63] = binary.LittleEndian.Uint64(part[8*bit:])
		}
	default:
		for bit := range n {
			to[bit&63] = uint64(part[bit])
		}
	}
	clear(to[n:])
}

// part returns the bytes of the i-th 64 places, fewer at the end.
func (v *vector) part(i int) []byte {
	size := 64 * max(1, v.width)
	return v.data[min(i*size, len(v.data)):min(i*size+size, len(v.data))]
}
