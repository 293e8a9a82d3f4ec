//go:build full

package main_test

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"muster/internal/doctor"
	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/store"
	"muster/internal/witness"
)

// A diagnosis is what `muster doctor` says.
type diagnosis struct {
	Findings           []doctor.Finding
	Problems, Warnings int
}

// doctor runs `muster doctor` in both its forms, which must say the same, and
// checks that it has changed nothing.
func (f *folder) doctor(args ...string) diagnosis {
	f.t.Helper()
	before := f.state()
	name := "muster doctor " + strings.Join(args, " ")
	plain := f.run(append([]string{"doctor"}, args...)...)
	got := f.run(append([]string{"doctor", "--json"}, args...)...)
	if diff := cmp.Diff(before, f.state()); diff != "" {
		f.t.Errorf("%s: changed the folder:\n%s", name, diff)
	}
	var d diagnosis
	if err := json.Unmarshal([]byte(got.out), &d); err != nil {
		f.t.Fatalf("%s --json: %v:\n%s%s", name, err, got.out, got.err)
	}
	problems, warnings := 0, 0
	lines := strings.Split(timeless(strings.TrimSuffix(plain.out, "\n")), "\n")
	for i, finding := range d.Findings {
		switch finding.Level {
		case doctor.Problem:
			problems++
		case doctor.Warning:
			warnings++
		}
		if finding.Level != doctor.OK && finding.Do == "" {
			f.t.Errorf("%s: %+v does not say what to do", name, finding)
		}
		prefix := fmt.Sprintf("%-8s %s: ", finding.Level, finding.Check)
		if finding.Check != "disk" && (len(lines) <= i || !strings.HasPrefix(lines[i], timeless(prefix+finding.Text))) {
			f.t.Errorf("%s: got\n%s\nwant the line %q", name, plain.out, prefix+finding.Text)
		}
	}
	wantStatus := min(problems, 1)
	if problems != d.Problems || warnings != d.Warnings || plain.status != wantStatus || got.status != wantStatus ||
		(plain.err != "") != (problems > 0) {
		f.t.Errorf("%s: got status %d and %d, and %q, with %+v", name, plain.status, got.status, plain.err, d)
	}
	return d
}

// state returns the names, modes, times and contents of all files, except
// those of a running database, and the head of the audit trail that a running
// server writes.
func (f *folder) state() map[string]string {
	f.t.Helper()
	state := map[string]string{}
	running := f.exists("muster.sock")
	err := filepath.WalkDir(f.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || strings.HasSuffix(path, "-shm") || strings.HasSuffix(path, "-wal") ||
			running && strings.Contains(path, witness.FileName) {
			return nil // a file may be gone that was there a moment before
		}
		info, err := entry.Info()
		if running && err == nil && entry.IsDir() {
			state[path] = fmt.Sprint(info.Mode())
			return nil
		}
		text := []byte(nil)
		if err == nil && info.Mode().IsRegular() {
			text, err = os.ReadFile(path)
		}
		state[path] = fmt.Sprint(info.Mode(), info.ModTime(), string(text))
		return err
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return state
}

// says checks that there is a finding of a level with all texts.
func (d diagnosis) says(t *testing.T, what, level, check string, texts ...string) {
	t.Helper()
	found := slices.ContainsFunc(d.Findings, func(f doctor.Finding) bool {
		return f.Level == level && f.Check == check &&
			!slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(f.Text+" "+f.Do, text) })
	})
	if !found {
		t.Errorf("%s: got %+v, want a %s of the %s with %q", what, d.Findings, level, check, texts)
	}
}

// healthy checks that nothing is wrong.
func (d diagnosis) healthy(t *testing.T, what string) {
	t.Helper()
	if d.Problems > 0 || d.Warnings > 0 || len(d.Findings) < 8 {
		t.Errorf("%s: got %+v, want a healthy installation", what, d.Findings)
	}
}

// patient returns a folder for an installation with a port of its own, and
// without a ballast, which is made some time after the start.
func patient(t *testing.T) *folder {
	t.Helper()
	f := newFolder(t)
	f.env = []string{"MUSTER_LISTEN=localhost:" + freePort(t), "MUSTER_BALLAST=0"}
	return f
}

// installed returns a folder with a server on a database and an address of its
// own, which all commands know.
func installed(t *testing.T, db mustertest.Database) (*folder, *service) {
	t.Helper()
	f := patient(t)
	if db.Name != "sqlite" {
		f.env = append(f.env, "MUSTER_DATABASE="+db.New(t))
	}
	return f, f.serve()
}

