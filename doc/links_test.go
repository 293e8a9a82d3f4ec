package doc_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = ".."

var (
	fence   = regexp.MustCompile("(?ms)^ *```.*?^ *```")
	quoted  = regexp.MustCompile("`([^`\n]+)`")
	drawn   = regexp.MustCompile(`\b[A-Z]\w*\.\w+`)
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	unsaid  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

	path       = regexp.MustCompile(`^(internal|cmd|doc|bench|scripts|packaging)/[\w./*-]+$`)
	file       = regexp.MustCompile(`^[\w-]+\.(go|txt|html|po)$`)
	identifier = regexp.MustCompile(`^(\w+\.)?(\w*[A-Z]\w*|[A-Z]\w*\.\w+)$`)
	word       = regexp.MustCompile(`\w+`)

	// layer is a row of the table of packages.
	layer = regexp.MustCompile(`(?m)^\t"([a-z/]+)": +\d+,`)
	// term is a row of the glossary with a German word.
	term = regexp.MustCompile(`(?m)^\| ([a-z][^|]*|API[^|]*) \| ([\p{L}][^|]*) \| [^|]+ \| [^|]+ \| [^|]+ \|$`)
)

// pages returns the documents for people, by their paths from the root.
func pages(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{"*.md", "doc/*.md", "doc/design/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all[name] = string(text)
		}
	}
	return all
}

// TestLinks: what documents link to exists, with the heading.
func TestLinks(t *testing.T) {
	t.Parallel()
	all := pages(t)
	for name, text := range all {
		for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
			if strings.Contains(m[1], ":") {
				continue // elsewhere
			}
			to, anchor, _ := strings.Cut(m[1], "#")
			target := name
			if to != "" {
				target = filepath.Join(filepath.Dir(name), to)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
			} else if anchor != "" && !hasHeading(all[target], anchor) {
				t.Errorf("%s links to %s, which has no such heading", name, m[1])
			}
		}
	}
}

// hasHeading reports whether a document has a heading with an anchor, as GitHub makes it.
func hasHeading(text, anchor string) bool {
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		plain := unsaid.ReplaceAllString(strings.ToLower(m[1]), "")
		if strings.ReplaceAll(plain, " ", "-") == anchor {
			return true
		}
	}
	return false
}

// TestNames: packages, files, functions and types that the design pages and the glossary name exist.
func TestNames(t *testing.T) {
	t.Parallel()
	files, words := sources(t)
	for name, text := range pages(t) {
		if !strings.Contains(name, "doc/design") && filepath.Base(name) != "words.md" {
			continue
		}
		for _, m := range quoted.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
			if !exists(m[1], files, words) {
				t.Errorf("%s names %s, which does not exist", name, m[1])
			}
		}
		for _, drawing := range fence.FindAllString(text, -1) {
			for _, method := range drawn.FindAllString(drawing, -1) {
				if !exists(method, files, words) {
					t.Errorf("a drawing of %s names %s, which does not exist", name, method)
				}
			}
		}
	}
}

// TestPackages: the map has a row for each package of the layers.
func TestPackages(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile(filepath.Join(root, "internal/layers_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	rows := layer.FindAllStringSubmatch(string(table), -1)
	if len(rows) == 0 {
		t.Fatal("got no packages, want those of internal/layers_test.go")
	}
	design := pages(t)[filepath.Join(root, "doc/design.md")]
	for _, row := range rows {
		if name := strings.TrimPrefix(row[1], "internal/"); !strings.Contains(design, "`"+name+"`") {
			t.Errorf("doc/design.md has no row for the package %s", name)
		}
	}
}

// TestWords: the German words of the glossary are those of the pages.
func TestWords(t *testing.T) {
	t.Parallel()
	catalogue, err := os.ReadFile(filepath.Join(root, "internal/web/lang/catalogues/de.po"))
	if err != nil {
		t.Fatal(err)
	}
	rows := term.FindAllStringSubmatch(pages(t)[filepath.Join(root, "doc/words.md")], -1)
	if len(rows) == 0 {
		t.Fatal("got no words, want those of doc/words.md")
	}
	german := strings.ToLower(string(catalogue))
	for _, row := range rows {
		for _, word := range strings.Split(row[2], ", ") {
			if !strings.Contains(german, strings.ToLower(word)) {
				t.Errorf("doc/words.md has %s for %s, which is in no German text", word, row[1])
			}
		}
	}
}

// exists reports whether what a document names in backquotes is there; what is no name
// of ours is taken to be.
func exists(name string, files, words map[string]bool) bool {
	switch {
	case path.MatchString(name):
		found, err := filepath.Glob(filepath.Join(root, name))
		return err == nil && len(found) > 0
	case file.MatchString(name):
		return files[name]
	case identifier.MatchString(name):
		return !slices.ContainsFunc(strings.Split(name, "."), func(part string) bool { return !words[part] })
	}
	return true
}

// sources returns the names of all files, and all words of the Go files and of what runs the tests.
func sources(t *testing.T) (files, words map[string]bool) {
	t.Helper()
	files, words = map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "muster-data") {
			return filepath.SkipDir
		}
		files[entry.Name()] = true
		if ext := filepath.Ext(name); entry.IsDir() || ext != ".go" && ext != ".service" {
			return nil
		}
		text, err := os.ReadFile(name)
		for _, w := range word.FindAll(text, -1) {
			words[string(w)] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, words
}
