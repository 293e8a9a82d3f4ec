package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// healthTime is how long a server may take to say that it is ready.
const healthTime = 10 * time.Second

// healthCmd is the health check for systems without curl, such as containers.
type healthCmd struct {
	Listen    string `default:"localhost:8443" placeholder:"HOST:PORT" help:"Address that the server listens on, as in its own --listen (${default})."`
	PlainHTTP bool   `name:"plain-http" help:"Connect without TLS, to a server that was started with --plain-http."`
}

// Run asks the server whether it can answer requests.
func (c *healthCmd) Run() error {
	host, port, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "127.0.0.1" // an image may not know the name localhost
	}
	scheme := "https"
	if c.PlainHTTP {
		scheme = "http"
	}
	return askReady(scheme + "://" + net.JoinHostPort(host, port) + "/readyz")
}

// askReady returns nil when the server at an address says that it is ready.
func askReady(address string) error {
	ctx, cancel := context.WithTimeout(context.Background(), healthTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	// The certificate is for the name by which clients know the server, not for this address; nothing is sent that
	// another server might misuse.
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	resp, err := client.Do(req)
	if err != nil {
		return fmt.Errorf("the server does not answer: %w", err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	if err != nil {
		return fmt.Errorf("the server does not answer: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return errors.New("the server is not ready: " + strings.TrimSpace(string(text)))
	}
	return nil
}
