package merge_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"muster/internal/desk/agents"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// replaced are two states of a computer whose mainboard was replaced, so that it
// became two.
var replaced = [2]machine{
	{
		Device: "d1", Name: "pc", Maker: "Dell Inc.", Serial: "ABC1234", UUID: uuid1, MAC: "00:1B:21:AA:BB:CC",
		IP: "10.0.0.5",
		More: "<HARDWARE><MEMORY>8000</MEMORY><OSNAME>Debian 12</OSNAME><SWAP>1</SWAP></HARDWARE>" + slot1 +
			programXML("A", "1", "<FOLDER>/a</FOLDER>") + programXML("B", "1", "<FOLDER>/b</FOLDER>"),
	},
	{
		Device: "d2", Name: "pc-new", Maker: "HP", Serial: "XYZ9999", UUID: uuid2, MAC: "00:1B:21:AA:BB:DD",
		IP: "10.0.0.6",
		More: "<HARDWARE><MEMORY>16000</MEMORY><OSNAME>Debian 13</OSNAME></HARDWARE>" + slot2x +
			programXML("B", "1", "<FOLDER>/opt/b</FOLDER>") + programXML("C", "1", ""),
	},
}

// TestMerge: the older of two computers stays, with what is known of both, what
// people have set first, then what was reported last.
func TestMerge(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o, ctx := openOffice(t, db), context.Background()
		who := o.Administrator(t)
		o.Deliver(t, replaced[0].XML())
		o.Clock.Advance(time.Hour)
		o.Deliver(t, replaced[1].XML())
		o.Set(t, who, 1, "<name>mine</name><notes>older</notes><tag/>")
		o.Set(t, who, 2, "<notes>newer</notes><tag>newer</tag><memory>9000</memory><domain>set.example</domain><model>Typed</model><owner>admin@localhost</owner>")
		was := o.Computers(t)

		c, err := o.Merge(t, who, 2, 1)
		if err != nil {
			t.Fatal(err)
		}
		all := o.Computers(t)
		if len(all) != 1 || all[0].ID != 1 || !cmp.Equal(all[0], c) {
			t.Fatalf("got %d computers, and the answer differs from the one that stays: %s", len(all),
				cmp.Diff(all[0], c))
		}
		want := *was[1]
		want.Record = c.Record
		want.Name, want.Notes, want.AssetID, want.SetFields = "mine", "older", was[0].AssetID, "domain memory name"
		want.Swap = kind.Some(int64(1)) // which the last report has nothing of
		if diff := cmp.Diff(&want, c); diff != "" {
			t.Errorf("the computer (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{"A /a", "B /opt/b", "C"}, o.Software(t, 1)); diff != "" {
			t.Errorf("its software (-want +got):\n%s", diff)
		}
		mustertest.CheckCounts(t, o.Store)

		history := o.History(t, 1)
		for _, message := range []string{
			"create: Computer pc created by its first report", "create: Computer pc-new created by its first report",
			"update: Name changed from pc to mine; Tag cleared, was rolled-out; Notes set to older",
			"delete: Computer pc-new merged into computer 1 (mine)",
			"update: Computer pc-new (id 2, asset id " + was[1].AssetID + ") merged into this one",
		} {
			if !slices.Contains(history, message) {
				t.Errorf("got the history\n%s\nwant %q in it", strings.Join(history, "\n"), message)
			}
		}
		if _, err := o.Store.Verify(ctx, inventory.Audits.Schema, store.Walk{}); err != nil {
			t.Error(err)
		}
		_, err = o.Get(ctx, who, inventory.Computers.Schema, 2)
		if want := "there is no computer with the id 2: it was merged into computer 1"; err == nil ||
			err.Error() != want {
			t.Errorf("the other computer: got %v, want %s", err, want)
		}

		o.Set(t, who, 1, `<memory/><name/><domain/>`)
		if c := o.Computers(t)[0]; c.Name != "pc-new" || c.Memory.V != 16000 || c.Domain != "" {
			t.Errorf("released: got %s with %d MB in %q, want pc-new with 16000 in none, as was reported last", c.Name,
				c.Memory.V, c.Domain)
		}
	})
}

// TestMergeUnknown: what is said of a computer that is gone can be translated in all its parts.
func TestMergeUnknown(t *testing.T) {
	t.Parallel()
	o := openOffice(t, mustertest.SQLite)
	o.Deliver(t, replaced[0].XML())
	_, err := o.Merge(t, o.Administrator(t), 1, 99)
	invalid, ok := errors.AsType[*kind.Invalid](err)
	want := []message.Text{message.New("Id does not exist: %s", message.New("no computer has the id %d", int64(99)))}
	if !ok || !cmp.Equal(want, invalid.Faults) {
		t.Fatalf("got %#v, want %#v", err, want)
	}
}

