//go:build full && volume && load

package main_test

// atFullSize makes the load tests prove the figures; else they are short enough
// for every run of the tests, and leave out what a busy machine would spoil.
const atFullSize = true