// address returns the database of a folder.
func (f *folder) address() string {
	for _, pair := range f.env {
		if address, ok := strings.CutPrefix(pair, "MUSTER_DATABASE="); ok {
			return address
		}
	}
	return f.data("muster.db")
}

// sql runs a statement on the database of a folder.
func (f *folder) sql(statement string) {
	f.t.Helper()
	ctx := context.Background()
	if address := f.address(); store.IsPostgres(address) {
		conn, err := pgx.Connect(ctx, address)
		if err != nil {
			f.t.Fatal(err)
		}
		defer conn.Close(ctx)
		if _, err := conn.Exec(ctx, statement); err != nil {
			f.t.Fatal(err)
		}
		return
	}
	conn, err := sqlite.OpenConn(f.address(), sqlite.OpenReadWrite)
	if err != nil {
		f.t.Fatal(err)
	}
	defer conn.Close()
	if err := sqlitex.ExecuteTransient(conn, statement, nil); err != nil {
		f.t.Fatal(err)
	}
}

func TestDoctorHealthy(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f, s := installed(t, db)
		d := f.doctor()
		d.healthy(t, "while the server runs")
		d.says(t, "while the server runs", doctor.OK, "server", "A server runs")
		d.says(t, "while the server runs", doctor.OK, "port", "answers at")
		s.kill()
		d = f.doctor()
		d.says(t, "after a crash", doctor.Warning, "server", "did not end by itself")
		d.says(t, "after a crash", doctor.OK, "tables")
		s = f.serve()
		s.stop()
		d = f.doctor()
		d.healthy(t, "after its end")
		d.says(t, "after its end", doctor.OK, "server", "No server runs")
		for _, check := range []string{"data folder", "permissions", "port", "certificate", "database", "tables",
			"key", "audit trail", "backups", "disk", "clock"} {
			d.says(t, "after its end", doctor.OK, check)
		}
	})
}

// TestDoctorNothing: a missing installation is explained, and none is made.
func TestDoctorNothing(t *testing.T) {
	t.Parallel()
	f := patient(t)
	d := f.doctor()
	d.says(t, "no folder", doctor.Problem, "data folder", f.data(""), "muster serve", "--data")
	if d.Problems != 1 || f.exists("") {
		t.Errorf("no folder: got %+v, want one problem and still no folder", d)
	}
	if err := os.Mkdir(f.data(""), 0o700); err != nil {
		t.Fatal(err)
	}
	f.doctor().says(t, "an empty folder", doctor.Problem, "database", "There is no database", "muster serve")
	write(t, f.data("muster.db"), "")
	f.doctor().says(t, "an empty database", doctor.Problem, "tables", "no tables", "muster serve")
	write(t, filepath.Join(f.dir, "file"), "")
	f.doctor("--data", "file").says(t, "a file", doctor.Problem, "data folder", "not a folder")
	f.doctor("--database", "mysql://root@host/db").says(t, "another database", doctor.Problem, "database",
		"postgres://")
	f.doctor("--database", "elsewhere.db").says(t, "a missing file", doctor.Problem, "database", "elsewhere.db")
	f.doctor("--listen", "8443").says(t, "not an address", doctor.Problem, "port", "localhost:8443")
}

// TestDoctorDatabase breaks the database in each way.
func TestDoctorDatabase(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f, s := installed(t, db)
		f.doctor("--realm", "Other").says(t, "another realm", doctor.Problem, "key", `"Muster"`, "--realm")
		s.stop()
		key := read(t, f.data("server.key"))
		for content, want := range map[string]string{
			strings.Repeat("5a", 32) + "\n": "not the one that the database was made with", key[:10]: "is damaged",
		} {
			write(t, f.data("server.key"), content)
			f.doctor().says(t, "the key "+content, doctor.Problem, "key", want, "--key-file")
		}
		if err := os.Remove(f.data("server.key")); err != nil {
			t.Fatal(err)
		}
		f.doctor().says(t, "no key", doctor.Problem, "key", "is missing")
		write(t, f.data("server.key"), key)

		f.sql("ALTER TABLE hardwares RENAME COLUMN notes TO remarks")
		// it lacks one of the columns, which is reported first
		f.doctor().says(t, "an unknown column", doctor.Warning, "tables", "older version")
		f.sql("ALTER TABLE hardwares RENAME COLUMN remarks TO notes")
		f.sql("DELETE FROM migrations WHERE number = (SELECT max(number) FROM migrations)")
		f.doctor().says(t, "an older one", doctor.Warning, "tables", "older version", "start muster serve")
		f.sql("INSERT INTO migrations (number) VALUES (999)")
		f.doctor().says(t, "a newer one", doctor.Problem, "tables", "newer version", "step 999")
		f.sql("DELETE FROM migrations WHERE number = 999")
		f.sql("INSERT INTO migrations (number) SELECT max(number) + 1 FROM migrations")
		f.doctor().healthy(t, "all mended")
	})
}

