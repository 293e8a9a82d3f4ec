package report

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
)

// bits writes a number as blocks have it, its lowest bit first.
func bits(n, count int) (s string) {
	for i := range count {
		s += string(rune('0' + n>>i&1))
	}
	return s
}

// stored is the beginning of a block that is not packed, behind what is a whole number of bytes.
func stored(last, size int) string {
	return bits(last, 8) + bits(size, 16) + bits(^size, 16)
}

// letters returns the bits of bytes.
func letters(text string) string {
	var s strings.Builder
	for _, c := range []byte(text) {
		s.WriteString(bits(int(c), 8))
	}
	return s.String()
}

// codes begins a last block with codes of its own, whose lengths are written in four bits each.
func codes(literals map[int]int, distances ...int) string {
	all := make([]int, max(256, slices.Max(slices.Collect(maps.Keys(literals))))+1)
	for symbol, length := range literals {
		all[symbol] = length
	}
	s := "1" + bits(2, 2) + bits(len(all)-257, 5) + bits(len(distances)-1, 5) + bits(15, 4)
	s += strings.Repeat(bits(0, 3), 3) + strings.Repeat(bits(4, 3), 16)
	for _, length := range append(all, distances...) {
		s += fmt.Sprintf("%04b", length)
	}
	return s
}

// TestBlocks unpacks blocks of all types, right ones and wrong ones, and the standard library agrees.
func TestBlocks(t *testing.T) {
	const (
		fixed = "110"
		a     = "10010001" // in the fixed code
		three = "0000001"  // a match
		done  = "0000000"
	)
	ones, far, damaged := strings.Repeat("1", 15), string(random(1<<15)), errDamaged
	lengths := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15}
	long := map[int]int{256: 14, 257: 15, 258: 15}
	for i := range 13 {
		long['a'+i] = i + 1
	}
	rising := map[int]int{256: 13}
	for i := 1; i <= 13; i++ {
		rising[i] = i
	}
	matching := map[int]int{'a': 1, 256: 2, 257: 2}
	for _, test := range []struct {
		what, bits, want string
		err              error
	}{
		{"nothing stored", stored(1, 0), "", nil},
		{"stored", stored(1, 3) + letters("abc"), "abc", nil},
		{"stored twice", stored(0, 1) + letters("a") + stored(1, 1) + letters("b"), "ab", nil},
		{"stored without an end", stored(1, 3) + letters("ab"), "ab", io.ErrUnexpectedEOF},
		{"stored with two sizes", bits(1, 8) + bits(3, 16) + bits(3, 16) + letters("abc"), "", damaged},
		{"stored behind bits", "010" + a + done + "000" + "000" +
			bits(1, 16) + bits(^1, 16) + letters("b") + stored(1, 0), "ab", nil},
		{"an empty block", fixed + done, "", nil},
		{"many empty blocks", strings.Repeat("010"+done, 5000) + fixed + a + done, "a", nil},
		{"an unknown type", "111", "", damaged},
		{"literals of 9 bits", fixed + "110010000" + "111111111" + done, "\x90\xff", nil},
		{"the longest match", fixed + a + "11000101" + "00000" + done, strings.Repeat("a", 259), nil},
		{"the longest match by extra bits",
			fixed + a + "11000100" + bits(31, 5) + "00000" + done, strings.Repeat("a", 259), nil},
		{"length 286", fixed + a + "11000110" + "00000" + done, "a", damaged},
		{"distance 30", fixed + a + three + "11110" + done, "a", damaged},
		{"a match of nothing", fixed + three + "00000" + done, "", damaged},
		{"a match beyond the start", fixed + a + three + "00001" + done, "a", damaged},
		{"the longest distance", stored(0, 1<<15-1) + letters(far[1:]) + "010" + a + three + "11101" +
			bits(8191, 13) + done + fixed + done, far[1:] + "a" + far[1:4], nil},
		{"a longer distance than there is", stored(0, 1<<15-1) + letters(far[1:]) +
			fixed + three + "11101" + bits(8191, 13) + done, far[1:], damaged},
		{"no distances", codes(map[int]int{'a': 1, 256: 1}, 0) + "0" + "0" + "1", "aa", nil},
		{"a match without distances", codes(matching, 0) + "0" + "11" + "0" + "10", "a", damaged},
		{"one distance", codes(matching, 1) + "0" + "11" + "0" + "10", "aaaa", nil},
		{"one distance by its other bit", codes(matching, 1) + "0" + "11" + "1" + "10", "a", damaged},
		{"one distance of two bits", codes(matching, 2) + "0" + "10", "", damaged},
		{"nothing but the end", codes(map[int]int{256: 1}, 0) + "0", "", nil},
		{"nothing but the end, by its other bit", codes(map[int]int{256: 1}, 0) + "1", "", damaged},
		{"too many codes", codes(map[int]int{'a': 1, 'b': 1, 256: 2}, 1) + "0", "", damaged},
		{"too few codes", codes(map[int]int{'a': 1, 256: 3}, 1) + "0", "", damaged},
		{"too many distances", codes(matching, 1, 1, 1) + "10", "", damaged},
		{"too few distances", codes(matching, 2, 2, 2) + "10", "", damaged},
		{"long codes", codes(long, lengths...) + "10" + "0" + strings.Repeat(ones[:14]+"0"+"0", 42) +
			"0" + ones[:14] + "0" + ones[:14] + "0" + bits(0, 6) + ones[:13] + "0",
			"b" + strings.Repeat("a", 128) + "baa", nil},
		{"a long literal", codes(rising, 0) +
			ones[:10] + "0" + "0" + ones[:12] + "0" + ones[:13], "\x0b\x01\x0d", nil},
		{"287 literals", codes(map[int]int{'a': 1, 256: 1, 286: 0}, 0) + "0" + "1", "", damaged},
		{"31 distances", codes(map[int]int{'a': 1, 256: 1}, make([]int, 31)...) + "0" + "1", "", damaged},
		{"lengths that repeat nothing", "1" + bits(2, 2) + bits(0, 14) + bits(1, 3) + bits(0, 9) + "0" + "00",
			"", damaged},
		{"lengths that repeat too often", "1" + bits(2, 2) + bits(0, 14) +
			bits(0, 6) + bits(1, 3) + bits(0, 3) + strings.Repeat("0"+"1111111", 2), "", damaged},
	} {
		data := raw(test.bits)
		packed := append([]byte{0x78, 0x01}, data...)
		if test.err != io.ErrUnexpectedEOF {
			packed = binary.BigEndian.AppendUint32(packed, adler32.Checksum([]byte(test.want)))
		}
		var f inflater
		got, err := f.unpackZlib(nil, packed, roomy)
		if string(got) != test.want || cause(err) != test.err {
			t.Errorf("%s: got %.40q, %v, want %.40q, %v", test.what, got, err, test.want, test.err)
		}
		theirs, theirErr := io.ReadAll(flate.NewReader(bytes.NewReader(data)))
		if (theirErr == nil) != (test.err == nil) || theirErr == nil && string(theirs) != test.want {
			t.Errorf("%s: the standard library has %.40q, %v", test.what, theirs, theirErr)
		}
	}
}

