// Package draws sets how many random cases tests try: a tenth of them, so that the suite stays fast, or all
// with the build tag deep, as make test-draws does. The cases themselves do not belong here.
package draws

import (
	"flag"
	"strconv"

	_ "pgregory.net/rapid" // whose number of checks it sets
)

// checks is how many cases a property of rapid is tried with.
const checks = 100

// A flag of the command line is read later, and counts.
func init() {
	if err := flag.Set("rapid.checks", strconv.Itoa(Of(checks))); err != nil {
		panic(err)
	}
}

// All reports whether all cases are tried.
const All = share == 1

// Of returns how many of n cases are tried, at least one.
func Of(n int) int { return max(1, n/share) }
