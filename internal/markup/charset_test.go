package markup

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// inUnits encodes a string in UTF-16.
func inUnits(s string, order binary.AppendByteOrder) []byte {
	var b []byte
	for _, unit := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, unit)
	}
	return b
}

func TestUTF8(t *testing.T) {
	big := func(s string) string { return string(inUnits(s, binary.BigEndian)) }
	little := func(s string) string { return string(inUnits(s, binary.LittleEndian)) }
	decl := func(encoding string) string { return `<?xml version="1.0" encoding="` + encoding + `"?>` }
	tests := []struct{ name, body, charset, want string }{
		{"nothing said", "<a>é</a>", "", "<a>é</a>"},
		{"empty", "", "", ""},
		{"UTF-8", "<a>é</a>", "UTF-8", "<a>é</a>"},
		{"UTF-8, other spelling", "<a>é</a>", " utf8 ", "<a>é</a>"},
		{"UTF-8 mark", "\xEF\xBB\xBF<a>é</a>", "", "<a>é</a>"},
		{"mark before Content-Type", "\xEF\xBB\xBF<a>é</a>", "ISO-8859-1", "<a>é</a>"},
		{"mark before an unknown Content-Type", "\xEF\xBB\xBF<a/>", "koi8-r", "<a/>"},
		{"invalid UTF-8 is the reader's matter", "<a>\xE9</a>", "", "<a>\xE9</a>"},
		{"ASCII", "<a>x</a>", "us-ascii", "<a>x</a>"},
		{"Latin 1", "<a>\xE9\x80</a>", "ISO-8859-1", "<a>é\u0080</a>"},
		{"Latin 1, nothing to decode", "<a>e</a>", "latin1", "<a>e</a>"},
		{"Latin 1 declared", decl("iso-8859-1") + "<a>\xE9</a>", "", decl("iso-8859-1") + "<a>é</a>"},
		{"Content-Type before declaration", decl("iso-8859-1") + "<a>é</a>", "utf-8", decl("iso-8859-1") + "<a>é</a>"},
		{"Windows 1252", "<a>\x80\x99\x9F\xE9</a>", "windows-1252", "<a>€™Ÿé</a>"},
		{"UTF-16 big-endian mark", "\xFE\xFF" + big("<a>é😀</a>"), "", "<a>é😀</a>"},
		{"UTF-16 little-endian mark", "\xFF\xFE" + little("<a>é😀</a>"), "", "<a>é😀</a>"},
		{"UTF-16 with mark and label", "\xFF\xFE" + little("<a/>"), "utf-16", "<a/>"},
		{"UTF-16 by label, big-endian", big("<a/>"), "UTF-16", "<a/>"},
		{"UTF-16 by label, little-endian", little("<a/>"), "UTF-16", "<a/>"},
		{"UTF-16BE by label", big("日本"), "UTF-16BE", "日本"},
		{"UTF-16LE by label", little("日本"), "utf-16le", "日本"},
		{"UTF-16 by its looks, big-endian", big(decl("UTF-16") + "<a/>"), "", decl("UTF-16") + "<a/>"},
		{"UTF-16 by its looks, little-endian", little("<a/>"), "", "<a/>"},
		{"UTF-16 in name only", decl("utf-16") + "<a>é</a>", "", decl("utf-16") + "<a>é</a>"},
		{"malformed declaration", `<?xml encoding="ISO-8859-1"?>` + "\xE9", "",
			`<?xml encoding="ISO-8859-1"?>` + "\xE9"},
	}
	for _, tt := range tests {
		got, err := UTF8([]byte(tt.body), tt.charset)
		if string(got) != tt.want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
}

func TestUTF8DoesNotCopy(t *testing.T) {
	body := []byte("<a>x</a>")
	for _, charset := range []string{"", "utf-8", "us-ascii", "iso-8859-1", "windows-1252"} {
		if got, err := UTF8(body, charset); err != nil || &got[0] != &body[0] {
			t.Errorf("%q: got a copy, %v, want the body itself", charset, err)
		}
	}
}

func TestUTF8Errors(t *testing.T) {
	tests := []struct{ body, charset, want string }{
		{"<a/>", "koi8-r", `charset "koi8-r" is not supported`},
		{"<a/>", "utf-32", `charset "utf-32" is not supported`},
		{`<?xml version="1.0" encoding="EBCDIC"?><a/>`, "", `charset "EBCDIC" is not supported`},
		{"<a>\n é\xE9", "us-ascii", "line 2, column 2: byte 0xc3 is not US-ASCII"},
		{"<a>\xE9\x81", "windows-1252", "line 1, column 5: byte 0x81 is not WINDOWS-1252"},
		{"\xFE\xFF\x00<\x00", "", "line 1, column 2: half of a character in UTF-16"},
		{"\xFE\xFF\x00<\xD8\x00\x00a", "", "line 1, column 2: half of a surrogate pair in UTF-16"},
		{"\xFE\xFF\x00<\xDC\x00\xD8\x00", "", "line 1, column 2: half of a surrogate pair in UTF-16"},
		{"\xFE\xFF\x00\n\xD8\x00", "", "line 2, column 1: half of a surrogate pair in UTF-16"},
		{"\xFE\xFF\x00\n\xD8\x00\xDC", "", "line 2, column 1: half of a surrogate pair in UTF-16"},
	}
	for _, tt := range tests {
		got, err := UTF8([]byte(tt.body), tt.charset)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%q in %q: got %q, %v, want %s", tt.body, tt.charset, got, err, tt.want)
		}
	}
}