// TestNoCodes refuses a block without codes, for which the library takes those that it had before.
func TestNoCodes(t *testing.T) {
	packed := append([]byte{0x78, 0x01}, raw(codes(map[int]int{256: 0}, 0)+"0000")...)
	var f inflater
	for _, sum := range []string{"", "\x00\x00\x00\x01"} {
		if got, err := f.unpackZlib(nil, append(packed, sum...), roomy); err == nil {
			t.Errorf("with the sum %q: got %q, want an error", sum, got)
		}
	}
}

// TestWidest unpacks symbols that take as many bits as there can be, one behind another.
func TestWidest(t *testing.T) {
	lengths := map[int]int{256: 14, 284: 15, 285: 15}
	for i := range 13 {
		lengths['a'+i] = i + 1
	}
	distances := make([]int, 30)
	for i := range 14 {
		distances[i] = i + 1
	}
	distances[28], distances[29] = 15, 15
	ones, want := strings.Repeat("1", 15), random(1<<15)
	packedBits := stored(0, len(want)) + letters(string(want))
	packedBits += codes(lengths, distances...)
	for i := range 200 {
		packedBits += strings.Repeat(ones[:9]+"0", i%3) + ones[:14] + "0" + bits(i%32, 5) + ones + bits(8000-i, 13)
		want = append(want, strings.Repeat("j", i%3)...)
		from := len(want) - (24577 + 8000 - i)
		want = append(want, want[from:from+227+i%32]...)
	}
	packed := append([]byte{0x78, 0x01}, raw(packedBits+ones[:13]+"0")...)
	packed = binary.BigEndian.AppendUint32(packed, adler32.Checksum(want))
	var f inflater
	if got, err := f.unpackZlib(nil, packed, roomy); err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %d bytes, %v, want %d", len(got), err, len(want))
	}
}
