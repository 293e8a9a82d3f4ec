package licences_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/jobs"
	"muster/internal/desk/licences"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
	"muster/internal/store/installs"
	"muster/internal/store/sqldb"
)

var contracts = inventory.Contracts.Schema

// addLicences stores licences in one transaction, of which the last ones are counted by a job, and returns these.
func addLicences(t *testing.T, o *mustertest.Office, name string) (ids []int64) {
	t.Helper()
	recs := make([]any, 13)
	for i := range recs {
		c := inventory.Contracts.New()
		c.Name, c.Type, c.Items = fmt.Sprint("l", i), inventory.SoftwareLicense, []inventory.ContractItem{{Name: name}}
		recs[i] = c
	}
	if err := o.Add(context.Background(), desk.Caller{Origin: "import"}, contracts, recs); err != nil {
		t.Fatal(err)
	}
	for _, rec := range recs {
		if c := rec.(*inventory.Contract); c.Counting.V {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// install notes a program on new computers.
func install(t *testing.T, o *mustertest.Office, name string, n int) {
	t.Helper()
	recs := make([]any, n)
	for i := range recs {
		c := inventory.Computers.New()
		c.Name = fmt.Sprint("c", i)
		recs[i] = c
	}
	if err := o.Add(context.Background(), desk.Caller{Origin: "import"}, inventory.Computers.Schema, recs); err != nil {
		t.Fatal(err)
	}
	for _, rec := range recs {
		err := o.SetSoftware(context.Background(), desk.Caller{Origin: "import"}, rec.(*inventory.Computer).ID,
			[]inventory.Software{{Name: name}})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// look returns a licence.
func look(t *testing.T, o *mustertest.Office, who desk.Caller, id int64) *inventory.Contract {
	t.Helper()
	rec, err := o.Get(context.Background(), who, contracts, id)
	if err != nil {
		t.Fatal(err)
	}
	return rec.(*inventory.Contract)
}

// TestCountGoesOnTogether kills a process between steps of a licence's count, deletes a licence that is being counted,
// and lets other processes go on at the same time.
func TestCountGoesOnTogether(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, o := context.Background(), mustertest.OpenOffice(t, db)
		who := o.Administrator(t)
		install(t, o, "app", 5)
		ids := addLicences(t, o, "ap*")
		if len(ids) != 3 {
			t.Fatalf("got %d licences that are being counted, want the last 3 of 13", len(ids))
		}
		for range 4 { // of a process that dies then: programs, their end, the barrier and a computer
			err := o.Store.Update(ctx, func(tx *store.Tx) error {
				_, err := installs.StepLicence(ctx, tx, ids[0], 1, inventory.Gone)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, err := o.Delete(ctx, who, desk.Target{Kind: contracts, ID: ids[2]}); err != nil {
			t.Fatal(err)
		}
		c := look(t, o, who, ids[0])
		if !c.Counting.V || c.Installed.Valid || c.Compliance != "" {
			t.Errorf("got %v and %q while it is counted, want nothing known", c.Installed, c.Compliance)
		}
		for range 2 {
			d := o.NewDesk(t)
			works := jobs.New(d)
			licences.Count(d, works)
			works.Start(2)
		}
		for _, id := range ids[:2] {
			mustertest.Eventually(t, "the licence is counted", func() bool { return !look(t, o, who, id).Counting.V })
			if c := look(t, o, who, id); c.Installed != kind.Some[int64](5) || c.Compliance != inventory.OverUsed {
				t.Errorf("got %v and %q, want 5 and over-used", c.Installed, c.Compliance)
			}
		}
		mustertest.CheckCounts(t, o.Store)
	})
}

// TestCountNightly counts at night what no job counts any more.
func TestCountNightly(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, o := context.Background(), mustertest.OpenOffice(t, db)
		who := o.Administrator(t)
		install(t, o, "app", 1)
		ids := addLicences(t, o, "app")
		err := o.Store.Update(ctx, func(tx *store.Tx) error { return tx.Exec(ctx, "DELETE FROM jobs") })
		if err != nil {
			t.Fatal(err)
		}
		works := jobs.New(o.Desk)
		licences.Count(o.Desk, works)
		works.Start(1)
		mustertest.Eventually(t, "the next night is planned", func() bool {
			planned := false
			err := o.Store.Read(ctx, func(tx *store.Tx) error {
				return tx.Query(ctx, "SELECT 1 FROM jobs WHERE handler = $1", []any{desk.CountLicences}, func(sqldb.Row) error {
					planned = true
					return nil
				})
			})
			return err == nil && planned
		})
		o.Clock.Advance(25 * time.Hour)
		mustertest.Eventually(t, "it is counted", func() bool { return !look(t, o, who, ids[0]).Counting.V })
	})
}
