package server

import (
	"fmt"
	"net"
	"net/url"
	"strings"

	"muster/internal/agentsetup"
)

// greet prints where the server and its pages are and how to make a first call: from
// this machine, or with an own certificate at the address that it is for.
func (cfg *Config) greet(address string, base *url.URL, credentials string) {
	where := cfg.visibleAddress(address)
	public := where
	if base != nil {
		public = strings.TrimSuffix(base.String(), "/")
		where += strings.TrimSuffix(base.Path, "/")
	}
	if cfg.CertFile != "" {
		where = public
	}
	fmt.Fprintf(cfg.Out, "Muster serves its API at %s/api.xml\nand its web application at %s/app/\n", public, public)
	trust := ""
	if !cfg.PlainHTTP && cfg.CertFile == "" {
		trust = " --cacert " + agentsetup.ShellQuote(cfg.authority())
	}
	fmt.Fprintf(cfg.Out, "\nA first call:\n\ncurl --digest --user %s%s %s/hardwares.xml\n\n",
		agentsetup.ShellQuote(credentials), trust, where)
}

// visibleAddress returns the address under which this machine reaches the
// server.
func (cfg *Config) visibleAddress(address string) string {
	scheme := "https"
	if cfg.PlainHTTP {
		scheme = "http"
	}
	host, _, err := net.SplitHostPort(cfg.Listen)
	_, port, _ := net.SplitHostPort(address)
	if err != nil || host == "" || isAnyAddress(host) {
		host = "localhost"
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}
