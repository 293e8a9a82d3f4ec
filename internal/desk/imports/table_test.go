package imports

import (
	"context"
	"errors"
	"testing"

	"muster/internal/sheet"
)

// TestTableWaits: who waits for the reading of a file goes when the request ends, and only some wait.
func TestTableWaits(t *testing.T) {
	t.Parallel()
	all := newTables()
	end, err := all.begin(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(context.Background())
	left := make(chan error)
	for range mostWaiting {
		go func() {
			_, err := all.beginSoon(ctx)
			left <- err
		}()
	}
	for len(all.waiting) < mostWaiting {
		if _, err := all.begin(canceled()); !errors.Is(err, context.Canceled) {
			t.Fatalf("a job that is stopped while it waits: got %v", err)
		}
	}
	if _, err := all.beginSoon(context.Background()); !errors.Is(err, errReading) {
		t.Errorf("one more page: got %v, want that it is told to come again", err)
	}
	leave()
	for range mostWaiting {
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("a page whose person has left: got %v", err)
		}
	}
	end()
	if end, err = all.beginSoon(context.Background()); err != nil {
		t.Fatalf("when nobody reads: got %v", err)
	}
	end()
}

// canceled returns a context that has ended.
func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// TestTablesKept keeps the files of two people beside each other, and of more those that were asked for last.
func TestTablesKept(t *testing.T) {
	t.Parallel()
	all, large := newTables(), mostKept/2
	for id := range int64(2) {
		all.keep(id, &sheet.Table{Size: large})
	}
	if all.find(1) == nil || all.find(0) == nil {
		t.Fatal("two large files are not kept together")
	}
	all.keep(2, &sheet.Table{Size: large})
	if all.find(0) == nil || all.find(2) == nil || all.find(1) != nil {
		t.Error("of three, the two that were asked for last are not those that are kept")
	}
	all.drop(0)
	if all.find(0) != nil || all.find(2) == nil {
		t.Error("another one was dropped")
	}
	all.keep(3, &sheet.Table{Size: 3 * mostKept})
	if all.find(3) == nil || len(all.kept) != 1 {
		t.Error("the largest is not kept alone")
	}
}
