package report_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"muster/internal/report"
)

// TestKeep keeps every sample and reads it again: the result is the same, and has nothing that is not read.
func TestKeep(t *testing.T) {
	t.Parallel()
	samples, err := filepath.Glob("testdata/samples/*")
	if err != nil || len(samples) == 0 {
		t.Fatalf("got %d samples, %v", len(samples), err)
	}
	for _, sample := range samples {
		body, err := os.ReadFile(sample)
		if err != nil {
			t.Fatal(err)
		}
		m := read(t, body)
		if m.Report == nil {
			continue
		}
		m.Report.Lacking = append(m.Report.Lacking, "sounds")
		packed := m.Report.Keep()
		got, err := report.ReadKept(packed)
		if err != nil {
			t.Errorf("%s: %v", sample, err)
			continue
		}
		want := m.Report
		if one, other := render(report.Message{Report: got}),
			render(report.Message{Report: want}); !bytes.Equal(one, other) {
			t.Errorf("%s: got\n%s\nwant\n%s", sample, one, other)
		}
		if !reflect.DeepEqual(got.Digests(), want.Digests()) || !got.At.Equal(want.At) ||
			!reflect.DeepEqual(got.Lacking, want.Lacking) ||
			!reflect.DeepEqual(got.PrinterSerials, want.PrinterSerials) ||
			!reflect.DeepEqual(got.Identity, want.Identity) {
			t.Errorf("%s: got another report", sample)
		}
		text, err := report.Unpack(packed, 16<<20)
		if err != nil || bytes.Contains(text, []byte("PROCESSES")) || bytes.Contains(text, []byte("processes")) {
			t.Errorf("%s: got processes in what is kept, %v", sample, err)
		}
	}
}

// TestReadKept refuses whatever is no kept report, as a message of an agent.
func TestReadKept(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile("testdata/samples/" + anySample(t))
	if err != nil {
		t.Fatal(err)
	}
	for what, packed := range map[string][]byte{
		"nothing": nil, "a message": body, "a packed one": deflate(body),
		"no report":   deflate([]byte("{}\n<hardware/>")),
		"no computer": deflate([]byte(`{"Identity":{"DeviceID":"d"}}` + "\n<ticket/>")),
	} {
		if _, err := report.ReadKept(packed); !errors.Is(err, report.ErrMalformed) {
			t.Errorf("%s: got the error %v, want that it is malformed", what, err)
		}
	}
}

func anySample(t *testing.T) string {
	t.Helper()
	all, err := os.ReadDir("testdata/samples")
	if err != nil || len(all) == 0 {
		t.Fatalf("got %d samples, %v", len(all), err)
	}
	return all[0].Name()
}
