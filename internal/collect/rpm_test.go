//go:build full

package collect_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"muster/internal/report"
)

// TestRPM: packages of a real database are reported as OCS reports them.
func TestRPM(t *testing.T) {
	m := files{"var/lib/rpm/": "", "build/tool.spec": `Name: tool
Epoch: 2
Version: 1.2
Release: 3
Summary: A tool
License: none
Vendor: Example & Sons
BuildArch: noarch
%description
A tool.
%files
`, "build/nobody.spec": "Name: nobody\nVersion: 1\nRelease: 1\nSummary: Of nobody\nLicense: none\nBuildArch: noarch\n%description\nx\n%files\n"}.machine(t)
	work := filepath.Join(m.Root, "build")
	for _, args := range [][]string{
		{"rpmbuild", "--quiet", "--define", "_topdir " + work, "-bb", work + "/tool.spec", work + "/nobody.spec"},
		{"rpm", "--dbpath", m.Root + "/var/lib/rpm", "--justdb", "--nodeps", "--install",
			work + "/RPMS/noarch/tool-1.2-3.noarch.rpm", work + "/RPMS/noarch/nobody-1-1.noarch.rpm"},
	} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Env = append(os.Environ(), "HOME="+work)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
	}
	_, got := read(t, m).Programs.All()
	if len(got) != 2 {
		t.Fatalf("got %+v, want two packages", got)
	}
	for i, want := range []report.Installed{
		{Name: "nobody", Version: "1-1"}, {Name: "tool", Version: "1.2-3", Manufacturer: "Example & Sons"},
	} {
		if age := time.Since(got[i].InstallDate); age < -24*time.Hour || age > 72*time.Hour {
			t.Errorf("%s: got the day %s, want today", want.Name, got[i].InstallDate)
		}
		got[i].InstallDate = time.Time{}
		if got[i] != want {
			t.Errorf("got %+v, want %+v", got[i], want)
		}
	}
}
