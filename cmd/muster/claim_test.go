//go:build full

package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestClaimCommands: the report of an agent about another's computer waits, and the agent
// gets that as its answer. The claim is listed, refused and accepted with the server and
// without; once it is accepted, its agent speaks for the computer.
func TestClaimCommands(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	s := f.serve()
	first, _ := f.addAgentToken()
	second, _ := f.addAgentToken("moved")
	agent := func(token, state string) string {
		t.Helper()
		f.env = []string{
			"MUSTER_SERVER=https://agent:" + token + "@" + strings.TrimPrefix(s.address, "https://") + "/ocsinventory",
		}
		defer func() { f.env = nil }()
		return f.must("agent", "run", "--ca", f.data("ca.pem"), "--state", state)
	}
	old, moved := filepath.Join(f.dir, "old"), filepath.Join(f.dir, "moved")
	if got := agent(first, old); !strings.HasPrefix(got, "Reported ") {
		t.Fatalf("the first agent: got %q, want that it reported", got)
	}
	if err := os.Mkdir(moved, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(moved, "device-id"), read(t, filepath.Join(old, "device-id"))) // but not its key
	waits := func() {
		t.Helper()
		if got := agent(second, moved); !strings.Contains(got, "until a technician accepts it") {
			t.Errorf("another agent: got %q, want that its report waits", got)
		}
	}
	waits()
	if list := f.must("claim", "list", "--agent-token",
		"moved"); !regexp.MustCompile(`\n1 +1 \(.+\) +moved +\S+ +127\.0\.0\.1 +20\d\d-`).MatchString(list) {
		t.Errorf("claim list: got\n%s\nwant the claim", list)
	}
	if got := f.must("claim", "refuse",
		"1"); !regexp.MustCompile(`^Claim 1 of computer 1 \(.+\) was refused\.\n$`).MatchString(got) {
		t.Errorf("claim refuse: got %q, want that it was", got)
	}
	if got := f.run("claim", "refuse", "99", "1", "98"); got.status != 1 ||
		!strings.Contains(got.out, "Claim 1 of computer 1") ||
		!strings.Contains(got.err, "the id 99") || !strings.Contains(got.err, "the id 98") {
		t.Errorf("claim refuse: got %+v, want that it goes on after those that are none", got)
	}
	waits()
	s.stop()
	if got := f.must("claim", "accept", "1"); !strings.Contains(got, "was accepted") {
		t.Errorf("claim accept: got %q, want that it was", got)
	}
	s = f.serve()
	if got := agent(second, moved); !strings.HasPrefix(got, "Reported ") {
		t.Errorf("the accepted agent: got %q, want that it reported", got)
	}
}
