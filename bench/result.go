package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// textArgument makes the program print a run, whose JSON file follows, as results of Go's benchmarks.
const textArgument = "text"

// writeText prints the rounds of a run for benchstat, which separates change from noise. The ratio to the rival
// comes first, since it is not affected by what slowed a whole run down.
func writeText(files []string, out io.Writer) error {
	if len(files) != 1 {
		return errors.New("text needs a file that -json has written: text RESULT.json")
	}
	r, err := readReport(files[0])
	if err != nil {
		return err
	}
	for _, c := range r.Comparisons {
		name := strings.ReplaceAll(strings.TrimSpace(c.Name+" beside "+c.Rival), " ", "_")
		ratios := c.ratios()
		if c.Ratio > 0 {
			ratios = []float64{c.Ratio}
		}
		for i, ratio := range ratios {
			if _, err := fmt.Fprintf(out, "Benchmark/%s 1 %g ratio %g cpu-µs\n", name, ratio,
				c.Ours[i].CPU); err != nil {
				return err
			}
		}
	}
	return nil
}

// readReport reads what writeJSON wrote.
func readReport(file string) (*report, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r := &report{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}

// find returns the same comparison of a run, nil if there is none.
func (r *report) find(c *comparison) *comparison {
	i := slices.IndexFunc(r.Comparisons, func(other *comparison) bool {
		return other.Name == c.Name && other.Rival == c.Rival
	})
	if i < 0 {
		return nil
	}
	return r.Comparisons[i]
}
