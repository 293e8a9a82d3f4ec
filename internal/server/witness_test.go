package server_test

import (
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/witness"
)

// place returns where a server keeps its records, as a command knows it.
func place(s *mustertest.Server) *server.Place {
	return &server.Place{Data: s.Data, Database: s.Database, Realm: "Muster", Now: s.Clock.Now, Log: slog.New(slog.DiscardHandler)}
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
		mustertest.Eventually(t, "the file has all", func() bool { return strings.Contains(audited(t, s).Text, "vouches for the end") })
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

// TestHeadIsOld does not let an old file vouch for the end, though all that it
// tells is there.
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
		if v := audited(t, s); v.Text != "" || !strings.Contains(v.Doubt, "vouches for all but the last record, the newest of which is of 2026-01-31T10:30:00Z") {
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
		vouches(t, "after a start", again, "vouches for all but the last record") // which Start makes, of the password that it sets
		again.Quit()
		last := mustertest.Start(t, mustertest.Options{Database: s.Database, Data: s.Data, Clock: s.Clock})
		var notes []string
		for _, a := range last.Audits() {
			if a.RecordType == "audit-head" {
				notes = append(notes, a.Message)
			}
		}
		if len(notes) != 1 || !strings.Contains(notes[0], "begun: there was none, so nothing vouches for the end of the audit trail before") {
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
		mustertest.Eventually(t, "the metric rises", func() bool { return s.Metrics()["muster_audit_head_failures_total"] > before })
	}
	if n := strings.Count(s.Log.String(), "the head of the audit trail cannot be kept"); n != 1 {
		t.Errorf("got %d warnings in the log, want one", n)
	}
	if err := os.Rename(away, s.Data); err != nil {
		t.Fatal(err)
	}
	s.Clock.Advance(witness.Every)
	await(t, s, "the head of the audit trail is kept again", 1)
	vouches(t, "in the end", s, "vouches for the end")
	for _, a := range s.Audits() {
		if a.RecordType == "audit-head" {
			t.Errorf("got the record %q, want none", a.Message)
		}
	}
}
