//go:build full && volume && faults

package main_test

// How long the crash ledger is in make test-faults.
const (
	kills   = 50
	between = 200
)
