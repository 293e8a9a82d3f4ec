package main

import (
	"strings"
	"testing"
)

func TestPackageVersion(t *testing.T) {
	for version, want := range map[string]string{
		"v1.2.3":                       "v1.2.3",
		"v1.2.3-rc.1":                  "v1.2.3-rc.1",
		"v1.2.3-14-g0abc123":           "v1.2.3+14.g0abc123",
		"v1.2.3-14-g0abc123-dirty":     "v1.2.3+14.g0abc123.dirty",
		"v1.2.3-rc.1-2-g0abc123-dirty": "v1.2.3-rc.1+2.g0abc123.dirty",
	} {
		if got := packageVersion(version); got != want {
			t.Errorf("%s: got %s, want %s", version, got, want)
		}
	}
}

// TestParts: the texts of all licences go with the program, and each part has one that is known.
func TestParts(t *testing.T) {
	r := &release{root: "../.."}
	parts, err := r.parts(target{"linux", "amd64"})
	if err != nil {
		t.Fatal(err)
	}
	all := string(notices(parts))
	for _, p := range parts {
		if len(p.licences) == 0 || len(p.texts) == 0 {
			t.Errorf("%s: got the licences %v, want some", p.path, p.licences)
		}
		for _, text := range p.texts {
			if !strings.Contains(all, strings.TrimSpace(text.content)) {
				t.Errorf("the notices lack %s of %s", text.name, p.path)
			}
		}
	}
	for path, want := range map[string]string{
		"stdlib": "BSD-3-Clause", "github.com/alecthomas/kong": "MIT", "zombiezen.com/go/sqlite": "ISC",
	} {
		if got := licencesOf(parts, path); got != want {
			t.Errorf("%s: got %q, want %s", path, got, want)
		}
	}
}

func licencesOf(parts []*part, path string) string {
	for _, p := range parts {
		if p.path == path {
			return strings.Join(p.licences, " AND ")
		}
	}
	return ""
}

// TestUnknownLicence: software without a known licence is not shipped.
func TestUnknownLicence(t *testing.T) {
	p := &part{path: "example.com/secret", texts: []text{{"LICENSE", "All rights reserved."}}}
	if err := p.classify(); err == nil || !strings.Contains(err.Error(), p.path) {
		t.Errorf("got %v, want an error that names it", err)
	}
}
