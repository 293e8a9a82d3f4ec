//go:build full && browser

package web_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"muster/internal/desk/backup"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/store"
)

// TestBrowserStorage makes a backup, sees it proved without leaving the page, is told on another one that the next fails,
// and reads in the list why one is not proved.
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
		if err := os.MkdirAll(filepath.Join(s.Data, "drill.db", "stuck"), 0o700); err != nil { // which cannot be removed
			t.Fatal(err)
		}
		s.Settings(server.SettingCommand{Do: "set", Name: "backup-folder", Value: "backups"})
		s.Clock.Advance(10 * time.Minute)
		awaitPage(t, s.SignIn(server.Administrator), "/app/storage", "failed, the list says why")
		b.Open("/app/storage")
		b.WaitText("directory not empty") // which is a long text
		inspect(t, b, "storage-unproved")
		var over int
		if b.Eval("(e => e.scrollWidth - e.clientWidth)(document.querySelector('.backups .sheet'))", &over); over > 0 {
			t.Errorf("the list is %d pixels wider than its place", over)
		}
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
