//go:build full

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// rounds returns a comparison with these CPU times beside 100 µs.
func rounds(name string, cpu ...float64) *comparison {
	c := &comparison{Name: name, Rival: "fixed body"}
	for _, us := range cpu {
		c.Ours, c.Theirs = append(c.Ours, sample{CPU: us}), append(c.Theirs, sample{CPU: 100})
	}
	return c
}

func TestCompare(t *testing.T) {
	slower := rounds("slow machine", 300, 300, 300)
	for i := range slower.Theirs {
		slower.Theirs[i].CPU = 300 // as many times slower as the product
	}
	was := &report{Comparisons: []*comparison{
		rounds("cheaper", 400, 410, 390), rounds("dearer", 100, 110, 90), rounds("little", 100, 100, 100), rounds("noisy", 100, 100, 300),
		rounds("slow machine", 100, 100, 100), rounds("one bad round", 100, 100, 100, 900, 100), rounds("gone", 1), rounds("nothing"),
	}}
	is := &report{Comparisons: []*comparison{
		rounds("cheaper", 200, 200, 200), rounds("dearer", 300, 290, 310), rounds("little", 129, 129, 129), rounds("noisy", 200, 200, 200),
		slower, rounds("one bad round", 200, 200, 200, 10, 200), rounds("nothing", 1), rounds("new", 1),
	}}
	folder := t.TempDir()
	files := []string{filepath.Join(folder, "old.json"), filepath.Join(folder, "new.json")}
	for i, r := range []*report{was, is} {
		if err := r.writeJSON(files[i]); err != nil {
			t.Fatal(err)
		}
	}
	text, err := compareFiles(files)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"cheaper": "cheaper 2.0x", "dearer": "dearer 3.0x", "little": "same", "noisy": "same", "slow machine": "same",
		"one bad round": "dearer 2.0x", "gone": "gone", "new": "new", "nothing": "unknown",
	} {
		if !regexp.MustCompile(`(?m)^` + name + `  .*  ` + regexp.QuoteMeta(want) + `$`).MatchString(text) {
			t.Errorf("%s: got no line that ends with %q, in\n%s", name, want, text)
		}
	}
	if want := "1 cheaper, 2 dearer, 3 same, 1 new, 1 gone\n"; !strings.HasSuffix(text, want) {
		t.Errorf("got\n%swant the last line %q", text, want)
	}
}

func TestCompareNeedsTwoRuns(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, files := range [][]string{nil, {file}, {file, file}, {file + "x", file}} {
		if _, err := compareFiles(files); err == nil {
			t.Errorf("%v: got no error, want one", files)
		}
	}
}
