package inflate_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"hash/adler32"
	"io"
	"strings"
	"testing"

	fast "github.com/klauspost/compress/gzip"

	"muster/internal/inflate"
)

// TestZlib checks what is around the blocks.
func TestZlib(t *testing.T) {
	good := deflated([]byte("hello"), zlib.DefaultCompression)
	wrong := bytes.Clone(good)
	wrong[len(wrong)-1] ^= 1
	var d inflate.Decoder
	for _, test := range []struct {
		what   string
		packed []byte
		want   string
		err    error
	}{
		{"something behind", join(good, []byte("\r\n")), "hello", nil},
		{"a wrong sum", wrong, "hello", inflate.ErrDamaged},
		{"half of the sum", good[:len(good)-2], "hello", inflate.ErrTruncated},
		{"a window of 64 KiB", join([]byte{0x88, 0x1c}, good[2:]), "", inflate.ErrDamaged},
		{"another method", join([]byte{0x77, 0x09}, good[2:]), "", inflate.ErrDamaged},
		{"a wrong header", join([]byte{0x78, 0x9d}, good[2:]), "", inflate.ErrDamaged},
		{"a dictionary", join([]byte{0x78, 0xbb, 1, 2, 3, 4}, good[2:]), "", inflate.ErrDamaged},
		{"the empty dictionary", join([]byte{0x78, 0xbb, 0, 0, 0, 1}, good[2:]), "hello", nil},
		{"half of a dictionary", []byte{0x78, 0xbb, 1}, "", inflate.ErrTruncated},
		{"a header", good[:2], "", inflate.ErrTruncated},
		{"half of a header", good[:1], "", inflate.ErrTruncated},
		{"nothing", nil, "", inflate.ErrTruncated},
	} {
		got, err := d.Zlib(nil, test.packed, wide)
		if string(got) != test.want || err != test.err {
			t.Errorf("%s: got %q, %v, want %q, %v", test.what, got, err, test.want, test.err)
		}
	}
}

// TestTruncated cuts a report off everywhere.
func TestTruncated(t *testing.T) {
	plain := document()[:20_000]
	packed, out := deflated(plain, zlib.DefaultCompression), make([]byte, 0, 1<<16)
	var d inflate.Decoder
	for n := range packed {
		got, err := d.Zlib(out, packed[:n], wide)
		if err != inflate.ErrTruncated || !bytes.HasPrefix(plain, got) || n > 1000 && len(got) < n {
			t.Fatalf("%d of %d bytes: got %d bytes, %v, want some of the report and %v", n, len(packed), len(got), err, inflate.ErrTruncated)
		}
	}
}

// TestFlipped turns each bit of data over. What is taken all the same is right: some bits only fill a byte
// or a header.
func TestFlipped(t *testing.T) {
	plain := document()[:700]
	packed, zipped := deflated(plain, zlib.DefaultCompression), member(string(plain), gzip.Header{Name: "a"})
	var d inflate.Decoder
	for i := range 8 * len(packed) {
		packed[i/8] ^= 1 << (i % 8)
		if got, err := d.Zlib(nil, packed, wide); err == nil && !bytes.Equal(got, plain) {
			t.Errorf("bit %d of zlib: got %q, want an error", i, got)
		}
		packed[i/8] ^= 1 << (i % 8)
	}
	for i := range 8 * len(zipped) {
		zipped[i/8] ^= 1 << (i % 8)
		got, err := d.Gzip(nil, zipped, wide)
		if want, theirs := gunzipped(zipped); (err == nil) != (theirs == nil) || err == nil && (!bytes.Equal(got, want) || !bytes.Equal(got, plain)) {
			t.Errorf("bit %d of gzip: got %d bytes, %v, want %d, %v", i, len(got), err, len(want), theirs)
		}
		zipped[i/8] ^= 1 << (i % 8)
	}
}

