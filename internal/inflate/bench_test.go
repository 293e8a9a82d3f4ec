package inflate_test

import (
	"bytes"
	"compress/zlib"
	"io"
	"os"
	"testing"

	fast "github.com/klauspost/compress/zlib"

	"muster/internal/inflate"
)

// document returns a report as an agent sends it, of 60 KB.
func document() []byte {
	text, err := os.ReadFile("../report/testdata/samples/fusion-2.6-debian12.xml")
	if err != nil {
		panic(err)
	}
	return text
}

// BenchmarkReport unpacks a report, by itself and by two other libraries.
func BenchmarkReport(b *testing.B) {
	plain := document()
	packed := deflated(plain, zlib.DefaultCompression)
	b.Run("inflate", func(b *testing.B) {
		var d inflate.Decoder
		out := make([]byte, 0, 64<<10)
		b.SetBytes(int64(len(plain)))
		b.ReportAllocs()
		for b.Loop() {
			if got, err := d.Zlib(out, packed, wide); err != nil || len(got) != len(plain) {
				b.Fatalf("got %d bytes, %v", len(got), err)
			}
		}
	})
	b.Run("standard", func(b *testing.B) { benchmarkReader(b, packed, len(plain), zlib.NewReader) })
	b.Run("klauspost", func(b *testing.B) { benchmarkReader(b, packed, len(plain), fast.NewReader) })
}

// benchmarkReader unpacks by a reader that is used again and again.
func benchmarkReader(b *testing.B, packed []byte, size int, open func(io.Reader) (io.ReadCloser, error)) {
	z, err := open(bytes.NewReader(packed))
	if err != nil {
		b.Fatal(err)
	}
	out := bytes.NewBuffer(make([]byte, 0, 64<<10))
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		out.Reset()
		if err := z.(zlib.Resetter).Reset(bytes.NewReader(packed), nil); err != nil {
			b.Fatal(err)
		}
		if _, err := out.ReadFrom(z); err != nil || out.Len() != size {
			b.Fatalf("got %d bytes, %v", out.Len(), err)
		}
	}
}
