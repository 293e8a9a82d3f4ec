package main

import (
	"fmt"
	"strings"

	"muster/internal/agentsetup"
)

// pointed returns how to point agents at the server with a new agent token. The first
// line is the address alone, for scripts.
func pointed(access *agentsetup.Access, name, secret string) (string, error) {
	address, err := access.With(secret)
	if err != nil {
		return "", err
	}
	settings, err := access.Settings(secret)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", address)
	fmt.Fprintf(&b, "This is shown once. Whoever has it can report computers, and nothing else; it ends with: muster agent token revoke %s\n", agentsetup.ShellQuote(name))
	for _, note := range access.Advice() {
		fmt.Fprintf(&b, "\n%s\n", note)
	}
	for _, s := range settings {
		fmt.Fprintf(&b, "\n%s\n\n    %s\n", s.Where, strings.ReplaceAll(s.Text, "\n", "\n    "))
	}
	return b.String(), nil
}