// TestMergeDisposed: a licence that did not count a disposed computer counts the one
// into which it was merged, once.
func TestMergeDisposed(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o, ctx := openOffice(t, db), context.Background()
		who := o.Administrator(t)
		licence := inventory.Contracts.New()
		licence.Name, licence.Type, licence.Items = "l", inventory.SoftwareLicense,
			[]inventory.ContractItem{{Name: "B"}}
		if err := o.Add(ctx, program, inventory.Contracts.Schema, []any{licence}); err != nil {
			t.Fatal(err)
		}
		o.Deliver(t, replaced[0].XML())
		o.Deliver(t, replaced[1].XML())
		o.Set(t, who, 2, "<status>Disposed</status>")
		if c, err := o.Merge(t, who, 1, 2); err != nil || c.Gone() {
			t.Fatalf("got %v with error %v, want a computer in use", c, err)
		}
		rec, err := o.Get(ctx, who, inventory.Contracts.Schema, licence.ID)
		if err != nil || rec.(*inventory.Contract).Installed.V != 1 {
			t.Errorf("the licence: got %+v with error %v, want it to be installed once", rec, err)
		}
		mustertest.CheckCounts(t, o.Store)
	})
}

// TestMergeForGood: whatever reports of one of two computers that were merged is
// one of the computer that stays.
func TestMergeForGood(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		who := o.Administrator(t)
		o.Deliver(t, replaced[0].XML())
		o.Deliver(t, replaced[1].XML())
		if _, err := o.Merge(t, who, 1, 2); err != nil {
			t.Fatal(err)
		}
		for i, step := range []struct {
			machine
			want agents.Outcome
			has  []string
		}{
			{replaced[0], agents.ReportBehind, []string{"A /a", "B /b", "C"}},
			{replaced[1], agents.ReportChanged, []string{"B /opt/b", "C"}}, // it leads, and reports all that there is
			{with(replaced[0], func(m *machine) { m.Device = "d3" }), agents.ReportChanged, []string{"A /a", "B /b"}},
			{with(replaced[1], func(m *machine) { m.Device = "d4" }), agents.ReportChanged, []string{"B /opt/b", "C"}},
			{with(replaced[1], func(m *machine) { m.Serial = ""; m.Device = "d5" }), agents.ReportChanged, []string{
				"B /opt/b", "C",
			}},
			{with(replaced[0], func(m *machine) { m.UUID = ""; m.Device = "d6" }), agents.ReportChanged, []string{
				"A /a", "B /b",
			}},
		} {
			o.Clock.Advance(time.Minute)
			if got := o.Deliver(t, step.XML()); got != step.want {
				t.Errorf("report %d: got %v, want %v", i+1, got, step.want)
			}
			if all := o.Computers(t); len(all) != 1 || !all[0].DetectedAt.Equal(o.Clock.Now()) {
				t.Fatalf("report %d: got %d computers, the first reported at %v, want one at %v", i+1, len(all),
					all[0].DetectedAt, o.Clock.Now())
			}
			if diff := cmp.Diff(step.has, o.Software(t, 1)); diff != "" {
				t.Errorf("report %d (-want +got):\n%s", i+1, diff)
			}
		}
		if got := o.Addresses(t, 1); len(got) == 0 {
			t.Error("got no history of addresses")
		}
		mustertest.CheckCounts(t, o.Store)
	})
}

// TestMergeLinks: what is linked to the one computer is linked to the other,
// once, also when it is much.
func TestMergeLinks(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o, ctx := openOffice(t, db), context.Background()
		who := o.Administrator(t)
		for _, name := range []string{"one", "two", "three"} {
			add(t, o, inventory.Computers.Schema, &inventory.Computer{Name: name, Status: inventory.Statuses[0]})
		}
		linked := func(ids ...int64) (all []kind.Linked) {
			for _, id := range ids {
				all = append(all, kind.Linked{Item: inventory.Computers.Item, ID: kind.Some(id)})
			}
			return all
		}
		tickets := make([]any, 1000)
		for i := range tickets {
			ticket := inventory.Tickets.New()
			ticket.Requester = who.User.Person()
			ticket.Name, ticket.Computers = fmt.Sprint("ticket ", i),
				linked([][]int64{{2}, {1, 2}, {2, 3}, {1, 3}, {1, 2, 3}}[i%5]...)
			tickets[i] = ticket
		}
		add(t, o, inventory.Tickets.Schema, tickets...)
		if _, err := o.Merge(t, who, 1, 2); err != nil {
			t.Fatal(err)
		}
		tickets = o.Below(t, "tickets", 1)
		for i, rec := range tickets {
			var ids []int64
			for _, l := range rec.(*inventory.Ticket).Computers {
				ids = append(ids, l.ID.V)
			}
			if want := [][]int64{{1}, {1}, {1, 3}, {1, 3}, {1, 3}}[i%5]; !slices.Equal(ids, want) {
				t.Fatalf("%s: got the computers %v, want %v", rec.(*inventory.Ticket).Name, ids, want)
			}
		}
		if len(tickets) != 1000 {
			t.Errorf("got %d tickets, want 1000", len(tickets))
		}
		// A ticket that was made for both is in the history once.
		created := 0
		for _, rec := range allAudits(t, o, 1) {
			if a := rec.(*inventory.Audit); a.RecordType == inventory.Tickets.Item && a.Action == inventory.Created {
				created++
			}
		}
		if created != 1000 {
			t.Errorf("got %d new tickets in the history, want 1000", created)
		}
		if _, err := o.Merge(t, who, 3, 1); err != nil { // what was merged before comes along
			t.Fatal(err)
		}
		_, err := o.Get(ctx, who, inventory.Computers.Schema, 2)
		if err == nil || !strings.Contains(err.Error(), "merged into computer 1") {
			t.Errorf("got %v", err)
		}
	})
}

