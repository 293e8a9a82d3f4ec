//go:build full

package main_test

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"muster/internal/mustertest"
)

// TestFullDisk: on a full disk reading goes on and changes are answered 507
// with what to do; that done, changes go on, and nothing was lost or half done.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	testFullDisk(t, newTmpfs(t, "64m"))
}

func testFullDisk(t *testing.T, d *disk) {
	f := &folder{t: t, dir: d.folder, env: []string{"MUSTER_RATE_LIMIT=0"}}
	s := f.serve()
	password := s.password
	token, _ := f.addAgentToken()
	u := &usage{t: t, c: s.client(admin, password), token: token}
	eventually(t, "a ballast", func() bool { return f.exists("ballast") })
	for range 30 {
		u.change("POST", "/hardwares.xml", http.StatusCreated)
	}
	if err := os.Mkdir(filepath.Join(f.dir, "new"), 0o700); err != nil {
		t.Fatal(err)
	}
	filler := d.fill("filler")
	f.refused([]string{"serve", "--listen", "localhost:0", "--data", "new"}, "the disk of the database is full",
		"make room on the disk of "+filepath.Join(f.dir, "new"))
	for u.change("POST", "/hardwares.xml", 0) == http.StatusCreated { // what room there was in the database's files
	}
	u.full("removing the file ballast beside the database")
	if got := s.client("", "").Get("/readyz"); got.Status != http.StatusOK ||
		!strings.Contains(got.Body, "disk of the database full") {
		t.Errorf("/readyz: got %d %q, want 200 and a word about the disk", got.Status, got.Body)
	}
	// it takes less room
	for i := 0; f.run("user", "add", fmt.Sprintf("small%d@example.com", i), "--role", "technician").status == 0; i++ {
	}
	f.refused([]string{"user", "add", "new@example.com", "--role", "technician"}, "the disk of the database is full",
		"removing the file "+f.data("ballast"))
	if got := strings.Count(s.log.String(),
		`"remedy":"make room on the disk of `+f.data("")+`, at once by removing the file `+
			f.data("ballast")); got != 1 {
		t.Errorf("got %d lines about the disk, want 1:\n%s", got, s.log)
	}

	for _, end := range []func(){s.kill, func() { s.stop() }} { // it starts on a full disk too
		end()
		d.fill("filler") // what was freed at the end
		s = f.serve()
		u.c = s.client(admin, password)
		u.full("removing the file ballast beside the database")
	}
	if err := os.Remove(f.data("ballast")); err != nil {
		t.Fatal(err)
	}
	u.recover()
	s.stop()
	s = f.serve()
	u.c = s.client(admin, password)
	s.await(s.log, "there is no ballast to remove when the disk is full")
	if f.exists("ballast") {
		t.Error("the ballast is there again, on a disk that has no room for it")
	}
	d.fill("filler")
	for u.change("POST", "/hardwares.xml", 0) == http.StatusCreated {
	}
	u.full("can make room on it\n", "can make room on it<")
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	u.recover()
	eventually(t, "a new ballast", func() bool { return f.exists("ballast") })
	checkBallast(t, d, f.data("ballast"))
	if status := s.stop(); status != 0 {
		t.Errorf("exit status: got %d, want 0", status)
	}
	u.check(f.data("muster.db"))
}

// checkBallast: the ballast has blocks of its own, but takes little of the disk.
func checkBallast(t *testing.T, d *disk, file string) {
	t.Helper()
	var s syscall.Stat_t
	var fs syscall.Statfs_t
	if err := syscall.Stat(file, &s); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Statfs(d.folder, &fs); err != nil {
		t.Fatal(err)
	}
	if disk := int64(fs.Blocks) * fs.Bsize; s.Size != disk/16 || s.Blocks*512 < s.Size || s.Mode&0o777 != 0o600 {
		t.Errorf("the ballast: got %d bytes in %d blocks, mode %o, want all of %d bytes, mode 600", s.Size, s.Blocks,
			s.Mode&0o777, disk/16)
	}
}

// A usage is what a client does on a disk that becomes full.
type usage struct {
	t       *testing.T
	c       *mustertest.Client
	made    []string // paths of the computers that are there
	token   string   // of agents
	deleted int
	keys    int
}

