package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"muster/bench/result"
)

// binarySize is how many MB the program may have, as releases have it.
const binarySize = 45

// benchBinary measures how large the program is. It is made by the Go that made
// this one; where there is none, a note says so.
func benchBinary(ctx context.Context, s *settings, r *result.Run) error {
	c := &result.Comparison{Name: "stripped binary", Goals: result.Goals{Aim: "the program", MaxSize: binarySize}}
	if !s.only.MatchString(c.Name) {
		return nil
	}
	progress("%s", c.Name)
	folder, err := os.MkdirTemp("", "muster-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "muster")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", file, "muster/cmd/muster")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		r.Notes = append(r.Notes, fmt.Sprintf("The size of the program was not measured: go build: %v %s", err, text))
		return ctx.Err()
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	c.Ours = []result.Sample{{Bytes: float64(info.Size())}}
	r.Comparisons = append(r.Comparisons, c)
	return nil
}
