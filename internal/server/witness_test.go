package server_test

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/store"
	"muster/internal/witness"
)

// place returns where a server keeps its records, as a command knows it.
func place(s *mustertest.Server) *server.Place {
	return &server.Place{
		Data: s.Data, Database: s.Database, Realm: "Muster", Now: s.Clock.Now, Log: slog.New(slog.DiscardHandler),
	}
}

// audited verifies the audit trail of a server.
func audited(t *testing.T, s *mustertest.Server) server.Audited {
	t.Helper()
	v, err := place(s).VerifyAudits(t.Context(), nil, func(string, int64, int64) {})
	if err != nil {
		t.Fatalf("verify the audit trail: %v", err)
	}
	return v
}

// change makes a change, which leaves an audit record.
func change(t *testing.T, s *mustertest.Server) {
	t.Helper()
	if got := s.Admin().Do(http.MethodPost, "/hardwares", computer); got.Status != http.StatusCreated {
		t.Fatalf("a new computer: got %d", got.Status)
	}
	s.Audits() // on PostgreSQL it is in the trail then
}

// headFile returns what the file of the audit trail's head says.
func headFile(t *testing.T, s *mustertest.Server) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.Data, witness.FileName))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// vouches checks what vouches for the end of the trail.
func vouches(t *testing.T, what string, s *mustertest.Server, want string) {
	t.Helper()
	if v := audited(t, s); !strings.Contains(v.Text, want) || v.Doubt != "" {
		t.Errorf("%s: got %+v, want that the file %s", what, v.Vouched, want)
	}
}

// TestHeadInFile finds the head of the audit trail in the data folder: at the
// start, every ten seconds, and at the end.
func TestHeadInFile(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		vouches(t, "at the start", s, "vouches for the end")
		started := len(s.Audits())
		change(t, s)
		s.Clock.Advance(witness.Every - time.Second)
		change(t, s)
		vouches(t, "within ten seconds", s, "vouches for all but the last 2 records")
		s.Clock.Advance(time.Second)
		mustertest.Eventually(t, "the file has all",
			func() bool { return strings.Contains(audited(t, s).Text, "vouches for the end") })
		change(t, s)
		s.Quit()
		vouches(t, "at the end", s, "vouches for the end")
		again := mustertest.Start(t, mustertest.Options{Database: s.Database, Data: s.Data, Clock: s.Clock})
		for _, a := range again.Audits()[started:] {
			if a.RecordType == "audit-head" {
				t.Errorf("got the record %q, want none of a file that fits", a.Message)
			}
		}
	})
}

// TestHeadIsOld: an old file does not vouch for the end, though all that it records
// is there.
func TestHeadIsOld(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		old := headFile(t, s)
		s.Clock.Advance(time.Hour)
		change(t, s)
		s.Quit()
		if err := os.WriteFile(filepath.Join(s.Data, witness.FileName), []byte(old), 0o600); err != nil {
			t.Fatal(err)
		}
		if v := audited(t, s); v.Text != "" ||
			!strings.Contains(v.Doubt,
				"vouches for all but the last record, the newest of which is of 2026-01-31T10:30:00Z") {
			t.Errorf("got %+v, want that it does not vouch for the end", v.Vouched)
		}
	})
}

// TestHeadIsFirst begins the file where there is none, with one record in the
// trail.
func TestHeadIsFirst(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		change(t, s)
		s.Quit()
		if err := os.Remove(filepath.Join(s.Data, witness.FileName)); err != nil {
			t.Fatal(err)
		}
		if v := audited(t, s); v.Text != "" || !strings.Contains(v.Doubt, "there is no ") {
			t.Errorf("without the file: got %+v, want that nothing vouches", v.Vouched)
		}
		again := mustertest.Start(t, mustertest.Options{Database: s.Database, Data: s.Data, Clock: s.Clock})
		again.Audits() // so that all are in the trail
		// which Start makes, of the password that it sets
		vouches(t, "after a start", again, "vouches for all but the last record")
		again.Quit()
		last := mustertest.Start(t, mustertest.Options{Database: s.Database, Data: s.Data, Clock: s.Clock})
		var notes []string
		for _, a := range last.Audits() {
			if a.RecordType == "audit-head" {
				notes = append(notes, a.Message)
			}
		}
		if len(notes) != 1 || !strings.Contains(notes[0],
			"begun: there was none, so nothing vouches for the end of the audit trail before") {
			t.Errorf("got the records %q, want one", notes)
		}
	})
}

