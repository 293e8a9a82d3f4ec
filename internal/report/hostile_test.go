package report_test

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"muster/internal/report"
)

// noise returns so many bytes that do not pack, as text that does by a quarter.
func noise(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{}).Read(b)
	return base64.StdEncoding.AppendEncode(nil, b)
}

// stretched returns a body in zlib that unpacks to head and then to so many times chunk, without packing all of it.
func stretched(head string, chunk []byte, times int) []byte {
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, zlib.BestCompression)
	if err != nil {
		panic(err)
	}
	io.WriteString(w, head)
	w.Write(chunk)
	w.Flush()
	start := b.Len()
	w.Write(chunk) // whose matches reach back to nothing but a chunk
	w.Flush()
	return append(b.Bytes(), bytes.Repeat(b.Bytes()[start:], times-2)...)
}

// bomb returns a body of 1 MB that unpacks to head and 1 GiB of blanks.
func bomb(head string) []byte { return stretched(head, bytes.Repeat([]byte(" "), 1<<20), 1<<10) }

// TestRefused checks what is refused, and why.
func TestRefused(t *testing.T) {
	good := deflate(inventoryXML("<HARDWARE><NAME>a</NAME></HARDWARE>"))
	damaged := bytes.Clone(good)
	damaged[len(damaged)-1] ^= 1
	rows := func(n int, row string) []byte { return deflate(inventoryXML(strings.Repeat(row, n))) }
	for _, test := range []struct {
		what string
		body []byte
		err  error
		want string // part of the message
	}{
		{"nothing", nil, report.ErrMalformed, "ends too early"},
		{"one byte", []byte("<"), report.ErrMalformed, "ends too early"},
		{"blanks", []byte("  \n\t"), report.ErrMalformed, "neither XML nor JSON"},
		{"words", []byte("hello"), report.ErrMalformed, "neither XML nor JSON"},
		{"a bomb", bomb("<REQUEST>"), report.ErrTooLarge, "100 times"},
		{"a bomb without a beginning", bomb(""), report.ErrMalformed, "neither XML nor JSON"},
		{"a bomb in JSON", stretched(`{"a":"`, bytes.Repeat([]byte("a"), 1<<20), 1<<10), report.ErrTooLarge,
			"100 times"},
		{"blanks in JSON", append([]byte("{"), bytes.Repeat([]byte(" "), 7<<20)...), report.ErrMalformed,
			"blanks in a row"},
		{"a bomb of elements", stretched("<REQUEST>", bytes.Repeat([]byte("<A/>"), 1<<18), 48), report.ErrTooLarge,
			"100 times"},
		{"a bomb with some noise", stretched("<REQUEST>", append(noise(6<<10), bytes.Repeat([]byte(" "), 1<<20)...),
			16), report.ErrTooLarge, "100 times"},
		{"too much unpacked", bytes.Repeat([]byte("<REQUEST> "), 1<<20), report.ErrTooLarge, "8 MiB"},
		{"an early end", good[:len(good)-9], report.ErrMalformed, "ends too early"},
		{"an end in the checksum", good[:len(good)-1], report.ErrMalformed, "ends too early"},
		{"a wrong checksum", damaged, report.ErrMalformed, "damaged"},
		{"no deflate", []byte{0x78, 0x9c, 0xff, 0xff, 0xff, 0xff}, report.ErrMalformed, "damaged"},
		{"a preset dictionary", []byte{0x78, 0xbb, 1, 2, 3, 4, 5}, report.ErrMalformed, "damaged"},
		{"an early end of gzip", zip(inventoryXML(""))[:30], report.ErrMalformed, "ends too early"},
		{"a DTD", []byte(`<!DOCTYPE a [<!ENTITY x "y">]><REQUEST>&x;</REQUEST>`), report.ErrMalformed,
			"<! is not allowed"},
		{"a file's entity", []byte(`<?xml version="1.0"?><!DOCTYPE r [<!ENTITY f SYSTEM "file:///etc/passwd">]><REQUEST><DEVICEID>&f;</DEVICEID></REQUEST>`), report.ErrMalformed, "<! is not allowed"},
		{"an unknown entity", []byte("<REQUEST><DEVICEID>&x;</DEVICEID></REQUEST>"), report.ErrMalformed, "not known"},
		{"a comment", inventoryXML("<!-- x -->"), report.ErrMalformed, "<! is not allowed"},
		{"CDATA", inventoryXML("<HARDWARE><NAME><![CDATA[x]]></NAME></HARDWARE>"), report.ErrMalformed,
			"<! is not allowed"},
		{"another root", []byte("<REPLY/>"), report.ErrMalformed, "root"},
		{"two roots", []byte("<REQUEST/><REQUEST/>"), report.ErrMalformed, "second root"},
		{"a tag not closed", []byte("<REQUEST><QUERY>PROLOG</REQUEST>"), report.ErrMalformed, "closed by"},
		{"an unknown charset", []byte(`<?xml version="1.0" encoding="EBCDIC"?><REQUEST/>`), report.ErrMalformed,
			"charset"},
		{"half of UTF-16", []byte("\xff\xfe<\x00R"), report.ErrMalformed, "UTF-16"},
		{"deep XML", inventoryXML(strings.Repeat("<A>", 1000)), report.ErrMalformed, "deeper than 12"},
		{"1,000,000 elements", inventoryXML(strings.Repeat("<A/>", 1_000_000)), report.ErrMalformed, "400000 elements"},
		{"too many rows", rows(2001, "<PRINTERS/>"), report.ErrTooLarge, "2000 rows of PRINTERS"},
		{"too much software", rows(20_001, "<SOFTWARES><NAME>a</NAME></SOFTWARES>"), report.ErrTooLarge,
			"20000 rows of SOFTWARES"},
		{"deep JSON", []byte(`{"a":` + strings.Repeat("[", 1000)), report.ErrMalformed, "deeper than 12"},
		{"many values", []byte(`{"a":[` + strings.Repeat("0,", 900_000) + `0]}`), report.ErrTooLarge,
			"400000 elements"},
		{"too many rows in JSON", []byte(`{"content":{"printers":[` + strings.Repeat("{},", 2000) + `{}]}}`),
			report.ErrTooLarge, "2000 rows"},
		{"JSON without an end", []byte(`{"action":"inventory"`), report.ErrMalformed, "ends too early"},
		{"JSON with something behind", []byte(`{} {}`), report.ErrMalformed, "follows"},
		{"JSON that is none", []byte(`{"action":inventory}`), report.ErrMalformed, "invalid character"},
		{"JSON without a key", []byte(`{1:2}`), report.ErrMalformed, "invalid character"},
	} {
		_, err := report.Read(test.body, report.Source{})
		if !errors.Is(err, test.err) || !strings.Contains(fmt.Sprint(err), test.want) {
			t.Errorf("%s: got %v, want %v with %q", test.what, err, test.err, test.want)
		}
	}
}

