package intake_test

import (
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	records "muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// stories are the samples, each in the order in which the agents of one computer send them.
var stories = [][]string{
	{"fusion-2.6-debian12.xml"}, {"glpi-1.12dev-debian12.xml"}, {"glpi-1.12dev-debian12.json"},
	{"ocs-2.10.0-debian12.xml"},
	{"glpi-1.12dev-debian12-partial.json"}, // of a computer that nobody knows yet
	{"laptop.json", "laptop-partial-softwares.json", "laptop-partial-memories.json"},
	{"notebook.json", "notebook-updated.json"}, {"vmhost.json"}, {"synthetic-win11-laptop-ocs.xml"},
}

// TestSamples: every sample becomes a computer whose document, with its software, is as a golden file has it, on both
// databases alike.
func TestSamples(t *testing.T) {
	t.Parallel()
	all, err := filepath.Glob(filepath.Join("..", "report", "testdata", "samples", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		all[i] = filepath.Base(all[i])
	}
	listed := append(slices.Concat(stories...), "printer.json")
	slices.Sort(listed)
	if diff := cmp.Diff(all, listed); diff != "" {
		t.Errorf("samples (-there +posted):\n%s", diff)
	}
	for _, story := range stories {
		t.Run(story[0], func(t *testing.T) {
			mustertest.Each(t, func(t *testing.T, db mustertest.Database) { tellStory(t, db, story) })
		})
	}
}

func tellStory(t *testing.T, db mustertest.Database, story []string) {
	s := start(t, db, nil)
	a := newAgent(t, s)
	for _, name := range story {
		if got := a.post(deflated(sample(t, name))); got.status != http.StatusOK {
			t.Fatalf("%s: got %d %s", name, got.status, got.text)
		}
		got := strings.ReplaceAll(s.Admin().Get("/hardwares/1?include=softwares").Body, s.Base,
			"https://muster.example")
		golden := filepath.Join("testdata", name+".golden")
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
			t.Errorf("%s (-golden +got; -update writes it):\n%s", name, diff)
		}
	}
	if n := computers(t, s); n != "1" {
		t.Errorf("got %s computers, want 1", n)
	}
}

// TestEveryField: the laptop fills every field that agents report.
func TestEveryField(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		newAgent(t, s).post(deflated(sample(t, "synthetic-win11-laptop-ocs.xml")))
		var computer map[string]any
		if err := json.Unmarshal([]byte(s.Admin().Get("/hardwares/1.json").Body), &computer); err != nil {
			t.Fatal(err)
		}
		for _, f := range records.Computers.Fields {
			reported := f.Reported || slices.Contains([]string{
				"asset-id", "tag", "detected-at", "serial-number", "manufacturer", "model",
			}, f.Name)
			switch value := computer[f.Column()]; {
			case !reported:
			case value == nil:
				t.Errorf("%s is null", f.Name)
			case f.Type == kind.List:
				fillsEach(t, f, value)
			}
		}
	})
}

// fillsEach checks that each field of a collection has a value in one of its items.
func fillsEach(t *testing.T, f *kind.Field, value any) {
	t.Helper()
	items, _ := value.([]any)
	for _, sub := range f.Items.Fields {
		if !slices.ContainsFunc(items, func(item any) bool { return item.(map[string]any)[sub.Column()] != nil }) {
			t.Errorf("no item of %s has a %s: %v", f.Name, sub.Name, items)
		}
	}
}
