package markup

import (
	"encoding/xml"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAppendText(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", ""},
		{"plain", "plain"},
		{"<a & b>", "&lt;a &amp; b&gt;"},
		{"\"'", "\"'"},
		{"a\r\nb\tc", "a&#xD;\nb\tc"},
		{"größer 😀", "größer 😀"},
		{"a\x00b\x1F", "a\uFFFDb\uFFFD"},
		{"\uFFFE\uFFFF\uFFFD", "\uFFFD\uFFFD\uFFFD"},
		{"\xFFx\xED\xA0\x80", "\uFFFDx\uFFFD\uFFFD\uFFFD"},
		{"\x7F\u0080", "\x7F\u0080"},
	}
	for _, tt := range tests {
		if got := AppendText([]byte("…"), tt.in); string(got) != "…"+tt.want {
			t.Errorf("%q: got %q, want %q", tt.in, got, "…"+tt.want)
		}
	}
}

// FuzzAppendText checks that what AppendText writes reads back the same, also through encoding/xml.
func FuzzAppendText(f *testing.F) {
	for _, s := range []string{"", "plain", "a<b>&amp;]]>\r\n\t", "é😀\uFFFE\uFFFD", "\x00\x1F\xFF\xED\xA0\x80"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := strings.Map(func(c rune) rune {
			if !IsChar(c) {
				return utf8.RuneError
			}
			return c
		}, s)
		doc := append(AppendText([]byte("<a>"), s), "</a>"...)
		r := NewReader(doc, Limits{})
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
		if got, err := r.Content(); string(got) != want || err != nil {
			t.Errorf("%q: got %q, %v, want %q", s, got, err, want)
		}
		var oracle struct {
			Text string `xml:",chardata"`
		}
		if err := xml.Unmarshal(doc, &oracle); oracle.Text != want || err != nil {
			t.Errorf("%q: encoding/xml got %q, %v, want %q", s, oracle.Text, err, want)
		}
	})
}

// TestAppendTextInEights holds the quick way over plain text against the slow one, which short texts take.
func TestAppendTextInEights(t *testing.T) {
	for c := range 256 {
		for at := range 24 {
			s := []byte("plain text of 24 letters")
			s[at] = byte(c)
			var want []byte
			for i := range s {
				want = AppendText(want, string(s[i]))
			}
			if c >= utf8.RuneSelf { // string(byte) is a character of its own
				want = AppendText(AppendText(AppendText(nil, string(s[:at])), "\xff"), string(s[at+1:]))
			}
			if got := AppendText(nil, string(s)); string(got) != string(want) {
				t.Errorf("%q: got %q, want %q", s, got, want)
			}
		}
	}
}
