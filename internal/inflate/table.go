package inflate

import (
	"bytes"
	"math/bits"
	"slices"
)

// Sizes of the codes of RFC 1951.
const (
	maxBits      = 15
	maxLiterals  = 286 // literals, the end of a block and lengths
	maxDistances = 30
	lengthCodes  = 19 // of the code in which the others are told
)

// A table tells by the next bits what a code stands for: those of up to root bits at once, and longer ones by a second
// part of the table, to which the first links. A part of 1<<k entries has k+1 codes at least, so that all parts of the
// literals have at most 286/6*32 entries, and of the distances 30/8*128.
const (
	literalRoot  = 10
	distanceRoot = 8
	codeRoot     = 7 // the longest

	literalSize  = 1 << 12
	distanceSize = 1 << 10
)

type (
	literalTable  [literalSize]uint32
	distanceTable [distanceSize]uint32
)

// An entry has in its upper half a literal, the least length or distance, or where the part begins that it links to. Its
// low six bits say how many bits it takes, extra ones included, and the four at codeShift how many of them are the code,
// or how many bits the part has.
const (
	valueShift = 16
	codeShift  = 8
	literal    = 1 << 15 // is a literal
	special    = 1 << 14 // is a link, the end of a block, or no code at all
	link       = 1 << 13
	end        = 1 << 12
)

// What the symbols stand for, as entries without a code.
var (
	literalValues  [maxLiterals + 2]uint32
	distanceValues [maxDistances + 2]uint32
	codeValues     [lengthCodes]uint32
)

// The tables of blocks with fixed codes.
var (
	fixedLiterals  literalTable
	fixedDistances distanceTable
)

func init() {
	for i := range 256 {
		literalValues[i] = uint32(i)<<valueShift | literal
	}
	literalValues[256] = special | end
	ranges(literalValues[257:285], 3, 4)
	literalValues[285] = 258 << valueShift
	ranges(distanceValues[:maxDistances], 1, 2)
	for i := range codeValues {
		codeValues[i] = uint32(i) << valueShift
	}
	literalValues[286], literalValues[287] = special, special // are no symbols, but part of the fixed code
	distanceValues[30], distanceValues[31] = special, special
	fixed := slices.Concat(bytes.Repeat([]byte{8}, 144), bytes.Repeat([]byte{9}, 112), bytes.Repeat([]byte{7}, 24), bytes.Repeat([]byte{8}, 8))
	build(fixedLiterals[:], literalRoot, fixed, literalValues[:])
	build(fixedDistances[:], distanceRoot, bytes.Repeat([]byte{5}, 32), distanceValues[:])
}

// ranges fills in lengths or distances from least on. From each to the next group of so many there is an extra bit more,
// but for the second.
func ranges(values []uint32, least, group int) {
	for i := range values {
		extra := max(0, i/group-1)
		values[i] = uint32(least)<<valueShift | uint32(extra)
		least += 1 << extra
	}
}

// A code is what its lengths make of it: codes of one length follow each other, in the order of their symbols.
type code struct {
	counts [maxBits + 1]int // of codes by their lengths
	first  [maxBits + 1]int // codes
	sorted [maxLiterals + 2]uint16
	starts [maxBits + 2]int // in sorted
}

// build fills a table for the code with some lengths. It is not ok when the code is not complete, except when it is empty
// or has a single symbol of one bit.
func build(table []uint32, root uint, lengths []uint8, values []uint32) (ok bool) {
	var c code
	for _, n := range lengths {
		c.counts[n]++
	}
	c.counts[0] = 0
	used := 0
	for n := 1; n <= maxBits; n++ {
		c.first[n] = used << 1
		used = c.first[n] + c.counts[n]
		c.starts[n+1] = c.starts[n] + c.counts[n]
	}
	if all := c.starts[maxBits+1]; used != 1<<maxBits && (all > 1 || all != c.counts[1]) {
		return false
	}
	next := c.starts
	for symbol, n := range lengths {
		if n > 0 {
			c.sorted[next[n]] = uint16(symbol)
			next[n]++
		}
	}
	c.fill(table, root, values)
	c.fillParts(table, root, values)
	return true
}

// fill fills the first part of a table, which doubles with each length: what begins alike stands for the same, until a
// longer code takes its place.
func (c *code) fill(table []uint32, root uint, values []uint32) {
	table[0] = special
	for n := uint(1); n <= root; n++ {
		size := 1 << (n - 1)
		copy(table[size:], table[:size])
		for i := range c.counts[n] {
			reversed, value := c.at(n, i, values)
			table[reversed] = value + entryBits(n)
		}
	}
}

// fillParts fills the parts for longer codes, with the longest first, so that each part is made as large as it must be.
func (c *code) fillParts(table []uint32, root uint, values []uint32) {
	size := 1 << root
	prefix, part, partBits := -1, 0, uint(0)
	for n := uint(maxBits); n > root; n-- {
		for i := c.counts[n] - 1; i >= 0; i-- {
			reversed, value := c.at(n, i, values)
			if p := reversed & (1<<root - 1); p != prefix {
				prefix, part, partBits = p, size, n-root
				size += 1 << partBits
				table[p] = uint32(part)<<valueShift | special | link | uint32(partBits)<<codeShift | uint32(root)
			}
			for j := reversed >> root; j < 1<<partBits; j += 1 << (n - root) {
				table[part+j] = value + entryBits(n-root)
			}
		}
	}
}

// at returns a code of n bits, as it comes, and what it stands for.
func (c *code) at(n uint, i int, values []uint32) (reversed int, value uint32) {
	return int(bits.Reverse16(uint16(c.first[n]+i)) >> (16 - n)), values[c.sorted[c.starts[n]+i]]
}

// entryBits returns what an entry has besides its value when its code has n bits.
func entryBits(n uint) uint32 { return uint32(n) | uint32(n)<<codeShift }