// TestDoctorClock: records of the future mean that the clock is behind.
func TestDoctorClock(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f, s := installed(t, db)
		s.stop()
		ctx := context.Background()
		st, err := store.Open(ctx, store.Config{Database: f.address(), Kinds: inventory.All()})
		if err != nil {
			t.Fatal(err)
		}
		err = st.Update(ctx, func(tx *store.Tx) error {
			return tx.Insert(ctx, inventory.Computers.Schema, &inventory.Computer{Name: "a"},
				time.Now().Add(48*time.Hour))
		})
		if err != nil || st.Close() != nil {
			t.Fatal(err)
		}
		f.doctor().says(t, "a record of the future", doctor.Problem, "clock", "newest record", "Set the clock")
	})
}

// TestDoctorBuilt: the clock cannot be before the program was made.
func TestDoctorBuilt(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "muster")
	if err := buildProgram(file, "2999-12-31"); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(file, "doctor", "--data", t.TempDir()).Output()
	if _, failed := errors.AsType[*exec.ExitError](err); !failed ||
		!strings.Contains(string(out), "this program was made on 2999-12-31") {
		t.Errorf("got %v and %s, want a problem of the clock", err, out)
	}
}

// TestDoctorDamage: a damaged page is found.
func TestDoctorDamage(t *testing.T) {
	t.Parallel()
	f := patient(t)
	f.serve("--demo").stop()
	text := []byte(read(t, f.data("muster.db")))
	const page = 16384
	for i := 40 * page; i < len(text); i += page {
		copy(text[i:i+64], make([]byte, 64))
	}
	write(t, f.data("muster.db"), string(text))
	f.doctor().says(t, "a damaged page", doctor.Problem, "database", "is damaged", "backup")
	write(t, f.data("muster.db"), strings.Repeat("no database ", 1000))
	f.doctor().says(t, "a text", doctor.Problem, "database", "is damaged")
}

// timeless returns a text without its times of day, which differ between two runs.
func timeless(text string) string { return clockTime.ReplaceAllString(text, "00:00:00") }

var clockTime = regexp.MustCompile(`\d\d:\d\d:\d\d`)

// TestDoctorAway: a database that does not answer is reported without its
// password.
func TestDoctorAway(t *testing.T) {
	t.Parallel()
	f := patient(t)
	f.serve().stop()
	const database = "postgres://someone:hush-hush@localhost:1/muster"
	f.doctor("--database", database).says(t, "no PostgreSQL", doctor.Problem, "database",
		"postgres://localhost:1/muster cannot be reached", "runs")
	for _, args := range [][]string{{"doctor"}, {"doctor", "--json"}} {
		if got := f.run(append(args, "--database", database)...); strings.Contains(got.out+got.err, "hush-hush") {
			t.Errorf("%v: got %s%s, want no password in it", args, got.out, got.err)
		}
	}
}

// TestDoctorCertificate breaks own and local certificates in each way.
func TestDoctorCertificate(t *testing.T) {
	t.Parallel()
	f := patient(t)
	now := time.Now()
	make := func(name string, from, to time.Duration) []string {
		cert, key := writeCertificate(t, f.dir, name, &x509.Certificate{
			DNSNames: []string{"localhost", "assets.test"}, NotBefore: now.Add(from), NotAfter: now.Add(to),
		})
		return []string{"--cert-file", cert, "--cert-key", key}
	}
	const day = 24 * time.Hour
	good := make("good", -day, 100*day)
	s := f.serve(good...)
	f.doctor(append(good, "--base-url", "https://assets.test")...).healthy(t, "an own certificate")
	soon := make("soon", -day, 10*day)
	f.doctor(soon...).says(t, "soon", doctor.Warning, "certificate", "ends on", "in 9 days")
	f.doctor(soon...).says(t, "another than the server's", doctor.Warning, "certificate",
		"The server uses another certificate", "SIGHUP")
	s.stop()
	f.doctor(make("ended", -10*day, -day)...).says(t, "ended", doctor.Problem, "certificate", "ended on")
	f.doctor(make("later", day, 10*day)...).says(t, "later", doctor.Problem, "certificate", "valid only from", "clock")
	f.doctor(good[0], good[1], good[2], soon[3]).says(t, "another key", doctor.Problem, "certificate",
		"cannot be used", "--cert-key")
	f.doctor("--cert-file", "none.pem", "--cert-key", "none.key").says(t, "no file", doctor.Problem, "certificate",
		"none.pem")
	f.doctor(append(good, "--base-url", "https://other.test")...).says(t, "another name", doctor.Problem,
		"certificate", "not for other.test")
	f.doctor("--plain-http").says(t, "plain HTTP", doctor.OK, "certificate", "plain HTTP")

	f.serve().stop()
	f.doctor("--base-url", "https://other.test").says(t, "local, another name", doctor.Warning, "certificate",
		"not for other.test", "by itself")
	write(t, f.data("tls.pem"), read(t, good[1]))
	write(t, f.data("tls.key"), read(t, good[3]))
	f.doctor().says(t, "not the authority's", doctor.Warning, "certificate", "not one of the local authority",
		"by itself")
	write(t, f.data("tls.key"), "damaged")
	f.doctor().says(t, "a damaged key", doctor.Warning, "certificate", "cannot be used", "by itself")
	ended := make("ca", -10*day, -day)
	write(t, f.data("ca.pem"), read(t, ended[1]))
	f.doctor().says(t, "another authority's key", doctor.Problem, "certificate", "ca.key", "trust")
	write(t, f.data("ca.key"), read(t, ended[3]))
	f.doctor().says(t, "an authority that has ended", doctor.Problem, "authority", "ended on", "trust")
}

