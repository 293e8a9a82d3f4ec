package server_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"muster/internal/mustertest"
	"muster/internal/store"
)

// TestTablesMeasuredAgain: where the tables of an SQLite file cannot be measured, that is tried again within the hour, and
// not the day after.
func TestTablesMeasuredAgain(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	schema := func(sql string) {
		t.Helper()
		err := s.Store().Update(context.Background(), func(tx *store.Tx) error {
			return tx.Exec(context.Background(), sql)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	schema("CREATE TABLE dbstat (stands_in_the_way)")
	measured := func() bool { return strings.Contains(s.Observed("/metrics"), "\nmuster_database_table_bytes{") }
	mustertest.Eventually(t, "that fails", func() bool {
		return measured() || strings.Contains(s.Log.String(), "could not be measured")
	})
	if measured() {
		t.Fatal("got sizes, want none before they were measured")
	}
	schema("DROP TABLE dbstat")
	s.Clock.Advance(time.Hour)
	mustertest.Eventually(t, "it is tried again", measured)
}
