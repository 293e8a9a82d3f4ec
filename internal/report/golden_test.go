package report_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/report"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestSamples reads every sample, each as its agent sends it, and compares what comes out with a golden file.
func TestSamples(t *testing.T) {
	samples, err := filepath.Glob("testdata/samples/*")
	if err != nil || len(samples) == 0 {
		t.Fatalf("got %d samples, %v", len(samples), err)
	}
	for _, sample := range samples {
		t.Run(filepath.Base(sample), func(t *testing.T) {
			body, err := os.ReadFile(sample)
			if err != nil {
				t.Fatal(err)
			}
			got := render(read(t, deflate(body)))
			if again := render(readScanned(t, deflate(body))); !bytes.Equal(again, got) {
				t.Errorf("after a scan: got\n%s\nwant\n%s", again, got)
			}
			golden := filepath.Join("testdata/golden", filepath.Base(sample)+".txt")
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			gotLines, wantLines := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
			for i := range max(len(gotLines), len(wantLines)) {
				if i >= len(gotLines) || i >= len(wantLines) || !bytes.Equal(gotLines[i], wantLines[i]) {
					t.Fatalf("%s: line %d of %d differs from what the sample now gives, %d lines (-update writes it):\n%s",
						golden, i+1, len(wantLines), len(gotLines),
						bytes.Join(gotLines[min(i, len(gotLines)):min(i+5, len(gotLines))], []byte("\n")))
				}
			}
		})
	}
}

// render writes down everything in a message.
func render(m report.Message) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "action %d, device id %q\n", m.Action, m.DeviceID)
	r := m.Report
	if r == nil {
		return b.Bytes()
	}
	id := r.Identity
	fmt.Fprintf(&b, "old ids %q, agent id %q, program %q %q, partial %t\n", id.OldDeviceIDs, id.AgentID, id.Program,
		id.ProgramVersion, r.Partial)
	fmt.Fprintf(&b, "serial %q (%q), manufacturer %q (%q), uuid %q or %q\n", id.Serial, id.SerialKey, id.Manufacturer,
		id.ManufacturerKey, id.UUID, id.SwappedUUID)
	for _, a := range id.Adapters {
		fmt.Fprintf(&b, "adapter %q, MAC %s, IPv4 %s, up %t, virtual %t, good %t\n", a.Description, a.MAC, a.IPv4,
			a.Up, a.Virtual(), a.Good())
	}
	var names []string
	for _, f := range r.Fields {
		names = append(names, f.Name)
	}
	fmt.Fprintf(&b, "tells %s\n\n", strings.Join(names, " "))
	c := r.Computer
	inventory.Computers.Settle(&c, nil)
	b.Write(inventory.Computers.AppendRecord(nil, kind.XML, "", &c))
	fmt.Fprintf(&b, "\nsoftwares %t\n", r.HasPrograms)
	for _, s := range programsOf(r) {
		fmt.Fprintf(&b, "%q %q %q %s %q %t\n", s.Name, s.Version, s.Manufacturer, s.InstallDate.Format("2006-01-02"),
			s.InstallPath, s.Hidden)
	}
	return b.Bytes()
}

// readScanned is read after a scan.
func readScanned(t *testing.T, body []byte) report.Message {
	t.Helper()
	b, err := report.Open(body)
	if err != nil {
		t.Fatalf("open the report: %v", err)
	}
	defer b.Close()
	if _, _, err := b.Scan(); err != nil {
		t.Fatalf("scan the report: %v", err)
	}
	m, err := b.Read(source)
	if err != nil {
		t.Fatalf("read the report: %v", err)
	}
	return m
}

// programsOf returns the programs of a report, in order.
func programsOf(r *report.Report) []report.Installed {
	_, all := r.Programs.All()
	return all
}

var source = report.Source{UserAgent: "OCS-NG_unified_unix_agent_v2.10.0", AgentID: "a1"}

// read reads a body that must be understood.
func read(t *testing.T, body []byte) report.Message {
	t.Helper()
	m, err := report.Read(body, source)
	if err != nil {
		t.Fatalf("read the report: %v", err)
	}
	return m
}
