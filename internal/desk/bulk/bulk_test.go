package bulk_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"muster/internal/desk"
	"muster/internal/desk/bulk"
	"muster/internal/desk/jobs"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
	"muster/internal/store/queue"
)

var vendors = inventory.Vendors.Schema

// add stores vendors and returns their ids.
func add(t *testing.T, o *mustertest.Office, n int) (ids []int64) {
	t.Helper()
	recs := make([]any, n)
	for i := range recs {
		v := inventory.Vendors.New()
		v.Name, v.Note = fmt.Sprintf("vendor %03d", i), "old"
		recs[i] = v
	}
	if err := o.Add(context.Background(), desk.Caller{Origin: "import"}, vendors, recs); err != nil {
		t.Fatal(err)
	}
	for _, rec := range recs {
		ids = append(ids, vendors.Meta(rec).ID)
	}
	return ids
}

// notes counts the vendors by their notes.
func notes(t *testing.T, o *mustertest.Office, who desk.Caller, ids []int64) map[string]int {
	t.Helper()
	found := map[string]int{}
	err := o.Each(context.Background(), who, vendors, ids, func(recs []any) error {
		for _, rec := range recs {
			found[rec.(*inventory.Vendor).Note]++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestManyGoOn changes many records in one process and goes on in another after it; those that were deleted or changed
// meanwhile are named, and the way back leaves what somebody has changed since.
func TestManyGoOn(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, o := context.Background(), mustertest.OpenOffice(t, db)
		who, ids := o.Administrator(t), add(t, o, 200)
		gone, changed := ids[30], ids[100]
		if _, err := o.Delete(ctx, who, desk.Target{Kind: vendors, ID: gone}); err != nil {
			t.Fatal(err)
		}

		first := jobs.New(o.Desk)
		b, err := bulk.New(o.Desk, first).Start(ctx, who, vendors, ids, "note", "new")
		if err != nil {
			t.Fatal(err)
		}
		if b.State != queue.Waiting || b.Total != 200 {
			t.Fatalf("got %+v, want it waiting for a process", b)
		}
		if _, err := bulk.New(o.Desk, first).Start(ctx, who, vendors, ids, "note", "other"); err == nil {
			t.Error("two at once were begun")
		}
		later := o.NewDesk(t)
		works := jobs.New(later)
		s := bulk.New(later, works)
		ends := func(job int64) *bulk.Change {
			t.Helper()
			mustertest.Eventually(t, "it ends", func() bool {
				works.Wake()
				if b, err = s.Progress(ctx, who, vendors, job); err != nil {
					t.Fatal(err)
				}
				return b.State.Ended()
			})
			return b
		}
		works.Start(2)
		b = ends(b.Job)
		if b.State != queue.Done || b.Done != 200 || b.Changed != 199 || b.Failed != 1 || !b.Undoable {
			t.Errorf("got %+v, want 199 changed", b)
		}
		if len(b.Failures) != 1 || b.Failures[0].ID != gone {
			t.Errorf("failures: got %v, want vendor %d", b.Failures, gone)
		}
		if n := notes(t, o, who, ids); n["new"] != 199 {
			t.Errorf("got %v, want 199 new", n)
		}

		_, err = o.Update(ctx, who, desk.Target{Kind: vendors, ID: changed}, func() (*kind.Patch, error) {
			return vendors.ReadForm(url.Values{"note": {"mine"}}), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		undo, err := s.Undo(ctx, who, vendors, b.Job)
		if err != nil {
			t.Fatal(err)
		}
		undo = ends(undo.Job)
		if undo.State != queue.Done || undo.Changed != 198 || undo.Failed != 1 || undo.Undoable {
			t.Errorf("undo: got %+v, want 198 changed back", undo)
		}
		if len(undo.Failures) != 1 || undo.Failures[0].ID != changed {
			t.Errorf("failures of the undo: got %v, want vendor %d", undo.Failures, changed)
		}
		if n := notes(t, o, who, ids); n["old"] != 198 || n["mine"] != 1 {
			t.Errorf("after the undo: got %v, want 198 old and 1 mine", n)
		}
		if _, err := s.Undo(ctx, who, vendors, b.Job); err == nil {
			t.Error("it was undone twice")
		}
	})
}

// TestFewAtOnce has changed few records when Start returns, also where nothing does jobs.
func TestFewAtOnce(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, o := context.Background(), mustertest.OpenOffice(t, db)
		who, ids := o.Administrator(t), add(t, o, 40)
		s := bulk.New(o.Desk, jobs.New(o.Desk))
		b, err := s.Start(ctx, who, vendors, ids, "note", "new")
		if err != nil {
			t.Fatal(err)
		}
		if b.State != queue.Done || b.Changed != 40 || !b.Undoable {
			t.Errorf("got %+v, want 40 changed", b)
		}
		again, err := s.Start(ctx, who, vendors, ids, "note", "new")
		if err != nil || again.Changed != 0 || again.Done != 40 || again.Undoable {
			t.Errorf("once more: got %+v, %v, want nothing changed", again, err)
		}
		refused, err := s.Start(ctx, who, vendors, ids[:3], "name", "")
		if err != nil || refused.Failed != 3 || refused.Changed != 0 || refused.State != queue.Done {
			t.Errorf("without a name: got %+v, %v, want 3 refused", refused, err)
		}
		if _, err := s.Start(ctx, o.User(t, "rita@example.com", inventory.Requester), vendors, ids, "note", "x"); err == nil {
			t.Error("a requester changed many records")
		}
		if _, err := s.Progress(ctx, o.User(t, "tess@example.com", inventory.Technician), vendors, b.Job); err == nil {
			t.Error("a technician sees what an administrator changed")
		}
	})
}

// TestUndoneGoesOnNoMore: a change that was stopped goes on until it is undone, and is not undone while it goes on.
func TestUndoneGoesOnNoMore(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, o := context.Background(), mustertest.OpenOffice(t, db)
		who, ids, works := o.Administrator(t), add(t, o, 60), jobs.New(o.Desk)
		s := bulk.New(o.Desk, works)
		b, err := s.Start(ctx, who, vendors, ids, "note", "new")
		if err == nil {
			err = works.Finish(ctx, b.Job)
		}
		if err != nil {
			t.Fatal(err)
		}
		// It was stopped when it had changed all.
		err = o.Store.Update(ctx, func(tx *store.Tx) error {
			return tx.Exec(ctx, "UPDATE jobs SET state = 'stopped' WHERE id = $1", b.Job)
		})
		if err == nil {
			err = works.Retry(ctx, who, b.Job)
		}
		if err != nil {
			t.Fatalf("before it is undone: got %v", err)
		}
		if _, err := s.Undo(ctx, who, vendors, b.Job); !jobs.IsRefusal(err) {
			t.Errorf("undone while it goes on: got %v", err)
		}
		if err := works.Stop(ctx, who, b.Job); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Undo(ctx, who, vendors, b.Job); err != nil {
			t.Fatal(err)
		}
		if err := works.Retry(ctx, who, b.Job); !jobs.IsRefusal(err) || !strings.Contains(err.Error(), "was undone") {
			t.Errorf("tried again while it is undone: got %v", err)
		}
	})
}
