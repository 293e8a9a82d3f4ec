//go:build full

package main_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"muster/internal/mustertest"
)

// TestUserCommands runs the same steps twice: while the server runs, and while it
// does not.
func TestUserCommands(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		t.Run("running", func(t *testing.T) {
			f := newFolder(t)
			f.env = []string{"MUSTER_DATABASE=" + db.New(t), "MUSTER_LOGIN_LIMIT=0"}
			s := f.serve()
			tellUsers(t, f, func(test func(*service)) { test(s) })
		})
		t.Run("stopped", func(t *testing.T) {
			f := newFolder(t)
			f.env = []string{"MUSTER_DATABASE=" + db.New(t), "MUSTER_LOGIN_LIMIT=0"}
			f.serve().stop()
			tellUsers(t, f, func(test func(*service)) {
				s := f.serve()
				test(s)
				s.stop()
			})
		})
	})
}

// tellUsers adds, changes and disables users; look shows it the server.
func tellUsers(t *testing.T, f *folder, look func(func(*service))) {
	generated := strings.TrimSuffix(f.must("user", "add", "Anna@Example.com", "--role", "technician"), "\n")
	if len(generated) < 12 || strings.ContainsAny(generated, " \n") {
		t.Errorf("user add: got %q, want a generated password alone on its line", generated)
	}
	own := f.feed(password+"\n", "user", "add", "ben@example.com", "--role", "administrator", "--read-only",
		"--password-stdin")
	if own != (outcome{}) {
		t.Errorf("user add with a password: got %+v, want silence", own)
	}
	look(func(s *service) {
		post := "<hardware><name>of Anna</name></hardware>"
		signsIn(t, s, "anna@example.com", generated, true)
		signsIn(t, s, "ben@example.com", password, true)
		signsIn(t, s, "ben@example.com", "another password", false)
		if got := s.client("anna@example.com", generated).Do("POST", "/hardwares",
			post); got.Status != http.StatusCreated {
			t.Errorf("POST of a technician: got %d, want 201", got.Status)
		}
		if got := s.client("ben@example.com", password).Do("POST", "/hardwares",
			post); got.Status != http.StatusForbidden {
			t.Errorf("POST of a read-only user: got %d, want 403", got.Status)
		}
	})

	renewed := strings.TrimSuffix(f.must("user", "passwd", "anna@example.com"), "\n")
	if got := f.feed("another long one", "user", "passwd", "ben@example.com", "--password-stdin"); got != (outcome{}) {
		t.Errorf("user passwd with a password: got %+v, want silence", got)
	}
	look(func(s *service) {
		signsIn(t, s, "anna@example.com", generated, false)
		signsIn(t, s, "anna@example.com", renewed, true)
		signsIn(t, s, "ben@example.com", "another long one", true)
	})

	if out := f.must("user", "disable", "anna@example.com"); out != "" {
		t.Errorf("user disable: got %q, want silence", out)
	}
	look(func(s *service) { signsIn(t, s, "anna@example.com", renewed, false) })
	checkList(t, f.must("user", "list"))
	refuseUsers(t, f)
}

// signsIn checks whether a password is accepted. On PostgreSQL a server notices a
// change by a command within a second.
func signsIn(t *testing.T, s *service, user, password string, want bool) {
	t.Helper()
	status := map[bool]int{true: http.StatusOK, false: http.StatusUnauthorized}[want]
	eventually(t, user+" signs in", func() bool { return s.client(user, password).Get("/api.xml").Status == status })
}

// checkList compares the list of users except the last column, a time.
func checkList(t *testing.T, list string) {
	t.Helper()
	want := [][]string{
		{"ID", "EMAIL", "NAME", "ROLE", "ACCESS"},
		{"1", admin, admin, "administrator", "full"},
		{"2", "anna@example.com", "anna@example.com", "technician", "disabled"},
		{"3", "ben@example.com", "ben@example.com", "administrator", "read-only"},
	}
	lines := strings.Split(strings.TrimSpace(list), "\n")
	if len(lines) != len(want) {
		t.Fatalf("user list: got %d lines, want %d:\n%s", len(lines), len(want), list)
	}
	for i, line := range lines {
		got := strings.Fields(line)
		if strings.Join(got[:5], " ") != strings.Join(want[i], " ") {
			t.Errorf("user list, line %d: got %v, want %v", i, got, want[i])
		}
	}
}

