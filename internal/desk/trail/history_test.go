package trail_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// A state is a computer as the history shows it: each value of a field, and each
// item of a collection, in order. Free space is no part of it.
type state []string

var freeSpace = regexp.MustCompile(`(, )?free-space: "[0-9]*"`)

func entry(field, value string) string { return field + "=" + freeSpace.ReplaceAllString(value, "") }

// stateOf returns the first computer as it is.
func (o *office) stateOf(t *testing.T) (s state) {
	t.Helper()
	ctx, k := context.Background(), inventory.Computers.Schema
	rec, err := o.GetIncluding(ctx, program, k, 1)
	if err != nil {
		t.Fatal(err)
	}
	diff := k.Diff(nil, rec)
	for _, c := range diff.Changes {
		s = append(s, entry(c.Field, c.To))
	}
	installations := inventory.Installations.Schema
	for _, one := range rec.(*inventory.Computer).Softwares {
		var values []string
		for _, name := range []string{"name", "version", "manufacturer", "install-date", "install-path"} {
			if text := installations.Values(&one).Format(installations.Field(name)); text != "" {
				values = append(values, fmt.Sprintf("%s: %q", name, text))
			}
		}
		s = append(s, entry("softwares", strings.Join(values, ", ")))
	}
	slices.Sort(s)
	return s
}

// undo returns the state before a change.
func (s state) undo(t *testing.T, c kind.Change) state {
	t.Helper()
	s = slices.Clone(s)
	if c.To != "" {
		i := slices.Index(s, entry(c.Field, c.To))
		if i < 0 {
			t.Fatalf("the history tells %s to have become %s, which is not in %q", c.Field, c.To, []string(s))
		}
		s = slices.Delete(s, i, i+1)
	}
	if c.From != "" {
		s = append(s, entry(c.Field, c.From))
	}
	slices.Sort(s)
	return s
}

// changesAt returns what changed at a time, the last change first.
func (o *office) changesAt(t *testing.T, at time.Time) (changes []kind.Change) {
	t.Helper()
	ctx := context.Background()
	err := o.Store.View(ctx, func(tx *store.Tx) error {
		addresses, err := tx.Addresses(ctx, 1)
		for _, a := range addresses {
			if a.At.Equal(at) {
				changes = append(changes, a.Change)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range o.Audits(t) {
		if a.CreatedAt.Equal(at) {
			for _, c := range a.Changes {
				changes = append(changes, kind.Change(c))
			}
		}
	}
	slices.Reverse(changes)
	return changes
}

// randomReport returns a report of the laptop with parts as they come.
func randomReport(r *rand.Rand) string {
	m := laptop
	m.Name, m.IP = fmt.Sprint("lap", r.IntN(3)), fmt.Sprint("10.0.0.", r.IntN(4)+1)
	m.More = fmt.Sprintf("<HARDWARE><MEMORY>%d</MEMORY></HARDWARE><BIOS><BVERSION>%d</BVERSION></BIOS>", r.IntN(3),
		r.IntN(2)) + driveXML(r.IntN(100))
	for slot := range 3 {
		if n := r.IntN(3); n > 0 {
			m.More += fmt.Sprintf("<MEMORIES><NUMSLOTS>%d</NUMSLOTS><CAPACITY>%d</CAPACITY></MEMORIES>", slot, n)
		}
	}
	for i := range 4 {
		if r.IntN(3) > 0 {
			m.More += fmt.Sprintf("<NETWORKS><DESCRIPTION>eth%d</DESCRIPTION><MACADDR>00:1B:21:00:00:0%d</MACADDR><IPADDRESS>10.1.0.%d</IPADDRESS><STATUS>%s</STATUS></NETWORKS>",
				i+1, i, r.IntN(3)+1, []string{"Up", "Down"}[r.IntN(2)])
		}
	}
	for i := range 1 + r.IntN(90) {
		m.More += programXML(fmt.Sprint("p", i), fmt.Sprint(r.IntN(2)), []string{"", "<FOLDER>/opt</FOLDER>"}[r.IntN(2)])
	}
	return m.XML()
}

// TestHistory: from what a computer is now, its history leads back to what it was
// after every report.
func TestHistory(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o, r := openOffice(t, db), rand.New(rand.NewPCG(5, 7))
		var times []time.Time
		var states []state
		for range 25 {
			o.Clock.Advance(time.Hour)
			o.Deliver(t, randomReport(r))
			times, states = append(times, o.Clock.Now()), append(states, o.stateOf(t))
		}
		now := o.stateOf(t)
		for i := len(times) - 1; i >= 0; i-- {
			if diff := cmp.Diff(states[i], now); diff != "" {
				t.Fatalf("after report %d (-as it was +as its history tells):\n%s", i+1, diff)
			}
			for _, c := range o.changesAt(t, times[i]) {
				now = now.undo(t, c)
			}
		}
		if len(now) != 0 {
			t.Errorf("before the first report: got %q", []string(now))
		}
	})
}
