//go:build full

package main_test

import (
	"context"
	"os"
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
	state := func() (state backup.State) {
		err := s.Store().Read(context.Background(), func(tx *store.Tx) (err error) {
			state, err = backup.ReadState(context.Background(), tx)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return state
	}
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
