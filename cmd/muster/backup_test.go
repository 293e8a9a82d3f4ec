//go:build full

package main_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muster/internal/mustertest"
)

// documents returns every computer as the API shows it, by its path.
func documents(t *testing.T, s *service, password string) map[string]string {
	t.Helper()
	c := s.client(admin, password)
	var list struct {
		IDs []int64 `xml:"hardware>id"`
	}
	got := c.Get("/hardwares.xml?per_page=1000")
	if err := xml.Unmarshal([]byte(got.Body), &list); err != nil || got.Status != http.StatusOK {
		t.Fatalf("the list of computers: got %d, %v", got.Status, err)
	}
	docs := map[string]string{"list": strings.ReplaceAll(got.Body, s.base, "BASE")}
	for _, id := range list.IDs {
		path := fmt.Sprintf("/hardwares/%d.xml", id)
		got := c.Get(path)
		if got.Status != http.StatusOK {
			t.Fatalf("%s: got %d %s, want 200", path, got.Status, got.Body)
		}
		docs[path] = strings.ReplaceAll(got.Body, s.base, "BASE")
	}
	return docs
}

// create adds a computer.
func create(t *testing.T, s *service, password, name string) {
	t.Helper()
	if got := s.client(admin, password).Do("POST", "/hardwares.xml",
		"<hardware><name>"+name+"</name></hardware>"); got.Status != http.StatusCreated {
		t.Fatalf("create %s: got %d %s, want 201", name, got.Status, got.Body)
	}
}

// serves checks that an installation, when it is served, has the wanted documents.
func (f *folder) serves(want map[string]string, password string) {
	f.t.Helper()
	s := f.serve("--rate-limit", "0")
	if diff := cmp.Diff(want, documents(f.t, s, password)); diff != "" {
		f.t.Errorf("what is served (+) is not what was backed up (-):\n%s", diff)
	}
	if status := s.stop(); status != 0 {
		f.t.Errorf("exit status: got %d, want 0\n%s", status, s.log)
	}
}

// TestBackupAndRestore goes back to a state, from which the server went on.
func TestBackupAndRestore(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f := newFolder(t)
		database := "MUSTER_DATABASE=" + db.New(t)
		f.env = []string{database}
		s := f.serve("--demo", "--rate-limit", "0")
		password := s.password
		want := documents(t, s, password)
		f.env = nil // the running server says which database it has
		out := f.must("backup", "monday.backup")
		f.env = []string{database}
		if !regexp.MustCompile(`^Wrote monday.backup, \d+ bytes, \d+ rows.\nIt holds the server's keys: keep it as safe as the server itself.\n$`).MatchString(out) {
			t.Errorf("backup: got %q", out)
		}
		if info, err := os.Stat(filepath.Join(f.dir, "monday.backup")); err != nil || info.Mode() != 0o600 {
			t.Errorf("the file: got %v, %v, want mode 0600", info, err)
		}
		create(t, s, password, "later")
		f.must("user", "add", "later@example.com", "--role", "technician")
		s.stop()

		if out := f.must("restore", "--check", "monday.backup"); !strings.Contains(out, "monday.backup is whole: ") ||
			!strings.Contains(out, " rows and server.key, ca.pem, ca.key, as of 2") ||
			!strings.Contains(out, ", written by muster v0.0.0-test.\n") {
			t.Errorf("restore --check: got %q", out)
		}
		out = f.must("restore", "monday.backup")
		for _, text := range []string{
			"TABLE ", "\nhardwares ", " 250\n", "\nRestored the state of 2",
			"Every row was read again and is equal to the backup's.\nWhat was there before is kept as ",
		} {
			if !strings.Contains(out, text) {
				t.Errorf("restore: got %q, want a text with %q", out, text)
			}
		}
		f.serves(want, password)
		if db.Name == "sqlite" {
			kept := regexp.MustCompile(`is kept as (.*)\.\n`).FindStringSubmatch(out)
			if list := f.must("user", "list", "--database", kept[1]); !strings.Contains(list, "later@example.com") {
				t.Errorf("users of what was kept: got\n%s\nwant the later one too", list)
			}
		}
	})
}

