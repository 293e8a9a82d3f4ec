package desk_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"muster/internal/desk"
	"muster/internal/desk/seal"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// openDesk returns a desk on a new database with so many computers, and its
// store.
func openDesk(t *testing.T, db mustertest.Database, computers int) (*desk.Desk, *store.Store) {
	t.Helper()
	ctx := context.Background()
	s, err := store.Open(ctx, store.Config{Database: db.Made(t), Kinds: inventory.All()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	d, err := desk.Open(ctx, desk.Config{
		Store: s, Key: make([]byte, seal.KeySize), Realm: "Muster", Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	recs := make([]any, computers)
	for i := range recs {
		c := inventory.Computers.New()
		c.Name = fmt.Sprint("c", i+1)
		recs[i] = c
	}
	if err := d.Add(ctx, program, inventory.Computers.Schema, recs); err != nil {
		t.Fatal(err)
	}
	return d, s
}

// auditMessages returns the messages of the audit records about computers, but those of
// their creation.
func auditMessages(t *testing.T, d *desk.Desk) (messages []string) {
	t.Helper()
	page, err := d.List(context.Background(), program, inventory.Audits.Schema, &kind.Query{Page: 1, PerPage: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range page.Records {
		if a := rec.(*inventory.Audit); a.RecordType == "hardware" && a.Action == inventory.Updated {
			messages = append(messages, a.Message)
		}
	}
	return messages
}

// TestSetSoftware sets three times what a computer has.
func TestSetSoftware(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		d, s := openDesk(t, db, 1)
		for _, list := range [][]inventory.Software{
			{{Name: "b", Version: "1"}, {Name: "a", InstallPath: "/a"}, {Name: "A"}},
			{{Name: "A"}, {Name: "B", Version: "1"}},
			{{Name: "a"}, {Name: "c"}},
		} {
			if err := d.SetSoftware(context.Background(), program, 1, list); err != nil {
				t.Fatal(err)
			}
		}
		want := []string{"Software added: a; Software added: b 1", "Software removed: b 1; Software added: c"}
		if diff := cmp.Diff(want, auditMessages(t, d)); diff != "" {
			t.Errorf("audit records (-want +got):\n%s", diff)
		}
		mustertest.CheckCounts(t, s)
		if err := d.SetSoftware(context.Background(), program, 9, nil); err == nil {
			t.Error("a computer that does not exist: got no error")
		}
	})
}

// TestSetSoftwareTogether sets at once what many computers have, most of which
// nobody knew before.
func TestSetSoftwareTogether(t *testing.T) {
	t.Parallel()
	const computers, programs = 8, 60
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		d, s := openDesk(t, db, computers)
		licence := inventory.Contracts.New()
		licence.Name, licence.Type, licence.Items = "l", inventory.SoftwareLicense,
			[]inventory.ContractItem{{Name: "p*"}}
		if err := d.Add(context.Background(), program, inventory.Contracts.Schema, []any{licence}); err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for c := range computers {
			all.Go(func() {
				for round := range 3 {
					var list []inventory.Software
					for i := range programs {
						list = append(list, inventory.Software{
							Name: fmt.Sprint([]string{"p", "P"}[c%2], (i*(c+1)+round)%97),
						})
					}
					if err := d.SetSoftware(context.Background(), program, int64(c+1), list); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		mustertest.CheckCounts(t, s)
		err := s.View(context.Background(), func(tx *store.Tx) error {
			got, err := store.Get(context.Background(), tx, inventory.Contracts, licence.ID)
			if err == nil && got.Installed.V != computers {
				t.Errorf("installed: got %d, want %d", got.Installed.V, computers)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
