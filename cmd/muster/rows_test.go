//go:build full

package main_test

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"muster/internal/inventory"
	"muster/internal/store"
)

// rows are queries into the database itself, and the numbers that they must
// give.
type rows map[string]int

// check makes the queries, behind all audit records that were acknowledged.
func (r rows) check(t *testing.T, database string) {
	t.Helper()
	checkTrail(t, database)
	number := sqliteNumber
	if store.IsPostgres(database) {
		number = postgresNumber
	} else if got := sqliteText(t, database, "PRAGMA integrity_check"); got != "ok" {
		t.Errorf("PRAGMA integrity_check: got %s, want ok", got)
	}
	for sql, want := range r {
		if got := number(t, database, sql); got != want {
			t.Errorf("%s: got %d, want %d", sql, got, want)
		}
	}
}

// checkTrail completes the audit trail, which must be whole.
func checkTrail(t *testing.T, database string) {
	t.Helper()
	ctx := context.Background()
	cfg := store.Config{Database: database, Kinds: inventory.All(), Frozen: true}
	begin := store.Look
	if store.IsPostgres(database) {
		begin = store.Open
	}
	s, err := begin(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = errors.Join(s.Tables(ctx), s.Chain(ctx, inventory.Audits.Schema))
	if err == nil {
		_, err = s.Verify(ctx, inventory.Audits.Schema, store.Walk{})
	}
	if err != nil {
		t.Errorf("the audit trail: %v", err)
	}
}

func sqliteText(t *testing.T, path, sql string) string {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var lines []string
	err = sqlitex.ExecuteTransient(conn, sql, &sqlitex.ExecOptions{ResultFunc: func(stmt *sqlite.Stmt) error {
		lines = append(lines, stmt.ColumnText(0))
		return nil
	}})
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return strings.Join(lines, "\n")
}

func sqliteNumber(t *testing.T, path, sql string) int {
	t.Helper()
	n, err := strconv.Atoi(sqliteText(t, path, sql))
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return n
}

func postgresNumber(t *testing.T, address, sql string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if err := conn.QueryRow(context.Background(), sql).Scan(&n); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return n
}