// TestMoveBetweenDatabases moves an installation there and back again.
func TestMoveBetweenDatabases(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f := newFolder(t)
		s := f.serve("--demo", "--rate-limit", "0")
		generated := strings.TrimSpace(f.must("user", "add", "anna@example.com", "--role", "technician"))
		want := documents(t, s, s.password)
		s.stop()
		f.must("backup", "there.backup")
		there := []string{"--database", db.New(t)}
		f.must(append([]string{"restore", "there.backup"}, there...)...)
		f.env = []string{"MUSTER_DATABASE=" + there[1]}
		f.serves(want, s.password)
		moved := f.serve()
		signsIn(t, moved, "anna@example.com", generated, true)
		moved.stop()
		f.must("backup", "back.backup")
		f.env = nil
		f.must("restore", "back.backup")
		f.serves(want, s.password)
	})
}

// TestRestoreElsewhere makes an installation again from its backup alone.
func TestRestoreElsewhere(t *testing.T) {
	t.Parallel()
	f, elsewhere := newFolder(t), newFolder(t)
	s := f.serve("--demo", "--rate-limit", "0")
	want := documents(t, s, s.password)
	f.must("backup", filepath.Join(elsewhere.dir, "a.backup"))
	ca := read(t, f.data("ca.pem"))
	s.kill()
	out := elsewhere.must("restore", "a.backup")
	if strings.Contains(out, "kept") {
		t.Errorf("restore: got %q, want nothing kept where nothing was", out)
	}
	for name, mode := range map[string]os.FileMode{
		"": os.ModeDir | 0o700, "muster.db": 0o600, "server.key": 0o600, "ca.pem": 0o644, "ca.key": 0o600,
	} {
		if info, err := os.Stat(elsewhere.data(name)); err != nil || info.Mode() != mode {
			t.Errorf("mode of muster-data/%s: got %v, %v, want %v", name, info, err, mode)
		}
	}
	if got := read(t, elsewhere.data("ca.pem")); got != ca {
		t.Error("the authority is not the one that clients trust")
	}
	elsewhere.serves(want, s.password)
	entries, err := os.ReadDir(elsewhere.data(""))
	for _, e := range entries {
		if strings.Contains(e.Name(), "restoring") || strings.Contains(e.Name(), "before") {
			t.Errorf("%s was left behind", e.Name())
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestRestoreWhileServing refuses, and the server goes on.
func TestRestoreWhileServing(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f := newFolder(t)
		f.env = []string{"MUSTER_DATABASE=" + db.New(t)}
		s := f.serve()
		f.must("backup", "a.backup")
		create(t, s, s.password, "later")
		want := documents(t, s, s.password)
		f.refused([]string{"restore", "a.backup"}, "a server is running on the data folder", "stop it first")
		f.refused([]string{"rollback"}, "there is no copy in")
		other := []string{"restore", "a.backup", "--data", "other-data"}
		if db.Name == "postgres" {
			f.refused(other, "the database is in use by Muster: stop all its servers first")
		} else {
			f.refused(other, "another process has the database open", "stop it first")
		}
		if diff := cmp.Diff(want, documents(t, s, s.password)); diff != "" {
			t.Errorf("after it: got (+), want (-):\n%s", diff)
		}
	})
}

// TestDamagedBackup is noticed before anything is touched.
func TestDamagedBackup(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	s := f.serve("--demo", "--rate-limit", "0")
	f.must("backup", "good.backup")
	create(t, s, s.password, "later")
	want := documents(t, s, s.password)
	s.stop()
	good := []byte(read(t, filepath.Join(f.dir, "good.backup")))
	before := read(t, f.data("muster.db"))
	for _, c := range []struct {
		name, want string
		file       []byte
	}{
		{"flipped at the beginning", "damaged", flip(good, 5)},
		{"flipped in the middle", "damaged", flip(good, len(good)/2)},
		{"flipped at the end", "damaged", flip(good, len(good)-1)},
		{"cut off", "damaged", good[:len(good)-100]},
		{"longer", "damaged", append(bytes.Clone(good), 0)},
		{"empty", "does not begin as a backup of Muster does", nil},
		{"another file", "does not begin as a backup of Muster does", []byte(before)},
	} {
		write(t, filepath.Join(f.dir, "bad.backup"), string(c.file))
		for _, args := range [][]string{{"restore", "bad.backup"}, {"restore", "--check", "bad.backup"}} {
			f.refused(args, "bad.backup: the backup is damaged", c.want)
		}
	}
	f.refused([]string{"restore", "none.backup"}, "none.backup")
	if read(t, f.data("muster.db")) != before {
		t.Error("the database was touched")
	}
	entries, err := filepath.Glob(f.data("*before*"))
	if len(entries) > 0 || err != nil {
		t.Errorf("got %v, %v beside the database, want nothing", entries, err)
	}
	f.serves(want, s.password)
}

// flip returns a file with one byte changed.
func flip(file []byte, at int) []byte {
	file = bytes.Clone(file)
	file[at] ^= 0x20
	return file
}

// TestBackupFile: what is there is replaced when asked for alone, and no part
// of a file is left.
func TestBackupFile(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.refused([]string{"backup", "a.backup"}, "there is no database", "--data or --database")
	f.serve("--demo", "--rate-limit", "0").stop()
	f.must("backup", "a.backup")
	f.refused([]string{"backup", "a.backup"},
		"a.backup already exists: choose another name, or replace it with --force")
	write(t, filepath.Join(f.dir, "b.backup"), "old")
	f.must("backup", "b.backup", "--force")
	f.must("restore", "--check", "b.backup")
	f.refused([]string{"backup", "none/a.backup"}, "no such file or directory")
	f.refused([]string{"backup", "a.backup/a.backup"}, "not a directory")
	f.refused([]string{"backup", "--force", "muster-data"}, "muster-data is not a regular file")
	f.refused([]string{"backup", "--force", "/dev/null"}, "/dev/null is not a regular file")
	f.refused([]string{"backup", "c.backup", "--database", "none.db"}, "there is no database", "none.db")

	piped := f.run("backup", "-", "--without-keys")
	if piped.status != 0 || piped.err != "" {
		t.Fatalf("backup to standard output: got %d and %q", piped.status, piped.err)
	}
	write(t, filepath.Join(f.dir, "piped.backup"), piped.out)
	if out := f.must("restore", "--check", "piped.backup"); !strings.Contains(out, "rows and no keys") {
		t.Errorf("what was sent to standard output: got %q", out)
	}
	entries, err := os.ReadDir(f.dir)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got := strings.Join(names, " "); got != "a.backup b.backup muster-data piped.backup" || err != nil {
		t.Errorf("in the folder: got %s, %v", got, err)
	}
}

// TestBackupWithoutKeys is of use with the right key alone.
func TestBackupWithoutKeys(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	s := f.serve("--demo", "--rate-limit", "0")
	want := documents(t, s, s.password)
	s.stop()
	if out := f.must("backup", "a.backup", "--without-keys"); strings.Contains(out, "keys") {
		t.Errorf("backup --without-keys: got %q, want no word of keys", out)
	}
	key := read(t, f.data("server.key"))
	for _, secret := range []string{key, strings.TrimSpace(key)} {
		if strings.Contains(read(t, filepath.Join(f.dir, "a.backup")), secret) {
			t.Error("the backup holds the key")
		}
	}
	file := filepath.Join(f.dir, "a.backup")
	for name, c := range map[string]struct{ key, want string }{
		"no key":        {"", "the backup was made without keys, so the server's key must be in place first"},
		"a damaged key": {"xyz", "is damaged"},
		"another key":   {strings.Repeat("5a", 32) + "\n", "not the one that the database was made with"},
		"the key":       {key, ""},
	} {
		t.Run(name, func(t *testing.T) {
			to := newFolder(t)
			if err := os.Mkdir(to.data(""), 0o700); err != nil {
				t.Fatal(err)
			}
			if c.key != "" {
				write(t, to.data("server.key"), c.key)
			}
			if c.want == "" {
				to.must("restore", file)
				to.serves(want, s.password)
				return
			}
			to.refused([]string{"restore", file}, c.want)
			if to.exists("muster.db") || to.exists("muster.db.restoring") {
				t.Error("got a database, want none")
			}
		})
	}
}

// TestBackupLacksKey refuses a backup that would be of no use: the running
// server's key is elsewhere.
func TestBackupLacksKey(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	key := filepath.Join(f.dir, "elsewhere.key")
	f.serve("--key-file", key)
	f.refused([]string{"backup", "a.backup"}, "the server's key", "is missing", "--key-file", "--without-keys")
	f.must("backup", "a.backup", "--key-file", key)
	if out := f.must("restore", "--check", "a.backup"); !strings.Contains(out, "server.key") {
		t.Errorf("restore --check: got %q, want server.key among the files", out)
	}
}

// TestBackupOfWrongKey refuses a backup that could not be restored.
func TestBackupOfWrongKey(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f := newFolder(t)
		f.env = []string{"MUSTER_DATABASE=" + db.New(t)}
		f.serve().stop()
		key := read(t, f.data("server.key"))
		for want, other := range map[string]string{
			"server.key is missing, without which a backup cannot be restored": "",
			"server.key is damaged": "xyz",
			"the server's key is not the one that the database was made with": strings.Repeat("5a", 32),
		} {
			if other != "" {
				write(t, f.data("server.key"), other)
			} else if err := os.Remove(f.data("server.key")); err != nil {
				t.Fatal(err)
			}
			f.refused([]string{"backup", "a.backup"}, want)
			if _, err := os.Stat(filepath.Join(f.dir, "a.backup")); err == nil {
				t.Errorf("%s: got a backup, want none", want)
			}
			f.must("backup", "b.backup", "--without-keys", "--force")
			write(t, f.data("server.key"), key)
		}
		f.must("backup", "a.backup")
	})
}

