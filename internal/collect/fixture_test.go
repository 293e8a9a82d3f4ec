package collect_test

import (
	"context"
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muster/internal/collect"
	"muster/internal/disk"
	"muster/internal/report"
)

// files are those of a machine, by their paths. A path that ends with a slash is a folder; content that begins with
// "-> " is a link.
type files map[string]string

// machine writes the files and returns the machine that they are of.
func (f files) machine(t *testing.T) *collect.Machine {
	t.Helper()
	root := t.TempDir()
	for name, content := range f {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		target, link := strings.CutPrefix(content, "-> ")
		var err error
		switch {
		case strings.HasSuffix(name, "/"):
			err = os.MkdirAll(file, 0o755)
		case link:
			err = os.Symlink(target, file)
		default:
			err = os.WriteFile(file, []byte(content), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return &collect.Machine{
		Root: root, Name: "lis-lt-0044.muster.example",
		Addresses: func(string) []netip.Prefix { return nil },
		Space: func(folder string) (disk.Space, error) {
			return disk.Space{}, errors.New("asked for the room on " + strings.TrimPrefix(folder, root))
		},
		Log: func(part string, reason error) { t.Errorf("%s left out: %v", part, reason) },
	}
}

var sender = collect.Sender{DeviceID: "lis-lt-0044-2026-11-15-13-50-00", Client: "Muster-Agent_v1.2.3"}

// document returns a machine's inventory.
func document(t *testing.T, m *collect.Machine) []byte {
	t.Helper()
	text, err := sender.Inventory(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// read returns what the server takes from a machine's inventory.
func read(t *testing.T, m *collect.Machine) *report.Report {
	t.Helper()
	text := document(t, m)
	message, err := report.Read(text, report.Source{})
	if err != nil || message.Action != report.Inventory {
		t.Fatalf("got %+v, %v, want an inventory:\n%s", message, err, text)
	}
	return message.Report
}
