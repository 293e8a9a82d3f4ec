//go:build full

package mustertest

import (
	"context"
	"crypto/rand"
	"errors"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Databases returns the databases that tests run on.
func Databases() []Database { return []Database{SQLite, Postgres} }

// Postgres is a PostgreSQL server, whose address is in MUSTER_TEST_POSTGRES.
// An empty database is a schema of its own there; one that is copied or yet to
// be made is a database.
var Postgres = Database{"postgres", newSchema, nameDatabase, createDatabase, copiesOfDatabase}

func newSchema(t testing.TB) string {
	t.Helper()
	name := newName()
	execute(t, "CREATE SCHEMA "+name)
	t.Cleanup(func() { execute(t, "DROP SCHEMA "+name+" CASCADE") })
	u := postgres(t, name)
	q := u.Query()
	q.Set("search_path", name)
	u.RawQuery = q.Encode()
	return u.String()
}

func nameDatabase(t testing.TB) string {
	t.Helper()
	name := newName()
	t.Cleanup(func() { execute(t, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)") })
	u := postgres(t, name)
	u.Path = "/" + name
	return u.String()
}

func createDatabase(t testing.TB, address string) {
	t.Helper()
	execute(t, "CREATE DATABASE "+databaseName(t, address))
}

// living are connections that show other processes that this one lives.
var living []*pgx.Conn

// copiesOfDatabase keeps the database for the whole process, which does not know when its last test ends. The
// next process removes what earlier ones have left. Copying its files takes half as long as writing each page
// of it to the log.
func copiesOfDatabase(t testing.TB, fill func(address string)) (copy func(t testing.TB, address string)) {
	t.Helper()
	name := "kept_" + newName()
	u := postgres(t, name)
	conn := connect(t, u.String())
	living = append(living, conn)
	removeKept(t, conn)
	u.Path = "/" + name
	execute(t, "CREATE DATABASE "+name)
	fill(u.String())
	return func(t testing.TB, address string) {
		t.Helper()
		execute(t, "CREATE DATABASE "+databaseName(t, address)+" TEMPLATE "+name+" STRATEGY FILE_COPY")
	}
}

// removeKept removes databases that processes have kept which live no more.
func removeKept(t testing.TB, conn *pgx.Conn) {
	t.Helper()
	const sql = `SELECT datname::text FROM pg_database WHERE datname LIKE 'kept\_test\_%'
		AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.application_name = pg_database.datname)`
	rows, err := conn.Query(context.Background(), sql)
	if err != nil {
		t.Fatalf("look for kept databases: %v", err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatalf("look for kept databases: %v", err)
	}
	for _, name := range names {
		execute(t, "DROP DATABASE IF EXISTS "+name)
	}
}

func newName() string { return "test_" + strings.ToLower(rand.Text()) }

// databaseName returns the database that an address names.
func databaseName(t testing.TB, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	return strings.TrimPrefix(u.Path, "/")
}

// postgres returns the address of the server, for an application with a name,
// by which Muster knows its other processes. It has more patience than usual: the
// machine may have other work.
func postgres(t testing.TB, name string) *url.URL {
	t.Helper()
	address := os.Getenv("MUSTER_TEST_POSTGRES")
	if address == "" {
		t.Fatal("MUSTER_TEST_POSTGRES is not set: run the tests with make test, or with scripts/with-postgres")
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatalf("MUSTER_TEST_POSTGRES: %v", err)
	}
	q := u.Query()
	q.Set("application_name", name)
	q.Set("connect_timeout", strconv.Itoa(int(patience.Seconds())))
	q.Set("statement_timeout", strconv.FormatInt(patience.Milliseconds(), 10))
	u.RawQuery = q.Encode()
	return u
}

func connect(t testing.TB, address string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), address)
	if err != nil {
		t.Fatalf("connect to %s: %v", address, err)
	}
	return conn
}

func execute(t testing.TB, sql string) {
	t.Helper()
	ctx := context.Background()
	conn := connect(t, postgres(t, "test").String())
	defer conn.Close(ctx)
	// What a process that was killed has begun may still run to its end in the database, and
	// make this wait for it in a circle.
	Eventually(t, sql, func() bool {
		_, err := conn.Exec(ctx, sql)
		if refused, ok := errors.AsType[*pgconn.PgError](err); ok && refused.Code == "40P01" {
			return false
		}
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		return true
	})
}