// TestBombCost checks that the inflater stops by itself: what a bomb costs is bounded by what is unpacked before it is
// recognised.
func TestBombCost(t *testing.T) {
	body := bomb("<REQUEST>")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := report.Read(body, report.Source{}); !errors.Is(err, report.ErrTooLarge) {
		t.Fatalf("got %v, want %v", err, report.ErrTooLarge)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 32<<20 {
		t.Errorf("got %d MiB of memory for %d bytes that unpack to 1 GiB, want at most 32", got>>20, len(body))
	}
}

// TestInflatedLimit checks the limit on what does not look like a bomb.
func TestInflatedLimit(t *testing.T) {
	var chunk bytes.Buffer
	for i := range uint32(5000) {
		fmt.Fprintf(&chunk, "<A>%x</A><B>%s</B>", i*2654435761, strings.Repeat("b", 200))
	}
	body := stretched("<REQUEST>", chunk.Bytes(), 64<<20/chunk.Len()+1)
	_, err := report.Read(body, report.Source{})
	if !errors.Is(err, report.ErrTooLarge) || !strings.Contains(fmt.Sprint(err), "64 MiB") {
		t.Errorf("got %v for %d bytes, want more than 64 MiB to be refused", err, len(body))
	}
}

// TestPackedErrorFormat checks that the error of packed JSON can be answered in JSON, wherever it is.
func TestPackedErrorFormat(t *testing.T) {
	packed := deflate([]byte(`{"action":"inventory","deviceid":"a","content":{}}`))
	damaged := bytes.Clone(packed)
	damaged[len(damaged)-1] ^= 1
	for _, test := range []struct {
		what string
		body []byte
		err  error
		want string
	}{
		{"half of it", packed[:len(packed)/2], report.ErrMalformed, "ends too early"},
		{"an end in the checksum", packed[:len(packed)-1], report.ErrMalformed, "ends too early"},
		{"a wrong checksum", damaged, report.ErrMalformed, "damaged"},
		{"a bomb", stretched(`{"a":"`, bytes.Repeat([]byte("a"), 1<<20), 1<<10), report.ErrTooLarge, "100 times"},
	} {
		m, err := report.Read(test.body, report.Source{})
		if m.Format != report.JSON || !errors.Is(err, test.err) || !strings.Contains(fmt.Sprint(err), test.want) {
			t.Errorf("%s: got format %d and %v, want %d and %v with %q", test.what, m.Format, err, report.JSON,
				test.err, test.want)
		}
	}
}

// TestBlanks takes documents behind some blanks, and no more than that.
func TestBlanks(t *testing.T) {
	for n, want := range map[int]error{0: nil, 4095: nil, 4096: report.ErrMalformed} {
		_, err := report.Read(deflate([]byte(strings.Repeat(" ", n)+"<REQUEST/>")), report.Source{})
		if !errors.Is(err, want) {
			t.Errorf("%d blanks: got %v, want %v", n, err, want)
		}
	}
}

// TestOdd checks what is unusual and taken all the same.
func TestOdd(t *testing.T) {
	latin := []byte("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><REQUEST><CONTENT><HARDWARE><NAME>caf\xe9</NAME></HARDWARE></CONTENT><QUERY>INVENTORY</QUERY></REQUEST>")
	inUTF16 := []byte{0xff, 0xfe}
	for _, c := range inventoryXML("<HARDWARE><NAME>café</NAME></HARDWARE>") {
		if c < 0x80 {
			inUTF16 = append(inUTF16, c, 0)
		} else if c == 0xa9 {
			inUTF16 = append(inUTF16, 0xe9, 0)
		}
	}
	for _, test := range []struct {
		what string
		body []byte
		want string // the computer's name
	}{
		{"ISO-8859-1", deflate(latin), "café"},
		{"UTF-16", inUTF16, "café"},
		{"a byte-order mark", append([]byte("\xef\xbb\xbf"), inventoryXML("<HARDWARE><NAME>a</NAME></HARDWARE>")...),
			"a"},
		{"a byte-order mark in JSON",
			[]byte("\xef\xbb\xbf{\"action\":\"inventory\",\"content\":{\"hardware\":{\"name\":\"a\"}}}"), "a"},
		{"blanks in front", append([]byte("\r\n "), inventoryXML("<HARDWARE><NAME>a</NAME></HARDWARE>")...), "a"},
		{"gzip", zip(inventoryXML("<HARDWARE><NAME>a</NAME></HARDWARE>")), "a"},
		{"something behind the data", append(deflate(inventoryXML("<HARDWARE><NAME>a</NAME></HARDWARE>")), "\r\n"...),
			"a"},
		{"control characters", inventoryXML("<HARDWARE><NAME>a\x01b&#2;c\xff</NAME></HARDWARE>"),
			"a\ufffdb\ufffdc\ufffd"},
		{"control characters in JSON", []byte(`{"action":"inventory","content":{"hardware":{"name":"a\u0001b\uffff` +
			"\xff" + `"}}}`), "a\ufffdb\ufffd\ufffd"},
		{"sections twice", inventoryXML("<HARDWARE><NAME/><MEMORY>1</MEMORY></HARDWARE><HARDWARE><NAME>a</NAME></HARDWARE><HARDWARE><NAME>b</NAME></HARDWARE>"), "a"},
		{"keys twice", []byte(`{"action":"inventory","action":"x","content":{"hardware":{"name":"a","name":"b"}},"content":{"hardware":{"name":"c"}}}`), "a"},
		{"elements in a value", inventoryXML("<HARDWARE><NAME>x<B>y</B>z</NAME><NAME>a</NAME></HARDWARE>"), "a"},
		{"other types", []byte(`{"action":"inventory","partial":0,"content":{"hardware":[{"name":{"a":[1]}},7,[8],{"name":12.50}]}}`), "12.50"},
		{"true", []byte(`{"action":"inventory","content":{"hardware":{"name":true}}}`), "true"},
		{"null", []byte(`{"action":"inventory","deviceid":"b-2026-01-02-03-04-05","content":{"hardware":{"name":null},"printers":null,"softwares":5}}`), "b"},
		{"attributes and unknown sections",
			inventoryXML(`<A b="c"><D/></A><HARDWARE x="1"><NAME y='2'>a</NAME><E><F>g</F></E></HARDWARE>`), "a"},
		{"deep, but within the limit", inventoryXML(strings.Repeat("<A>", 10) + strings.Repeat("</A>",
			10) + "<HARDWARE><NAME>a</NAME></HARDWARE>"), "a"},
	} {
		m, err := report.Read(test.body, report.Source{})
		if err != nil || m.Report == nil {
			t.Errorf("%s: got %v and report %v, want a report", test.what, err, m.Report)
			continue
		}
		if got := m.Report.Computer.Name; got != test.want {
			t.Errorf("%s: got name %q, want %q", test.what, got, test.want)
		}
	}
}

// TestSecrets checks that nothing of what we do not keep is in a report.
func TestSecrets(t *testing.T) {
	xml := read(t, inventoryXML(`<HARDWARE><NAME>a</NAME><WINPRODKEY>SECRET</WINPRODKEY></HARDWARE><PROCESSES><CMD>SECRET</CMD></PROCESSES>
		<ENVS><VAL>SECRET</VAL></ENVS><LOCAL_USERS><LOGIN>SECRET</LOGIN></LOCAL_USERS><LOCAL_GROUPS><MEMBER>SECRET</MEMBER></LOCAL_GROUPS>
		<LICENSEINFOS><KEY>SECRET</KEY></LICENSEINFOS><VERSIONPROVIDER><PERL_ARGS>SECRET</PERL_ARGS></VERSIONPROVIDER>`))
	json := read(t, []byte(`{"action":"inventory","content":{"hardware":{"name":"a","winprodkey":"SECRET"},"processes":[{"cmd":"SECRET"}],"envs":{"val":"SECRET"},
		"local_users":[{"login":"SECRET"}],"licenseinfos":[{"key":"SECRET"}],"versionprovider":{"perl_args":"SECRET"}}}`))
	for _, m := range []report.Message{xml, json} {
		if text := fmt.Sprintf("%+v", *m.Report); strings.Contains(text, "SECRET") {
			t.Errorf("got %s, want no secrets", text)
		}
	}
}
