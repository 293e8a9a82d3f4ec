// Package internal_test checks the rule on which the packages stand: imports go down only.
package internal_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "muster/"

// levels has a row for each package of the module. A package imports those of a lower level alone.
var levels = map[string]int{
	"cmd/muster":                 90,
	"bench":                      90,
	"bench/result":               80,
	"bench/tagged":               0,
	"scripts/suite":              90,
	"internal/mustertest":        80,
	"internal/doctor":            80,
	"internal/server":            70,
	"internal/api":               60,
	"internal/intake":            60,
	"internal/web":               69,
	"internal/web/dashboard":     67,
	"internal/web/imports":       66,
	"internal/web/portal":        66,
	"internal/web/computers":     66,
	"internal/web/tickets":       65,
	"internal/web/admin":         65,
	"internal/web/account":       64,
	"internal/web/records":       63,
	"internal/web/activity":      62,
	"internal/web/page":          61,
	"internal/web/lang":          60,
	"internal/desk":              50,
	"internal/desk/access":       55,
	"internal/desk/agents":       55,
	"internal/desk/backup":       55,
	"internal/desk/bulk":         55,
	"internal/desk/jobs":         52,
	"internal/desk/licences":     55,
	"internal/desk/trail":        55,
	"internal/desk/tally":        55,
	"internal/desk/seal":         40,
	"internal/desk/merge":        56,
	"internal/desk/views":        55,
	"internal/desk/agents/voice": 0,
	"internal/desk/imports":      55,
	"internal/desk/exports":      55,
	"internal/front":             40,
	"internal/demo":              40,
	"internal/witness":           40,
	"internal/store":             30,
	"internal/store/copy":        40,
	"internal/store/queue":       35,
	"internal/store/installs":    35,
	"internal/store/survey":      35,
	"internal/store/mapping":     20,
	"internal/store/plan":        20,
	"internal/store/sqldb":       10,
	"internal/index":             20,
	"internal/fragment":          20,
	"internal/report":            40, // its reports are made of the kinds of inventory
	"internal/inventory":         30,
	"internal/kindtest":          30,
	"internal/draws":             0,
	"internal/kind":              10,
	"internal/message":           0,
	"internal/markup":            0,
	"internal/words":             0,
	"internal/digest":            0,
	"internal/agent":             20,
	"internal/collect":           10,
	"internal/acme":              20,
	"internal/cert":              10,
	"internal/archive":           0,
	"internal/agentsetup":        10,
	"internal/atomicfile":        0,
	"internal/disk":              0,
	"internal/limit":             0,
	"internal/identity":          0,
	"internal/guess":             0,
	"internal/argon":             0,
	"internal/sheet":             10,
}

// plain are the packages that import no other module.
var plain = []string{
	"internal/kind", "internal/markup", "internal/digest", "internal/cert", "internal/atomicfile", "internal/sheet",
}

// A package whose name allows anything ends up containing anything.
var forbidden = []string{"util", "common", "models", "helpers"}

// A source is what the rules need of a Go file.
type source struct {
	file, dir string // from the module's root
	name      string // of the package
	imports   []string
}

func (s source) test() bool { return strings.HasSuffix(s.file, "_test.go") }

func TestLayers(t *testing.T) {
	sources := readSources(t, "..")
	if len(sources) == 0 {
		t.Fatal("got no Go files, want those of the module")
	}
	for _, s := range sources {
		for _, fault := range faults(s) {
			t.Errorf("%s: %s", s.file, fault)
		}
	}
}

// faults returns the rules that a file breaks.
func faults(s source) []string {
	var found []string
	for _, name := range append(strings.Split(s.dir, "/"), s.name) {
		if slices.Contains(forbidden, name) {
			found = append(found, "a package must not be called "+name)
		}
	}
	if _, ok := levels[s.dir]; !ok && !s.test() {
		found = append(found, "package "+s.dir+" has no level; give it one in levels")
	}
	for _, imported := range s.imports {
		if fault := faultOf(s, imported); fault != "" {
			found = append(found, "import of "+imported+": "+fault)
		}
	}
	return found
}

