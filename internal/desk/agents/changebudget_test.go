//go:build full

package agents_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/mustertest"
)

// TestChangeBudget: collections of a computer that change very much stay as they are
// once a day had so many changes, and are renewed on the next.
func TestChangeBudget(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		deliver := func(mark string) {
			m := programsOf(1, "", 0, 0)
			for i := range 990 {
				m.More += fmt.Sprintf("<SOUNDS><NAME>%s %d</NAME><DESCRIPTION>%[3]s</DESCRIPTION><MANUFACTURER>%[3]s</MANUFACTURER></SOUNDS>", mark, i, strings.Repeat(mark, 250))
			}
			m.More += "<HARDWARE><DESCRIPTION>" + mark + "</DESCRIPTION></HARDWARE>"
			o.Deliver(t, m.XML())
		}
		has := func(what, want string) {
			t.Helper()
			rec, err := o.Get(context.Background(), program, inventory.Computers.Schema, 1)
			if err != nil {
				t.Fatal(err)
			}
			if sounds := rec.(*inventory.Computer).Sounds; len(sounds) != 990 ||
				!strings.HasPrefix(sounds[0].Name, want) {
				t.Errorf("%s: got %d rows, the first %.20q, want %q", what, len(sounds), sounds[0].Name, want)
			}
		}
		deliver("a")
		marks := "bcdefghijklmnopqrstuvwxyz"
		for _, mark := range marks {
			deliver(string(mark))
		}
		rec, err := o.Get(context.Background(), program, inventory.Computers.Schema, 1)
		if err != nil {
			t.Fatal(err)
		}
		kept := rec.(*inventory.Computer).Sounds[0].Name[:1]
		if kept == "a" || kept == "z" {
			t.Errorf("got the rows of report %s, want those of one before the budget was used up", kept)
		}
		deliver("z")
		has("the same again", kept)
		o.Clock.Advance(24 * time.Hour)
		deliver("z")
		has("the next day", "z")
	})
}
