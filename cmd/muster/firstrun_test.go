//go:build full

package main_test

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestFirstRun is what a new user sees: an empty folder, one command, and
// everything that a first call needs.
func TestFirstRun(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	s := f.serve()
	for name, want := range map[string]os.FileMode{
		"": os.ModeDir | 0o700, "muster.db": 0, "server.key": 0o600, "ca.pem": 0, "ca.key": 0o600, "tls.pem": 0,
		"tls.key":     0o600,
		"muster.sock": os.ModeSocket | 0o600,
	} {
		info, err := os.Stat(f.data(name))
		if err != nil {
			t.Errorf("the data folder: %v", err)
		} else if want != 0 && info.Mode() != want {
			t.Errorf("mode of muster-data/%s: got %v, want %v", name, info.Mode(), want)
		}
	}
	if !regexp.MustCompile(`^https://localhost:[0-9]+$`).MatchString(s.base) || s.base != s.address {
		t.Errorf("the API's address: got %q, want %q", s.base, s.address)
	}
	if _, ok := s.out.line("and its web application at " + s.base + "/app/"); !ok {
		t.Errorf("the address of the web application: got none in %s", s.out)
	}
	if got := s.client("", "").Get("/app/signin"); got.Status != http.StatusOK {
		t.Errorf("the page to sign in on: got %d, want 200", got.Status)
	}
	want := "curl --digest --user '" + admin + ":" + s.password + "' --cacert '" + f.data("ca.pem") + "' " + s.base +
		"/hardwares.xml"
	if s.curl != want {
		t.Errorf("the line to paste: got %q, want %q", s.curl, want)
	}
	if len(s.password) < 12 {
		t.Errorf("the administrator's password: got %q, want a long one", s.password)
	}
	if got := strings.Count(s.out.String(), "\ncurl "); got != 1 {
		t.Errorf("got %d lines to paste, want 1:\n%s", got, s.out)
	}
	if got := s.admin().Get("/hardwares.xml"); got.Status != http.StatusOK ||
		!strings.Contains(got.Body, "<total_entries>0</total_entries>") {
		t.Errorf("the first call: got %d %s, want an empty list", got.Status, got.Body)
	}
}

func TestSecondStart(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	first := f.serve()
	made := first.admin().Do("POST", "/hardwares.xml", "<hardware><name>kept</name></hardware>")
	before := first.admin().Get("/hardwares/1.xml").Body
	ca := read(t, f.data("ca.pem"))
	if status := first.stop(); made.Status != http.StatusCreated || status != 0 {
		t.Fatalf("the first run: got %d for a new computer and the exit status %d, want 201 and 0", made.Status, status)
	}
	if f.exists("muster.sock") {
		t.Error("the socket is still there after the server has stopped")
	}

	second := f.serve()
	if out := second.out.String(); strings.Contains(out, "password") || strings.Contains(out, first.password) {
		t.Errorf("the second start prints a password:\n%s", second.out)
	}
	if want := "curl --digest --user '" + admin + "' --cacert "; !strings.HasPrefix(second.curl, want) {
		t.Errorf("the line to paste: got %q, want %q…", second.curl, want)
	}
	got := second.client(admin, first.password).Get("/hardwares/1.xml")
	if want := strings.ReplaceAll(before, first.base, second.base); got.Body != want {
		t.Errorf("after the second start: got %d %s, want %s", got.Status, got.Body, want)
	}
	if read(t, f.data("ca.pem")) != ca {
		t.Error("the second start replaced the authority, which clients trust")
	}
}

// TestFailedFirstRun: the password must not be lost when the very first start
// fails for a reason that has nothing to do with it.
func TestFailedFirstRun(t *testing.T) {
	t.Parallel()
	busy, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	for name, args := range map[string][]string{
		"busy port":      {"serve", "--listen", busy.Addr().String()},
		"no certificate": {"serve", "--cert-file", "none.pem", "--cert-key", "none.key"},
		"no port":        {"serve", "--listen", "localhost"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFolder(t)
			f.refused(args)
			s := f.serve()
			if got := s.admin().Get("/hardwares.xml"); s.password == "" || got.Status != http.StatusOK {
				t.Errorf("the start after it: got the password %q and status %d, want a password that works",
					s.password, got.Status)
			}
		})
	}
}

