//go:build full

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"muster/bench/result"
)

// TestCold measures the first request of each sort of a small database.
func TestCold(t *testing.T) {
	s := &settings{rounds: 1, size: 30, data: t.TempDir(), only: regexp.MustCompile("")}
	db, err := openSQLiteRun(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	defer db.close()
	r := &result.Run{}
	if err := benchCold(t.Context(), s, r, db, newCold(s, result.SQLite)); err != nil {
		t.Fatal(err)
	}
	if got, want := len(r.Comparisons), 5; got != want {
		t.Fatalf("got %d comparisons, want %d", got, want)
	}
	for _, c := range r.Comparisons {
		if len(c.Ours) != 1 || c.Times() <= 0 || c.Ours[0].P50 <= 0 || c.Ours[0].Bytes <= 0 || c.Theirs[0].P50 <= 0 {
			t.Errorf("%s: got %+v beside %+v, want figures of both", c.Name, c.Ours, c.Theirs)
		}
	}
}

// TestDropCache makes sure that nothing but memory forgets a file.
func TestDropCache(t *testing.T) {
	file := filepath.Join(t.TempDir(), "muster.db")
	if err := os.WriteFile(file, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := dropCache(file); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "kept" {
		t.Errorf("got %q and %v, want what was written", got, err)
	}
}
