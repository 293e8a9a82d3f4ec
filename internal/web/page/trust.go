package page

import (
	"path/filepath"

	"muster/internal/agentsetup"
)

// Authority returns the name of the file that programs need to trust the server's
// certificate, "" when they trust it without.
func (c *Call) Authority() string {
	access, err := c.App.AgentAccess()
	if err != nil || access.CA == "" {
		return ""
	}
	return filepath.Base(access.CA)
}

// Trust returns the option by which curl trusts the server.
func (c *Call) Trust() string {
	if file := c.Authority(); file != "" {
		return " --cacert " + agentsetup.ShellQuote(file)
	}
	return ""
}
