package doctor

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"syscall"
)

// server looks whether a server listens for commands.
func (e *examiner) server(ctx context.Context) {
	const check = "server"
	info, err := os.Stat(e.Socket)
	if err != nil {
		e.ok(check, "No server runs on this data folder.")
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "unix", e.Socket)
	switch {
	case err == nil:
		_ = conn.Close()
		e.running = true
		e.ok(check, "A server runs on this data folder%s.", by(info))
	case errors.Is(err, fs.ErrPermission):
		e.running = true
		e.problem(check, "Run commands as the user that the server runs as, or as root.",
			"You may not use the server's socket %s.", e.Socket)
	case errors.Is(err, syscall.ECONNREFUSED):
		e.warn(check, "Start it again; its log says why it ended. The next start replaces the socket.",
			"The last server on this data folder did not end by itself: its socket %s is left, and nothing answers.",
			e.Socket)
	default:
		e.problem(check, "Stop the server and start it again.", "The server's socket does not answer: %v.", err)
	}
}

// by returns the user that a server runs as, taken from the owner of its socket.
func by(info fs.FileInfo) string {
	if !hasModes {
		return ""
	}
	return ", as " + userName(ownerOf(info))
}

// port looks who listens where the server should.
func (e *examiner) port(ctx context.Context) {
	const check = "port"
	host, port, err := net.SplitHostPort(e.Listen)
	if err != nil {
		e.problem(check, "Give an address such as localhost:8443.", "--listen %s is not an address: %v.", e.Listen, err)
		return
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	address := net.JoinHostPort(host, port)
	conn, err := net.DialTimeout("tcp", address, timeout)
	if err != nil {
		e.silent(address, err)
		return
	}
	_ = conn.Close()
	if !e.isMuster(ctx, address) {
		e.problem(check, "Stop that program, or choose another port with --listen.", "Another program listens at %s.",
			address)
		return
	}
	if !e.running {
		e.problem(check, "Name the folder of that server with --data, or choose another port with --listen.",
			"A Muster server answers at %s, but it is not one of this data folder.", address)
		return
	}
	e.ok(check, "The server answers at %s.", address)
	if status, why := e.get(ctx, address, "/readyz"); status != http.StatusOK {
		e.problem("server", "Its log says more; the findings about the database below may help.",
			"The server is not ready: %s.", strings.TrimSpace(why))
	}
}

// silent reports why nobody answers at an address.
func (e *examiner) silent(address string, err error) {
	const check = "port"
	var unknown *net.DNSError
	switch {
	case errors.As(err, &unknown):
		e.problem(check, "Correct --listen, or make the name known to this machine.",
			"The name in --listen %s is not known here: %v.", e.Listen, err)
	case e.running:
		e.warn(check, "Give muster doctor the --listen of the server, or set MUSTER_LISTEN for both.",
			"The server runs, but nothing answers at %s: it listens elsewhere.", address)
	default:
		e.ok(check, "Nothing listens at %s, so a server can.", address)
	}
}

// isMuster reports whether a Muster server answers at an address.
func (e *examiner) isMuster(ctx context.Context, address string) bool {
	status, body := e.get(ctx, address, "/healthz")
	return status == http.StatusOK && body == "ok\n"
}

// get asks the server at an address, whatever its certificate is, and notes
// that.
func (e *examiner) get(ctx context.Context, address, path string) (status int, body string) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	scheme := "https"
	if e.PlainHTTP {
		scheme = "http"
	}
	client := http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true}, // it is only examined, nothing secret is sent
	}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s://%s%s", scheme, address, path), nil)
	if err != nil {
		return 0, ""
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0, ""
	}
	defer resp.Body.Close()
	if resp.TLS != nil {
		e.served = resp.TLS.PeerCertificates[0]
	}
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10)) // what came is enough
	return resp.StatusCode, string(text)
}
