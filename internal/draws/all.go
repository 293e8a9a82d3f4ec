//go:build deep

package draws

// One case of share is tried.
const share = 1
