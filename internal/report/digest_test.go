package report_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/report"
)

// base is a report in which every section has something.
const base = `<HARDWARE><NAME>a</NAME><DESCRIPTION>x86_64/00-00-00 00:09:20</DESCRIPTION><ETIME>1</ETIME></HARDWARE>
<BIOS><SSN>s</SSN></BIOS><ACCESSLOG><LOGDATE>2026-01-01 00:00:00</LOGDATE></ACCESSLOG><VERSIONPROVIDER><PID>1</PID></VERSIONPROVIDER>
<DRIVES><TYPE>/</TYPE><FREE>100</FREE><TOTAL>200</TOTAL></DRIVES><DRIVES><TYPE>/srv</TYPE><FREE>5</FREE><TOTAL>9</TOTAL></DRIVES>
<MEMORIES><CAPTION>DIMM0</CAPTION><NUMSLOTS>1</NUMSLOTS></MEMORIES><PROCESSES><CMD>x</CMD></PROCESSES>
<NETWORKS><DESCRIPTION>eth0</DESCRIPTION><STATUS>Up</STATUS></NETWORKS><NETWORKS><DESCRIPTION>eth1</DESCRIPTION></NETWORKS>
<SOFTWARES><NAME>a</NAME><VERSION>1</VERSION></SOFTWARES><SOFTWARES><NAME>b</NAME><VERSION>1</VERSION></SOFTWARES>`

// TestDigests changes the report and checks which sections are no longer the same, and whether a scan sees a
// difference.
func TestDigests(t *testing.T) {
	for _, test := range []struct {
		what, old, new string
		want           []string // sections
		scan           bool     // differs
	}{
		{"nothing", "", "", nil, false},
		{"free space", "<FREE>100<", "<FREE>77<", nil, false},
		{"no free space", "<FREE>100</FREE>", "", nil, false},
		{"the uptime", "00:09:20", "00:10:21", nil, false},
		{"the agent's run time", "<ETIME>1<", "<ETIME>2<", nil, false},
		{"the log date", "2026-01-01", "2026-01-02", nil, false},
		{"the agent's process", "<PID>1<", "<PID>2<", nil, false},
		{"processes", "<CMD>x</CMD>", "<CMD>y</CMD><USER>z</USER>", nil, false},
		{"a section that we do not keep", "<PROCESSES>", "<FIREWALL/><PROCESSES>", nil, false},
		{"blanks between elements", "</BIOS>", "</BIOS>\n\n", nil, false},
		{"the order of software", "<NAME>a</NAME><VERSION>1</VERSION></SOFTWARES><SOFTWARES><NAME>b<",
			"<NAME>b</NAME><VERSION>1</VERSION></SOFTWARES><SOFTWARES><NAME>a<", nil, true},
		{"the order of drives",
			"<TYPE>/</TYPE><FREE>100</FREE><TOTAL>200</TOTAL></DRIVES><DRIVES><TYPE>/srv</TYPE><FREE>5</FREE><TOTAL>9<", "<TYPE>/srv</TYPE><FREE>5</FREE><TOTAL>9</TOTAL></DRIVES><DRIVES><TYPE>/</TYPE><FREE>100</FREE><TOTAL>200<", nil, true},
		{"the size of a drive", "<TOTAL>200<", "<TOTAL>201<", []string{"drives"}, true},
		{"a drive's name", "/srv", "/data", []string{"drives"}, true},
		{"the name", "<NAME>a</NAME><DESC", "<NAME>c</NAME><DESC", []string{"computer"}, true},
		{"a description", "x86_64/00-00-00 00:09:20", "Reception", []string{"computer"}, true},
		{"the serial number", "<SSN>s<", "<SSN>t<", []string{"bioses"}, true},
		{"a value in another field", "<CAPTION>DIMM0</CAPTION>", "<PURPOSE>DIMM0</PURPOSE>", []string{
			"memories",
		}, true},
		{"a module more", "<PROCESSES>",
			"<MEMORIES><CAPTION>DIMM0</CAPTION><NUMSLOTS>1</NUMSLOTS></MEMORIES><PROCESSES>", []string{"memories"},
			true},
		{"an adapter's state", "<STATUS>Up<", "<STATUS>Down<", []string{"networks"}, true},
		{"a version", "<NAME>b</NAME><VERSION>1<", "<NAME>b</NAME><VERSION>2<", []string{"programs"}, true},
		{"an installation date", "<NAME>b</NAME>", "<NAME>b</NAME><INSTALLDATE>2026-01-01</INSTALLDATE>", []string{
			"programs",
		}, true},
		{"a patch", "<NAME>b</NAME>", "<NAME>b</NAME><FROM>WMI</FROM>", []string{"programs"}, true},
	} {
		if !strings.Contains(base, test.old) {
			t.Fatalf("%s: %q is not in the report", test.what, test.old)
		}
		changed := strings.Replace(base, test.old, test.new, 1)
		if got := differing(reportOf(t, base), reportOf(t, changed)); !slices.Equal(got, test.want) {
			t.Errorf("%s: got sections %v to differ, want %v", test.what, got, test.want)
		}
		if got := scan(t, inventoryXML(base)).Sum != scan(t, inventoryXML(changed)).Sum; got != test.scan {
			t.Errorf("%s: got scans to differ %t, want %t", test.what, got, test.scan)
		}
	}
}

