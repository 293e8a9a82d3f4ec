package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// goTool runs the go command in the repository for a target. What a machine's own settings could change is fixed.
func (r *release) goTool(t target, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.os, "GOARCH="+t.arch, "GOFLAGS=", "GOAMD64=v1",
		"GOARM64=v8.0",
		"GOEXPERIMENT=", "GOWORK=off")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, &errs)
	}
	return out, nil
}

// build returns the program for a target.
func (r *release) build(t target) ([]byte, error) {
	dir, err := os.MkdirTemp("", "muster-release")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	program, err := r.buildTo(t, dir)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(program)
}

// buildTo builds the program in a folder and returns its path.
func (r *release) buildTo(t target, dir string) (string, error) {
	program := filepath.Join(dir, t.program())
	flags := fmt.Sprintf("-s -w -X main.version=%s -X main.commit=%s -X main.date=%s", r.version, r.commit,
		r.time.Format("2006-01-02"))
	// The commit is given above, since the sources need not be in a repository.
	_, err := r.goTool(t, "build", "-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", program, "./cmd/muster")
	return program, err
}

// pages returns what the program says about itself: completion and the manual.
func (r *release) pages() ([]file, error) {
	dir, err := os.MkdirTemp("", "muster-release")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	program, err := r.buildTo(target{runtime.GOOS, runtime.GOARCH}, dir)
	if err != nil {
		return nil, err
	}
	var pages []file
	for name, args := range map[string][]string{
		"completion/muster.bash": {"completion", "bash"},
		"completion/_muster":     {"completion", "zsh"},
		"completion/muster.fish": {"completion", "fish"},
		"man/muster.1":           {"man"},
	} {
		text, err := exec.Command(program, args...).Output()
		if err != nil {
			return nil, fmt.Errorf("muster %s: %w", strings.Join(args, " "), err)
		}
		pages = append(pages, file{name: name, data: text})
	}
	return pages, nil
}
