//go:build volume

package desk_test

import (
	"fmt"
	"strings"
	"testing"

	"muster/internal/desk"
	"muster/internal/mustertest"
)

// TestVolumeNewSoftware takes in a report with as much software as one may have,
// none of which was known before: it takes longer than one transaction may.
func TestVolumeNewSoftware(t *testing.T) {
	const most = 20_000
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		var all strings.Builder
		for i := range most {
			all.WriteString(program1(fmt.Sprint("program ", i), "1", ""))
		}
		document := with(laptop, func(m *machine) { m.more = all.String() }).xml()
		out, err := o.try(t, document)
		if out != desk.ReportNew || err != nil {
			t.Fatalf("got %v, %v", out, err)
		}
		if out := o.deliver(t, document); out != desk.ReportUnchanged {
			t.Errorf("the same again: got %v, want %v", out, desk.ReportUnchanged)
		}
		if got := o.history(t, 1); len(got) != 1 {
			t.Errorf("got %v, want one audit record", got)
		}
		exact(t, o.store)
	})
}
