//go:build full

package main_test

import (
	"net/http"
	"os"
	"testing"
)

// TestFullPostgres is TestFullDisk for the disk of a PostgreSQL server. There
// is no ballast: what to remove from it is known to its administrators.
func TestFullPostgres(t *testing.T) {
	t.Parallel()
	d := newTmpfs(t, "160m")
	c := newCluster(t, d, "fsync = off", "min_wal_size = 32MB", "max_wal_size = 32MB", "autovacuum = off",
		"shared_buffers = 16MB")
	f := newFolder(t)
	f.env = []string{"MUSTER_RATE_LIMIT=0", "MUSTER_DATABASE=" + c.address}
	s := f.serve()
	token, _ := f.addAgentToken()
	u := &usage{t: t, c: s.admin(), token: token}
	for range 30 {
		u.change("POST", "/hardwares.xml", http.StatusCreated)
	}
	filler := d.fill("filler")
	for u.change("POST", "/hardwares.xml", 0) == http.StatusCreated { // what room there was in the database's files
	}
	if got := u.c.Do("POST", "/hardwares.xml", u.document()); got.Status != http.StatusInsufficientStorage {
		t.Errorf("got %d %s, want 507", got.Status, got.Body)
	}
	u.read()
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	u.recover()
	if f.exists("ballast") {
		t.Error("there is a ballast where it would help nobody")
	}
	if status := s.stop(); status != 0 {
		t.Errorf("exit status: got %d, want 0", status)
	}
	u.check(c.address)
}
