package api_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"muster/internal/mustertest"
	"muster/internal/store"
	"muster/internal/store/sqldb"
)

// TestOvertaken: once a newer version has taken the database over, a server that still runs changes nothing, and says
// so to clients, people and balancers. After a restart it may again, if it knows all that is there.
func TestOvertaken(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		address := create(t, c, "<name>a</name>")
		overtake(t, s.Database)
		const want = "a newer version of Muster has taken over the database, so this server changes nothing any more"
		for _, call := range []struct{ method, target, body string }{
			{"POST", "/hardwares", hardware("<name>b</name>")}, {"PUT", address, hardware("<name>b</name>")},
			{"DELETE", address, ""},
		} {
			r := c.Do(call.method, call.target, call.body)
			refused(t, call.method, r, http.StatusServiceUnavailable, want)
			equal(t, call.method+": Retry-After", r.Header.Get("Retry-After"), "5")
		}
		equal(t, "the computer", value(t, c.Get(address).Body, "name"), "a")
		equal(t, "a list", c.Get("/hardwares").Status, http.StatusOK)
		ready := s.Anonymous().Get("/readyz")
		if ready.Status != http.StatusServiceUnavailable || !strings.Contains(ready.Body, want) {
			t.Errorf("/readyz: got %d %q, want 503 with the reason", ready.Status, ready.Body)
		}
		if !strings.Contains(s.Log.String(), want) {
			t.Error("the log does not say why")
		}
		if got := s.Metrics()[`muster_database_errors_total{sort="overtaken"}`]; got < 3 {
			t.Errorf("got %v transactions counted, want 3 at least", got)
		}
		s.Quit()
		s = mustertest.Start(t, mustertest.Options{Database: s.Database, Data: s.Data, Clock: s.Clock})
		equal(t, "after a restart", s.Admin().Do("DELETE", address, "").Status, http.StatusOK)
	})
}

// overtake does to a database what a newer version does whose tables older ones must not write.
func overtake(t *testing.T, database string) {
	t.Helper()
	const sql = "INSERT INTO counters (name, value) VALUES ('generation', 1) " +
		"ON CONFLICT (name) DO UPDATE SET value = counters.value + 1"
	ctx := context.Background()
	if !store.IsPostgres(database) {
		c, err := sqldb.OpenSQLiteConn(ctx, database, time.Minute)
		if err == nil {
			err = c.Query(ctx, sql, nil, nil)
		}
		if err == nil {
			err = c.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	db, err := sqldb.Open(ctx, database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Update(ctx, func(c sqldb.Conn) error { return c.Query(ctx, sql, nil, nil) }); err != nil {
		t.Fatal(err)
	}
}
