package words_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"muster/internal/words"
)

func TestOf(t *testing.T) {
	long := strings.Repeat("x", words.Longest)
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" \t\n", ""},
		{`.,-_*"'()[]{}<>|&!%$§/\:;?+~^` + "`€😀\x00\ufffd", ""},
		{"Hello, World", "hello world"},
		{"srv-01.example.com", "srv 01 example com"},
		{"anna.berg@example.com", "anna berg example com"},
		{"10.0.3.17 fe80::1a2b", "10 0 3 17 fe80 1a2b"},
		{"00:1A:2b", "00 1a 2b"},
		{"MUS-000123", "mus 000123"},
		{"C:\\Program Files (x86)", "c program files x86"},
		{"snake_case AND NEAR(a, b) col:x -x", "snake case and near a b col x x"},
		{"Straße STRASSE STRAẞE", "strasse strasse strasse"},
		{"Müller MU\u0308LLER mu\u0308ller", "müller müller müller"},
		{"ﬁle ﬀ ĳ", "file ff ij"},
		{"１２３ Ⅷ m² ① ½", "123 viii m2 1 1 2"},
		{"ΣΑΣ σας", "σασ σασ"},
		{"İstanbul istanbul I\u0307\u0307x", "istanbul istanbul ix"},
		{"K\u212A Ω\u2126", "kk ωω"},
		{"don't l\u2019eau", "don t l eau"},
		{"In\u00ADven\u200Dtar \uFEFFa\u200Eb a\u200Bb", "inventar ab a b"},
		{"\u0301a\u0301 \u0301", "á"},
		{"हिन्दी मराठी", "हिन्दी मराठी"},
		{"٣٤ ৩", "٣٤ ৩"},
		{"東京都", "東京 京都"},
		{"東 京", "東 京"},
		{"サーバー", "サー ーバ バー"},
		{"ｻｰﾊﾞｰ", "サー ーバ バー"},
		{"か\u3099き", "がき"},
		{"서버실", "서버 버실"},
		{"\u1109\u1165\u1107\u1165", "서버"},
		{"Cisco交換機2960X", "cisco 交換 換機 2960x"},
		{"葛\U000E0100飾", "葛飾"},
		{"สวัสดี", "สวั วัส สดี"},
		{"二〇二六", "二〇 〇二 二六"},
		{long, long},
		{long + "yz", long},
		{"Ꭰꭰ Ᏸᏸ", "ᎠᎠ ᏰᏰ"},
		{"ab\xffcd\xc0", "ab cd"},
		{"a\x00b", "a b"},
		{"1:b 'or' 1=1;--", "1 b or 1 1"},
	} {
		if got := strings.Join(slices.Collect(words.Of(c.text)), " "); got != c.want {
			t.Errorf("%+q: got %+q, want %+q", c.text, got, c.want)
		}
	}
}

// TestStop ends early when no more words are wanted.
func TestStop(t *testing.T) {
	for _, text := range []string{"a b c", "東京都庁", "a東京b", "東京 a", "a"} {
		all := slices.Collect(words.Of(text))
		for n := range all {
			var got []string
			for word := range words.Of(text) {
				if got = append(got, word); len(got) > n {
					break
				}
			}
			if !slices.Equal(got, all[:n+1]) {
				t.Errorf("%s: got %q, want %q", text, got, all[:n+1])
			}
		}
	}
}

// isWord fails the test unless databases can take a word as it is, and a person
// who types it is understood.
func isWord(t *testing.T, text, word string) {
	t.Helper()
	for i, r := range word {
		ok := unicode.IsLetter(r) || unicode.IsNumber(r) || i > 0 && unicode.IsMark(r)
		if !ok || r < utf8.RuneSelf && unicode.IsUpper(r) {
			t.Errorf("%+q: got the word %+q with %+q", text, word, r)
		}
	}
	if n := utf8.RuneCountInString(word); n == 0 || n > words.Longest || !utf8.ValidString(word) {
		t.Errorf("%+q: got the word %+q of %d characters", text, word, n)
	}
	if again := slices.Collect(words.Of(word)); !slices.Equal(again, []string{word}) {
		t.Errorf("%+q: got the word %+q, which is cut into %+q", text, word, again)
	}
}

// TestEveryCharacter holds for each that Unicode has, alone and among others.
func TestEveryCharacter(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune && !t.Failed(); r++ {
		if !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf) {
			continue // not a character
		}
		text := "x" + string(r) + "Y 日" + string(r) + "本 " + string(r)
		for word := range words.Of(text) {
			isWord(t, text, word)
		}
	}
}

func FuzzOf(f *testing.F) {
	for _, text := range []string{"a", "Straße", "東京", "i\u0307\u0307", "\u0345α\u0301", "x\xff\x00", "ﷺ",
		"ᾳ\u0301\u0345", "日" + strings.Repeat("\u0323", 100) + "本", "e" + strings.Repeat("\u0301", 100)} {
		f.Add(text, "y")
	}
	f.Fuzz(func(t *testing.T, text, other string) {
		got := slices.Collect(words.Of(text))
		for _, word := range got {
			isWord(t, text, word)
		}
		both := slices.Collect(words.Of(text + "\n" + other))
		if want := slices.Concat(got, slices.Collect(words.Of(other))); !slices.Equal(both, want) {
			t.Errorf("%+q and %+q: got %+q together, %+q apart", text, other, both, want)
		}
		if upper := slices.Collect(words.Of(strings.ToUpper(text))); utf8.ValidString(text) && isASCII(text) &&
			!slices.Equal(upper, got) {
			t.Errorf("%+q: got %+q in capitals, %+q else", text, upper, got)
		}
	})
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

func BenchmarkOf(b *testing.B) {
	for name, text := range map[string]string{
		"ascii": strings.Repeat("Dell Latitude 7420, srv-01.example.com 10.0.3.17; ", 20),
		"other": strings.Repeat("Müller Straße 7420, srv-01.bücher.example 東京都庁; ", 20),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				for range words.Of(text) {
				}
			}
		})
	}
}
