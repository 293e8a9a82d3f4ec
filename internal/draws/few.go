//go:build !deep

package draws

// share is the part of the cases that is tried.
const share = 10
