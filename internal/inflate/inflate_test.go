package inflate_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"muster/internal/inflate"
)

// wide is more than tests need that are not about limits.
var wide = inflate.Limits{Size: 64 << 20, From: 64 << 20}

// deflated packs data in zlib.
func deflated(plain []byte, level int) []byte {
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, level)
	if err != nil {
		panic(err)
	}
	w.Write(plain)
	w.Close()
	return b.Bytes()
}

// member packs data as a member of gzip.
func member(plain string, head gzip.Header) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Header = head
	io.WriteString(w, plain)
	w.Close()
	return b.Bytes()
}

// random returns bytes that do not pack.
func random(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{}).Read(b)
	return b
}

// TestPacked unpacks what the standard library has packed, at each level, behind what is there already.
func TestPacked(t *testing.T) {
	far := append(random(32<<10), "the end"...)
	var d inflate.Decoder
	for what, plain := range map[string][]byte{
		"nothing":           nil,
		"a letter":          []byte("a"),
		"a run":             bytes.Repeat([]byte("a"), 100_000),
		"a run of two":      bytes.Repeat([]byte("ab"), 1000),
		"a report":          document(),
		"many reports":      bytes.Repeat(document(), 4),
		"noise":             random(200_000),
		"noise twice":       append(far, far...),
		"noise of few bits": bytes.Map(func(c rune) rune { return c & 7 }, random(50_000)),
	} {
		for level := flate.HuffmanOnly; level <= flate.BestCompression; level++ {
			got, err := d.Zlib([]byte("before"), deflated(plain, level), wide)
			if err != nil || !bytes.Equal(got, append([]byte("before"), plain...)) {
				t.Errorf("%s at level %d: got %d bytes, %v, want %d more than 6", what, level, len(got), err, len(plain))
			}
		}
	}
}

// TestGzip reads headers and members.
func TestGzip(t *testing.T) {
	summed := append([]byte{0x1F, 0x8B, 8, 1<<1 | 1<<3, 0, 0, 0, 0, 0, 255}, "name\x00"...)
	summed = binary.LittleEndian.AppendUint16(summed, uint16(crc32.ChecksumIEEE(summed)))
	rest := member("summed", gzip.Header{})[10:]
	wrong := bytes.Clone(summed)
	wrong[len(wrong)-1] ^= 1
	a, b := member("a", gzip.Header{}), member("b", gzip.Header{})
	flagged := func(flags byte) []byte { c := bytes.Clone(a); c[3] = flags; return c }
	var d inflate.Decoder
	for _, test := range []struct {
		what   string
		packed []byte
		want   string
		err    error
	}{
		{"one member", a, "a", nil},
		{"three members", join(a, b, a), "aba", nil},
		{"an empty member", join(member("", gzip.Header{}), b), "b", nil},
		{"all of a header", member("x", gzip.Header{Name: "a", Comment: "b", Extra: []byte("cd"), OS: 3}), "x", nil},
		{"a long name", member("x", gzip.Header{Name: strings.Repeat("n", 511)}), "x", nil},
		{"a longer name", member("x", gzip.Header{Name: strings.Repeat("n", 512)}), "", inflate.ErrDamaged},
		{"the sum of a header", join(summed, rest), "summed", nil},
		{"a wrong sum of a header", join(wrong, rest), "", inflate.ErrDamaged},
		{"a reserved flag", flagged(1 << 5), "", inflate.ErrDamaged},
		{"a name without an end", flagged(1 << 3)[:15], "", inflate.ErrTruncated},
		{"more behind", join(a, []byte("0123456789")), "a", inflate.ErrDamaged},
		{"a little behind", join(a, []byte("\r\n")), "a", inflate.ErrTruncated},
		{"a match into the member before", join(member("aaaaaaaa", gzip.Header{}), a[:10], raw("1 10 00000010 0000000"), make([]byte, 8)), "aaaaaaaa", inflate.ErrDamaged},
		{"nothing", nil, "", inflate.ErrTruncated},
	} {
		got, err := d.Gzip(nil, test.packed, wide)
		if string(got) != test.want || err != test.err {
			t.Errorf("%s: got %q, %v, want %q, %v", test.what, got, err, test.want, test.err)
		}
	}
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// raw returns bytes that have some bits, the first one lowest. Blanks count for nothing.
func raw(bits string) []byte {
	var b []byte
	for i, bit := range strings.ReplaceAll(bits, " ", "") {
		if i%8 == 0 {
			b = append(b, 0)
		}
		b[i/8] |= byte(bit-'0') << (i % 8)
	}
	return b
}
