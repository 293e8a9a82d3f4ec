//go:build full

package main_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"muster/internal/doctor"
	"muster/internal/mustertest"
)

// A line leads to a PostgreSQL server, and can be cut for ever.
type line struct {
	listener net.Listener
	mu       sync.Mutex
	ends     []net.Conn
}

// newLine returns a line to the server of a database, and the database's
// address through it.
func newLine(t *testing.T, database string) (*line, string) {
	t.Helper()
	cfg, err := pgx.ParseConfig(database)
	if err != nil {
		t.Fatal(err)
	}
	l := &line{}
	if l.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.cut)
	network, target := pgconn.NetworkAddress(cfg.Host, cfg.Port)
	go func() {
		for {
			near, err := l.listener.Accept()
			if err != nil {
				return
			}
			l.join(near, network, target)
		}
	}()
	q := url.Values{"search_path": {cfg.RuntimeParams["search_path"]}, "sslmode": {"disable"}}
	return l, fmt.Sprintf("postgres://%s@%s/%s?%s", cfg.User, l.listener.Addr(), cfg.Database, q.Encode())
}

func (l *line) join(near net.Conn, network, target string) {
	far, err := net.Dial(network, target)
	if err != nil {
		_ = near.Close()
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ends = append(l.ends, near, far)
	go func() { _, _ = io.Copy(far, near) }()
	go func() { _, _ = io.Copy(near, far) }()
}

func (l *line) cut() {
	_ = l.listener.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, end := range l.ends {
		_ = end.Close()
	}
}

// TestDoctorPostgresStopped: when PostgreSQL goes away under a running server,
// both are told.
func TestDoctorPostgresStopped(t *testing.T) {
	l, address := newLine(t, mustertest.Postgres.New(t))
	f := newFolder(t)
	f.env = []string{"MUSTER_LISTEN=localhost:" + freePort(t), "MUSTER_DATABASE=" + address}
	f.serve()
	f.doctor().healthy(t, "before")
	l.cut()
	d := f.doctor()
	d.says(t, "after it", doctor.Problem, "server", "cannot reach its database")
	d.says(t, "after it", doctor.Problem, "database", "cannot be reached", "PostgreSQL runs")
}

// TestDoctorPostgresKind: a database that is not as it should be is told.
func TestDoctorPostgresKind(t *testing.T) {
	f, s := installed(t, mustertest.Postgres)
	s.stop()
	f.sql(`ALTER TABLE hardwares ALTER COLUMN notes TYPE TEXT COLLATE "POSIX"`)
	f.doctor().says(t, "a changed column", doctor.Warning, "database", "1 columns", "by bytes")
	f.sql(`ALTER TABLE hardwares ALTER COLUMN notes TYPE TEXT COLLATE "C"`)

	name := "test_" + strings.ToLower(rand.Text())
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, f.address())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := conn.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Error(err)
		}
		_ = conn.Close(ctx)
	})
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+name+" ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"); err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(f.address())
	if err != nil {
		t.Fatal(err)
	}
	u.Path, u.RawQuery = "/"+name, strings.Replace(u.RawQuery, "search_path", "application_name", 1)
	d := f.doctor("--database", u.String())
	d.says(t, "another encoding", doctor.Problem, "database", "SQL_ASCII", "UTF8")
	d.says(t, "no tables", doctor.Problem, "tables", "muster serve")
}
