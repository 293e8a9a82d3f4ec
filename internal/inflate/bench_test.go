package inflate_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	fast "github.com/klauspost/compress/zlib"

	"muster/internal/inflate"
)

// document returns a report of about 49 KB as agents for Windows send it, with as little in common as those of real
// computers have.
func document() []byte {
	var b strings.Builder
	dice := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		letters := make([]byte, 3+dice.IntN(7))
		for i := range letters {
			letters[i] = "etaoinshrdlucmfwypvbgkqjxz"[min(dice.IntN(26), dice.IntN(26))]
		}
		return strings.ToUpper(string(letters[:1])) + string(letters[1:])
	}
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n<REQUEST>\n<CONTENT>\n")
	for i := range 30 {
		fmt.Fprintf(&b, "<CONTROLLERS><CAPTION>%s %s Controller</CAPTION><DESCRIPTION>%s Host Controller</DESCRIPTION><MANUFACTURER>%s</MANUFACTURER><NAME>%s USB %d</NAME><TYPE>USB</TYPE></CONTROLLERS>\n", word(), word(), word(), word(), word(), i)
		fmt.Fprintf(&b, "<STORAGES><DESCRIPTION>Disk drive</DESCRIPTION><DISKSIZE>%d</DISKSIZE><MODEL>%s %s</MODEL><NAME>PHYSICALDRIVE%d</NAME><TYPE>Fixed hard disk media</TYPE></STORAGES>\n", dice.IntN(1e6), word(), word(), i)
	}
	for i := range 150 {
		vendor, name := word(), word()
		fmt.Fprintf(&b, "<SOFTWARES><FOLDER>C:\\Program Files\\%s\\%s</FOLDER><FROM>registry</FROM><GUID>{%08X-%04X}</GUID><INSTALLDATE>%02d/%02d/2024</INSTALLDATE><NAME>%s %s %d</NAME><PUBLISHER>%s %s</PUBLISHER><VERSION>%d.%d.%d</VERSION></SOFTWARES>\n",
			vendor, name, dice.Uint32(), dice.IntN(1<<16), 1+dice.IntN(28), 1+dice.IntN(12), name, word(), i, vendor, word(), dice.IntN(30), dice.IntN(100), dice.IntN(9999))
	}
	b.WriteString("</CONTENT>\n<DEVICEID>BENCH-1-2024-05-02-09-12-33</DEVICEID>\n<QUERY>INVENTORY</QUERY>\n</REQUEST>\n")
	return []byte(b.String())
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
