//go:build full

package main

import (
	"bytes"
	"path/filepath"
	"testing"
)

// rounds returns a comparison with these CPU times beside 100 µs.
func rounds(name string, cpu ...float64) *comparison {
	c := &comparison{Name: name, Rival: "fixed body"}
	for _, us := range cpu {
		c.Ours, c.Theirs = append(c.Ours, sample{CPU: us}), append(c.Theirs, sample{CPU: 100})
	}
	return c
}

// TestText prints a line for each round, and one for what has a ratio alone.
func TestText(t *testing.T) {
	short := rounds("short", 300)
	short.Ratio = 2.5
	file := filepath.Join(t.TempDir(), "result.json")
	r := &report{Comparisons: []*comparison{rounds("list of 25, q", 150, 250), short, rounds("nothing")}}
	if err := r.writeJSON(file); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	want := "Benchmark/list_of_25,_q_beside_fixed_body 1 1.5 ratio 150 cpu-µs\n" +
		"Benchmark/list_of_25,_q_beside_fixed_body 1 2.5 ratio 250 cpu-µs\n" +
		"Benchmark/short_beside_fixed_body 1 2.5 ratio 300 cpu-µs\n"
	if err := writeText([]string{file}, &out); err != nil || out.String() != want {
		t.Errorf("got %v and\n%swant\n%s", err, out.String(), want)
	}
	for _, files := range [][]string{nil, {file, file}, {file + "x"}} {
		if err := writeText(files, &out); err == nil {
			t.Errorf("%v: got no error, want one", files)
		}
	}
}
