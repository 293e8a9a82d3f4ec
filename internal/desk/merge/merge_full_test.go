//go:build full

package merge_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"muster/internal/desk/agents"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/report"
	"muster/internal/store"
)

// deliverDuring takes in a report, during which something happens once, after it
// is known of which computer the report is.
func (o *office) deliverDuring(t *testing.T, document string, happens func()) {
	t.Helper()
	body, err := report.Open([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	m, err := body.Read(report.Source{})
	if err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	_, err = o.Agents.Report(context.Background(),
		agents.Delivery{By: agents.Reporter{Token: o.Token}, Report: m.Report, Admit: func(int64, bool) error {
			once.Do(happens)
			return nil
		}})
	if err != nil {
		t.Fatal(err)
	}
}

// TestMergeDuringReport: a report whose computer is merged after it was found is
// one of the computer that stays, and counts whole, since that has values of the
// other.
func TestMergeDuringReport(t *testing.T) {
	t.Parallel()
	for i, want := range []string{"Debian 12", "Debian 13"} {
		o := openOffice(t, mustertest.Postgres)
		who := o.Administrator(t)
		o.Deliver(t, replaced[0].XML())
		o.Clock.Advance(time.Hour)
		o.Deliver(t, replaced[1].XML())
		o.Clock.Advance(100 * time.Hour) // both agents count
		changed := with(replaced[i], func(m *machine) { m.More = "<HARDWARE><SWAP>77</SWAP></HARDWARE>" + m.More })
		o.deliverDuring(t, changed.XML(), func() {
			if _, err := o.Merge(t, who, 1, 2); err != nil {
				t.Error(err)
			}
		})
		all := o.Computers(t)
		if len(all) != 1 || all[0].Swap.V != 77 || all[0].OperatingSystem != want ||
			!all[0].DetectedAt.Equal(o.Clock.Now()) {
			t.Errorf("a report of computer %d: got %d computers, the first with a swap of %d and %s, reported at %v; want one with 77 and %s at %v",
				i+1, len(all), all[0].Swap.V, all[0].OperatingSystem, all[0].DetectedAt, want, o.Clock.Now())
		}
		if got := o.Below(t, "softwares", 1); len(got) != 2 {
			t.Errorf("a report of computer %d: got %v, want the two that it tells", i+1, o.Software(t, 1))
		}
	}
}

// TestMergeWaitsForTimes: the time of a report that is just being noted, of
// either computer, is not lost by a merge.
func TestMergeWaitsForTimes(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for id := range int64(2) {
		address := mustertest.Postgres.Made(t)
		o := &office{mustertest.OpenOfficeAt(t, address)}
		who := o.Administrator(t)
		o.Deliver(t, replaced[0].XML())
		o.Deliver(t, replaced[1].XML())
		conn, err := pgx.Connect(ctx, address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(ctx)
		later := o.Clock.Now().Add(time.Hour)
		var group sync.WaitGroup
		err = o.Store.Update(ctx, func(tx *store.Tx) error {
			k := inventory.Computers.Schema
			err := tx.SetApart(ctx, k, &inventory.Computer{Record: kind.Record{ID: id + 1}, DetectedAt: later},
				k.Field("detected-at"))
			group.Go(func() {
				if _, err := o.Merge(t, who, 1, 2); err != nil {
					t.Error(err)
				}
			})
			mustertest.Eventually(t, "the merge waits", func() (waits bool) {
				const sql = "SELECT count(*) > 0 FROM pg_stat_activity WHERE application_name = current_setting('application_name') AND wait_event_type = 'Lock'"
				if err := conn.QueryRow(ctx, sql).Scan(&waits); err != nil {
					t.Fatal(err)
				}
				return waits
			})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		group.Wait()
		if all := o.Computers(t); len(all) != 1 || !all[0].DetectedAt.Equal(later) {
			t.Errorf("the time of computer %d: got %d computers, reported at %v, want one at %v", id+1, len(all),
				all[0].DetectedAt, later)
		}
	}
}
