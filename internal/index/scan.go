package index

import "encoding/binary"

// within tells as bits which of the i-th 64 places have a number from low to high.
func (v *vector) within(i int, low, high uint64) (in uint64) {
	width := max(1, v.width)
	most := ^uint64(0) >> (64 - 8*width)
	if low > most || low > high {
		return 0
	}
	high = min(high, most)
	part := v.part(i)
	n := len(part) / width
	if n == 64 {
		if in, ok := together(part, width, low, high); ok {
			return in
		}
	}
	for bit := range n {
		if v.get(i*64+bit)-low <= high-low {
			in |= 1 << bit
		}
	}
	if low == 0 {
		in |= ^uint64(0) << n // the others are 0
	}
	return in
}

// together is within for 64 numbers of which several are looked at at a time, not ok where they cannot be.
func together(part []byte, width int, low, high uint64) (in uint64, ok bool) {
	switch {
	case width == 4 && low < 1<<31:
		return between4(part, low, min(high, 1<<31-1))
	case width == 1 && low == high:
		return equalBytes(part, low), true
	case width == 2 && low == high:
		return equalPairs(part, low), true
	}
	return 0, false
}

// between4 tells which of 64 numbers of 4 bytes are from low to high, two at a time: the highest bit of each, which is 0 in
// times until 2038, keeps what is borrowed from it when two are compared. It is not ok where one has another.
func between4(part []byte, low, high uint64) (in uint64, ok bool) {
	const both, highest = 1<<32 | 1, 1<<63 | 1<<31
	lows, highs, seen := low*both, high*both|highest, uint64(0)
	part = part[:256]
	for i := 0; i < 256; i += 8 {
		x := binary.LittleEndian.Uint64(part[i:])
		in = in>>1 | ((x|highest)-lows)&(highs-x)&highest
		seen |= x
	}
	return woven(in), seen&highest == 0
}

// woven returns the bits of the lower half at the even places and those of the upper half at the odd ones.
func woven(x uint64) uint64 {
	x = swapped(x, 0x00000000ffff0000, 16)
	x = swapped(x, 0x0000ff000000ff00, 8)
	x = swapped(x, 0x00f000f000f000f0, 4)
	x = swapped(x, 0x0c0c0c0c0c0c0c0c, 2)
	return swapped(x, 0x2222222222222222, 1)
}

// swapped returns bits after those of a mask have changed places with others so far above them.
func swapped(x, mask uint64, by int) uint64 {
	differ := (x ^ x>>by) & mask
	return x ^ differ ^ differ<<by
}

// equalBytes tells which of 64 bytes are a number, 8 at a time. What differs from it in no bit has the highest bit after the
// sums, and only that; the product brings these bits together.
func equalBytes(part []byte, n uint64) (in uint64) {
	const low7, gather = 0x7f7f7f7f7f7f7f7f, 0x0102040810204080
	n *= 0x0101010101010101
	part = part[:64]
	for i := 0; i < 64; i += 8 {
		x := binary.LittleEndian.Uint64(part[i:]) ^ n
		x = ^((x&low7 + low7) | x | low7)
		in |= (x >> 7 * gather) >> 56 << i
	}
	return in
}

// equalPairs is equalBytes of 64 numbers of 2 bytes, 4 at a time.
func equalPairs(part []byte, n uint64) (in uint64) {
	const low15, gather = 0x7fff7fff7fff7fff, 1<<48 | 1<<33 | 1<<18 | 1<<3
	n *= 0x0001000100010001
	part = part[:128]
	for i := 0; i < 64; i += 4 {
		x := binary.LittleEndian.Uint64(part[2*i:]) ^ n
		x = ^((x&low15 + low15) | x | low15)
		in |= (x >> 15 * gather) >> 48 & 15 << i
	}
	return in
}
