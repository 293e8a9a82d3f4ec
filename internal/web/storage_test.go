package web_test

import (
	"context"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"muster/internal/desk/backup"
	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/store"
	"muster/internal/store/queue"
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
		lacks(t, "as many as ever", admin.Get("/app/storage"), "Fewer are to be kept")
		mustertest.Eventually(t, "old ones are removed", func() bool { return backupsEnded(t, s) == 1 })
		s.Settings(server.SettingCommand{Do: "set", Name: "backup-keep", Value: "5 daily, 9 weekly"})
		wants(t, "fewer", admin.Get("/app/storage"), http.StatusOK, "Until then 7 daily and 9 weekly stay:",
			"7 Feb 2026, 09:30")
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

// TestStorageOfOthers lists a backup once that another node has made in the same folder, or this one under another name,
// with its drill; and not any more when it was removed.
func TestStorageOfOthers(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		s.Settings(server.SettingCommand{Do: "set", Name: "backup-keep", Value: "1 daily, 0 weekly"})
		s.Settings(server.SettingCommand{Do: "set", Name: "backup-hour", Value: "off"})
		for day := range 2 {
			s.Clock.Set(time.Date(2026, 2, 2+day, 15, 0, 0, 0, time.UTC))
			admin := s.SignIn(server.Administrator)
			goes(t, "make one", admin.Post("/app/storage/backup", url.Values{}), "/storage")
			mustertest.Eventually(t, "the backup is proved", func() bool { return backupsEnded(t, s) > day && quiet(t, s) })
			rename(t, s)
			body := admin.Get("/app/storage").Body
			if n := strings.Count(body, `<td class="lead">`); n != 1 || strings.Contains(body, "former-name") {
				t.Errorf("day %d: got %d backups, want 1 of no other node: %s", day, n, body)
			}
			contains(t, "its drill", admin.Get("/app/storage"), "passed, all rows are equal")
		}
	})
}

// TestStorageNotProved shows how to restore the last backup that is proved, unless another is asked for.
func TestStorageNotProved(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	admin := s.SignIn(server.Administrator)
	goes(t, "make one", admin.Post("/app/storage/backup", url.Values{}), "/storage")
	mustertest.Eventually(t, "the backup is proved", func() bool { return backupsEnded(t, s) == 1 })
	if err := os.MkdirAll(filepath.Join(s.Data, "drill.db", "stuck"), 0o700); err != nil { // which cannot be removed
		t.Fatal(err)
	}
	s.Clock.Advance(time.Hour)
	goes(t, "make another", admin.Post("/app/storage/backup", url.Values{}), "/storage")
	awaitPage(t, admin, "/app/storage", "failed, the list says why")
	const proved, not = "muster-2026-01-31-0930.backup", "muster-2026-01-31-1030.backup"
	for path, want := range map[string]string{"/app/storage": proved, "/app/storage?restore=" + not: not} {
		command := between(t, admin.Get(path).Body, `id="restore-command">`, "</code>")
		if !strings.Contains(command, want) {
			t.Errorf("%s: got %s, want %s", path, command, want)
		}
	}
}

// quiet reports whether no backup is made or planned, as that of the night may be until the server has seen the setting.
func quiet(t *testing.T, s *mustertest.Server) bool {
	t.Helper()
	var left []queue.Job
	err := s.Store().Read(context.Background(), func(tx *store.Tx) error {
		for _, state := range []queue.State{queue.Waiting, queue.Running} {
			found, err := queue.List(context.Background(), tx,
				queue.Filter{Handler: backup.HandlerName, State: state, Most: 100})
			if left = append(left, found...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return len(left) == 0
}

// backupsEnded returns how many backups have ended.
func backupsEnded(t *testing.T, s *mustertest.Server) (n int) {
	t.Helper()
	err := s.Store().Read(context.Background(), func(tx *store.Tx) error {
		found, err := queue.List(context.Background(), tx,
			queue.Filter{Handler: backup.HandlerName, Ended: true, Most: 100})
		n = len(found)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// rename lets all backups be those of a node that is called otherwise.
func rename(t *testing.T, s *mustertest.Server) {
	t.Helper()
	err := s.Store().Update(context.Background(), func(tx *store.Tx) error {
		state, err := backup.ReadState(context.Background(), tx)
		if err != nil {
			return err
		}
		for i := range state.Made {
			state.Made[i].Node = "former-name"
		}
		document, err := json.Marshal(state)
		if err != nil {
			return err
		}
		return tx.SetMeta(context.Background(), "backups", document)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestStorageGuarded asks who switches backups off, or keeps fewer, to prove who they are.
func TestStorageGuarded(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	s.Clock.Advance(time.Hour)
	for _, c := range []struct {
		name, value string
		asked       bool
	}{
		{"backup-keep", "8 daily, 4 weekly", false}, {"backup-keep", "8 daily, 3 weekly", true},
		{"backup-keep", "1 daily, 9 weekly", true}, {"backup-hour", "04:00", false}, {"backup-hour", "off", true},
	} {
		got := v.Post("/app/settings", url.Values{"name": {c.name}, "value": {c.value}})
		if asked := strings.Contains(html.UnescapeString(got.Body), confirms); asked != c.asked {
			t.Errorf("%s %s: got %d, asked %v, want %v", c.name, c.value, got.Status, asked, c.asked)
		}
	}
	wants(t, "after it", v.Get("/app/storage"), http.StatusOK, "every day at 04:00, 8 daily and 4 weekly kept")
	s.Settings(server.SettingCommand{Do: "set", Name: "backup-hour", Value: "off"})
	goes(t, "on again", v.Post("/app/settings", url.Values{"name": {"backup-hour"}, "value": {"03:00"}}), "/settings")
}
