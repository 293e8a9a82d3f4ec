package mapping

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ Text, want string }{
		{"", ""},
		{"Az09 [^]~", "az09 [^]~"},
		{"ÄÖÜ", "äöü"},
		{"Straße", "strasse"},
		{"STRAẞE", "strasse"},
		{"I", "i"},
		{"İ", "i\u0307"},
		{"ı", "ı"},
		{"ΣΑΣ", "σασ"},
		{"σας", "σασ"},
		{"E\u0301", "é"},
		{"é", "é"},
		{"\u212A", "k"},      // Kelvin sign
		{"\u212B", "å"},      // Ångström sign
		{"ﬃ", "ffi"},         // a ligature
		{"ΐ", "ΐ"},           // folds to three characters, which NFC joins
		{"ᾼ", "αι"},          // iota below
		{"Α\u0345", "αι"},    // the same from its parts
		{"\u1E9B", "\u1E61"}, // long s with a dot
		{"Ǆ", "ǆ"},
		{"😀", "😀"},
		{"\U0010FFFF", "\U0010FFFF"},
	} {
		if got := Fold(c.Text); got != c.want {
			t.Errorf("fold(%+q): got %+q, want %+q", c.Text, got, c.want)
		}
	}
}

func TestSuccessor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ Prefix, want string }{
		{"", ""},
		{"a", "b"},
		{"az", "a{"},
		{"a\x7f", "a\u0080"},
		{"ÿ", "Ā"},
		{"\u07FF", "\u0800"},
		{"\uD7FF", "\uE000"},
		{"\uFFFF", "\U00010000"},
		{"a\U0010FFFF", "b"},
		{"a\U0010FFFF\U0010FFFF", "b"},
		{"\U0010FFFF", ""},
		{"\U0010FFFF\U0010FFFF", ""},
	} {
		if got := successor(c.Prefix); got != c.want {
			t.Errorf("successor(%+q): got %+q, want %+q", c.Prefix, got, c.want)
		}
	}
}

// FuzzSuccessor holds for any text: it begins with a prefix if and only if it
// is in the range from the prefix to its successor.
func FuzzSuccessor(f *testing.F) {
	for _, prefix := range []string{"", "a", "a\U0010FFFF", "\uD7FF", "\U0010FFFF", "é"} {
		f.Add(prefix, "x")
		f.Add(prefix, "\U0010FFFF")
	}
	f.Fuzz(func(t *testing.T, prefix, text string) {
		if !utf8.ValidString(prefix) || !utf8.ValidString(text) {
			return
		}
		next := successor(prefix)
		for _, text := range []string{text, prefix, prefix + text, next, next + text} {
			inRange := text >= prefix && (next == "" || text < next)
			if inRange != strings.HasPrefix(text, prefix) {
				t.Errorf("%+q is in the range from %+q to %+q: got %v", text, prefix, next, inRange)
			}
		}
		if next != "" && !utf8.ValidString(next) {
			t.Errorf("successor(%+q): got %+q, which is no text", prefix, next)
		}
	})
}

// FuzzFold holds for any text: folding twice is folding once, and nothing is
// left that SQLite's LIKE would take for another case.
func FuzzFold(f *testing.F) {
	for _, text := range []string{"Straße", "İ", "ΐ", "ᾼ", "e\u0301", "\u212A"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		once := Fold(text)
		if twice := Fold(once); twice != once {
			t.Errorf("fold(%+q): got %+q, and of that %+q", text, once, twice)
		}
		if strings.ContainsAny(once, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
			t.Errorf("fold(%+q): got %+q, with capitals", text, once)
		}
	})
}
