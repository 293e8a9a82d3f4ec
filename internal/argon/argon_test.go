package argon_test

import (
	"strings"
	"testing"

	"muster/internal/argon"
)

// TestVerify reads the parameters from the hash, and takes nothing else
// for one.
func TestVerify(t *testing.T) {
	t.Parallel()
	const cheap = "$argon2id$v=19$m=64,t=1,p=2$c2FsdHNhbHQ$jKnAAfjS8iou1nq5ihTqjfwPdfUqDZZmSkzYB2O3v6o"
	own := argon.Default.Hash("long password")
	for _, c := range []struct {
		password, stored string
		want             bool
	}{
		{"long password", own, true},
		{"Long password", own, false},
		{"", own, false},
		{"long password", strings.Replace(own, "t=2", "t=3", 1), false},
		{"long password", strings.Replace(own, "argon2id", "argon2i", 1), false},
		{"long password", strings.Replace(own, "t=2", "t=0", 1), false},
		{"long password", strings.Replace(own, "p=1", "p=0", 1), false},
		{"long password", own[:strings.LastIndex(own, "$")+1], false},
		{"long password", argon.Default.Dummy(), false},
		{"long password", cheap, true},
		{"another", cheap, false},
		{"", "", false},
		{"", "$$$$$", false},
	} {
		if got := argon.Verify(c.password, c.stored); got != c.want {
			t.Errorf("%q against %s: got %v, want %v", c.password, c.stored, got, c.want)
		}
	}
}
