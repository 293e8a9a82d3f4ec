package main

import (
	"go/build/constraint"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestEachRuns: each test of the tree is run by a target.
func TestEachRuns(t *testing.T) {
	t.Chdir("../..")
	var stages []stage
	for name := range targets {
		of, err := stagesOf([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		stages = append(stages, of...)
	}
	files := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files++
		text, err := os.ReadFile(path)
		for _, found := range testName.FindAllSubmatch(text, -1) {
			if name := string(found[1]); name != "TestMain" &&
				!slices.ContainsFunc(stages, func(s stage) bool { return s.has(t, path, text, name) }) {
				t.Errorf("%s: no target runs %s", path, name)
			}
		}
		return err
	})
	if err != nil || files < 100 {
		t.Errorf("got %d files, error %v", files, err)
	}
}

// has reports whether a stage runs a test.
func (s *stage) has(t *testing.T, path string, text []byte, name string) bool {
	folder := "./" + filepath.Dir(path)
	if inModule := strings.HasPrefix(path, packaging.module+"/"); inModule != (s.module != "") || s.packages != nil &&
		!slices.Contains(s.packages, folder) {
		return false
	}
	for line := range strings.Lines(string(text)) {
		if !constraint.IsGoBuild(line) {
			continue
		}
		expr, err := constraint.Parse(line)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return false
		}
		if !expr.Eval(func(tag string) bool {
			return slices.Contains(s.tags, tag) || tag == "linux" ||
				tag == "unix"
		}) {
			return false
		}
	}
	return regexp.MustCompile(s.tests).MatchString(name) &&
		(s.without == "" || !regexp.MustCompile(s.without).MatchString(name))
}

// TestTally reads what go test prints of a package with tests of all kinds, whose process
// a test has ended.
func TestTally(t *testing.T) {
	t.Parallel()
	const events = `{"Action":"run","Package":"p","Test":"TestGood"}
{"Action":"output","Package":"p","Test":"TestGood","Output":"good\n"}
{"Action":"output","Package":"p","Test":"TestGood","Output":"WARNING: DATA RACE\n"}
{"Action":"pass","Package":"p","Test":"TestGood","Elapsed":2}
{"Action":"run","Package":"p","Test":"TestQuiet"}
{"Action":"output","Package":"p","Test":"TestQuiet","Output":"nothing of note\n"}
{"Action":"pass","Package":"p","Test":"TestQuiet"}
{"Action":"run","Package":"p","Test":"TestBad"}
{"Action":"run","Package":"p","Test":"TestBad/part"}
{"Action":"fail","Package":"p","Test":"TestBad/part"}
{"Action":"fail","Package":"p","Test":"TestBad"}
{"Action":"run","Package":"p","Test":"TestWhole"}
{"Action":"run","Package":"p","Test":"TestWhole/part"}
{"Action":"pass","Package":"p","Test":"TestWhole/part"}
{"Action":"output","Package":"p","Test":"TestWhole","Output":"after its part\n"}
{"Action":"fail","Package":"p","Test":"TestWhole"}
{"Action":"run","Package":"p","Test":"TestLate"}
{"Action":"skip","Package":"p","Test":"TestLate"}
{"Action":"run","Package":"p","Test":"TestEnd"}
{"Action":"output","Package":"p","Test":"TestEnd","Output":"=== RUN   TestEnd\n"}
{"Action":"output","Package":"p","Test":"TestEnd","Output":"panic: the end\n"}
{"Action":"output","Package":"p","Output":"FAIL\tp\n"}
{"Action":"fail","Package":"p","Elapsed":3}
`
	var all tally
	var said strings.Builder
	if err := all.read(strings.NewReader(events), &said, false); err != nil {
		t.Fatal(err)
	}
	if all.passed != 3 || all.failed != 2 || all.skipped != 1 {
		t.Errorf("got %d passed, %d failed, %d skipped, want 3, 2 and 1", all.passed, all.failed, all.skipped)
	}
	for _, want := range []string{"DATA RACE", "after its part", "panic: the end"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, said.String())
		}
	}
	if strings.Contains(said.String(), "nothing of note") {
		t.Errorf("it says what a test said that passed:\n%s", said.String())
	}
}
