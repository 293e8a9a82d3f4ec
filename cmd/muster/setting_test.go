//go:build full

package main_test

import (
	"strings"
	"testing"

	"muster/internal/mustertest"
)

// TestSettingCommands runs the same steps twice: while the server runs, and while it
// does not.
func TestSettingCommands(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		t.Run("running", func(t *testing.T) {
			f := newFolder(t)
			f.env = []string{"MUSTER_DATABASE=" + db.New(t)}
			s := f.serve()
			tellSettings(t, f, s.password, func(test func(*service)) { test(s) })
		})
		if db.Name != mustertest.SQLite.Name {
			return // TestUserCommands shows that commands open PostgreSQL by themselves
		}
		t.Run("stopped", func(t *testing.T) {
			f := newFolder(t)
			f.env = []string{"MUSTER_DATABASE=" + db.New(t)}
			s := f.serve()
			s.stop()
			tellSettings(t, f, s.password, func(test func(*service)) {
				s := f.serve()
				test(s)
				s.stop()
			})
		})
	})
}

// tellSettings shows and changes settings; look shows it the server.
func tellSettings(t *testing.T, f *folder, password string, look func(func(*service))) {
	if got := f.must("setting", "get", "page-size"); got != "25\n" {
		t.Errorf("setting get: got %q, want 25", got)
	}
	for _, args := range [][]string{{"page-size", "3"}, {"statuses", "Lent, At Home"}} {
		if got := f.must(append([]string{"setting", "set"}, args...)...); got != "" {
			t.Errorf("setting set %v: got %q, want silence", args, got)
		}
	}
	look(func(s *service) {
		c := s.client(admin, password)
		eventually(t, "the page size holds",
			func() bool { return strings.Contains(c.Get("/hardwares.xml").Body, "<per_page>3</per_page>") })
		made := c.Do("POST", "/hardwares", "<hardware><name>c</name><status>lent</status></hardware>")
		if !strings.Contains(made.Body, "<status>Lent</status>") {
			t.Errorf("POST with an added status: got %d %s, want it stored", made.Status, made.Body)
		}
	})
	list := f.must("setting", "list")
	var got []string
	for line := range strings.Lines(list) {
		got = append(got, strings.Join(strings.Fields(line), " "))
	}
	for i, want := range []string{
		"NAME VALUE DEFAULT MEANING", "agent-computers 1000 1000 new computers a minute",
		"agent-computers-per-day 20000 20000 new computers a day",
		"agent-hours 24 24 hours", "agent-names-per-day 2500 2500 new software names",
		"agent-printers-per-day 50 50 new printers", "agent-reports 10 10 reports a minute",
		"agent-rest-hours 0 0 hours",
		"agent-token-names-per-computer 200 200 further new software names",
		"agent-token-names-per-day 5000 5000 new software names", "agent-token-printers-per-day 500 500 new printers",
		"backup-folder backups backups folder", "backup-for (none) (none) public keys",
		"backup-hour 03:00 03:00 time of the day", "backup-keep 7 daily, 4 weekly 7 daily, 4 weekly how many",
		"digest-algorithms sha-256,md5 sha-256,md5 algorithms",
		"not-macs (none) (none) further MAC", "not-serials (none) (none) further serial",
		"not-uuids (none) (none) further UUIDs",
		"organisation (none) (none)", "page-size 3 25 records on a page",
		"second-factor optional optional who must sign in", "statuses Lent, At Home (none) further statuses",
	} {
		if i >= len(got) || !strings.HasPrefix(got[i], want) {
			t.Errorf("setting list: got\n%s\nwant in line %d %s", list, i, want)
		}
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"get", "colour"}, `"page-size"`},
		{[]string{"set", "colour", "red"}, `"statuses"`},
		{[]string{"set", "page-size"}, "<value>"},
		{[]string{"set", "page-size", "0"}, `page-size must be a number from 1 to 1000, not "0"`},
		{[]string{"set", "page-size", "1001"}, `page-size must be a number from 1 to 1000, not "1001"`},
		{[]string{"set", "page-size", ""}, `page-size must be a number from 1 to 1000, not ""`},
		{[]string{"set", "agent-hours", "0"}, `agent-hours must be a number from 1 to 720, not "0"`},
		{[]string{"set", "agent-reports", "many"}, `agent-reports must be a number from 0 to 1000000, not "many"`},
		{[]string{"set", "statuses", "broken"},
			"statuses must be others than Operational, Broken, In Repair, Spare, Disposed, Lost"},
		{[]string{"set", "statuses", "a, b, A"}, "statuses must be different from each other: A is there twice"},
		{[]string{"set", "statuses", "Lent," + strings.Repeat("x", 256)},
			"statuses must have at most 255 characters each"},
		{[]string{"set", "statuses", "a\nb"}, "statuses must be text of one line"},
		{[]string{"set", "statuses", "a\xff"}, "UTF-8"},
		{[]string{"set", "statuses", "At Home"}, "statuses cannot lose Lent, which is the status of 1 computer"},
	} {
		f.refused(append([]string{"setting"}, test.args...), test.want)
	}
	if after := f.must("setting", "list"); after != list {
		t.Errorf("after what was refused: got\n%s\nwant\n%s", after, list)
	}
	f.must("setting", "set", "statuses", "Lent")
	if got := f.must("setting", "get", "statuses"); got != "Lent\n" {
		t.Errorf("setting get: got %q, want Lent", got)
	}
}

// TestSettingsWithoutDatabase: a command about settings makes no database.
func TestSettingsWithoutDatabase(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	for _, args := range [][]string{
		{"setting", "list"}, {"setting", "get", "page-size"}, {"setting", "set", "page-size", "9"},
	} {
		f.refused(args, "there is no database", "muster serve")
	}
	if f.exists("") {
		t.Error("got a data folder, want none")
	}
}