// differing returns the sections whose digests are not the same.
func differing(a, b *report.Report) (names []string) {
	old := a.Digests()
	for i, d := range b.Digests() {
		if d != old[i] {
			names = append(names, d.Section)
		}
	}
	return names
}

func scan(t *testing.T, body []byte) report.Scan {
	t.Helper()
	b, err := report.Open(body)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	s, ok, err := b.Scan()
	if err != nil || !ok {
		t.Fatalf("got ok %t and error %v", ok, err)
	}
	return s
}

// TestPartialDigests checks that a partial report has only the digests of its sections, equal to those of a full one.
func TestPartialDigests(t *testing.T) {
	full, partial := reportOfSample(t, "laptop.json").Digests(), reportOfSample(t, "laptop-partial-softwares.json")
	var names []string
	for _, d := range partial.Digests() {
		names = append(names, d.Section)
	}
	if !slices.Equal(names, []string{"bioses", "programs"}) {
		t.Errorf("got digests of %v, want those of bioses and programs", names)
	}
	names = nil
	for _, d := range full {
		names = append(names, d.Section)
	}
	if len(names) != 15 {
		t.Errorf("got digests of %v, want those of 15 sections", names)
	}
	same := reportOfSample(t, "laptop.json")
	if got := differing(reportOfSample(t, "laptop.json"), same); got != nil {
		t.Errorf("got sections %v of the same report to differ", got)
	}
}

// TestScan checks that a scan has the same result as a reading, and that the body can be read behind it.
func TestScan(t *testing.T) {
	sample, err := os.ReadFile("testdata/samples/ocs-2.10.0-debian12.xml")
	if err != nil {
		t.Fatal(err)
	}
	b, err := report.Open(deflate(sample))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for range 2 {
		s, ok, err := b.Scan()
		if err != nil || !ok || s.Action != report.Inventory || s.DeviceID != "vm-2026-11-15-01-42-13" {
			t.Errorf("got %+v, %t, %v; want the inventory of the sample", s, ok, err)
		}
		m, err := b.Read(report.Source{})
		if err != nil || len(m.Report.Programs.Sums) != 200 {
			t.Errorf("got %d programs and error %v, want 200", len(m.Report.Programs.Sums), err)
		}
	}
	j, err := report.Open([]byte(`{"action":"inventory"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if _, ok, err := j.Scan(); ok || err != nil || j.Format != report.JSON {
		t.Errorf("got ok %t and error %v for JSON, want it to be read", ok, err)
	}
	if m, err := j.Read(report.Source{}); err != nil || m.Action != report.Inventory {
		t.Errorf("got %+v, %v; want an inventory", m, err)
	}
}

// TestScanTellsFreeSpace checks that a scan has the free space of the same drives as a reading.
func TestScanTellsFreeSpace(t *testing.T) {
	samples, err := filepath.Glob("testdata/samples/*.xml")
	if err != nil || len(samples) == 0 {
		t.Fatalf("got %d samples, %v", len(samples), err)
	}
	bodies := map[string][]byte{"odd": inventoryXML(`<DRIVES><LETTER/><TYPE> /a </TYPE><FREE>7.9</FREE></DRIVES><DRIVES><FREE>1</FREE></DRIVES>
		<DRIVES><LETTER>C:</LETTER><TYPE>Hard Drive</TYPE></DRIVES><DRIVES><LETTER>D:</LETTER><LETTER>E:</LETTER><FREE>x</FREE><FREE>5</FREE></DRIVES>
		<DRIVES><FREE> </FREE><FREE>6</FREE><TYPE>a&amp;b</TYPE></DRIVES><HARDWARE><NAME>a</NAME></HARDWARE><DRIVES/><DRIVES><TYPE>/a</TYPE><FREE>0</FREE></DRIVES>`)}
	for _, sample := range samples {
		if bodies[sample], err = os.ReadFile(sample); err != nil {
			t.Fatal(err)
		}
	}
	for name, body := range bodies {
		got, want := scan(t, body).Free, inventory.FreeSpaces(read(t, body).Report.Computer.Drives)
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}