// TestDoctorPort: another program on the server's port is reported.
func TestDoctorPort(t *testing.T) {
	t.Parallel()
	f, s := installed(t, mustertest.SQLite)
	f.doctor("--listen", "localhost:"+freePort(t)).says(t, "elsewhere", doctor.Warning, "port", "listens elsewhere",
		"--listen")
	other := httptest.NewUnstartedServer(http.NotFoundHandler())
	other.Config.ErrorLog = log.New(io.Discard, "", 0)
	other.StartTLS()
	defer other.Close()
	f.doctor("--listen", other.Listener.Addr().String()).says(t, "another program", doctor.Problem, "port",
		"Another program", "--listen")
	f.doctor("--listen", "no-such-name.invalid:8443").says(t, "an unknown name", doctor.Problem, "port",
		"not known here")
	second := newFolder(t)
	second.env = f.env
	second.doctor().says(t, "another server", doctor.Problem, "port", "not one of this data folder")
	s.stop()
	f.doctor().says(t, "nobody", doctor.OK, "port", "Nothing listens")
}

// TestDoctorModes: files that others could read or write are reported.
func TestDoctorModes(t *testing.T) {
	t.Parallel()
	f, s := installed(t, mustertest.SQLite)
	for _, test := range []struct {
		file         string
		mode         fs.FileMode
		level, check string
		texts        []string
	}{
		{"", 0o777, doctor.Problem, "data folder", []string{"can write", "chmod 700"}},
		{"", 0o755, doctor.Warning, "data folder", []string{"can look into", "chmod 700"}},
		{"", 0o500, doctor.Problem, "data folder", []string{"may not use it"}},
		{"server.key", 0o644, doctor.Problem, "permissions", []string{"server.key", "passwords", "chmod 600"}},
		{"muster.db", 0o640, doctor.Problem, "permissions", []string{"muster.db", "records"}},
		{"muster.db", 0o400, doctor.Problem, "permissions", []string{"muster.db", "may not use it"}},
		{"muster.db-wal", 0o604, doctor.Problem, "permissions", []string{"muster.db-wal"}},
		{"ca.key", 0o644, doctor.Problem, "permissions", []string{"ca.key", "private key"}},
		{"tls.key", 0o644, doctor.Problem, "permissions", []string{"tls.key"}},
		{"muster.sock", 0o666, doctor.Problem, "permissions", []string{"muster.sock", "administrators"}},
	} {
		info, err := os.Stat(f.data(test.file))
		if err != nil {
			t.Fatal(err)
		}
		for _, mode := range []fs.FileMode{test.mode, info.Mode().Perm()} {
			if err := os.Chmod(f.data(test.file), mode); err != nil {
				t.Fatal(err)
			}
			if mode == test.mode {
				f.doctor().says(t, fmt.Sprintf("%s with %#o", test.file, mode), test.level, test.check, test.texts...)
			}
		}
	}
	f.doctor().healthy(t, "all mended")
	address := filepath.Join(f.dir, "address")
	write(t, address, f.data("muster.db"))
	for mode, level := range map[fs.FileMode]string{0o644: doctor.Problem, 0o640: doctor.OK} {
		if err := os.Chmod(address, mode); err != nil {
			t.Fatal(err)
		}
		for _, flag := range []string{"--database-file", "--observe-token-file"} {
			f.doctor(flag, address).says(t, fmt.Sprintf("%s with %#o", flag, mode), level, "permissions")
		}
	}
	s.stop()
}
