//go:build full

package main_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"muster/internal/desk/backup"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/store"
)

// TestFullDiskOfBackups: a backup that has no room says so, leaves nothing behind, and is made when there is room.
func TestFullDiskOfBackups(t *testing.T) {
	t.Parallel()
	d := newTmpfs(t, "64m")
	s := mustertest.Start(t, mustertest.Options{})
	s.Settings(server.SettingCommand{Do: "set", Name: "backup-folder", Value: d.folder})
	filler := d.fill("filler")
	state := func() backup.State { return backupState(t, s) }
	fails := func(want string) {
		t.Helper()
		before := state().Failures
		mustertest.Eventually(t, want, func() bool {
			s.Clock.Advance(6 * time.Hour)
			now := state()
			return now.Failures > before && strings.Contains(now.Fault.Text.String(), want)
		})
	}
	fails("there is no room in " + d.folder)
	if entries, err := os.ReadDir(d.folder); len(entries) != 1 || err != nil {
		t.Errorf("got %v, %v, want the filler alone", entries, err)
	}
	if got := s.Admin().Get("/hardwares.xml"); got.Status != 200 {
		t.Errorf("the list: got %d, want 200", got.Status)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	mustertest.Eventually(t, "a backup", func() bool {
		s.Clock.Advance(time.Hour)
		now := state()
		return now.Fault == nil && now.LastProven() != nil
	})
}

// TestRoomOfEncryptedBackups: where the plain and the encrypted file are on one disk, there must be room for both.
func TestRoomOfEncryptedBackups(t *testing.T) {
	t.Parallel()
	d := newTmpfs(t, "64m")
	s := mustertest.Start(t, mustertest.Options{Data: d.folder})
	public, err := server.MakeBackupKey(filepath.Join(t.TempDir(), "key"))
	if err != nil {
		t.Fatal(err)
	}
	s.Settings(server.SettingCommand{Do: "set", Name: "backup-for", Value: public})
	var need int64
	err = s.Store().View(context.Background(), func(tx *store.Tx) error {
		need, err = tx.Size(context.Background())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	const spare = 64 << 20 / 16
	filler := d.fill("filler")
	info, err := os.Stat(filler)
	if err == nil {
		err = os.Truncate(filler, info.Size()-spare-need*3/2) // more than one has, less than two
	}
	if err != nil {
		t.Fatal(err)
	}
	fault := func() string {
		state := backupState(t, s)
		if state.Fault == nil {
			return ""
		}
		return state.Fault.Text.String()
	}
	s.Clock.Advance(24 * time.Hour)
	mustertest.Eventually(t, "no room for both", func() bool {
		return strings.Contains(fault(), "there is no room in "+s.Data)
	})
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	s.Clock.Advance(time.Hour)
	mustertest.Eventually(t, "a backup", func() bool {
		state := backupState(t, s)
		return state.LastProven() != nil
	})
}

// backupState returns what became of backups.
func backupState(t *testing.T, s *mustertest.Server) (state backup.State) {
	t.Helper()
	err := s.Store().Read(context.Background(), func(tx *store.Tx) (err error) {
		state, err = backup.ReadState(context.Background(), tx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return state
}
