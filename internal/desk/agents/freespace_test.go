package agents_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/agents"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
)

// TestReportedFreeSpace: each report has how much is free, and is no change for
// that, whether it is scanned or read; drives that a person has set stay as they
// are.
func TestReportedFreeSpace(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o, ctx, k := openOffice(t, db), context.Background(), inventory.Computers.Schema
		who := o.Administrator(t)
		deliver := func(want agents.Outcome, more string) {
			t.Helper()
			o.Clock.Advance(time.Hour)
			if out := o.Deliver(t, with(laptop, func(m *machine) { m.More = more }).XML()); out != want {
				t.Errorf("%s: got %v, want %v", more, out, want)
			}
		}
		set := func(document string) {
			t.Helper()
			_, err := o.Update(ctx, who, desk.Target{Kind: k, ID: 1}, func() (*kind.Patch, error) {
				return k.Decode([]byte("<hardware>" + document + "</hardware>"))
			})
			if err != nil {
				t.Fatalf("%v, of %s", err, document)
			}
		}
		shows := func(when string, version int64, free ...int64) {
			t.Helper()
			c := o.Computers(t)[0]
			var got []int64
			for _, d := range c.Drives {
				got = append(got, d.FreeSpace.V)
			}
			if c.Version != version || !slices.Equal(got, free) {
				t.Errorf("%s: got %v free in version %d, want %v in %d", when, got, c.Version, free, version)
			}
		}
		const other = "<DRIVES><LETTER>D:</LETTER><FREE>70</FREE></DRIVES>"
		deliver(agents.ReportNew, slot1+slot2+driveXML(500))
		shows("first", 1, 500)
		deliver(agents.ReportUnchanged, slot1+slot2+driveXML(400)) // is scanned
		shows("scanned", 1, 400)
		deliver(agents.ReportUnchanged, slot2+slot1+driveXML(300)) // in another order, so it is read
		shows("read", 1, 300)
		set("<notes>mine</notes>")
		shows("another field", 2, 300)
		deliver(agents.ReportChanged, slot2+slot1+driveXML(200)+other)
		shows("a drive more", 3, 200, 70)
		deliver(agents.ReportUnchanged, slot2+slot1+driveXML(100)+other)
		set("<drives><drive><name>C:</name><free-space>9</free-space></drive></drives>")
		shows("set", 4, 9)
		deliver(agents.ReportUnchanged, slot2+slot1+driveXML(50)+other)
		shows("told of what is set", 4, 9)
		set("<drives/>")
		shows("released", 5, 50, 70)
	})
}
