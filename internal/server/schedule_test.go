package server_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/internal/archive"
	"muster/internal/desk/backup"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/store"
	"muster/internal/store/queue"
)

// A night is a server whose clock a test moves from night to night.
type night struct {
	*mustertest.Server
	t *testing.T
}

func newNight(t *testing.T, db mustertest.Database) *night {
	t.Helper()
	s := &night{mustertest.Start(t, mustertest.Options{On: db}), t}
	s.set("backup-keep", "2 daily, 1 weekly")
	return s
}

func (s *night) set(name, value string) {
	s.t.Helper()
	s.Settings(server.SettingCommand{Do: "set", Name: name, Value: value})
}

// state returns what became of backups.
func (s *night) state() (state backup.State) {
	s.t.Helper()
	err := s.Store().Read(context.Background(), func(tx *store.Tx) (err error) {
		state, err = backup.ReadState(context.Background(), tx)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return state
}

// passes lets the clock go to 03:00 of a day of February 2026, and waits until a backup was made and proved.
func (s *night) passes(day int) backup.Made {
	s.t.Helper()
	s.planned(day)
	at := time.Date(2026, 2, day, 3, 0, 0, 0, time.UTC)
	s.Clock.Set(at)
	mustertest.Eventually(s.t, fmt.Sprintf("a backup of %s that is proved", at), func() bool {
		state := s.state()
		last := state.Last()
		return last != nil && last.At.Equal(at) && last.Proven()
	})
	state := s.state()
	return *state.Last()
}

// planned waits until the backup of a day is planned.
func (s *night) planned(day int) {
	s.t.Helper()
	mustertest.Eventually(s.t, "a plan", func() bool {
		var found []queue.Job
		err := s.Store().Read(context.Background(), func(tx *store.Tx) (err error) {
			found, err = queue.List(context.Background(), tx,
				queue.Filter{Handler: backup.HandlerName, State: queue.Waiting, Most: 10})
			return err
		})
		return err == nil && slices.ContainsFunc(found, func(j queue.Job) bool {
			return j.DueAt.Equal(time.Date(2026, 2, day, 3, 0, 0, 0, time.UTC))
		})
	})
}

// ended waits until so many backups have ended, with what follows them.
func (s *night) ended(n int) {
	s.t.Helper()
	defer s.whole()
	mustertest.Eventually(s.t, fmt.Sprintf("%d backups that have ended", n), func() bool {
		var found []queue.Job
		err := s.Store().Read(context.Background(), func(tx *store.Tx) (err error) {
			found, err = queue.List(context.Background(), tx,
				queue.Filter{Handler: backup.HandlerName, Ended: true, Most: 100})
			return err
		})
		return err == nil && len(found) == n
	})
}

// whole checks that no backup that is done says that some of it is not.
func (s *night) whole() {
	s.t.Helper()
	found, err := s.Job(context.Background(), server.JobCommand{Do: "list", All: true})
	if err != nil {
		s.t.Fatal(err)
	}
	for _, j := range found.Jobs {
		if j.Handler == backup.HandlerName && j.State == "done" && (j.Done != j.Total || j.Total == 0) {
			s.t.Errorf("a backup that is done: got %d of %d", j.Done, j.Total)
		}
	}
}

// fails makes a backup at an hour of a day of February, whose drill fails, and gives it up.
func (s *night) fails(day, hour int) {
	s.t.Helper()
	stuck := filepath.Join(s.Data, "drill.db", "stuck") // which cannot be removed
	if err := os.MkdirAll(stuck, 0o700); err != nil {
		s.t.Fatal(err)
	}
	s.Clock.Set(time.Date(2026, 2, day, hour, 0, 0, 0, time.UTC))
	res, err := s.Job(context.Background(), server.JobCommand{Do: "run", Name: backup.HandlerName})
	if err != nil {
		s.t.Fatal(err)
	}
	mustertest.Eventually(s.t, "a backup that is not proved", func() bool {
		state := s.state()
		return state.Fault != nil && state.Fault.Drill
	})
	_, err = s.Job(context.Background(), server.JobCommand{Do: "stop", Which: []string{fmt.Sprint(res.Jobs[0].ID)}})
	if err := errors.Join(err, os.Remove(stuck), os.Remove(filepath.Dir(stuck))); err != nil {
		s.t.Fatal(err)
	}
}

// TestBackupNotProved: a backup whose drill failed, and which is newer than the proved one of its day, stays beside it, and
// goes with it.
func TestBackupNotProved(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := newNight(t, db)
		folder := filepath.Join(s.Data, "backups")
		s.set("backup-keep", "2 daily, 0 weekly")
		s.passes(1)
		s.ended(1)
		s.fails(1, 15)
		s.ended(2)
		names := map[int][]string{
			1: {"muster-2026-02-01-0300.backup", "muster-2026-02-01-1500.backup"},
			2: {"muster-2026-02-02-0300.backup"}, 3: {"muster-2026-02-03-0300.backup"},
		}
		for day := 2; day <= 3; day++ {
			s.passes(day)
			s.ended(day + 1)
			if got, want := files(t, folder), append(names[day-1], names[day]...); !slices.Equal(got, want) {
				t.Errorf("day %d: got %v, want %v", day, got, want)
			}
		}
		state := s.state()
		for _, m := range state.Made {
			if want := slices.Contains(names[1], m.Name); m.Removed != want {
				t.Errorf("%s is noted as removed: got %v, want %v", m.Name, m.Removed, want)
			}
		}
	})
}

