package report

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"testing"

	fast "github.com/klauspost/compress/gzip"
)

// TestZlib checks what is around the blocks.
func TestZlib(t *testing.T) {
	good := deflated([]byte("hello"), zlib.DefaultCompression)
	wrong := bytes.Clone(good)
	wrong[len(wrong)-1] ^= 1
	var f inflater
	for _, test := range []struct {
		what   string
		packed []byte
		want   string
		err    error
	}{
		{"something behind", join(good, []byte("\r\n")), "hello", nil},
		{"a wrong sum", wrong, "hello", errDamaged},
		{"half of the sum", good[:len(good)-2], "hello", io.ErrUnexpectedEOF},
		{"a window of 64 KiB", join([]byte{0x88, 0x1c}, good[2:]), "", errDamaged},
		{"another method", join([]byte{0x77, 0x09}, good[2:]), "", errDamaged},
		{"a wrong header", join([]byte{0x78, 0x9d}, good[2:]), "", errDamaged},
		{"a dictionary", join([]byte{0x78, 0xbb, 1, 2, 3, 4}, good[2:]), "", errDamaged},
		{"the empty dictionary", join([]byte{0x78, 0xbb, 0, 0, 0, 1}, good[2:]), "hello", nil},
		{"half of a dictionary", []byte{0x78, 0xbb, 1}, "", io.ErrUnexpectedEOF},
		{"a header", good[:2], "", io.ErrUnexpectedEOF},
		{"half of a header", good[:1], "", io.ErrUnexpectedEOF},
		{"nothing", nil, "", io.ErrUnexpectedEOF},
	} {
		got, err := f.unpackZlib(nil, test.packed, roomy)
		if string(got) != test.want || cause(err) != test.err {
			t.Errorf("%s: got %q, %v, want %q, %v", test.what, got, err, test.want, test.err)
		}
	}
}

// TestTruncated cuts a report off everywhere.
func TestTruncated(t *testing.T) {
	plain := document()[:20_000]
	packed, out := deflated(plain, zlib.DefaultCompression), make([]byte, 0, 1<<16)
	var f inflater
	for n := range packed {
		got, err := f.unpackZlib(out, packed[:n], roomy)
		if err != io.ErrUnexpectedEOF || !bytes.HasPrefix(plain, got) || n > 1000 && len(got) < n {
			t.Fatalf("%d of %d bytes: got %d bytes, %v, want some of the report and %v",
				n, len(packed), len(got), err, io.ErrUnexpectedEOF)
		}
	}
}

// TestFlipped turns each bit of data over. What is taken all the same is right: some bits only fill a byte
// or a header.
func TestFlipped(t *testing.T) {
	plain := document()[:700]
	packed, zipped := deflated(plain, zlib.DefaultCompression), member(string(plain), gzip.Header{Name: "a"})
	var f inflater
	for i := range 8 * len(packed) {
		packed[i/8] ^= 1 << (i % 8)
		if got, err := f.unpackZlib(nil, packed, roomy); err == nil && !bytes.Equal(got, plain) {
			t.Errorf("bit %d of zlib: got %q, want an error", i, got)
		}
		packed[i/8] ^= 1 << (i % 8)
	}
	for i := range 8 * len(zipped) {
		zipped[i/8] ^= 1 << (i % 8)
		got, err := f.unpackGzip(nil, zipped, roomy)
		want, theirs := gunzipped(zipped)
		if (err == nil) != (theirs == nil) || err == nil && (!bytes.Equal(got, want) || !bytes.Equal(got, plain)) {
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
	over := map[error]int{errSize: 1 << 10, errRatio: 66 << 10} // how much is made before it is noticed
	var f inflater
	ratio := limits{size: 64 << 20, from: 1 << 20, ratio: 100}
	for _, test := range []struct {
		what   string
		packed []byte
		limit  limits
		size   int
		err    error
	}{
		{"all", blanks, limits{size: 16 << 20, from: 16 << 20}, 16 << 20, nil},
		{"one less", blanks, limits{size: 16<<20 - 1, from: 16 << 20}, 16<<20 - 1, errSize},
		{"a part", blanks, limits{size: 1 << 20, from: 16 << 20}, 1 << 20, errSize},
		{"stored", deflated(noise, 0), limits{size: len(noise), from: len(noise)}, len(noise), nil},
		{"stored, one less", deflated(noise, 0), limits{size: len(noise) - 1, from: len(noise)}, len(noise) - 1,
			errSize},
		{"nothing allowed", deflated([]byte("a"), 1), limits{}, 0, errSize},
		{"nothing there", deflated(nil, 1), limits{}, 0, nil},
		{"a bomb", blanks, ratio, 1 << 20, errRatio},
		{"a bomb that ends at once", deflated(make([]byte, 1<<20+1), 9), ratio, 1 << 20, errRatio},
		{"what is no bomb yet", deflated(make([]byte, 1<<20), 9), ratio, 1 << 20, nil},
		{"some noise in front", mixed, limits{size: 64 << 20, from: 1000, ratio: 4}, 1_000_000, nil},
		{"too little noise in front", mixed, limits{size: 64 << 20, from: 1000, ratio: 3}, 3 * len(noise), errRatio},
	} {
		for what, dst := range map[string][]byte{"into nothing": nil, "into much": make([]byte, 77, 20<<20)} {
			got, err := f.unpackZlib(dst, test.packed, test.limit)
			if err != test.err || len(got) < test.size || len(got) > test.size+over[err] {
				t.Errorf("%s, %s: got %d bytes, %v, want %d, %v", test.what, what, len(got), err, test.size, test.err)
			}
			if most := test.limit.size + 1; cap(got) > max(cap(dst), most) {
				t.Errorf("%s, %s: got memory of %d bytes, want at most %d", test.what, what, cap(got), most)
			}
		}
	}
}

// TestAllocations unpacks a report without asking for memory.
func TestAllocations(t *testing.T) {
	packed, zipped, out := deflated(document(), 6), member(string(document()), gzip.Header{}), make([]byte, 0, 1<<16)
	var f inflater
	if n := testing.AllocsPerRun(10, func() {
		if _, err := f.unpackZlib(out, packed, roomy); err != nil {
			t.Fatal(err)
		}
		if _, err := f.unpackGzip(out, zipped, roomy); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("got %v allocations, want none", n)
	}
}

// FuzzWhole unpacks any data as other libraries do, or one of them refuses it too.
func FuzzWhole(f *testing.F) {
	f.Add(deflated(document()[:500], 6))
	f.Add(member("a", gzip.Header{Name: "b", Comment: "c", Extra: []byte("d")}))
	f.Add(join(member("a", gzip.Header{}), member("b", gzip.Header{})))
	var z inflater
	narrow := limits{size: 1 << 20, from: 1 << 20}
	f.Fuzz(func(t *testing.T, packed []byte) {
		got, err := z.unpackZlib(nil, packed, narrow)
		sameAs(t, "zlib", got, err, func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }, packed)
		got, err = z.unpackGzip(nil, packed, narrow)
		sameAs(t, "gzip", got, err, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }, packed)
	})
}

// sameAs has a reader unpack the same.
func sameAs(t *testing.T, what string, got []byte, err error, open func(io.Reader) (io.Reader, error), packed []byte) {
	if err == errSize {
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
