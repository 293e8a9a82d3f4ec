package index

import "encoding/binary"

// within returns a bit set: which of the i-th 64 places have a number from low to high.
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

// together is within for 64 numbers, comparing several at a time. It is not ok where the numbers do not allow
// this.
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

// between4 returns which of 64 numbers of 4 bytes are from low to high, two at a time. The highest bit of each,
// which is 0 in times until 2038, takes the borrow of the subtraction. It is not ok if a number has that bit
// set.
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

// woven interleaves bits: those of the lower half go to the even positions, those of the upper half to the odd
// ones.
func woven(x uint64) uint64 {
	x = swapped(x, 0x00000000ffff0000, 16)
	x = swapped(x, 0x0000ff000000ff00, 8)
	x = swapped(x, 0x00f000f000f000f0, 4)
	x = swapped(x, 0x0c0c0c0c0c0c0c0c, 2)
	return swapped(x, 0x2222222222222222, 1)
}

// swapped swaps the bits of a mask with those so far above them.
func swapped(x, mask uint64, by int) uint64 {
	differ := (x ^ x>>by) & mask
	return x ^ differ ^ differ<<by
}

// orEqual adds the places of a set with a given number to another set.
func (v *vector) orEqual(n uint64, set, to []uint64) {
	width := max(1, v.width)
	if n > ^uint64(0)>>(64-8*width) {
		return
	}
	size, whole := 64*width, 0
	if width <= 2 {
		whole = min(len(set), len(v.data)/size)
	}
	for i, some := range set[:whole] {
		switch part := v.data[i*size:][:size]; {
		case some == 0:
		case width == 1:
			to[i] |= equalBytes(part, n)
		default:
			to[i] |= equalPairs(part, n)
		}
	}
	for i, some := range set[whole:] {
		if some != 0 {
			to[whole+i] |= v.within(whole+i, n, n)
		}
	}
}

// equalBytes returns which of 64 bytes are equal to a number, 8 at a time. The results of the steps are
// collected in different bits of each byte.
func equalBytes(part []byte, n uint64) (in uint64) {
	const low7 = 0x7f7f7f7f7f7f7f7f
	n *= 0x0101010101010101
	for ; len(part) >= 16; part = part[16:] {
		a := zeros(binary.LittleEndian.Uint64(part)^n, low7)
		b := zeros(binary.LittleEndian.Uint64(part[8:])^n, low7)
		in = in>>2 | a>>1 | b
	}
	if in == 0 {
		return 0
	}
	in = swapped(in, 0x00000000f0f0f0f0, 28)
	in = swapped(in, 0x0000cccc0000cccc, 14)
	return swapped(in, 0x00aa00aa00aa00aa, 7)
}

// equalPairs is equalBytes for 64 numbers of 2 bytes, 4 at a time.
func equalPairs(part []byte, n uint64) (in uint64) {
	const low15 = 0x7fff7fff7fff7fff
	n *= 0x0001000100010001
	for ; len(part) >= 16; part = part[16:] {
		a := zeros(binary.LittleEndian.Uint64(part)^n, low15)
		b := zeros(binary.LittleEndian.Uint64(part[8:])^n, low15)
		in = in>>2 | a>>1 | b
	}
	if in == 0 {
		return 0
	}
	in = swapped(in, 0x00000000ff00ff00, 24)
	in = swapped(in, 0x0000f0f00000f0f0, 12)
	in = swapped(in, 0x00cc00cc00cc00cc, 6)
	return swapped(in, 0x0a0a0a0a0a0a0a0a, 3)
}

// zeros returns the highest bit of each number that is 0, for several numbers in one; low is the mask of the
// other bits.
func zeros(x, low uint64) uint64 { return ^((x&low + low) | x | low) }