// TestBackupFewer: when fewer are to be kept than before, none goes for a week.
func TestBackupFewer(t *testing.T) {
	t.Parallel()
	s := newNight(t, mustertest.SQLite)
	folder := filepath.Join(s.Data, "backups")
	s.set("backup-keep", "3 daily, 0 weekly")
	for day := 1; day <= 3; day++ {
		s.passes(day)
	}
	s.ended(3)
	s.set("backup-keep", "1 daily, 0 weekly")
	for day := 4; day <= 11; day++ {
		s.passes(day)
		s.ended(day)
		want := 3
		if day == 11 {
			want = 1
		}
		if got := files(t, folder); len(got) != want {
			t.Errorf("day %d: got %v, want %d", day, got, want)
		}
	}
}

// TestBackupLeftovers: what a process that was killed has left in plain in the data folder is gone when a server has
// started, and when a backup was made.
func TestBackupLeftovers(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := newNight(t, db)
		left := []string{".backup.plain-123456", "backup.plain", "drill.db", "drill.db-journal", "drill.db-wal"}
		leave := func() {
			t.Helper()
			for _, name := range append(left, "backup.plain-mine", ".backup.plain-mine") {
				if err := os.WriteFile(filepath.Join(s.Data, name), []byte("plain"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		gone := func(when string) {
			t.Helper()
			got := files(t, s.Data)
			for _, name := range left {
				if slices.Contains(got, name) {
					t.Errorf("%s: got %s in the data folder", when, name)
				}
			}
			if !slices.Contains(got, "backup.plain-mine") || !slices.Contains(got, ".backup.plain-mine") {
				t.Errorf("%s: got %v, want the files of others to stay", when, got)
			}
		}
		leave()
		s.passes(1)
		s.ended(1)
		gone("after a backup")
		s.Quit()
		leave()
		mustertest.Start(t, mustertest.Options{Data: s.Data, Database: s.Database, Clock: s.Clock})
		gone("after a start")
	})
}

// files returns the names of the files in a folder.
func files(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestBackupEachNight: a fresh server makes a backup the next night, proves it, and keeps as many as it is told.
func TestBackupEachNight(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := newNight(t, db)
		folder := filepath.Join(s.Data, "backups")
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		strangers := []string{"mine.backup", "muster-2020-01-01.backup", "upgrade-20200101_030000_000.backup"}
		for _, name := range strangers {
			if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		made := s.passes(1)
		file := filepath.Join(folder, "muster-2026-02-01-0300.backup")
		info, err := os.Stat(file)
		if err != nil || info.Mode() != 0o600 || info.Size() != made.Bytes || made.Rows == 0 || made.Database == 0 {
			t.Errorf("got %v, %v, and %+v, want a file of its own", info, err, made)
		}
		for day := 2; day <= 4; day++ {
			s.passes(day)
		}
		want := append(strangers, "muster-2026-02-01-0300.backup", // the Sunday before
			"muster-2026-02-03-0300.backup", "muster-2026-02-04-0300.backup")
		slices.Sort(want)
		mustertest.Eventually(t, "old backups are removed", func() bool {
			return slices.Equal(files(t, folder), want)
		})
		if slices.ContainsFunc(files(t, s.Data), func(name string) bool { return name == "drill.db" }) {
			t.Error("the database of the drill is still there")
		}
		restored(t, file, "")
	})
}

// restored restores a backup into a folder of its own.
func restored(t *testing.T, file, key string) {
	t.Helper()
	p := server.Place{Data: filepath.Join(t.TempDir(), "new"), Realm: "Muster", Now: mustertest.NewClock().Now}
	got, err := p.Restore(context.Background(), server.Source{File: file, Key: key}, func(string, int64, int64) {})
	if err != nil || got.Head.Rows == 0 {
		t.Errorf("restore %s: got %v, %v", file, got, err)
	}
	if _, err := os.Stat(filepath.Join(p.Data, "server.key")); err != nil {
		t.Errorf("what was restored has no key: %v", err)
	}
}

// TestBackupForKeys: with public keys the nightly backup is encrypted, and nothing plain is left of it.
func TestBackupForKeys(t *testing.T) {
	t.Parallel()
	s := newNight(t, mustertest.SQLite)
	keys := t.TempDir()
	right, wrong := filepath.Join(keys, "right"), filepath.Join(keys, "wrong")
	public, err := server.MakeBackupKey(right)
	if err == nil {
		_, err = server.MakeBackupKey(wrong)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.set("backup-for", public)
	s.passes(1)
	folder := filepath.Join(s.Data, "backups")
	if got, want := strings.Join(files(t, folder), " "), "muster-2026-02-01-0300.backup.age"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	mustertest.Eventually(t, "nothing plain is left", func() bool {
		return !slices.Contains(files(t, s.Data), "backup.plain")
	})
	file := filepath.Join(folder, "muster-2026-02-01-0300.backup.age")
	restored(t, file, right)
	for key, want := range map[string]string{"": "is encrypted: name the file", wrong: "encrypted to another key"} {
		_, err := server.Verify(context.Background(), server.Source{File: file, Key: key}, archive.Progress(func(string, int64, int64) {}))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("with the key %q: got %v, want %q", key, err, want)
		}
	}
}

// TestBackupWithoutFolder says so, goes on serving, and makes the backup when there is a folder.
func TestBackupWithoutFolder(t *testing.T) {
	t.Parallel()
	s := newNight(t, mustertest.SQLite)
	folder := filepath.Join(t.TempDir(), "not-mounted")
	s.set("backup-folder", folder)
	s.planned(1)
	s.Clock.Set(time.Date(2026, 2, 1, 3, 0, 0, 0, time.UTC))
	want := fmt.Sprintf("the folder %s does not exist", folder)
	mustertest.Eventually(t, "the fault is noted", func() bool {
		state := s.state()
		return state.Fault != nil && state.Fault.Text.String() == want && state.Failures > 0
	})
	if !strings.Contains(s.Log.String(), want) {
		t.Errorf("the log: got\n%s\nwant a line with %q", s.Log, want)
	}
	if got := s.Admin().Get("/hardwares.xml"); got.Status != 200 {
		t.Errorf("the list: got %d, want 200", got.Status)
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	s.Clock.Advance(10 * time.Minute)
	mustertest.Eventually(t, "the next try succeeds", func() bool {
		state := s.state()
		return state.Fault == nil && state.LastProven() != nil
	})
}

// TestBackupSettings: what is no folder, time, number or key is refused with a sentence.
func TestBackupSettings(t *testing.T) {
	t.Parallel()
	s := newNight(t, mustertest.SQLite)
	for _, c := range []struct{ name, value, want string }{
		{"backup-folder", "../elsewhere", "backup-folder must be the path of a folder"},
		{"backup-folder", "", "backup-folder must be the path of a folder"},
		{"backup-hour", "25:00", `backup-hour must be a time of the day such as 03:00, or off, not "25:00"`},
		{"backup-hour", "3", "backup-hour must be a time of the day"},
		{"backup-keep", "all", "backup-keep must be such as “7 daily, 4 weekly”"},
		{"backup-keep", "0 daily, 4 weekly", "backup-keep must be from 1 to 366 daily"},
		{"backup-for", "age1nonsense", "backup-for must have public keys that begin with age1"},
	} {
		_, err := s.Setting(context.Background(), server.SettingCommand{Do: "set", Name: c.name, Value: c.value})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: got %v, want %q", c.name, c.value, err, c.want)
		}
	}
	s.set("backup-hour", " OFF ")
	s.set("backup-keep", "3 Daily,2 weekly")
	got := map[string]string{}
	for _, one := range s.Settings(server.SettingCommand{Do: "list"}).Settings {
		got[one.Name] = one.Value
	}
	if got["backup-hour"] != "off" || got["backup-keep"] != "3 daily, 2 weekly" || got["backup-folder"] != "backups" {
		t.Errorf("got %v, want the usual spellings", got)
	}
}
