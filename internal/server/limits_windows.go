package server

import "math"

// maxFiles returns how many files and connections the process may have open:
// Windows has no limit.
func maxFiles() int { return math.MaxInt32 }
