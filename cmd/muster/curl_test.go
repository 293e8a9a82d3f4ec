//go:build full

package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shell runs a script in a folder and returns what it prints.
func shell(t *testing.T, dir, script string, env ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s\nof the script\n%s", err, out, script)
	}
	return string(out)
}

// TestPrintedCurl: the line that a first start prints works when pasted, from
// any folder, also when the data folder has an odd name.
func TestPrintedCurl(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"usual":      nil,
		"odd folder": {"--data", `it's "my" $HOME data`},
		"address":    {"--listen", "127.0.0.1:0"},
		"everywhere": {"--listen", ":0"},
		"plain HTTP": {"--plain-http"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newFolder(t).serve(append(args, "--demo")...)
			got := shell(t, t.TempDir(), s.curl)
			if !strings.Contains(got, "<total_entries>250</total_entries>") ||
				!strings.HasSuffix(got, "</hardwares>\n") {
				t.Errorf("%s\ngot %s", s.curl, got)
			}
		})
	}
}

var (
	shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```")
	assignment = regexp.MustCompile(`^(MUSTER|CA|LOGIN)=`)
)

// TestREADME: the calls in README.md, then those in doc/api.md and doc/kinds.md,
// work when pasted in their order. Where the server is and who calls, the reader fills
// in, and here the test.
func TestREADME(t *testing.T) {
	t.Parallel()
	s := newFolder(t).serve("--demo")
	// Without --fail-with-body curl takes a refusal for a success.
	script := "set -eu\ncurl() { command curl --silent --show-error --fail-with-body \"$@\"; }\n"
	pages := ""
	for _, name := range []string{"README.md", "doc/api.md", "doc/kinds.md"} {
		pages += read(t, filepath.Join("..", "..", name))
	}
	for _, block := range shellBlock.FindAllStringSubmatch(pages, -1) {
		if !strings.Contains(block[1], "--digest") {
			continue
		}
		for line := range strings.Lines(block[1]) {
			if !assignment.MatchString(line) {
				script += line
			}
		}
	}
	out := shell(t, t.TempDir(), script, "MUSTER="+s.base, "CA="+s.f.data("ca.pem"), "LOGIN="+admin+":"+s.password)
	requests := strings.Join(requestsOf(s, admin), "\n")
	for _, want := range []string{`GET .* 200`, `POST .* 201`, `PUT .* 200`, `DELETE .* 200`} {
		if !regexp.MustCompile(`(?m)^` + want + `$`).MatchString(requests) {
			t.Errorf("README.md makes no call that is %q; it makes\n%s\nand prints\n%s", want, requests, out)
		}
	}
}

// TestScript runs the script of doc/api.md on the demo organisation.
func TestScript(t *testing.T) {
	t.Parallel()
	_, script, _ := strings.Cut(read(t, "../../doc/api.md"), "```python\n")
	script, _, found := strings.Cut(script, "```")
	if !found {
		t.Fatal("doc/api.md has no script")
	}
	f := newFolder(t)
	s := f.serve("--demo", "--rate-limit", "0")
	script = strings.NewReplacer("https://localhost:8443", s.base, "muster-data/ca.pem", f.data("ca.pem"),
		"reports@example.com", admin, "PASSWORD", s.password).Replace(script)
	cmd := exec.CommandContext(t.Context(), "/usr/bin/python3", "-")
	cmd.Stdin = strings.NewReader(script)
	cmd.Env = append(os.Environ(), "REQUESTS_CA_BUNDLE=", "CURL_CA_BUNDLE=") // which would overrule the script
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("got %v, %s, want silence", err, out)
	}
	silent := s.admin().Get("/hardwares.xml?not_reporting=30").Header.Get("X-Total-Count")
	tagged := s.admin().Get("/hardwares.xml?not_reporting=30&tag=silent").Header.Get("X-Total-Count")
	if silent != tagged || silent == "0" {
		t.Errorf("got %s of %s computers tagged, want all of some", tagged, silent)
	}
}
