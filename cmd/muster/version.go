package main

import (
	"fmt"
	"runtime"
)

// These are set when a release is built.
var (
	version = "dev"
	commit  string // that it was built from
	date    string // of the commit, as 2026-11-15
)

type versionCmd struct{}

// Run prints the version, and what the program was built with and from.
func (versionCmd) Run() error {
	line := fmt.Sprintf("muster %s %s %s/%s", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if commit != "" {
		line += fmt.Sprintf(" (commit %s of %s)", commit, date)
	}
	_, err := fmt.Println(line)
	return err
}