// refuseUsers tries what must not happen.
func refuseUsers(t *testing.T, f *folder) {
	t.Helper()
	for _, test := range []struct{ args, input, want string }{
		{"user add anna@example.com --role technician", "", "Email has already been taken"},
		{"user add ANNA@example.com --role technician", "", "Email has already been taken"},
		{"user add no-address --role technician", "",
			`Email must be an e-mail address such as anna@example.com, not "no-address"`},
		{"user add new@example.com --role technician --password-stdin", "short\n",
			"Password is too short (minimum is 12 characters)"},
		{"user add new@example.com --role technician --password-stdin", "\n", "there is no password on standard input"},
		{"user add new@example.com --role technician --password-stdin", "not utf-8: \xff\xfe\n", "UTF-8"},
		{"user add new@example.com --role king", "", "administrator"},
		{"user add new@example.com", "", "--role"},
		{"user add --role technician", "", "<email>"},
		{"user passwd anna@example.com --password-stdin", "short", "Password is too short (minimum is 12 characters)"},
		{"user passwd nobody@example.com", "", "there is no user nobody@example.com"},
		{"user disable nobody@example.com", "", "there is no user nobody@example.com"},
		{"user reset-second-factor nobody@example.com", "", "there is no user nobody@example.com"},
		{"user reset-second-factor anna@example.com", "", "anna@example.com has no second factor"},
	} {
		args := strings.Fields(test.args)
		f.refusal(f.feed(test.input, args...), args, test.want)
	}
	f.must("user", "disable", "ben@example.com")
	f.refused([]string{"user", "disable", admin}, admin+" is the last enabled administrator")
	if list := f.must("user", "list"); strings.Count(list, "\n") != 4 || strings.Count(list, "disabled") != 2 {
		t.Errorf("after what was refused: got\n%s\nwant three users, two of them disabled", list)
	}
}

// TestDisableEndsAccess: a client that is signed in and keeps its connection
// is out at once too.
func TestDisableEndsAccess(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	s := f.serve()
	c := s.client("carl@example.com",
		strings.TrimSpace(f.must("user", "add", "carl@example.com", "--role", "technician")))
	if got := c.Get("/hardwares.xml"); got.Status != http.StatusOK {
		t.Fatalf("before: got %d, want 200", got.Status)
	}
	f.must("user", "disable", "carl@example.com")
	if got := c.Get("/hardwares.xml"); got.Status != http.StatusUnauthorized {
		t.Errorf("after: got %d, want 401", got.Status)
	}
}

// TestCommandsAtOnce: commands wait for each other.
func TestCommandsAtOnce(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.serve().stop()
	var all sync.WaitGroup
	for _, name := range []string{"a", "b", "c", "d"} {
		all.Go(func() {
			if got := f.run("user", "add", name+"@example.com", "--role", "requester"); got.status != 0 {
				t.Errorf("user add %s: got %q, want success", name, got.err)
			}
		})
	}
	all.Wait()
	if list := f.must("user", "list"); strings.Count(list, "@example.com ") < 4 {
		t.Errorf("got\n%s\nwant four users more", list)
	}
}

// TestDeadSocket: a crashed server leaves its socket behind.
func TestDeadSocket(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.serve().kill()
	if !f.exists("muster.sock") {
		t.Fatal("a killed server leaves no socket; the test is about one that does")
	}
	f.must("user", "passwd", admin)
	s := f.serve()
	if renewed := strings.TrimSpace(f.must("user", "passwd", admin)); s.client(admin,
		renewed).Get("/api.xml").Status != http.StatusOK {
		t.Error("the password that was set through the new socket does not hold")
	}
}

// TestOtherDatabase: a command is about the database that it names, not about
// that of the server which happens to run on the data folder.
func TestOtherDatabase(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.serve()
	other := filepath.Join(f.dir, "other.db")
	f.must("user", "add", "stray@example.com", "--role", "requester", "--database", other, "--key-file",
		filepath.Join(f.dir, "other.key"))
	if list := f.must("user", "list"); strings.Contains(list, "stray@example.com") {
		t.Errorf("the server's users: got\n%s\nwant them without the stray one", list)
	}
	list := f.must("user", "list", "--database", other, "--key-file", filepath.Join(f.dir, "other.key"))
	if !strings.Contains(list, "stray@example.com") || strings.Contains(list, admin) {
		t.Errorf("the other database's users: got\n%s\nwant the stray one alone", list)
	}
}

// TestNoDatabase: commands other than the first user's make no database.
func TestNoDatabase(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	for _, args := range [][]string{{"user", "list"}, {"user", "passwd", admin}, {"user", "disable", admin}} {
		f.refused(args, "there is no database", "muster serve")
	}
	if f.exists("") {
		t.Error("got a data folder, want none")
	}
	f.must("user", "add", "eve@example.com", "--role", "requester")
	if s := f.serve(); s.password == "" {
		t.Error("a first start after a requester was added: got no administrator, want one")
	}
}

// TestEnable gives a disabled user their access back.
func TestEnable(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	s := f.serve()
	const user = "eve@example.com"
	if got := f.feed(password, "user", "add", user, "--role", "technician", "--password-stdin"); got.status != 0 {
		t.Fatalf("user add: got %+v", got)
	}
	for _, step := range []struct {
		do   string
		want int
	}{{"disable", http.StatusUnauthorized}, {"enable", http.StatusOK}} {
		f.must("user", step.do, user)
		if got := s.client(user, password).Get("/api.xml"); got.Status != step.want {
			t.Errorf("after user %s: got %d, want %d", step.do, got.Status, step.want)
		}
	}
	f.refused([]string{"user", "enable", "nobody@example.com"}, "there is no user nobody@example.com")
}

// TestOtherAdministrator: the printed line is for a user that exists.
func TestOtherAdministrator(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.must("user", "add", "root@example.com", "--role", "administrator")
	if s := f.serve(); !strings.Contains(s.curl, "--user 'root@example.com' ") {
		t.Errorf("got the line %q, want one for the administrator that there is", s.curl)
	}
}
