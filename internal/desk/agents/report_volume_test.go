//go:build volume

package agents_test

import (
	"fmt"
	"strings"
	"testing"

	"muster/internal/desk/agents"
	"muster/internal/mustertest"
)

// TestVolumeNewSoftware takes in a report with as much software as one may have,
// none of which was known before, and no limit: one report makes as much as a
// transaction can, and the next ones the rest.
func TestVolumeNewSoftware(t *testing.T) {
	const most = 20_000
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		o.limitNames(t, 0, 0, 0)
		var all strings.Builder
		for i := range most {
			all.WriteString(programXML(fmt.Sprint("program ", i), "1", ""))
		}
		document := with(laptop, func(m *machine) { m.More = all.String() }).XML()
		out, err := o.Try(t, document)
		if out != agents.ReportNew || err != nil {
			t.Fatalf("got %v, %v", out, err)
		}
		for n := 5000; n < most; n += 5000 {
			if got, want := o.leftOut(t, 1), [2]int{n, most - n}; got != want {
				t.Errorf("got %v installed and left out, want %v", got, want)
			}
			o.Deliver(t, document)
		}
		if out := o.Deliver(t, document); out != agents.ReportUnchanged {
			t.Errorf("the same again: got %v, want %v", out, agents.ReportUnchanged)
		}
		if got := o.History(t, 1); len(got) != most/5000 {
			t.Errorf("got %v, want one audit record of each report", got)
		}
		mustertest.CheckCounts(t, o.Store)
	})
}
