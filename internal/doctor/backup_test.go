//go:build full

package doctor_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"muster/internal/desk/backup"
	"muster/internal/doctor"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/store"
	"muster/internal/store/queue"
)

// TestBackups: what is said of backups by schedule while none is due, when they are off, late, made, and when one
// fails.
func TestBackups(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		set := func(name, value string) {
			s.Settings(server.SettingCommand{Do: "set", Name: name, Value: value})
		}
		expect := func(level, text string) {
			t.Helper()
			mustertest.Eventually(t, level+": "+text, func() bool {
				return says(examine(s, s.Clock.Now, time.Time{}), level, "backups", text)
			})
		}
		expect(doctor.OK, "No backup has been made yet; a running server makes one each day at 03:00.")
		untilDue(t, s)
		expect(doctor.OK, "a drill has proved that it can be restored")
		set("backup-folder", filepath.Join(t.TempDir(), "none"))
		untilDue(t, s)
		expect(doctor.Warning, "could not be made: the folder")
		set("backup-hour", "off")
		expect(doctor.Warning, "No backups are made by themselves.")
	})
}

// untilDue lets the clock go to when the next backup is planned.
func untilDue(t *testing.T, s *mustertest.Server) {
	t.Helper()
	ctx := context.Background()
	mustertest.Eventually(t, "a plan", func() bool {
		var due time.Time
		err := s.Store().Read(ctx, func(tx *store.Tx) error {
			found, err := queue.List(ctx, tx, queue.Filter{
				Handler: backup.HandlerName, State: queue.Waiting, After: s.Clock.Now(), Most: 1,
			})
			if len(found) > 0 && found[0].Tries == 0 {
				due = found[0].DueAt
			}
			return err
		})
		if err == nil && !due.IsZero() {
			s.Clock.Set(due)
		}
		return !due.IsZero()
	})
}

// TestBackupsLate: a server that does no jobs makes no backups.
func TestBackupsLate(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{Change: func(cfg *server.Config) { cfg.Jobs = 0 }})
	s.Clock.Advance(37 * time.Hour)
	if found := examine(s, s.Clock.Now, time.Time{}); !says(found, doctor.Problem, "backups", "--jobs above 0") {
		t.Errorf("got %+v, want a word about --jobs", found)
	}
}
