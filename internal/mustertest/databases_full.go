//go:build full

package mustertest

import (
	"context"
	"crypto/rand"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Databases returns the databases that tests run on.
func Databases() []Database { return []Database{SQLite, Postgres} }

// Postgres is a PostgreSQL server, whose address is in MUSTER_TEST_POSTGRES.
// Each test has a schema of its own.
var Postgres = Database{"postgres", func(t testing.TB) string {
	t.Helper()
	address := os.Getenv("MUSTER_TEST_POSTGRES")
	if address == "" {
		t.Fatal("MUSTER_TEST_POSTGRES is not set: run the tests with make test, or with scripts/with-postgres")
	}
	name := "test_" + strings.ToLower(rand.Text())
	execute(t, address, "CREATE SCHEMA "+name)
	t.Cleanup(func() { execute(t, address, "DROP SCHEMA "+name+" CASCADE") })
	u, err := url.Parse(address)
	if err != nil {
		t.Fatalf("MUSTER_TEST_POSTGRES: %v", err)
	}
	q := u.Query()
	q.Set("search_path", name)
	q.Set("application_name", name) // by which Muster knows its other processes
	u.RawQuery = q.Encode()
	return u.String()
}}

func execute(t testing.TB, address, sql string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		t.Fatalf("connect to %s: %v", address, err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}
