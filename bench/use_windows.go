package main

import (
	"syscall"
	"time"
)

// cpuTime returns the user and system time of this process.
func cpuTime() time.Duration {
	var created, exited, kernel, user syscall.Filetime
	process, err := syscall.GetCurrentProcess()
	if err == nil {
		err = syscall.GetProcessTimes(process, &created, &exited, &kernel, &user)
	}
	if err != nil {
		panic("unreachable: the process does not know its own times: " + err.Error())
	}
	return ticks(kernel) + ticks(user)
}

// ticks returns a span of time, which is counted in units of 100 ns.
func ticks(f syscall.Filetime) time.Duration {
	return time.Duration(int64(f.HighDateTime)<<32+int64(f.LowDateTime)) * 100
}

// resident returns 0: the system does not report it as others do.
func resident() uint64 { return 0 }