// faultOf returns the rule that an import breaks, or "".
func faultOf(s source, imported string) string {
	to, own := strings.CutPrefix(imported, module)
	foreign := !own && strings.Contains(strings.Split(imported, "/")[0], ".")
	level, known := levels[to]
	switch {
	case own && (to == "bench" || strings.HasPrefix(to, "cmd/")):
		return "nothing imports a program"
	case s.test():
		return ""
	case foreign && slices.Contains(plain, s.dir):
		return "this package imports no other module"
	case own && !known:
		return "it has no level"
	case to == "internal/kindtest", to == "internal/draws" && s.dir != "internal/mustertest",
		to == "internal/mustertest" && s.dir != "bench":
		return "only tests and bench import it"
	case own && level >= levels[s.dir]:
		return "imports go down only"
	}
	return ""
}

// readSources reads the imports of every Go file below root, whatever its build tags.
func readSources(t *testing.T, root string) []source {
	t.Helper()
	var sources []source
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && file != root && (skipped(entry.Name()) || otherModule(file)) {
			return filepath.SkipDir
		}
		if entry.IsDir() || filepath.Ext(file) != ".go" {
			return nil
		}
		s, err := readSource(root, file)
		sources = append(sources, s)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sources
}

// skipped reports whether a folder has no packages: one that the go command ignores, or the data folder.
func skipped(folder string) bool {
	return folder == "testdata" || folder == "muster-data" || folder[0] == '.' || folder[0] == '_'
}

// otherModule reports whether a folder is the root of a module of its own, as that of the packages is.
func otherModule(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}

func readSource(root, file string) (source, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		return source{}, err
	}
	relative, err := filepath.Rel(root, file)
	if err != nil {
		return source{}, err
	}
	s := source{file: filepath.ToSlash(relative), name: parsed.Name.Name}
	s.dir = path.Dir(s.file)
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return source{}, err
		}
		s.imports = append(s.imports, imported)
	}
	return s, nil
}

// TestFaults checks that the rules find what they are for.
func TestFaults(t *testing.T) {
	for _, test := range []struct{ file, imported, want string }{
		{"internal/kind/a.go", "muster/internal/markup", ""},
		{"internal/kind/a.go", "encoding/xml", ""},
		{"internal/store/sqldb/a.go", "github.com/jackc/pgx/v5", ""},
		{"internal/store/a.go", "muster/internal/inventory", "down only"},
		{"internal/markup/a.go", "muster/internal/kind", "down only"},
		{"internal/desk/a.go", "muster/internal/api", "down only"},
		{"internal/kind/a.go", "github.com/google/go-cmp/cmp", "no other module"},
		{"internal/kind/a_test.go", "github.com/google/go-cmp/cmp", ""},
		{"internal/store/a_test.go", "muster/internal/inventory", ""},
		{"internal/api/a_test.go", "muster/internal/mustertest", ""},
		{"bench/main.go", "muster/internal/mustertest", ""},
		{"cmd/muster/main.go", "muster/internal/mustertest", "only tests"},
		{"cmd/muster/main.go", "muster/internal/server", ""},
		{"internal/api/a_test.go", "muster/cmd/muster", "a program"},
		{"internal/api/a.go", "muster/internal/unknown", "no level"},
		{"internal/unknown/a.go", "fmt", "no level"},
		{"internal/util/a.go", "fmt", "called util"},
		{"internal/api/models/a_test.go", "fmt", "called models"},
	} {
		dir := path.Dir(test.file)
		got := strings.Join(faults(source{test.file, dir, path.Base(dir), []string{test.imported}}), "; ")
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s imports %s: got %q, want %q", test.file, test.imported, got, test.want)
		}
	}
}
