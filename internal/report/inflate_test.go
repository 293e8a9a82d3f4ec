package report

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// errDamaged stands for all errors of data that is damaged.
var errDamaged = errors.New("its compressed data is damaged")

// cause returns why data is refused, as senders read it.
func cause(err error) error {
	if err != nil && strings.HasSuffix(refine(err).Error(), errDamaged.Error()) {
		return errDamaged
	}
	return err
}

// roomy is more than tests need that are not about limits.
var roomy = limits{size: 64 << 20, from: 64 << 20}

// document returns a report as an agent sends it, of 60 KB.
func document() []byte {
	text, err := os.ReadFile("testdata/samples/fusion-2.6-debian12.xml")
	if err != nil {
		panic(err)
	}
	return text
}

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

// TestPacked unpacks what the standard library has packed, at each level, in place of what is there already.
func TestPacked(t *testing.T) {
	far := append(random(32<<10), "the end"...)
	var f inflater
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
			got, err := f.unpackZlib([]byte("before"), deflated(plain, level), roomy)
			if err != nil || !bytes.Equal(got, plain) {
				t.Errorf("%s at level %d: got %d bytes, %v, want %d", what, level, len(got), err, len(plain))
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
	var f inflater
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
		{"a longer name", member("x", gzip.Header{Name: strings.Repeat("n", 512)}), "", errDamaged},
		{"the sum of a header", join(summed, rest), "summed", nil},
		{"a wrong sum of a header", join(wrong, rest), "", errDamaged},
		{"a reserved flag", flagged(1 << 5), "", errDamaged},
		{"a name without an end", join(flagged(1 << 3)[:10], []byte("n")), "", io.ErrUnexpectedEOF},
		{"a name without an end in the second member", join(a, flagged(1 << 3)[:10], []byte("n")), "a",
			io.ErrUnexpectedEOF},
		{"more behind", join(a, []byte("0123456789")), "a", errDamaged},
		{"a little behind", join(a, []byte("\r\n")), "a", io.ErrUnexpectedEOF},
		{"a match into the member before",
			join(member("aaaaaaaa", gzip.Header{}), a[:10], raw("1 10 00000010 0000000"), make([]byte, 8)),
			"aaaaaaaa", errDamaged},
		{"nothing", nil, "", io.ErrUnexpectedEOF},
	} {
		got, err := f.unpackGzip(nil, test.packed, roomy)
		if string(got) != test.want || cause(err) != test.err {
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