// FuzzUTF8 checks that any body gives UTF-8 or one of the two errors, and that what is encoded comes back.
func FuzzUTF8(f *testing.F) {
	f.Add([]byte("<a>é</a>"), "")
	f.Add([]byte("\xFF\xFE<\x00"), "utf-16")
	f.Add([]byte("\xFE\xFF\xD8\x00\xDC\x00"), "")
	f.Add([]byte("\x80\x81\xFF"), "windows-1252")
	f.Add([]byte(`<?xml version="1.0" encoding="latin1"?>`+"\xE9"), "us-ascii")
	f.Add([]byte("\x00<\x00a"), "UTF-16BE")
	f.Fuzz(func(t *testing.T, body []byte, charset string) {
		got, err := UTF8(body, charset)
		_, syntax := errors.AsType[*SyntaxError](err)
		_, unknown := errors.AsType[*CharsetError](err)
		if err != nil && !syntax && !unknown {
			t.Fatalf("%q in %q: got %v, want a SyntaxError or a CharsetError", body, charset, err)
		}
		if err == nil && !utf8.Valid(got) && !strings.HasSuffix(string(body), string(got)) {
			t.Fatalf("%q in %q: got %q, which is neither UTF-8 nor the body", body, charset, got)
		}
		comesBack(t, strings.ToValidUTF8(string(body), "?"))
		latin, err := UTF8(slices.Concat([]byte("<"), body), inLatin1)
		if want := "<" + runes(body); string(latin) != want || err != nil {
			t.Fatalf("%q in Latin 1: got %q, %v, want %q", body, latin, err, want)
		}
	})
}

// comesBack checks that a document in UTF-16, however marked, decodes to what it was.
func comesBack(t *testing.T, s string) {
	doc := "<a>" + s
	for _, tt := range []struct{ body, charset string }{
		{string(inUnits(doc, binary.BigEndian)), "utf-16be"},
		{string(inUnits(doc, binary.LittleEndian)), "utf-16le"},
		{string(inUnits(doc, binary.LittleEndian)), "utf-16"},
		{string(inUnits(doc, binary.BigEndian)), ""},
		{string(inUnits("\uFEFF"+doc, binary.LittleEndian)), "koi8-r"},
		{string(inUnits("\uFEFF"+doc, binary.BigEndian)), ""},
		{"\uFEFF" + doc, ""},
	} {
		if got, err := UTF8([]byte(tt.body), tt.charset); string(got) != doc || err != nil {
			t.Fatalf("%q in %q: got %q, %v, want %q", tt.body, tt.charset, got, err, doc)
		}
	}
}

// runes returns bytes as the characters of the same numbers.
func runes(b []byte) string {
	var s strings.Builder
	for _, c := range b {
		s.WriteRune(rune(c))
	}
	return s.String()
}
