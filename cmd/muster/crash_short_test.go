//go:build full && volume && !faults

package main_test

// How long the crash ledger is in make test.
const (
	kills   = 10
	between = 150
)
