//go:build full && browser

package web_test

import (
	"context"
	"path/filepath"
	"testing"

	"muster/internal/desk/backup"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/store"
)

// TestBrowserStorage makes a backup, sees it proved without leaving the page, and is told on another one that the next
// fails.
func TestBrowserStorage(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/storage")
		b.WaitText("There is none yet.")
		inspect(t, b, "storage-none")
		b.Click("Back up now")
		b.WaitText("passed, all rows are equal")
		b.WaitText("muster restore --data")
		b.Wait("#backup:enabled")
		inspect(t, b, "storage-made")
		s.Settings(server.SettingCommand{Do: "set", Name: "backup-folder", Value: filepath.Join(t.TempDir(), "none")})
		b.Click("Back up now")
		mustertest.Eventually(t, "the failure is noted", func() bool { return backupFailed(t, s) })
		b.Open("/app/computers")
		b.WaitText("The last backup failed: the folder ")
		inspect(t, b, "storage-failed")
	})
}

// backupFailed reports whether a failure of a backup was noted.
func backupFailed(t *testing.T, s *mustertest.Server) (failed bool) {
	t.Helper()
	err := s.Store().Read(context.Background(), func(tx *store.Tx) error {
		state, err := backup.ReadState(context.Background(), tx)
		failed = state.Fault != nil
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return failed
}
