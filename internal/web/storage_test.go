package web_test

import (
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestStorage makes a backup by the page, which shows it then, with its drill and the command that restores it.
func TestStorage(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		admin := s.SignIn(server.Administrator)
		wants(t, "before", admin.Get("/app/storage"), http.StatusOK, "Storage and backups", "None yet",
			"every day at 03:00, 7 daily and 4 weekly kept", "Back up now")
		goes(t, "make one", admin.Post("/app/storage/backup", url.Values{}), "/storage")
		mustertest.Eventually(t, "the backup is proved",
			func() bool { return strings.Contains(admin.Get("/app/storage").Body, "passed, all rows are equal") })
		wants(t, "after it", admin.Get("/app/storage"), http.StatusOK, "muster restore --data "+s.Data,
			filepath.Join(s.Data, "backups", "muster-2026-01-31-0930.backup"))
		s.AddUser("later@example.com", inventory.Technician, false)
		wants(t, "after a change", admin.Get("/app/storage"), http.StatusOK, "What was done since would be lost: one change.")
	})
}

// TestStorageFails tells administrators on every page why the backup failed, and nobody else.
func TestStorageFails(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	s.AddUser("tech@example.com", inventory.Technician, false)
	folder := filepath.Join(t.TempDir(), "not-mounted")
	s.Settings(server.SettingCommand{Do: "set", Name: "backup-folder", Value: folder})
	admin := s.SignIn(server.Administrator)
	goes(t, "make one", admin.Post("/app/storage/backup", url.Values{}), "/storage")
	said := "The last backup failed: the folder " + folder + " does not exist."
	for _, path := range []string{"/app/", "/app/computers", "/app/storage"} {
		mustertest.Eventually(t, path+" says so", func() bool { return strings.Contains(admin.Get(path).Body, said) })
	}
	if body := s.SignIn("tech@example.com").Get("/app/computers").Body; strings.Contains(body, "The last backup") {
		t.Error("a technician is told of the backup")
	}
}
