//go:build full && volume

package main_test

import (
	"net/http"
	"testing"
	"time"

	"muster/internal/mustertest"
)

// How long the crash ledger is: how often the server is killed, and how many writes
// are acknowledged before each time.
const (
	kills   = 50
	between = 200
)

// TestVolumeCrashLedger kills the server again and again while clients write,
// and compares what it has at the end with what it acknowledged.
func TestVolumeCrashLedger(t *testing.T) {
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f := newFolder(t)
		database := db.New(t)
		f.env = []string{"MUSTER_DATABASE=" + database, "MUSTER_RATE_LIMIT=0"}
		s := f.serveReady()
		l := newLedger(t, s.password)
		for range kills {
			l.write(s, s.kill)
			begun := time.Now()
			s = f.serveReady()
			l.restarted(s, time.Since(begun))
		}
		l.check(s, database)
		l.report("kills")
	})
}

// serveReady starts a server and waits until it is ready.
func (f *folder) serveReady() *service {
	f.t.Helper()
	s := f.serve()
	eventually(f.t, "ready", func() bool { return s.client("", "").Get("/readyz").Status == http.StatusOK })
	return s
}
