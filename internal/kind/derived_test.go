package kind_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"muster/internal/kind"
)

// TestDerive follows a device through its days.
func TestDerive(t *testing.T) {
	for _, test := range []struct{ bought, retired, now, want string }{
		{"", "", "2026-02-01T12:00:00Z", "Here"},
		{"2026-02-01", "", "2026-01-31T23:59:59Z", "To Come"},
		{"2026-02-01", "", "2026-02-01T00:00:00Z", "Here"},
		{"", "2026-02-01", "2026-02-01T23:59:59Z", "Here"},
		{"", "2026-02-01", "2026-02-02T00:00:00Z", "Retired"},
		{"2026-02-01", "2026-02-01", "2026-02-01T12:00:00Z", "Here"},
		{"2026-02-03", "2026-02-01", "2026-02-02T12:00:00Z", "Retired"}, // the first case that holds
		{"", "2026-02-01", "2026-02-02T01:00:00+02:00", "Here"},         // still the first in UTC
		{"", "2026-02-01", "2026-02-01T23:00:00-02:00", "Retired"},
	} {
		d := &device{Name: "kept"}
		if test.bought != "" {
			d.BoughtOn = day(test.bought)
		}
		if test.retired != "" {
			d.RetiredOn = day(test.retired)
		}
		want := *d
		want.Phase = test.want
		devices.Derive(d, at(test.now))
		equal(t, test.bought+" to "+test.retired+" at "+test.now, *d, want)
	}
	thing := thing{Name: "without days"}
	makers.Derive(&thing, now)
}

// TestToday holds for any time: a query's day is the day that derived fields
// follow from, and all of a day gives the same.
func TestToday(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := anyTime(t, "now", 1).In(time.FixedZone("", rapid.IntRange(-50_000, 50_000).Draw(t, "zone")))
		q, err := devices.ParseQuery("", now)
		if err != nil || q.Today.Format(time.DateTime) != now.UTC().Format(time.DateOnly)+" 00:00:00" {
			t.Fatalf("%v: got %v and error %v", now, q.Today, err)
		}
		a, b := anyDevice(t), new(device)
		*b = *a
		devices.Derive(a, now)
		devices.Derive(b, q.Today)
		if a.Phase != b.Phase || a.Phase == "" {
			t.Fatalf("%v: got %q at that time and %q on that day", now, a.Phase, b.Phase)
		}
	})
}

// TestAlwaysIsNotNeeded leaves a text null when no case holds.
func TestAlwaysIsNotNeeded(t *testing.T) {
	type lease struct {
		kind.Record
		Phase string
		End   time.Time
	}
	leases := kind.Define("lease", "leases", "", func(l *lease, f *kind.Fields) {
		f.Record(&l.Record)
		phase := f.Text("phase", &l.Phase)
		f.Date("end", &l.End)
		phase.ByDay(f.Past("end", "Over"))
	})
	l := &lease{Phase: "stale", End: day("2026-02-01")}
	leases.Derive(l, now)
	equal(t, "phase", l.Phase, "")
}
