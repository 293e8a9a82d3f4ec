//go:build !full

package mustertest

// Databases returns the databases that tests run on.
func Databases() []Database { return []Database{SQLite} }
