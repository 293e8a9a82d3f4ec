//go:build full

package main

import (
	"os"
	"path/filepath"
	"testing"

	"muster/bench/result"
)

// TestDocument makes sure that the document shows the figures that are stored beside it.
func TestDocument(t *testing.T) {
	const folder, file = "../doc", "performance.md"
	want, err := os.ReadFile(filepath.Join(folder, file))
	if err != nil {
		t.Fatal(err)
	}
	made := t.TempDir()
	if err := os.WriteFile(filepath.Join(made, file), want, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := result.WriteDoc([]string{filepath.Join(folder, "performance.json"), made}, layout()); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(made, file)); err != nil || string(got) != string(want) {
		t.Errorf("doc/%s is not what doc/performance.json tells (error %v): run go run ./bench doc doc/performance.json doc", file, err)
	}
}
