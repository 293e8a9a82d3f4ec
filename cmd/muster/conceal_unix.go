//go:build unix

package main

import (
	"os"
	"syscall"
)

// conceal restarts the program in the same process, with the address of the database in
// the environment, when an argument has the password of the database: every user of the
// machine can read a process's arguments, but only its owner the environment. If that
// fails, the program continues as it is.
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
