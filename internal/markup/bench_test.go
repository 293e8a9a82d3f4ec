package markup

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"testing"
)

// bigReport returns a report of about 40 KB in the form that agents send.
func bigReport() []byte {
	var b bytes.Buffer
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<REQUEST>\n  <CONTENT>\n")
	for i := range 150 {
		name := "Package"
		if i%5 == 0 {
			name = "Größe &amp; Co"
		}
		fmt.Fprintf(&b, `    <SOFTWARES>
      <NAME>%s %d</NAME>
      <VERSION>1.%d.%d</VERSION>
      <PUBLISHER>Example Publishing Limited</PUBLISHER>
      <INSTALLDATE>2026-01-31</INSTALLDATE>
      <COMMENTS nil="true"/>
      <FOLDER>C:\Program Files\Example\Package %d</FOLDER>
    </SOFTWARES>
`, name, i, i/10, i%10, i)
	}
	b.WriteString("  </CONTENT>\n  <DEVICEID>host-2026-01-31-09-30-00</DEVICEID>\n  <QUERY>INVENTORY</QUERY>\n</REQUEST>\n")
	return b.Bytes()
}

// readAll reads a report as a decoder would: Next to walk the sections, Content for the fields.
func readAll(r *Reader) (fields int, err error) {
	for depth := 0; ; {
		token, err := r.Next()
		if err != nil || token == EOF {
			return fields, err
		}
		switch token {
		case Start:
			if depth < 3 {
				depth++
				continue
			}
			if !r.Nil() {
				fields++
			}
			if _, err := r.Content(); err != nil {
				return fields, err
			}
		case End:
			depth--
		}
	}
}

func BenchmarkReader(b *testing.B) {
	doc := bigReport()
	r := NewReader(doc, Limits{})
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		r.Reset(doc, Limits{Depth: 64, Elements: 10000})
		if fields, err := readAll(r); err != nil || fields != 5*150 {
			b.Fatalf("got %d fields, %v", fields, err)
		}
	}
}

func BenchmarkRawToken(b *testing.B) {
	doc := bigReport()
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		d := xml.NewDecoder(bytes.NewReader(doc))
		for {
			_, err := d.RawToken()
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkUnmarshal(b *testing.B) {
	type software struct {
		Name        string `xml:"NAME"`
		Version     string `xml:"VERSION"`
		Publisher   string `xml:"PUBLISHER"`
		InstallDate string `xml:"INSTALLDATE"`
		Comments    string `xml:"COMMENTS"`
		Folder      string `xml:"FOLDER"`
	}
	doc := bigReport()
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		var report struct {
			Softwares []software `xml:"CONTENT>SOFTWARES"`
			DeviceID  string     `xml:"DEVICEID"`
		}
		if err := xml.Unmarshal(doc, &report); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendText(b *testing.B) {
	const s = "Example Publishing Limited, a plain name of software"
	buf := make([]byte, 0, 256)
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		buf = AppendText(buf[:0], s)
	}
}
