//go:build full

package mustertest

import (
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// A Cable connects to a PostgreSQL server and can be pulled out.
type Cable struct {
	t      testing.TB
	folder string // of the socket at our end
	remote [2]string

	mu       sync.Mutex
	listener net.Listener
	ends     []net.Conn
}

// NewCable returns a cable to the database, and the address at its end.
func NewCable(t testing.TB, database string) (*Cable, string) {
	t.Helper()
	cfg, err := pgx.ParseConfig(database)
	if err != nil {
		t.Fatal(err)
	}
	folder, err := os.MkdirTemp("/tmp", "muster-cable") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	c := &Cable{t: t, folder: folder}
	c.remote[0], c.remote[1] = pgconn.NetworkAddress(cfg.Host, cfg.Port)
	c.Plug()
	t.Cleanup(c.Pull)
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("host", folder)
	q.Set("port", "5432")
	u.RawQuery = q.Encode()
	return c, u.String()
}

// Plug plugs the cable in again.
func (c *Cable) Plug() {
	c.t.Helper()
	l, err := net.Listen("unix", filepath.Join(c.folder, ".s.PGSQL.5432"))
	if err != nil {
		c.t.Fatal(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.listener = l
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			c.join(near)
		}
	}()
}

// join carries bytes both ways.
func (c *Cable) join(near net.Conn) {
	far, err := net.Dial(c.remote[0], c.remote[1])
	if err != nil {
		_ = near.Close()
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ends = append(c.ends, near, far)
	for _, pair := range [][2]net.Conn{{near, far}, {far, near}} {
		go func() {
			_, _ = io.Copy(pair[0], pair[1])
			_ = pair[0].Close()
		}()
	}
}

// Pull ends all connections, and lets none through.
func (c *Cable) Pull() {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.listener.Close()
	for _, end := range c.ends {
		_ = end.Close()
	}
	c.ends = nil
}
