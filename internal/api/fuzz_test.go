package api

import (
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"
	"testing"

	"muster/internal/front"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// FuzzAccept: any Accept header is served in one of the forms or refused, an
// extension decides the format, a wildcard is always served, and what a member
// says applies whatever stands beside it.
func FuzzAccept(f *testing.F) {
	for _, seed := range []string{
		"", "*/*", "application/xml", "text/*;q=0.5", "application/vnd.service.v1+xml",
		"application/vnd.service.v9+xml, */*;q=0.1",
		`text/plain;a="x, \"y", application/xml`, "application/xml;q=NaN", "a/b/c,,;", "image/png;q=1.0;ext=2",
		"application/vnd.service.v1+xml;q=0",
		"text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", "\xff/\x00", `"`, `a/b;c="`,
		"application/json, application/xml;q=0.5", "application/vnd.service.v1+json",
	} {
		f.Add(seed)
	}
	ask := func(method, target string, accept ...string) (form, error) {
		return negotiate(&http.Request{Method: method, URL: &url.URL{Path: target}, Header: http.Header{
			"Accept": accept,
		}})
	}
	f.Fuzz(func(t *testing.T, accept string) {
		for target, format := range map[string]kind.Format{"/a.xml": kind.XML, "/a.json": kind.JSON} {
			got, err := ask("GET", target, accept)
			if got.format != format {
				t.Fatalf("negotiate(%s, %q) = %v, want format %v", target, accept, got, format)
			}
			if e, ok := err.(*front.Error); err != nil &&
				(!ok || e.Status != http.StatusNotAcceptable || got.versioned) {
				t.Fatalf("negotiate(%s, %q) = %v, %v, want 406 in the plain form", target, accept, got, err)
			}
			if bare, bareErr := ask("GET", "/a", accept); (bareErr == nil) != (err == nil) {
				t.Fatalf("negotiate(%q) = %v, %v without an extension, %v, %v with one", accept, bare, bareErr,
					got, err)
			}
		}
		if got, err := ask("POST", "/a", accept); err == nil && got.format != kind.XML {
			t.Fatalf("negotiate(POST, %q) = %v, want XML", accept, got)
		}
		for name, q := range parseAccept(http.Header{"Accept": {accept}}) {
			if !(q >= 0 && q <= 1) || !strings.Contains(name, "/") || name != strings.ToLower(name) {
				t.Errorf("parseAccept(%q) has %q with quality %v", accept, name, q)
			}
		}
		if strings.Contains(accept, `"`) || strings.Contains(accept, "q") {
			return // a quoted string may swallow what is added, a quality refuse it
		}
		for _, added := range []string{
			"application/xml", "*/*", "text/*", "application/json", served[kind.XML].version,
		} {
			if got, err := ask("GET", "/a", accept, added); err != nil {
				t.Errorf("negotiate(%q and %q) = %v, %v, want it served", accept, added, got, err)
			}
		}
		if got, _ := ask("GET", "/a.xml", accept, served[kind.XML].version); !got.versioned {
			t.Errorf("negotiate(%q and the version) = %v, want the version", accept, got)
		}
	})
}

// FuzzTarget: of any path, what is routed is clean, without an extension, and
// leads back to the path; all else is not found.
func FuzzTarget(f *testing.F) {
	for _, seed := range []string{
		"/", "/api.xml", "/hardwares", "/hardwares/158-some-name.xml", "/hardwares/1.XML", "//hardwares",
		"/hardwares/", "/hardwares%2F1",
		"/hardwares%2f1.xml", "/a/../b", "/%2e%2e/b", "/.xml", "/hardwares/.xml", "/hardwares.xml.xml", "/%00", "/%ff",
		"*", "", "a", "/a%252fb.xml",
	} {
		f.Add(seed)
	}
	a := New(Config{Front: front.New(front.Config{}), Kinds: inventory.Served()})
	f.Fuzz(func(t *testing.T, target string) {
		u, err := url.ParseRequestURI(target)
		if err != nil || u.Host != "" || u.Scheme != "" {
			return
		}
		bare, ok := bareTarget(u)
		if !ok {
			return
		}
		if bare != u.Path && bare+".xml" != u.Path && bare+".json" != u.Path {
			t.Errorf("bareTarget(%q) = %q, want the path with or without its extension", target, bare)
		}
		if !strings.HasPrefix(bare, "/") || path.Clean(u.Path) != u.Path || strings.Contains(u.Path, "//") {
			t.Errorf("bareTarget(%q) = %q, want a clean path", target, bare)
		}
		if raw, _, _ := strings.Cut(target, "?"); strings.Contains(strings.ToLower(raw), "%2f") {
			t.Errorf("bareTarget(%q) = %q, want an encoded slash refused", target, bare)
		}
		if strings.HasSuffix(u.Path, "/") && u.Path != "/" {
			t.Errorf("bareTarget(%q) = %q, want a slash at the end refused", target, bare)
		}
		if ext := path.Ext(u.Path); ext != "" && ext != ".xml" && ext != ".json" {
			t.Errorf("bareTarget(%q) = %q, want the extension %q refused", target, bare, ext)
		}
		h, _ := a.router.Handler(&http.Request{Method: "GET", URL: &url.URL{Path: bare}})
		if kind := fmt.Sprintf("%T", h); strings.Contains(kind, "redirect") {
			t.Errorf("the route of %q is a %s, want no redirect", target, kind)
		}
	})
}
