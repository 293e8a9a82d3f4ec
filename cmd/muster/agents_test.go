//go:build full

package main_test

import (
	"fmt"
	"net"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muster/internal/mustertest"
)

// realAgents are the agents of Debian and our own, each as the settings that are
// printed for it make it run, except where it keeps its state.
var realAgents = []struct {
	name    string
	command func(f *folder, server, state string) []string
}{
	{"OCS Inventory", func(f *folder, server, state string) []string {
		return []string{
			"ocsinventory-agent", "--nolocal", "--server", server, "--ca", f.data("ca.pem"), "--basevardir", state,
		}
	}},
	{"FusionInventory", func(f *folder, server, _ string) []string {
		return []string{"fusioninventory-agent", "--no-httpd", "--tasks", "inventory", "--server", server,
			"--ca-cert-file", f.data("ca.pem")}
	}},
	{"Muster", func(f *folder, server, state string) []string {
		return []string{program, "agent", "run", "--server", server, "--ca", f.data("ca.pem"), "--state", state}
	}},
}

// TestRealAgents lets three agents report this computer, one after the other and
// each twice: all three report the same computer, whole, and the second time
// nothing changes.
func TestRealAgents(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f := newFolder(t)
		f.env = []string{"MUSTER_DATABASE=" + db.New(t)}
		s := f.serve()
		server, _, _ := strings.Cut(f.must("agent", "token", "add", "--site", "Lyon"), "\n")
		for _, agent := range realAgents {
			command := agent.command(f, server, t.TempDir())
			runAgent(t, agent.name, command)
			c := s.admin()
			document := c.Get("/hardwares/1").Body
			checkComputer(t, agent.name, c, document)
			audits := c.Get("/audits.xml?per_page=1").Body
			runAgent(t, agent.name, command)
			if diff := cmp.Diff(calm(document), calm(c.Get("/hardwares/1").Body)); diff != "" {
				t.Errorf("%s: the second report (-first +second):\n%s", agent.name, diff)
			}
			if again := c.Get("/audits.xml?per_page=1").Body; again != audits {
				t.Errorf("%s: the second report wrote audit records:\n%s", agent.name,
					c.Get("/hardwares/1/audits").Body)
			}
		}
		if log := s.log.String(); strings.Contains(log, strings.Split(server, "@")[0][len("https://agent:"):]) {
			t.Error("the log has the token")
		}
	})
}

// runAgent runs an agent, which must succeed.
func runAgent(t *testing.T, name string, command []string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

var volatile = regexp.MustCompile(`<(detected-at|free-space)>[^<]*<`)

// calm returns a document without what every report renews.
func calm(document string) string { return volatile.ReplaceAllString(document, "<$1><") }

// checkComputer checks what an agent has reported against what the system says.
func checkComputer(t *testing.T, agent string, c *mustertest.Client, document string) {
	t.Helper()
	if list := c.Get("/hardwares").Body; !strings.Contains(list, "<total_entries>1</total_entries>") {
		t.Fatalf("%s: got the computers\n%s", agent, list)
	}
	for _, want := range []string{"<site>Lyon</site>", "<status>Operational</status>", "<name>/</name>"} {
		if !strings.Contains(document, want) {
			t.Errorf("%s: %s is not in\n%s", agent, want, document)
		}
	}
	for _, mac := range adapters(t) {
		if !strings.Contains(document, "<mac-address>"+mac+"</mac-address>") {
			t.Errorf("%s: the adapter %s is not in\n%s", agent, mac, document)
		}
	}
	installed, err := exec.CommandContext(t.Context(), "dpkg-query", "--show", "--showformat",
		"${db:Status-Status}|${Package} ${Version}\n").Output()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for line := range strings.Lines(string(installed)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "installed|"); ok {
			want = append(want, name)
		}
	}
	slices.Sort(want)
	if diff := cmp.Diff(slices.Compact(want), packages(c)); diff != "" {
		t.Errorf("%s: packages (-installed +reported):\n%s", agent, diff)
	}
}

// adapters returns the addresses of this computer's adapters that are up and
// have one.
func adapters(t *testing.T) (macs []string) {
	t.Helper()
	all, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range all {
		if i.Flags&net.FlagUp != 0 && len(i.HardwareAddr) == 6 && i.Flags&net.FlagLoopback == 0 {
			macs = append(macs, strings.ToUpper(i.HardwareAddr.String()))
		}
	}
	return macs
}

var installedPackage = regexp.MustCompile(`(?s)<software>.*?<name>(.*?)</name>\s*<version>(.*?)</version>`)

// packages returns the software of the first computer, in order.
func packages(c *mustertest.Client) (names []string) {
	for page := 1; ; page++ {
		found := installedPackage.FindAllStringSubmatch(c.Get(fmt.Sprintf("/hardwares/1/softwares?per_page=1000&page=%d", page)).Body, -1)
		for _, m := range found {
			name, _, _ := strings.Cut(m[1], ":") // behind it some agents name the architecture
			names = append(names, name+" "+m[2])
		}
		if len(found) == 0 {
			slices.Sort(names)
			return slices.Compact(names)
		}
	}
}
