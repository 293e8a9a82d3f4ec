package api_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// TestFreeSpace: documents show the free space that was reported last, unless a
// person has set the drives.
func TestFreeSpace(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		drives := func(free ...int) string {
			var b strings.Builder
			for i, n := range free {
				fmt.Fprintf(&b, "<drive><free-space>%d</free-space><name>%c:</name></drive>", n, 'C'+i)
			}
			return "<drives>" + b.String() + "</drives>"
		}
		const address = "/hardwares/1"
		mustertest.Insert(s, inventory.Computers, &inventory.Computer{
			Name: "a", Status: "Operational", DetectedAt: s.Clock.Now(),
			Drives: []inventory.Drive{
				{Name: "C:", FreeSpace: kind.Some[int64](100)}, {Name: "D:", FreeSpace: kind.Some[int64](200)},
			},
		})
		report := func(free ...inventory.FreeSpace) {
			t.Helper()
			rec := &inventory.Computer{Record: kind.Record{ID: 1}}
			rec.SetFreeSpaces(free)
			err := s.Store().Update(t.Context(), func(tx *store.Tx) error {
				return tx.SetApart(t.Context(), inventory.Computers.Schema, rec,
					inventory.Computers.Field("free-spaces"))
			})
			equal(t, "report", err, error(nil))
		}
		shown := regexp.MustCompile("<free-space>([0-9]+)</free-space>")
		want := func(what string, free ...string) {
			t.Helper()
			var got []string
			for _, m := range shown.FindAllStringSubmatch(c.Get(address).Body, -1) {
				got = append(got, m[1])
			}
			equal(t, what, got, free)
		}
		want("as reported first", "100", "200")
		report(inventory.FreeSpace{Name: "D:", Free: 20}, inventory.FreeSpace{Name: "X:", Free: 1})
		want("reported", "100", "20")
		put := func(what, doc string) {
			t.Helper()
			equal(t, what, c.Do("PUT", address, hardware(doc)).Status, http.StatusOK)
		}
		audits := len(s.Audits())
		put("a document that says what is shown", drives(100, 20))
		equal(t, "audit records of it", len(s.Audits())-audits, 0)
		put("another field", "<site>HQ</site>")
		equal(t, "what is told of it", s.Audits()[audits].Message, "Site set to HQ")
		want("after another field", "100", "20")
		report(inventory.FreeSpace{Name: "C:", Free: 10}, inventory.FreeSpace{Name: "D:", Free: 30})
		want("reported again", "10", "30")
		put("the drives", drives(10, 77))
		want("as set", "10", "77")
		report(inventory.FreeSpace{Name: "C:", Free: 11})
		want("reported after it", "10", "77")
		put("none, which releases them", "<drives/>")
		want("as reported last", "11", "30")
	})
}
