//go:build full

package main_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestHealthCommand: the command asks the server at the address in its settings.
func TestHealthCommand(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"TLS": nil, "plain": {"--plain-http"}} {
		t.Run(name, func(t *testing.T) {
			f := newFolder(t)
			s := f.serve(append(args, "--base-url", "https://assets.example.com/muster")...)
			_, port, _ := strings.Cut(s.address, "://localhost")
			for _, listen := range []string{"localhost" + port, port, "0.0.0.0" + port, "[::]" + port} {
				if out := f.must(append([]string{"health", "--listen", listen}, args...)...); out != "" {
					t.Errorf("health of %s: got %q, want silence", listen, out)
				}
			}
			s.stop()
			f.refused(append([]string{"health", "--listen", "localhost" + port}, args...), "does not answer")
		})
	}
}

// TestUnhealthy: the command prints any answer but "ready", and fails.
func TestUnhealthy(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.refused([]string{"health", "--listen", "nowhere"}, "--listen")
	s := f.serve()
	_, port, _ := strings.Cut(s.address, "://localhost")
	f.refused([]string{"health", "--listen", "localhost" + port, "--plain-http"}, "not ready")
}

// TestNotify: a service manager learns when the server is ready and when it stops.
func TestNotify(t *testing.T) {
	t.Parallel()
	socket := filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	heard := func() string {
		text := make([]byte, 100)
		n, err := conn.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		return string(text[:n])
	}
	f := newFolder(t)
	f.env = []string{"NOTIFY_SOCKET=" + socket}
	s := f.serve()
	if got := heard(); got != "READY=1" {
		t.Errorf("at the start: got %q, want READY=1", got)
	}
	s.signal(os.Interrupt)
	if got := heard(); got != "STOPPING=1" {
		t.Errorf("at the end: got %q, want STOPPING=1", got)
	}
	if status := s.wait(); status != 0 {
		t.Errorf("exit status: got %d, want 0", status)
	}
}
