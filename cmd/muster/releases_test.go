//go:build full

package main_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
)

// keep names a version whose backups are kept, before it is released.
var keep = flag.String("keep", "", "keep backups of this version for TestReleases")

// Where the backups of released versions are, each of a demo organisation, made without keys, with the server's key and
// the administrator's password that they were made with.
const (
	releases        = "testdata/releases"
	releasePassword = "a release of long ago"
)

var releaseKey = strings.Repeat("5a", 32) + "\n"

// TestReleases restores the backup of each released version, of either database, on both, and finds in it all that was
// there; the organisation can go on.
func TestReleases(t *testing.T) {
	t.Parallel()
	if *keep != "" {
		mustertest.Each(t, func(t *testing.T, db mustertest.Database) { keepRelease(t, db, filepath.Join(releases, *keep)) })
	}
	backups, err := filepath.Glob(filepath.Join(releases, "*", "*.backup"))
	if err != nil || len(backups) < 2 {
		t.Fatalf("the backups of releases: got %v, %v, want those of two databases and more", backups, err)
	}
	for _, backup := range backups {
		t.Run(strings.TrimPrefix(backup, releases+"/"), func(t *testing.T) {
			t.Parallel()
			mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
				file, err := filepath.Abs(backup)
				if err != nil {
					t.Fatal(err)
				}
				f := releaseFolder(t, db)
				f.must("restore", file)
				s := f.serve("--rate-limit", "0")
				goesOn(t, s, backup)
				s.stop()
				if d := f.doctor(); d.Problems != 0 {
					t.Errorf("muster doctor: got %+v, want no problem", d)
				}
				f.must("audit", "verify")
			})
		})
	}
}

// releaseFolder returns a folder with the key of kept backups and an empty database.
func releaseFolder(t *testing.T, db mustertest.Database) *folder {
	t.Helper()
	f := newFolder(t)
	f.env = []string{"MUSTER_DATABASE=" + db.New(t)}
	if err := os.Mkdir(f.data(""), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, f.data("server.key"), releaseKey)
	return f
}

// keepRelease writes the backup of a demo organisation, and what it serves.
func keepRelease(t *testing.T, db mustertest.Database, dir string) {
	t.Helper()
	f := releaseFolder(t, db)
	s := f.serve("--demo", "--rate-limit", "0")
	if got := f.feed(releasePassword, "user", "passwd", admin, "--password-stdin"); got.status != 0 {
		t.Fatalf("the password: %s", got.err)
	}
	served, err := json.MarshalIndent(servedBy(t, s), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	file, err := filepath.Abs(filepath.Join(dir, db.Name))
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	f.must("backup", "--without-keys", "--force", file+".backup")
	write(t, file+".json", string(served)+"\n")
}

// servedBy returns of each kind how many records there are, and the first ones but one, which is who asks; of all but
// what follows from the day.
func servedBy(t *testing.T, s *service) map[string][]string {
	t.Helper()
	served, c := map[string][]string{}, s.client(admin, releasePassword)
	for _, k := range inventory.Served() {
		path := "/" + k.Path() + ".xml"
		if k != inventory.Audits.Schema { // of which there are more later
			served[path+" in all"] = []string{c.Get(path + "?per_page=1").Header.Get("X-Total-Count")}
		}
		for id := 2; id <= 5; id++ {
			path := fmt.Sprintf("/%s/%d.xml", k.Path(), id)
			if got := c.Get(path); got.Status == http.StatusOK {
				served[path] = lasting(k, strings.ReplaceAll(got.Body, s.base, "BASE"))
			}
		}
	}
	return served
}

// lasting returns the lines of a document but those that follow from the day.
func lasting(k *kind.Schema, document string) []string {
	return slices.DeleteFunc(strings.Split(strings.TrimSpace(document), "\n"), func(line string) bool {
		return slices.ContainsFunc(k.Fields, func(f *kind.Field) bool {
			return f.Days != nil && strings.HasPrefix(strings.TrimSpace(line), "<"+f.Name)
		})
	})
}

// goesOn checks that a server has what a kept backup had, perhaps with more fields, and takes changes.
func goesOn(t *testing.T, s *service, backup string) {
	t.Helper()
	var was map[string][]string
	if err := json.Unmarshal([]byte(read(t, strings.TrimSuffix(backup, ".backup")+".json")), &was); err != nil {
		t.Fatal(err)
	}
	now := servedBy(t, s)
	for path, lines := range was {
		rest := now[path]
		for _, line := range lines {
			at := slices.Index(rest, line)
			if at < 0 {
				t.Errorf("%s: got %q, want the line %q after what is before it", path, now[path], line)
				break
			}
			rest = rest[at+1:]
		}
	}
	create(t, s, releasePassword, "one more")
}
