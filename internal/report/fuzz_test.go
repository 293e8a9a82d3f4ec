package report_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/report"
)

// FuzzInflate reads bodies as they are sent.
func FuzzInflate(f *testing.F) {
	// small ones are varied faster
	eachSample(f, "printer.json", func(body []byte) { f.Add(deflate(body)); f.Add(zip(body)) })
	f.Add([]byte{0x78, 0x9c})
	f.Add([]byte{0x1f, 0x8b, 8})
	f.Fuzz(func(t *testing.T, body []byte) { check(t, body) })
}

// FuzzXML reads bodies that are not packed, and compares the scan with the reading.
func FuzzXML(f *testing.F) {
	f.Add(inventoryXML(base))
	f.Add([]byte("<REQUEST><QUERY>PROLOG</QUERY></REQUEST>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		check(t, body)
		b, err := report.Open(body)
		if err != nil {
			return
		}
		defer b.Close()
		s, ok, scanErr := b.Scan()
		if b.Format == report.JSON {
			return
		}
		m, readErr := b.Read(report.Source{})
		if (scanErr == nil) != (readErr == nil) || ok != (scanErr == nil) || readErr == nil &&
			(s.Action != m.Action || s.DeviceID != m.DeviceID) {
			t.Errorf("got scan %+v, %v and message %+v, %v; want them to agree", s, scanErr, m, readErr)
		}
		if plain, err := report.Read(body, report.Source{}); err == nil && !bytes.Equal(render(m), render(plain)) {
			t.Errorf("after a scan: got %s, want %s", render(m), render(plain))
		}
	})
}

// FuzzJSON reads bodies in JSON.
func FuzzJSON(f *testing.F) {
	eachSample(f, "*-partial*.json", func(body []byte) { f.Add(body) })
	f.Add([]byte(`{"action":"inventory","partial":true,"content":{"printers":[],"hardware":[{"name":1}],"drives":{"free":true}}}`))
	f.Fuzz(func(t *testing.T, body []byte) { check(t, append([]byte("{"), body...)); check(t, body) })
}

func eachSample(f *testing.F, names string, use func(body []byte)) {
	samples, err := filepath.Glob("testdata/samples/" + names)
	if err != nil || len(samples) == 0 {
		f.Fatalf("got %d samples, %v", len(samples), err)
	}
	for _, sample := range samples {
		body, err := os.ReadFile(sample)
		if err != nil {
			f.Fatal(err)
		}
		use(body)
	}
}

// check reads a body. Whatever comes out must be a computer whose document can be read as one of a client,
// and have valid texts.
func check(t *testing.T, body []byte) {
	m, err := report.Read(body, report.Source{})
	if err != nil {
		if !errors.Is(err, report.ErrMalformed) && !errors.Is(err, report.ErrTooLarge) {
			t.Errorf("got %v, want a message that is malformed or too large", err)
		}
		return
	}
	if m.Report == nil {
		return
	}
	c := m.Report.Computer
	c.Status = inventory.Statuses[0]
	if c.Name == "" {
		c.Name = "x"
	}
	if faults := inventory.Computers.Check(&c, nil); faults != nil {
		t.Errorf("got a computer that is not valid: %v", faults)
	}
	if patch, err := inventory.Computers.Decode(inventory.Computers.AppendRecord(nil, kind.XML, "", &c)); err != nil ||
		patch.Faults() != nil {
		t.Errorf("got %v and %v for the computer's document, want it to be read", err, patch.Faults())
	}
	for _, s := range programsOf(m.Report) {
		for _, text := range []string{s.Name, s.Version, s.Manufacturer, s.InstallPath} {
			if !utf8.ValidString(text) || utf8.RuneCountInString(text) > 255 {
				t.Errorf("got software %+v, want texts of at most 255 characters", s)
			}
		}
	}
	if n := len(m.Report.Digests()); n == 0 && !m.Report.Partial {
		t.Error("got no digests of a full report")
	}
}
