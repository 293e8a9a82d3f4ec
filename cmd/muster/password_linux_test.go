//go:build full

package main_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muster/internal/mustertest"
)

// TestDatabasePassword: the password of the database is in nothing that others can
// read, whichever way it is given, and in nothing that the server says.
func TestDatabasePassword(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		if db.Name != "postgres" {
			return // which has none
		}
		const secret = "hush-hush"
		f := newFolder(t)
		address, err := url.Parse(db.New(t))
		if err != nil {
			t.Fatal(err)
		}
		query := address.Query()
		query.Set("password", secret) // which a server that trusts its own machine does not ask for
		address.RawQuery = query.Encode()
		write(t, filepath.Join(f.dir, "address"), address.String()+"\n")
		for _, flags := range [][]string{{"--database", address.String()}, {"--database=" + address.String()}, {
			"--database-file", "address",
		}} {
			s := f.serve(append(flags, "--observe", "127.0.0.1:0")...)
			line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", s.cmd.Process.Pid))
			if err != nil || strings.Contains(string(line), secret) || !strings.Contains(string(line), "--observe") {
				t.Errorf("%s: got the arguments %q (%v), want no password in them", flags[0], line, err)
			}
			for _, path := range []string{
				"/metrics", "/debug/pprof/cmdline", "/debug/pprof/goroutine?debug=2", "/debug/pprof/heap?debug=1",
			} {
				if got := s.observed(path); got == "" || strings.Contains(got, secret) {
					t.Errorf("%s: got %.200q at %s, want no password in it", flags[0], got, path)
				}
			}
			if out := f.must(append([]string{"user", "list"}, flags...)...); strings.Contains(out, secret) {
				t.Errorf("%s: got %q, want no password in it", flags[0], out)
			}
			s.stop()
			if said := s.out.String() + s.log.String(); strings.Contains(said, secret) {
				t.Errorf("%s: got %s, want no password in it", flags[0], said)
			}
		}
	})
}
