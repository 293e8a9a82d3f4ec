package server_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"muster/internal/desk/jobs"
	"muster/internal/message"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestRestoreHolds: a restored database holds the jobs that reach outside until somebody lets them go on; where none
// does, nothing is held.
func TestRestoreHolds(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, s := context.Background(), mustertest.Start(t, mustertest.Options{On: db})
		place := server.Place{Data: s.Data, Database: s.Database, Realm: "Muster", Now: s.Clock.Now,
			Log: slog.New(slog.DiscardHandler)}
		file := filepath.Join(t.TempDir(), "backup")
		out, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := place.Backup(ctx, out, server.Backup{Progress: func(string, int64, int64) {}}); err != nil {
			t.Fatal(err)
		}
		_ = out.Close()
		s.Quit()
		restored := func(handlers ...*jobs.Handler) *mustertest.Server {
			t.Helper()
			s.Clock.Advance(time.Minute) // what is replaced is kept under the time
			if _, err := place.Restore(ctx, server.Source{File: file}, func(string, int64, int64) {}); err != nil {
				t.Fatal(err)
			}
			return mustertest.Start(t, mustertest.Options{Data: s.Data, Database: s.Database, Clock: s.Clock,
				Change: func(cfg *server.Config) { cfg.Handlers = handlers }})
		}
		held := func(s *mustertest.Server) bool {
			t.Helper()
			res, err := s.Job(ctx, server.JobCommand{Do: "list"})
			if err != nil {
				t.Fatal(err)
			}
			return res.Held
		}
		inside := restored()
		if held(inside) {
			t.Error("held, though no job reaches outside")
		}
		inside.Quit()
		outside := restored(&jobs.Handler{Name: "outside", Outside: true, Title: func([]byte) message.Text { return message.Plain("x") },
			Do: func(context.Context, *jobs.Run) error { return nil }})
		if !held(outside) || outside.Metrics()["muster_jobs_held"] != 1 {
			t.Error("got nothing held after a restore")
		}
		if _, err := outside.Job(ctx, server.JobCommand{Do: "resume"}); err != nil || held(outside) {
			t.Errorf("resume: got %v, want nothing held", err)
		}
	})
}

// TestDemoStaysInside: the jobs of an invented organisation never reach outside, whatever somebody says.
func TestDemoStaysInside(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{Printed: true, Database: filepath.Join(t.TempDir(), "demo.db"),
		Change: func(cfg *server.Config) { cfg.Demo, cfg.DemoSize = true, 20 }})
	if _, err := s.Job(context.Background(), server.JobCommand{Do: "resume"}); err == nil {
		t.Error("the jobs of a demonstration were let go on")
	}
}