// gunzipped unpacks data by a reader that refuses the same headers.
func gunzipped(packed []byte) ([]byte, error) {
	z, err := fast.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// TestLimits unpacks as much as is allowed, and little more.
func TestLimits(t *testing.T) {
	blanks := deflated(make([]byte, 16<<20), zlib.BestCompression)
	noise := random(300_000)
	mixed := deflated(append(append(make([]byte, 0, 1<<20), noise...), make([]byte, 700_000)...), zlib.BestSpeed)
	over := map[error]int{inflate.ErrSize: 1 << 10, inflate.ErrRatio: 66 << 10} // how much is made before it is noticed
	var d inflate.Decoder
	for _, test := range []struct {
		what   string
		packed []byte
		limit  inflate.Limits
		size   int
		err    error
	}{
		{"all", blanks, inflate.Limits{Size: 16 << 20, From: 16 << 20}, 16 << 20, nil},
		{"one less", blanks, inflate.Limits{Size: 16<<20 - 1, From: 16 << 20}, 16<<20 - 1, inflate.ErrSize},
		{"a part", blanks, inflate.Limits{Size: 1 << 20, From: 16 << 20}, 1 << 20, inflate.ErrSize},
		{"stored", deflated(noise, 0), inflate.Limits{Size: len(noise), From: len(noise)}, len(noise), nil},
		{"stored, one less", deflated(noise, 0), inflate.Limits{Size: len(noise) - 1, From: len(noise)}, len(noise) - 1, inflate.ErrSize},
		{"nothing allowed", deflated([]byte("a"), 1), inflate.Limits{}, 0, inflate.ErrSize},
		{"nothing there", deflated(nil, 1), inflate.Limits{}, 0, nil},
		{"a bomb", blanks, inflate.Limits{Size: 64 << 20, From: 1 << 20, Ratio: 100}, 1 << 20, inflate.ErrRatio},
		{"a bomb that ends at once", deflated(make([]byte, 1<<20+1), 9), inflate.Limits{Size: 64 << 20, From: 1 << 20, Ratio: 100}, 1 << 20, inflate.ErrRatio},
		{"what is no bomb yet", deflated(make([]byte, 1<<20), 9), inflate.Limits{Size: 64 << 20, From: 1 << 20, Ratio: 100}, 1 << 20, nil},
		{"some noise in front", mixed, inflate.Limits{Size: 64 << 20, From: 1000, Ratio: 4}, 1_000_000, nil},
		{"too little noise in front", mixed, inflate.Limits{Size: 64 << 20, From: 1000, Ratio: 3}, 3 * len(noise), inflate.ErrRatio},
	} {
		for what, dst := range map[string][]byte{"into nothing": nil, "behind something": make([]byte, 77, 100), "into much": make([]byte, 0, 20<<20)} {
			got, err := d.Zlib(dst, test.packed, test.limit)
			size := len(got) - len(dst)
			if err != test.err || size < test.size || size > test.size+over[err] {
				t.Errorf("%s, %s: got %d bytes, %v, want %d, %v", test.what, what, size, err, test.size, test.err)
			}
			if most := len(dst) + test.limit.Size + 1<<10; cap(got) > max(cap(dst), most) {
				t.Errorf("%s, %s: got memory of %d bytes, want at most %d", test.what, what, cap(got), most)
			}
		}
	}
}

// TestAllocations unpacks a report without asking for memory.
func TestAllocations(t *testing.T) {
	packed, zipped, out := deflated(document(), 6), member(string(document()), gzip.Header{}), make([]byte, 0, 1<<16)
	var d inflate.Decoder
	if n := testing.AllocsPerRun(10, func() {
		if _, err := d.Zlib(out, packed, wide); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Gzip(out, zipped, wide); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("got %v allocations, want none", n)
	}
}

// FuzzBlocks unpacks any blocks as the standard library does, or both refuse them.
func FuzzBlocks(f *testing.F) {
	for level := flate.HuffmanOnly; level <= flate.BestCompression; level++ {
		packed := deflated(document()[:1500], level)
		f.Add(packed[2 : len(packed)-4])
	}
	f.Add(raw(codes(map[int]int{'a': 1, 256: 2, 257: 2}, 1) + "0" + "11" + "0" + "10"))
	f.Add(raw("110" + "10010001" + "11000101" + "00000" + strings.Repeat("0", 7)))
	var d inflate.Decoder
	f.Fuzz(func(t *testing.T, blocks []byte) {
		r := bytes.NewReader(blocks)
		want, theirs := io.ReadAll(io.LimitReader(flate.NewReader(r), 1<<20+1))
		if len(want) > 1<<20 {
			return
		}
		packed := append([]byte{0x78, 0x01}, blocks[:len(blocks)-r.Len()]...)
		packed = binary.BigEndian.AppendUint32(packed, adler32.Checksum(want))
		got, err := d.Zlib(nil, packed, wide)
		if (err == nil) != (theirs == nil) || err == nil && !bytes.Equal(got, want) {
			t.Errorf("got %d bytes, %v, want %d, %v", len(got), err, len(want), theirs)
		}
	})
}

// FuzzWhole unpacks any data as other libraries do, or one of them refuses it too.
func FuzzWhole(f *testing.F) {
	f.Add(deflated(document()[:500], 6))
	f.Add(member("a", gzip.Header{Name: "b", Comment: "c", Extra: []byte("d")}))
	f.Add(join(member("a", gzip.Header{}), member("b", gzip.Header{})))
	var d inflate.Decoder
	narrow := inflate.Limits{Size: 1 << 20, From: 1 << 20}
	f.Fuzz(func(t *testing.T, packed []byte) {
		got, err := d.Zlib(nil, packed, narrow)
		compare(t, "zlib", got, err, func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }, packed)
		got, err = d.Gzip(nil, packed, narrow)
		compare(t, "gzip", got, err, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }, packed)
	})
}

// compare has a reader unpack the same.
func compare(t *testing.T, what string, got []byte, err error, open func(io.Reader) (io.Reader, error), packed []byte) {
	if err == inflate.ErrSize {
		return
	}
	var want []byte
	r, theirs := open(bytes.NewReader(packed))
	if theirs == nil {
		want, theirs = io.ReadAll(r)
	}
	if theirs == nil && err != nil && what == "gzip" { // it takes flags that are reserved
		_, theirs = gunzipped(packed)
	}
	if (err == nil) != (theirs == nil) || err == nil && !bytes.Equal(got, want) {
		t.Errorf("%s: got %d bytes, %v, want %d, %v", what, len(got), err, len(want), theirs)
	}
}
