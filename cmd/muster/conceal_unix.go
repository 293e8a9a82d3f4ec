//go:build unix

package main

import (
	"os"
	"syscall"
)

// conceal begins the program anew, as the same process, when an argument has the
// password of the database: every user of the machine can read arguments, and its
// owner alone the variables. Where that fails, it goes on as it is.
func conceal(args []string) {
	rest, address := withoutPassword(args[1:])
	self, err := os.Executable()
	if address == "" || err != nil {
		return
	}
	if os.Setenv(databaseVariable, address) == nil {
		_ = syscall.Exec(self, append(args[:1:1], rest...), os.Environ())
	}
}
