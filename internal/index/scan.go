package index

import "encoding/binary"

// within tells as bits which of the i-th 64 places have a number from low to high.
func (v *vector) within(i int, low, high uint64) (in uint64) {
	most := ^uint64(0) >> (64 - 8*max(1, v.width))
	if low > most || low > high {
		return 0
	}
	part := v.part(i)
	n := len(part) / max(1, v.width)
	switch high = min(high, most); {
	case n == 64 && low == high && v.width <= 1:
		return equalBytes(part, low)
	case n == 64 && low == high && v.width == 2:
		return equalPairs(part, low)
	case v.width == 4 && high == 0:
		in = zeros4(part)
	case v.width == 4:
		in = between4(part, uint32(low), uint32(high-low))
	default:
		for bit := range n {
			if v.get(i*64+bit)-low <= high-low {
				in |= 1 << bit
			}
		}
	}
	if low == 0 {
		in |= ^uint64(0) << n // the others are 0
	}
	return in
}

// between4 looks at up to 64 numbers of 4 bytes, four at a time: which are least, or at most a span more.
func between4(part []byte, least, span uint32) (in uint64) {
	bit := 0
	for ; len(part) >= 16; bit += 4 {
		a, b := binary.LittleEndian.Uint64(part), binary.LittleEndian.Uint64(part[8:])
		low := upTo(uint32(a)-least, span) | upTo(uint32(a>>32)-least, span)<<1
		high := upTo(uint32(b)-least, span) | upTo(uint32(b>>32)-least, span)<<1
		in |= (low | high<<2) << (bit & 63)
		part = part[16:]
	}
	for ; len(part) >= 4; bit++ {
		in |= upTo(binary.LittleEndian.Uint32(part)-least, span) << (bit & 63)
		part = part[4:]
	}
	return in
}

// zeros4 is between4 for 0 alone, which needs no more than a look at each pair of numbers where there is none.
func zeros4(part []byte) (in uint64) {
	bit := 0
	for ; len(part) >= 16; bit += 4 {
		a, b := binary.LittleEndian.Uint64(part), binary.LittleEndian.Uint64(part[8:])
		if hasZero(a) || hasZero(b) {
			in |= between4(part[:16], 0, 0) << (bit & 63)
		}
		part = part[16:]
	}
	return in | between4(part, 0, 0)<<(bit&63)
}

// hasZero reports whether one of two numbers of 4 bytes is 0. By the lower one being 0 the upper one may seem to be so too.
func hasZero(pair uint64) bool {
	const ones, highest = 1<<32 | 1, 1<<63 | 1<<31
	return (pair-ones)&^pair&highest != 0
}

// upTo returns 1 for a number that is at most another, else 0.
func upTo(n, most uint32) uint64 { return ^(uint64(most) - uint64(n)) >> 63 }

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
