package web

import (
	"path/filepath"

	"muster/internal/pointing"
)

// authority returns the name of the file that programs need to trust the server's
// certificate, "" when they trust it without.
func (c *call) authority() string {
	access, err := c.web.Access()
	if err != nil || access.CA == "" {
		return ""
	}
	return filepath.Base(access.CA)
}

// trust returns the option by which curl trusts the server.
func (c *call) trust() string {
	if file := c.authority(); file != "" {
		return " --cacert " + pointing.ShellQuote(file)
	}
	return ""
}