// TestHeadCannotBeWritten goes on serving without a data folder, says so in log
// and metrics, and fills no trail with it.
func TestHeadCannotBeWritten(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	s := mustertest.Start(t, mustertest.Options{Data: data})
	away := s.Data + "-away"
	if err := os.Rename(s.Data, away); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		before := s.Metrics()["muster_audit_head_failures_total"]
		change(t, s)
		s.Clock.Advance(witness.Every)
		mustertest.Eventually(t, "the metric rises",
			func() bool { return s.Metrics()["muster_audit_head_failures_total"] > before })
	}
	if n := strings.Count(s.Log.String(), "the head of the audit trail cannot be written"); n != 1 {
		t.Errorf("got %d warnings in the log, want one", n)
	}
	if err := os.Rename(away, s.Data); err != nil {
		t.Fatal(err)
	}
	s.Clock.Advance(witness.Every)
	await(t, s, "the head of the audit trail is written again", 1)
	vouches(t, "in the end", s, "vouches for the end")
	for _, a := range s.Audits() {
		if a.RecordType == "audit-head" {
			t.Errorf("got the record %q, want none", a.Message)
		}
	}
}

// loseLast removes the last audit record behind the back of a running server, as a failover to a copy that lagged
// behind does.
func loseLast(t *testing.T, database string) {
	t.Helper()
	statements := []string{"DROP TRIGGER audits_delete", "DROP TRIGGER audits_computers_delete"}
	if store.IsPostgres(database) {
		statements = []string{
			"DROP TRIGGER audits_kept ON audits", "DROP TRIGGER audits_computers_kept ON audits_computers",
		}
	}
	statements = append(statements, "DELETE FROM audits_computers WHERE id = (SELECT max(id) FROM audits)",
		"DELETE FROM audits WHERE id = (SELECT max(id) FROM audits)")
	var run func(string) error
	if store.IsPostgres(database) {
		conn, err := pgx.Connect(t.Context(), database)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(context.Background())
		run = func(sql string) error { _, err := conn.Exec(t.Context(), sql); return err }
	} else {
		conn, err := sqlite.OpenConn(database, sqlite.OpenReadWrite)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		run = func(sql string) error { return sqlitex.ExecuteTransient(conn, sql, nil) }
	}
	for _, sql := range statements {
		if err := run(sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}

// TestHeadIsDisputed loses a record that a running server saw, as in a failover: it goes on, says so, and
// leaves the file as it is until that is accepted.
func TestHeadIsDisputed(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		change(t, s)
		s.Clock.Advance(witness.Every)
		mustertest.Eventually(t, "the file has all",
			func() bool { return strings.Contains(audited(t, s).Text, "vouches for the end") })
		evidence := headFile(t, s)
		loseLast(t, s.Database)
		s.Clock.Advance(witness.Every)
		mustertest.Eventually(t, "the metric says so",
			func() bool { return s.Metrics()["muster_audit_head_disputed"] == 1 })
		await(t, s, `"msg":"the audit trail is not the one that this node saw"`, 1)
		change(t, s)
		s.Clock.Advance(time.Hour)
		await(t, s, `"msg":"the audit trail is not the one that this node saw"`, 2)
		if got := headFile(t, s); got != evidence {
			t.Errorf("the file: got\n%s\nwant it as it was:\n%s", got, evidence)
		}
		accepted, err := place(s).AcceptTrail(t.Context())
		if err != nil || !strings.Contains(accepted.What, "missing from the audit trail") {
			t.Fatalf("accept: got %+v, %v", accepted, err)
		}
		if got := s.Metrics()["muster_audit_head_disputed"]; got != 0 {
			t.Errorf("the metric: got %v, want 0", got)
		}
		vouches(t, "accepted", s, "vouches for the end")
		if all := s.Audits(); !strings.HasPrefix(all[len(all)-1].Message, "Audit trail accepted on ") {
			t.Errorf("the last record: got %q, want what was accepted", all[len(all)-1].Message)
		}
		if _, err := place(s).AcceptTrail(t.Context()); err == nil ||
			!strings.Contains(err.Error(), "nothing to accept") {
			t.Errorf("accept again: got %v, want that there is nothing", err)
		}
	})
}
