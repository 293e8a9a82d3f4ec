package main

// conceal does nothing: here a process cannot begin anew.
func conceal([]string) {}
