package main

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A stage is one run of go test.
type stage struct {
	name, what string
	module     string   // folder of a module of its own, "" for the product's
	packages   []string // all that have such tests unless set
	besides    []string // packages that another stage has
	tags       []string
	tests      string // pattern of names, "" for all
	without    string // pattern of names that do not run
	race       bool
	parallel   int    // tests of a package at once, 0 for one for each processor
	timeout    string // "" for that of go test
	postgres   bool   // needs it
	tools      bool   // needs what scripts/install-test-tools installs
	root       bool   // mounts disks, gives files to other users
	measures   bool   // one package at a time, and what its tests say is printed
	disk       bool   // its temporary files are on a disk, since it is about that
}

// unwatched are packages that are built without the race detector: SQLite itself, C translated to Go that works on
// memory of its own, where the detector finds nothing and slows it 26 times; and the arithmetic of password hashes and
// of compression, which uses no memory but its caller's.
var unwatched = []string{"modernc.org/sqlite/lib", "modernc.org/libc", "golang.org/x/crypto/argon2",
	"golang.org/x/crypto/blake2b", "compress/flate"}

// args returns the arguments of go for a stage.
func (s *stage) args() []string {
	var args []string
	if s.module != "" {
		args = append(args, "-C", s.module)
	}
	// make check vets; what debuggers read of a binary takes a third of the time to link it.
	args = append(args, "test", "-json", "-count=1", "-vet=off", "-ldflags=-s")
	if len(s.tags) > 0 {
		args = append(args, "-tags", strings.Join(s.tags, ","))
	}
	if s.race {
		args = append(args, "-race")
		for _, p := range unwatched {
			args = append(args, "-gcflags="+p+"=-race=false")
		}
	}
	for _, flag := range [][]string{{"-run", s.tests}, {"-skip", s.without}, {"-timeout", s.timeout}} {
		if flag[1] != "" {
			args = append(args, flag...)
		}
	}
	if s.parallel > 0 {
		args = append(args, "-parallel", fmt.Sprint(s.parallel))
	}
	if s.measures {
		args = append(args, "-p", "1")
	}
	if s.packages == nil {
		return append(args, "./...")
	}
	return append(args, s.packages...)
}

// concurrent are the names of tests about things that happen at the same time, which are worth the race detector's
// time in make test; make test-race runs all.
const concurrent = `(Meanwhile|While|Together|AtOnce|Beside|Concurrent|Parallel|Twice|Crowd|Nodes|Follow|Feed|Cancel|Writers|OneState|Among|Live|Waits|Waiting|Running|Stops|Stopped|Mixed|Fleet|Gate[A-Z])`

// doors are the packages through which all others are used: their tests take half of the race detector's time.
var doors = []string{"./cmd/muster", "./internal/api", "./internal/web"}

var (
	packaging = stage{name: "packaging", what: "what builds the packages", module: "packaging"}
	plain     = stage{name: "quick", what: "all that needs nothing but Go", parallel: 4}
	full      = stage{
		name: "databases", what: "both databases, real clients and agents", tags: []string{"full"},
		parallel: 4, timeout: "30m", postgres: true, tools: true, root: true,
	}
	race = stage{
		name: "race", what: "the tests about concurrency but those of whole processes, with the race detector",
		tags:  []string{"full"},
		tests: concurrent, besides: []string{"./cmd/muster"}, race: true, parallel: 4, timeout: "30m", postgres: true,
		tools: true,
	}
	browser = stage{
		name: "browser", what: "pages in Chromium, each flow in one look", tags: []string{"full", "browser"},
		tests:    "^TestBrowser",
		parallel: 3, timeout: "30m", packages: []string{"./internal/web", "./internal/mustertest"}, tools: true,
	}
)

// targets are the stages that a make target runs.
var targets = map[string][]stage{
	"quick": {plain, packaging},
	"test":  {packaging, full, race, browser},
	"test-race": {
		{name: "race", what: "all tests but those of the server's doors, with the race detector, on both databases",
			tags: []string{"full"},
			race: true, parallel: 4, timeout: "30m", besides: doors, postgres: true, tools: true, root: true},
	},
	"test-race-doors": {
		{name: "race-doors", what: "the tests of the API, the pages and the commands, with the race detector, on both databases", tags: []string{"full"},
			race: true, parallel: 4, timeout: "30m", packages: doors, postgres: true, tools: true, root: true},
	},
	"test-browser": {
		{name: "browser", what: "pages in Chromium, each flow in all looks", tags: []string{"full", "browser", "deep"},
			tests:    "^TestBrowser",
			parallel: 3, timeout: "60m", packages: []string{"./internal/web", "./internal/mustertest"}, tools: true},
	},
	"test-draws": {
		{name: "draws", what: "all random cases", tags: []string{"full", "deep"}, parallel: 4, timeout: "30m",
			postgres: true, tools: true,
			packages: []string{"./internal/archive", "./internal/index", "./internal/inventory", "./internal/store",
				"./internal/desk", "./internal/api"}},
	},
	"test-faults": {
		{name: "faults", what: "kills, power cuts, failing and full disks", tags: []string{
			"full", "volume",
		}, tests: "^(TestVolumeCrashLedger|TestFault|TestFull)",
			timeout: "30m", packages: []string{"./cmd/muster"}, postgres: true, tools: true, root: true, disk: true},
	},
	"test-load": {
		{name: "load", what: "the server under load, at its limits", tags: []string{
			"full", "volume",
		}, tests: "^TestVolumeLoad$",
			timeout: "30m", packages: []string{"./cmd/muster"}, postgres: true, tools: true, disk: true,
			measures: true},
		{name: "volume", what: "many records", tags: []string{"full", "volume"}, tests: "^TestVolume",
			without: "^(TestVolumeLoad|TestVolumeCrashLedger)$",
			timeout: "30m", postgres: true, tools: true, measures: true},
	},
}

// stagesOf returns the stages of targets, and single ones of test by their names.
func stagesOf(names []string) (stages []stage, err error) {
	if err := root(); err != nil {
		return nil, err
	}
	for _, name := range names {
		of := targets[name]
		if i := slices.IndexFunc(targets["test"], func(s stage) bool { return s.name == name }); i >= 0 {
			of = targets["test"][i : i+1]
		}
		if of == nil {
			return nil, fmt.Errorf("there is no target %q, nor such a stage of test", name)
		}
		stages = append(stages, of...)
	}
	for i := range stages {
		s := &stages[i]
		if s.packages != nil || s.tests == "" && s.besides == nil {
			continue
		}
		if s.packages, err = packagesOf(s.tests); err != nil {
			return nil, err
		}
		s.packages = slices.DeleteFunc(s.packages, func(p string) bool { return slices.Contains(s.besides, p) })
	}
	if len(stages) == 0 {
		known := slices.Sorted(maps.Keys(targets))
		return nil, fmt.Errorf("usage: go run ./scripts/suite TARGET..., of %s", strings.Join(known, ", "))
	}
	return stages, nil
}

// testName finds the names of tests in a file.
var testName = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

// packagesOf returns the packages of the product that have tests whose names match a pattern: to build the others takes
// longer than such tests.
func packagesOf(pattern string) (packages []string, err error) {
	tests, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == packaging.module || d.IsDir() && d.Name() != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		for _, found := range testName.FindAllSubmatch(text, -1) {
			if dir := "./" + filepath.Dir(path); tests.Match(found[1]) && !slices.Contains(packages, dir) {
				packages = append(packages, dir)
			}
		}
		return err
	})
	return packages, err
}
