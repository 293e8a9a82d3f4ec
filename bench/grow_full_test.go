//go:build full

package main

import (
	"context"
	"os"
	"testing"

	"muster/internal/inventory"
	"muster/internal/store"
)

// TestGrownPostgres makes sure that copies on PostgreSQL are records as all
// others are, and that new ones come behind them.
func TestGrownPostgres(t *testing.T) {
	smallGrowth(t)
	ctx := context.Background()
	p, err := openPostgres(ctx, os.Getenv(postgresVariable))
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	if err := p.fill(ctx, t.TempDir(), t.TempDir(), 300); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(ctx, store.Config{Database: p.address, Kinds: inventory.All()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	checkGrown(t, s)
	var id, indexes int64
	err = p.admin.QueryRow(ctx,
		"SELECT nextval(pg_get_serial_sequence('hardwares', 'id')), (SELECT count(*) FROM pg_indexes WHERE schemaname = current_schema() AND tablename = 'hardwares')").Scan(&id, &indexes)
	if err != nil || id != 301 || indexes < 5 {
		t.Errorf("got next id %d, %d indexes and error %v, want 301 and several", id, indexes, err)
	}
}
