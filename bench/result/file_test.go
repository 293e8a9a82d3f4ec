//go:build full

package result

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// rounds returns a comparison with these CPU times beside 100 µs.
func rounds(name string, cpu ...float64) *Comparison {
	c := &Comparison{Name: name, Rival: "fixed body"}
	for _, us := range cpu {
		c.Ours, c.Theirs = append(c.Ours, Sample{CPU: us}), append(c.Theirs, Sample{CPU: 100})
	}
	return c
}

// TestText prints a line for each round, and one for what has a ratio alone.
func TestText(t *testing.T) {
	short := rounds("short", 300)
	short.Ratio = 2.5
	file := filepath.Join(t.TempDir(), "result.json")
	r := &Run{Comparisons: []*Comparison{rounds("list of 25, q", 150, 250), short, rounds("nothing")}}
	if err := r.WriteJSON(file); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	want := "Benchmark/list_of_25,_q_beside_fixed_body 1 1.5 ratio 150 cpu-µs\n" +
		"Benchmark/list_of_25,_q_beside_fixed_body 1 2.5 ratio 250 cpu-µs\n" +
		"Benchmark/short_beside_fixed_body 1 2.5 ratio 300 cpu-µs\n"
	if err := WriteText([]string{file}, &out); err != nil || out.String() != want {
		t.Errorf("got %v and\n%swant\n%s", err, out.String(), want)
	}
	for _, files := range [][]string{nil, {file, file}, {file + "x"}} {
		if err := WriteText(files, &out); err == nil {
			t.Errorf("%v: got no error, want one", files)
		}
	}
}

// TestVerdictsAreWritten makes sure that a run's file has both verdicts on a time, and that they are not read back.
func TestVerdictsAreWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "result.json")
	c := &Comparison{Name: "start", Goals: Goals{Aim: "start", MaxTime: 5}, Ours: []Sample{{P50: 8, Pace: 2}}}
	if err := (&Run{Comparisons: []*Comparison{c}}).WriteJSON(file); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Verdicts []map[string]any }
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	want := []map[string]any{{
		"name": "start", "aim": "start", "goal": "<= 5 ms", "found": "4.00 ms at pace 2.0 (8.00 measured)",
		"pace": 2.0, "met": true, "met_as_measured": false,
	}}
	if !reflect.DeepEqual(got.Verdicts, want) {
		t.Errorf("got verdicts %v, want %v", got.Verdicts, want)
	}
	again, err := Read(file)
	if err != nil || len(again.verdicts()) != 1 {
		t.Errorf("read again: got verdicts %v and error %v, want the one", again.verdicts(), err)
	}
}
