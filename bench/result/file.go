package result

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// TextArgument makes the program print a run, whose JSON file follows, as results of Go's benchmarks.
const TextArgument = "text"

// WriteText prints the rounds of a run for benchstat, which separates change from noise. The ratio to the rival
// comes first, since it is not affected by what slowed a whole run down.
func WriteText(files []string, out io.Writer) error {
	if len(files) != 1 {
		return errors.New("text needs a file that -json has written: text RESULT.json")
	}
	r, err := Read(files[0])
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

// A judgement is a verdict for programs that read a run.
type judgement struct {
	Name          string  `json:"name"`
	Aim           string  `json:"aim,omitempty"`
	Goal          string  `json:"goal"`
	Found         string  `json:"found"`
	Pace          float64 `json:"pace,omitempty"` // that a time is judged at
	Met           bool    `json:"met"`
	MetAsMeasured bool    `json:"met_as_measured"`
}

// marshal returns the run as JSON, with judgements, which nobody reads back: they follow from the rest.
func (r *Run) marshal(indent string) ([]byte, error) {
	var all []judgement
	for _, v := range r.verdicts() {
		all = append(all, judgement{v.name, v.aim, v.goal, v.found, rounded(v.pace), v.met(), v.metAsMeasured()})
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", indent)
	e.SetEscapeHTML(false) // goals are written with < and >
	err := e.Encode(struct {
		*Run
		Verdicts []judgement `json:"verdicts,omitempty"`
	}{r, all})
	return b.Bytes(), err
}

// Read reads what marshal returned.
func Read(file string) (*Run, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r := &Run{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}

// find returns the same comparison of a run, nil if there is none.
func (r *Run) find(c *Comparison) *Comparison {
	i := slices.IndexFunc(r.Comparisons, func(other *Comparison) bool {
		return other.Name == c.Name && other.Rival == c.Rival
	})
	if i < 0 {
		return nil
	}
	return r.Comparisons[i]
}