// TestRestoreKeepsKeys keeps the keys of what it replaces.
func TestRestoreKeepsKeys(t *testing.T) {
	t.Parallel()
	f, other := newFolder(t), newFolder(t)
	s := f.serve()
	create(t, s, s.password, "first")
	want := documents(t, s, s.password)
	s.stop()
	f.must("backup", filepath.Join(other.dir, "a.backup"))
	other.serve().stop()
	names := []string{"server.key", "ca.pem", "ca.key"}
	former := map[string]string{}
	for _, name := range names {
		former[name] = read(t, other.data(name))
	}
	out := other.must("restore", "a.backup")
	for _, name := range names {
		kept, err := filepath.Glob(other.data(name + ".before-*"))
		if len(kept) != 1 || err != nil || read(t, kept[0]) != former[name] ||
			!strings.Contains(out, "What was there before is kept as "+kept[0]+".\n") {
			t.Errorf("%s: got %v, %v, and the text %q, want what was there", name, kept, err, out)
		}
		if name != "ca.pem" {
			info, err := os.Stat(kept[0])
			if err != nil || info.Mode() != 0o600 {
				t.Errorf("%s: got %v, %v, want mode 0600", kept[0], info, err)
			}
		}
		if read(t, other.data(name)) != read(t, f.data(name)) {
			t.Errorf("%s is not the backup's", name)
		}
	}
	other.serves(want, s.password)
}

// TestRestoreTwice keeps what each restore replaces, however soon the next one
// comes.
func TestRestoreTwice(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.serve().stop()
	f.must("backup", "a.backup")
	for range 5 {
		f.must("restore", "a.backup")
	}
	if kept, err := filepath.Glob(f.data("muster.db.before-*")); len(kept) != 5 || err != nil {
		t.Errorf("got %v, %v, want five databases that were kept", kept, err)
	}
}

// TestKeysCannotBeWritten says so; the next restore mends it.
func TestKeysCannotBeWritten(t *testing.T) {
	t.Parallel()
	f, other := newFolder(t), newFolder(t)
	s := f.serve()
	s.stop()
	f.must("backup", filepath.Join(other.dir, "a.backup"))
	if err := os.MkdirAll(other.data("ca.pem"), 0o700); err != nil { // a folder where a file is to be
		t.Fatal(err)
	}
	other.refused([]string{"restore", "a.backup"}, "the database is restored, but its keys are not", "restore again",
		"ca.pem")
	if err := os.Remove(other.data("ca.pem")); err != nil {
		t.Fatal(err)
	}
	other.must("restore", "a.backup")
	again := other.serve()
	signsIn(t, again, admin, s.password, true)
}
