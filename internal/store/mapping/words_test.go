package mapping

import "testing"

// TestIn looks for words among those of a record.
func TestIn(t *testing.T) {
	const all = "aaaa printer printers §secret ünter"
	for _, test := range []struct {
		word   string
		whole  bool
		prefix bool
	}{
		{"printer", true, true},
		{"print", false, true},
		{"inter", false, false},
		{"printers", true, true},
		{"aa", false, true},
		{"aaaa", true, true},
		{"aaaaa", false, false},
		{"secret", true, true},
		{"ünter", true, true},
		{"nter", false, false},
		{"absent", false, false},
	} {
		if got := (Asked{Word: test.word}).In(all); got != test.whole {
			t.Errorf("%s as a word: got %v", test.word, got)
		}
		if got := (Asked{Word: test.word, Prefix: true}).In(all); got != test.prefix {
			t.Errorf("%s as a beginning: got %v", test.word, got)
		}
	}
}
