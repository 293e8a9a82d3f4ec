package activity

import (
	"testing"
	"time"

	"muster/internal/demo"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/lang"
	"muster/internal/web/page"
)

// TestTranslatedChanges translates every sort of change that messages describe, and
// leaves other messages as they are.
func TestTranslatedChanges(t *testing.T) {
	t.Parallel()
	c := &page.Call{Locale: &lang.Locale{Language: lang.LanguageNamed("de"), Conventions: lang.LocaleOf("de")}}
	k := inventory.Computers.Schema
	software := []kind.Change{
		{Field: "softwares", From: `name: "Draughtsman", version: "7"`, To: `name: "Draughtsman", version: "8"`},
	}
	many := make([]kind.Change, 52)
	message := ""
	for i := range many {
		many[i] = kind.Change{Field: "site", From: "", To: "Leipzig"}
		if i < 50 {
			message += "Site set to Leipzig; "
		}
	}
	order := []kind.Change{{Field: "drives", From: `name: "C:"; name: "D:"`, To: `name: "D:"; name: "C:"`}}
	for _, test := range []struct {
		changes []kind.Change
		message string
		same    bool
	}{
		{software, "Software Draughtsman 7 changed: version changed from 7 to 8", false},
		{software, "Software Draughtsman 7 changed: version changed from 7 to 9", true},
		{many, message + "and 2 more changes", false},
		{many, message + "and 3 more changes", true},
		{order, "Drives put in another order", false},
		{[]kind.Change{{Field: "swap", From: "1024"}}, "Swap cleared, was 1024 MB", false},
		{[]kind.Change{{Field: "swap", From: "1024"}}, "Swap cleared, was 1024 kB", true},
		{[]kind.Change{{Field: "drives", From: "broken: \"C:"}}, "Drive removed: C:", true},
		{nil, "Something else", true},
	} {
		if got := TranslateChanges(c, k, test.changes, test.message); (got == test.message) != test.same {
			t.Errorf("%s: got %q, want the same: %t", test.message, got, test.same)
		}
	}
	first := &inventory.Audit{RecordName: "lej-1", Message: "First report of lej-1: softwares 1 changed"}
	if got, ok := reported(c, k, first, software); !ok || got == "First report of lej-1: softwares 1 changed" {
		t.Errorf("a first report: got %q, %t", got, ok)
	}
}

// TestEveryTranslatedChange translates all that differs between two computers, so that
// the wording of messages cannot diverge from what pages translate.
func TestEveryTranslatedChange(t *testing.T) {
	t.Parallel()
	c := &page.Call{Locale: &lang.Locale{Language: lang.LanguageNamed("de"), Conventions: lang.LocaleOf("de")}}
	k := inventory.Computers.Schema
	at := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
	n := 0
	for i := range 40 {
		old := demo.Computer(i, nil, at)
		diff := k.Diff(old, demo.Computer(i+1, nil, at))
		for j, change := range diff.Changes {
			if got := TranslateChanges(c, k, []kind.Change{change}, diff.Sentences[j]); got == diff.Sentences[j] {
				t.Errorf("%s: stays English: %s", change.Field, got)
			}
			n++
		}
	}
	if n < 500 {
		t.Errorf("got %d changes, too few to tell", n)
	}
}