// add stores records.
func add(t *testing.T, o *office, k *kind.Schema, recs ...any) {
	t.Helper()
	if err := o.Add(context.Background(), program, k, recs); err != nil {
		t.Fatal(err)
	}
}

// allAudits returns the audit records of a computer, page by page.
func allAudits(t *testing.T, o *office, id int64) (all []any) {
	t.Helper()
	place := mustertest.PlaceOf("audits", id)
	for n := 1; ; n++ {
		page, err := o.ListOf(context.Background(), program, place, &kind.Query{Page: n, PerPage: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if all = append(all, page.Records...); len(page.Records) < 1000 {
			return all
		}
	}
}

// TestMergeChain: computers that were merged one after the other are all known
// as the last one, and that has the history of all.
func TestMergeChain(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o, ctx := openOffice(t, db), context.Background()
		for _, name := range []string{"one", "two", "three"} {
			add(t, o, inventory.Computers.Schema, &inventory.Computer{Name: name, Status: inventory.Statuses[0]})
		}
		who := o.Administrator(t)
		for _, pair := range [][2]int64{{2, 3}, {2, 1}} {
			if _, err := o.Merge(t, who, pair[0], pair[1]); err != nil {
				t.Fatal(err)
			}
		}
		for _, id := range []int64{2, 3} {
			_, err := o.Get(ctx, who, inventory.Computers.Schema, id)
			if want := fmt.Sprintf("there is no computer with the id %d: it was merged into computer 1",
				id); err == nil || err.Error() != want {
				t.Errorf("got %v, want %s", err, want)
			}
		}
		want := []string{
			"create: Computer one created", "create: Computer two created", "create: Computer three created",
			"delete: Computer three merged into computer 2 (two)",
			"update: Computer three (id 3, asset id MUS-000003) merged into this one",
			"delete: Computer two merged into computer 1 (one)",
			"update: Computer two (id 2, asset id MUS-000002) merged into this one",
		}
		if diff := cmp.Diff(want, o.History(t, 1)); diff != "" {
			t.Errorf("the history (-want +got):\n%s", diff)
		}
	})
}

// TestMergeMeanwhile merges two computers while agents report both: each report
// is one of before or one of after, and none is lost.
func TestMergeMeanwhile(t *testing.T) {
	t.Parallel()
	const rounds, reports = 8, 4
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		who := o.Administrator(t)
		for round := range rounds {
			at := func(i, n int) machine {
				return with(replaced[i], func(m *machine) {
					m.Device += fmt.Sprint("-", round)
					m.Serial += fmt.Sprint(round)
					m.UUID = fmt.Sprintf("%08d%s", round, m.UUID[8:])
					m.MAC = ""
					m.More += fmt.Sprintf("<HARDWARE><SWAP>%d</SWAP></HARDWARE>", n+i*100) + programXML("X",
						fmt.Sprint(n), "")
				})
			}
			o.Deliver(t, at(0, 0).XML())
			o.Deliver(t, at(1, 0).XML())
			all := o.Computers(t)
			one, two := all[len(all)-2].ID, all[len(all)-1].ID
			o.Clock.Advance(time.Hour)
			var group sync.WaitGroup
			for i := range replaced {
				group.Go(func() {
					for n := range reports {
						for range 2 { // the second one reports the same
							if _, err := o.Try(t, at(i, n).XML()); err != nil {
								t.Errorf("round %d: report %d of computer %d: %v", round, n, i+1, err)
							}
						}
					}
				})
			}
			group.Go(func() {
				if _, err := o.Merge(t, who, one, two); err != nil {
					t.Errorf("round %d: %v", round, err)
				}
			})
			group.Wait()
			all = o.Computers(t)
			c := all[len(all)-1]
			if len(all) != round+1 || c.ID != one || !c.DetectedAt.Equal(o.Clock.Now()) {
				t.Fatalf("round %d: got %d computers, the last with the id %d, reported at %v; want %d, %d, %v", round,
					len(all), c.ID, c.DetectedAt, round+1, one, o.Clock.Now())
			}
			o.Deliver(t, at(1, reports-1).XML()) // what the agent that leads has reported before
			c = o.Computers(t)[round]
			if c.Swap.V != 100+reports-1 || c.OperatingSystem != "Debian 13" {
				t.Errorf("round %d: got a swap of %d and %s, want what was told last", round, c.Swap.V,
					c.OperatingSystem)
			}
			if diff := cmp.Diff([]string{"B /opt/b", "C", "X"}, o.Software(t, one)); diff != "" {
				t.Errorf("round %d (-want +got):\n%s", round, diff)
			}
		}
		mustertest.CheckCounts(t, o.Store)
	})
}
