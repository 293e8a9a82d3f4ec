//go:build full

package doc_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// tests are the test functions of the module by the name of their folder and
// their own, each with the texts in its file, among which its cases are.
type tests map[string]map[string]bool

// TestContract holds contract.md against the tests that it names.
func TestContract(t *testing.T) {
	page, err := os.ReadFile("contract.md")
	if err != nil {
		t.Fatal(err)
	}
	all := readTests(t)
	for _, fault := range contractFaults(string(page), all) {
		t.Error(fault)
	}
}

// TestContractFaults makes sure that the check would say so.
func TestContractFaults(t *testing.T) {
	known := tests{"api.TestA": {"case": true}}
	const head = "## 1. Out\n\n| # | rule | test |\n|---|---|---|\n"
	for _, test := range []struct{ page, want string }{
		{head + "| 1.1 | r | `api.TestA` |\n| 1.2 | r | `api.TestA/case`, with agents |\n\n## 2. In\n\n| 2.1 | r | with agents |\n", ""},
		{head + "| 1.1 | r | `api.TestB` |\n", "1.1: there is no test api.TestB"},
		{head + "| 1.1 | r | `api.TestA/other` |\n", `1.1: api.TestA has no case "other"`},
		{head + "| 1.1 | r | api.TestA |\n", `1.1: "api.TestA" is neither`},
		{head + "| 1.1 | r |  |\n", `1.1: "" is neither`},
		{head + "| 1.1 | r | later |\n", `1.1: "later" is neither`},
		{head + "| 1.1 |  | with agents |\n", "1.1: there is no rule"},
		{head + "| 1.1 | r |\n", "has 2 cells"},
		{head + "| 1.1 | r | with agents |\n| 1.3 | r | with agents |\n", "got 1.3 where 1.2 is next"},
		{head + "| 1.2 | r | with agents |\n", "got 1.2 where 1.1 is next"},
		{strings.Replace(head, "1.", "2.", 1), "got section 2 where 1 is next"},
		{head, "there is no rule in section 1"},
		{"", "there is no section"},
	} {
		got := strings.Join(contractFaults(test.page, known), "\n")
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s\ngot %q, want %q", test.page, got, test.want)
		}
	}
}

// readTests finds all test and fuzz functions of the module.
func readTests(t *testing.T) tests {
	t.Helper()
	all, files := tests{}, token.NewFileSet()
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		texts := textsOf(file)
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && isTest.MatchString(f.Name.Name) {
				all[filepath.Base(filepath.Dir(path))+"."+f.Name.Name] = texts
			}
		}
		return nil
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("read the tests: got %d, error %v", len(all), err)
	}
	return all
}

var isTest = regexp.MustCompile(`^(Test|Fuzz)[A-Z]`)

// textsOf returns the texts that stand in a file.
func textsOf(file *ast.File) map[string]bool {
	texts := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, err := strconv.Unquote(lit.Value)
			texts[text] = err == nil
		}
		return true
	})
	return texts
}

var (
	sectionLine = regexp.MustCompile(`^## ([0-9]+)\. `)
	ruleLine    = regexp.MustCompile(`^\| ([0-9]+\.[0-9]+) \|`)
	testName    = regexp.MustCompile("^`([a-z]+\\.[A-Za-z0-9]+)(?:/([^`]+))?`$")
)

// contractFaults tells what is wrong with the tables: numbers with gaps, rules
// without a test or a word about when they get one, tests that are not there.
func contractFaults(page string, all tests) (faults []string) {
	section, rule := 0, 1
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		if m := sectionLine.FindStringSubmatch(line); m != nil {
			if rule == 1 && section > 0 {
				faults = append(faults, fmt.Sprintf("there is no rule in section %d", section))
			}
			if section, rule = section+1, 1; m[1] != strconv.Itoa(section) {
				faults = append(faults, fmt.Sprintf("got section %s where %d is next", m[1], section))
			}
		}
		if m := ruleLine.FindStringSubmatch(line); m != nil {
			if want := fmt.Sprintf("%d.%d", section, rule); m[1] != want {
				faults = append(faults, fmt.Sprintf("got %s where %s is next", m[1], want))
			}
			rule++
			faults = append(faults, ruleFaults(line, all)...)
		}
	}
	switch {
	case section == 0:
		faults = append(faults, "there is no section")
	case rule == 1:
		faults = append(faults, fmt.Sprintf("there is no rule in section %d", section))
	}
	return faults
}

// ruleFaults tells what is wrong with one row.
func ruleFaults(line string, all tests) (faults []string) {
	cells := strings.Split(strings.Trim(line, "|"), "|")
	if len(cells) != 3 {
		return []string{fmt.Sprintf("%q has %d cells, want 3", line, len(cells))}
	}
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	add := func(format string, args ...any) { faults = append(faults, cells[0]+": "+fmt.Sprintf(format, args...)) }
	if cells[1] == "" {
		add("there is no rule")
	}
	for part := range strings.SplitSeq(cells[2], ", ") {
		m := testName.FindStringSubmatch(part)
		switch {
		case strings.HasPrefix(part, "with "):
		case m == nil:
			add("%q is neither a test such as `api.TestHead` nor a word such as with agents", part)
		case all[m[1]] == nil:
			add("there is no test %s", m[1])
		case m[2] != "" && !all[m[1]][m[2]]:
			add("%s has no case %q", m[1], m[2])
		}
	}
	return faults
}