// change makes a change, whose answer must have a status if that is not 0, and
// notes it when it was made.
func (u *usage) change(method, path string, want int, header ...string) int {
	u.t.Helper()
	body := ""
	if method != "DELETE" {
		body = u.document()
	}
	got := u.c.Do(method, path, body, header...)
	if want != 0 && got.Status != want {
		u.t.Fatalf("%s %s: got %d %s, want %d", method, path, got.Status, got.Body, want)
	}
	switch got.Status {
	case http.StatusCreated:
		u.made = append(u.made, strings.TrimPrefix(got.Header.Get("Location"), u.c.Base))
	case http.StatusOK, http.StatusInsufficientStorage:
	default:
		u.t.Errorf("%s %s: got %d %s, want it done or 507", method, path, got.Status, got.Body)
	}
	return got.Status
}

// document returns a computer that takes room.
func (u *usage) document() string {
	noise := make([]byte, 10_000)
	_, _ = rand.Read(noise)
	return fmt.Sprintf("<hardware><name>n</name><notes>%d %x</notes></hardware>", len(u.made), noise)
}

// full checks what a full disk allows; the text is one of those given.
func (u *usage) full(texts ...string) {
	u.t.Helper()
	for u.change("DELETE", u.made[0], 0) == http.StatusOK { // it takes less room than others
		u.noteDeleted()
	}
	for _, method := range []string{"POST", "PUT", "DELETE"} {
		path := u.made[0]
		if method == "POST" {
			path = "/hardwares.xml"
		}
		u.change(method, path, http.StatusInsufficientStorage, "Idempotency-Key", fmt.Sprint("full-", u.keys))
	}
	report := u.c.Do("POST", "/ocsinventory/t/"+u.token,
		`{"action":"inventory","deviceid":"a","content":{"hardware":{"name":"a"}}}`)
	if report.Status != http.StatusInsufficientStorage ||
		!strings.HasPrefix(report.Body, `{"status":"error","message":"the disk of the database is full`) {
		u.t.Errorf("a report: got %d %s, want 507 and why", report.Status, report.Body)
	}
	got := u.c.Do("DELETE", u.made[0], "").Body
	said := false
	for _, text := range texts {
		said = said || strings.Contains(got, text)
	}
	if !said || !strings.Contains(got,
		"the disk of the database is full: nothing was changed, and reading goes on; an administrator can make room") {
		u.t.Errorf("got %s, want a text with %q", got, texts)
	}
	u.read()
}

// read checks that all that was made can be read.
func (u *usage) read() {
	u.t.Helper()
	list := u.c.Get("/hardwares.xml")
	if want := fmt.Sprintf("<total_entries>%d</total_entries>", len(u.made)); list.Status != http.StatusOK ||
		!strings.Contains(list.Body, want) {
		u.t.Errorf("the list: got %d %.300s, want %s", list.Status, list.Body, want)
	}
	for _, path := range u.made {
		if got := u.c.Get(path); got.Status != http.StatusOK {
			u.t.Errorf("%s: got %d, want 200", path, got.Status)
		}
	}
}

// recover deletes records now that there is room, and repeats the creation that
// was refused.
func (u *usage) recover() {
	u.t.Helper()
	for range 5 {
		u.change("DELETE", u.made[0], http.StatusOK)
		u.noteDeleted()
	}
	key := []string{"Idempotency-Key", fmt.Sprint("full-", u.keys)}
	document := "<hardware><name>n</name></hardware>"
	for i, replayed := range []string{"", "true"} {
		got := u.c.Do("POST", "/hardwares.xml", document, key...)
		if got.Status != http.StatusCreated || got.Header.Get("Idempotent-Replayed") != replayed {
			u.t.Errorf("creation %d with room again: got %d, replayed %q, want 201, %q", i, got.Status,
				got.Header.Get("Idempotent-Replayed"), replayed)
		}
		if replayed == "" {
			u.made = append(u.made, strings.TrimPrefix(got.Header.Get("Location"), u.c.Base))
		}
	}
	u.keys++
	u.change("PUT", u.made[0], http.StatusOK)
}

// noteDeleted notes that the first of the computers was deleted.
func (u *usage) noteDeleted() {
	u.made = u.made[1:]
	u.deleted++
}

// check looks into the database: what was acknowledged is there, with one audit
// record each, and nothing else.
func (u *usage) check(database string) {
	u.t.Helper()
	const audits = "SELECT count(*) FROM audits WHERE record_type = 'hardware' AND action = "
	rows{
		"SELECT count(*) FROM hardwares":                     len(u.made),
		audits + "'create'":                                  len(u.made) + u.deleted,
		audits + "'delete'":                                  u.deleted,
		audits + "'update'":                                  u.keys,
		"SELECT count(*) FROM creations":                     u.keys,
		"SELECT count(*) FROM creations WHERE record_id = 0": 0,
	}.check(u.t, database)
}
