//go:build full

package api_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/jackc/pgx/v5"

	"muster/internal/mustertest"
)

// TestNotReadyBeforeLoad: a server whose records are not in memory yet answers from the tables, but asks balancers
// for patience. Here it cannot read one of the tables at first.
func TestNotReadyBeforeLoad(t *testing.T) {
	t.Parallel()
	database, data := mustertest.Postgres.New(t), t.TempDir()
	first := mustertest.Start(t, mustertest.Options{Database: database, Data: data})
	equal(t, "/readyz of the first", first.Anonymous().Get("/readyz").Status, http.StatusOK)
	first.Quit()
	limited, grant := limitedUser(t, database)
	s := mustertest.Start(t, mustertest.Options{Database: limited, Data: data, Clock: first.Clock})
	r := s.Anonymous().Get("/readyz")
	equal(t, "/readyz", []any{r.Status, r.Body},
		[]any{http.StatusServiceUnavailable, "the server is starting: it reads its records into memory\n"})
	equal(t, "/healthz", s.Anonymous().Get("/healthz").Status, http.StatusOK)
	equal(t, "a list", s.Admin().Get("/hardwares").Status, http.StatusOK)
	grant()
	eventually(t, "/readyz is 200", func() bool { return s.Anonymous().Get("/readyz").Status == http.StatusOK })
}

// limitedUser returns the address of a database for a user who may read all tables but the vendors, until grant is
// called.
func limitedUser(t *testing.T, database string) (address string, grant func()) {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	schema := q.Get("search_path")
	run := func(statements ...string) {
		t.Helper()
		conn, err := pgx.Connect(context.Background(), database)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(context.Background())
		for _, sql := range statements {
			if _, err := conn.Exec(context.Background(), fmt.Sprintf(sql, schema)); err != nil {
				t.Fatalf("%s: %v", sql, err)
			}
		}
	}
	run("CREATE ROLE limited_%[1]s", "GRANT USAGE, CREATE ON SCHEMA %[1]s TO limited_%[1]s",
		"GRANT ALL ON ALL TABLES IN SCHEMA %[1]s TO limited_%[1]s",
		"GRANT ALL ON ALL SEQUENCES IN SCHEMA %[1]s TO limited_%[1]s",
		"REVOKE SELECT ON %[1]s.vendors FROM limited_%[1]s")
	t.Cleanup(func() { run("DROP OWNED BY limited_%[1]s", "DROP ROLE limited_%[1]s") })
	q.Set("role", "limited_"+schema)
	u.RawQuery = q.Encode()
	return u.String(), func() { run("GRANT SELECT ON %[1]s.vendors TO limited_%[1]s") }
}