// TestLongFolder: a socket's path may have about a hundred bytes.
func TestLongFolder(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	long := strings.Repeat("long", 30)
	f.refused([]string{"serve", "--listen", "localhost:0", "--data", long}, "shorter", long)
}

func TestTwoServersOnOneFolder(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	s := f.serve()
	for _, database := range []string{"", filepath.Join(t.TempDir(), "other.db")} {
		f.refused([]string{"serve", "--listen", "localhost:0", "--database", database},
			"another server runs on the data folder "+f.data(""), fmt.Sprintf("(process %d on ", s.cmd.Process.Pid))
	}
	if got := s.admin().Get("/hardwares.xml"); got.Status != http.StatusOK {
		t.Errorf("the first server after a second was refused: got %d, want 200", got.Status)
	}
	if out := f.must("user", "list"); !strings.Contains(out, admin) {
		t.Errorf("user list through the first server's socket: got %q", out)
	}
}

// TestServerKey: without the key that a database was made with, nothing
// starts, nothing is changed, and the text says what to do.
func TestServerKey(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	s := f.serve()
	password := s.password
	s.stop()
	key := read(t, f.data("server.key"))
	for _, test := range []struct {
		name, content, want string
	}{
		{"missing", "", "is missing"},
		{"cut off", key[:20], "is damaged"},
		{"no key", strings.Repeat("z", len(key)), "is damaged"},
		{"another", strings.Repeat("5a", (len(key)-1)/2) + "\n", "not the one that the database was made with"},
	} {
		if err := os.Remove(f.data("server.key")); err != nil {
			t.Fatal(err)
		}
		if test.content != "" {
			write(t, f.data("server.key"), test.content)
		}
		for _, args := range [][]string{
			{"serve", "--listen", "localhost:0"}, {"user", "list"}, {"user", "passwd", admin},
			{"user", "add", "new@example.com", "--role", "administrator"},
		} {
			f.refused(args, "key", test.want)
		}
		if got := f.exists("server.key"); got != (test.content != "") {
			t.Errorf("%s key: it is there: %t", test.name, got)
		}
		write(t, f.data("server.key"), key)
	}
	again := f.serve()
	if got := again.client(admin, password).Get("/api.xml"); got.Status != http.StatusOK {
		t.Errorf("with the right key again: got %d, want 200", got.Status)
	}
}

func TestKeyFile(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	file := filepath.Join(f.dir, "elsewhere.key")
	s := f.serve("--key-file", file)
	if info, err := os.Stat(file); err != nil || info.Mode() != 0o600 {
		t.Errorf("the key file: got %v, %v, want mode 0600", info, err)
	}
	if f.exists("server.key") {
		t.Error("there is a key in the data folder too")
	}
	s.stop()
	f.refused([]string{"user", "list"}, "server.key", "--key-file")
	f.must("user", "list", "--key-file", file)
}

func TestRealm(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	s := f.serve("--realm", "Depot")
	got := s.client("", "").Get("/api.xml").Header.Get("WWW-Authenticate")
	if !strings.Contains(got, `realm="Depot"`) {
		t.Errorf("the challenge: got %q, want the realm Depot", got)
	}
	s.stop()
	f.refused([]string{"serve", "--listen", "localhost:0"}, `realm "Depot"`, `--realm "Depot"`)
	f.refused([]string{"user", "list", "--realm", "Other"}, `realm "Depot"`)
	f.must("user", "list", "--realm", "Depot")
}

func TestCertificate(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	s := f.serve()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(read(t, f.data("ca.pem"))))
	hostname, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimPrefix(s.address, "https://")
	for _, name := range []string{"localhost", "127.0.0.1", "::1", hostname} {
		conn, err := tls.Dial("tcp", address, &tls.Config{RootCAs: roots, ServerName: name})
		if err != nil {
			t.Errorf("TLS as %s: %v", name, err)
			continue
		}
		_ = conn.Close()
	}
	old := &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}
	if conn, err := tls.Dial("tcp", address, old); err == nil {
		_ = conn.Close()
		t.Error("TLS 1.1 is spoken, want 1.2 at least")
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
