package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A part is a module that the program contains, or Go's own library.
type part struct {
	path, version, sum string
	licences           []string // SPDX identifiers
	texts              []text
}

// A text is a licence or a notice that must go with the program.
type text struct{ name, content string }

// A listed is a package as the go command lists it.
type listed struct {
	Dir      string
	Standard bool
	Module   *struct {
		Path, Version, Sum, Dir string
		Main                    bool
	}
}

// parts returns what the program for a target is made of, in the order of the paths, without the product itself.
func (r *release) parts(t target) ([]*part, error) {
	out, err := r.goTool(t, "list", "-deps", "-json=Dir,Standard,Module", "./cmd/muster")
	if err != nil {
		return nil, err
	}
	library, err := r.library(t)
	if err != nil {
		return nil, err
	}
	found := map[string]*part{library.path: library}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := decoder.Decode(&l); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		if l.Standard || l.Module == nil || l.Module.Main {
			continue
		}
		p := found[l.Module.Path]
		if p == nil {
			p = &part{path: l.Module.Path, version: l.Module.Version, sum: l.Module.Sum}
			found[p.path] = p
		}
		if err := p.collect(l.Dir, l.Module.Dir); err != nil {
			return nil, err
		}
	}
	var parts []*part
	for _, p := range found {
		if err := p.classify(); err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(a, b *part) int { return strings.Compare(a.path, b.path) })
	return parts, nil
}

// library returns Go's own library and runtime.
func (r *release) library(t target) (*part, error) {
	out, err := r.goTool(t, "env", "GOVERSION", "GOROOT")
	if err != nil {
		return nil, err
	}
	words := strings.SplitN(strings.TrimSpace(string(out)), "\n", 2)
	p := &part{path: "stdlib", version: strings.TrimPrefix(words[0], "go")}
	return p, p.collect(words[1], words[1])
}

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|copyright)`)

// collect reads the licences in the folder of a package, and in those above it up to the module's.
func (p *part) collect(dir, top string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		name, err := filepath.Rel(top, path)
		if err != nil {
			return err
		}
		known := slices.ContainsFunc(p.texts, func(t text) bool { return t.name == filepath.ToSlash(name) })
		if known || entry.IsDir() || filepath.Ext(path) == ".go" || !licenceFile.MatchString(entry.Name()) {
			continue
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		p.texts = append(p.texts, text{filepath.ToSlash(name), string(content)})
	}
	if dir == top || !strings.HasPrefix(dir, top) {
		return nil
	}
	return p.collect(filepath.Dir(dir), top)
}

// phrases identify licences. A text may contain several.
var phrases = []struct{ licence, phrase string }{
	{"Apache-2.0", "Apache License"},
	{"BSD-2-Clause", "Redistribution and use in source and binary forms"},
	{"BSD-3-Clause", "Neither the name"},
	{"ISC", "Permission to use, copy, modify, and"},
	{"MIT", "Permission is hereby granted, free of charge"},
	{"MPL-2.0", "Mozilla Public License"},
	{"blessing", "dedicated to the public domain"},
}

// classify finds the licences of a part. One without any must not be shipped.
func (p *part) classify() error {
	slices.SortFunc(p.texts, func(a, b text) int { return strings.Compare(a.name, b.name) })
	for _, t := range p.texts {
		words := strings.Join(strings.Fields(t.content), " ")
		for _, known := range phrases {
			if strings.Contains(words, known.phrase) {
				p.licences = append(p.licences, known.licence)
			}
		}
	}
	slices.Sort(p.licences)
	p.licences = slices.Compact(p.licences)
	if i := slices.Index(p.licences, "BSD-3-Clause"); i > 0 && p.licences[i-1] == "BSD-2-Clause" {
		p.licences = slices.Delete(p.licences, i-1, i) // the longer one has the words of the shorter
	}
	if len(p.licences) == 0 {
		return errors.New(p.path + " has no licence that is known; look at it, and add it to phrases")
	}
	return nil
}

// notices returns the texts that the licences of all parts ask to pass on.
func notices(parts []*part) []byte {
	var out bytes.Buffer
	out.WriteString("Muster contains the following software of others, under the licences that follow each name.\n")
	for _, p := range parts {
		for _, t := range p.texts {
			line := strings.Repeat("=", 80)
			fmt.Fprintf(&out, "\n%s\n%s %s: %s\n%s\n\n%s\n", line, p.path, p.version, t.name, line,
				strings.TrimSpace(t.content))
		}
	}
	return out.Bytes()
}
