//go:build full

package main_test

import (
	"context"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

// A cluster is a PostgreSQL server of its own, which keeps its promises after a
// crash, unlike the one that tests share.
type cluster struct {
	t        *testing.T
	bin      string
	data     string
	sockets  string
	address  string // of its database
	owner    *syscall.Credential
	log      *output
	postgres *exec.Cmd // nil when it does not run
}

// newCluster makes a cluster on a disk and starts it.
func newCluster(t *testing.T, d *disk, settings ...string) *cluster {
	t.Helper()
	bin, err := exec.Command("../../scripts/postgres-bin").Output()
	if err != nil {
		t.Fatalf("no PostgreSQL server programs: run scripts/install-test-tools: %v", err)
	}
	sockets, err := os.MkdirTemp("/tmp", "muster-cluster") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(sockets) })
	c := &cluster{t: t, bin: strings.TrimSpace(string(bin)), data: filepath.Join(d.folder, "cluster"),
		sockets: sockets, log: newOutput()}
	c.address = "postgres://postgres@/postgres?connect_timeout=60&statement_timeout=60000&host=" + sockets
	c.owner = postgresUser(t)
	for _, folder := range []string{c.sockets, d.folder} {
		if err := os.Chown(folder, int(c.owner.Uid), int(c.owner.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := c.command("initdb", "--pgdata", c.data, "--username", "postgres", "--auth", "trust", "--encoding",
		"UTF8", "--locale", "C").CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	settings = append(settings, "listen_addresses = ''", "unix_socket_directories = '"+sockets+"'")
	write(t, filepath.Join(c.data, "postgresql.auto.conf"), strings.Join(settings, "\n")+"\n")
	t.Cleanup(c.stop)
	c.start()
	return c
}

// postgresUser returns the user that PostgreSQL runs as, which refuses root.
func postgresUser(t *testing.T) *syscall.Credential {
	t.Helper()
	u, err := user.Lookup("postgres")
	if err != nil {
		t.Fatal(err)
	}
	uid, errUser := strconv.ParseUint(u.Uid, 10, 32)
	gid, errGroup := strconv.ParseUint(u.Gid, 10, 32)
	if errUser != nil || errGroup != nil {
		t.Fatalf("the user postgres: got the ids %s and %s", u.Uid, u.Gid)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

// command returns a program of PostgreSQL.
func (c *cluster) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(c.bin, program), args...)
	cmd.Dir = c.sockets
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.owner}
	return cmd
}

// start starts the server and waits until it answers.
func (c *cluster) start() {
	c.t.Helper()
	c.postgres = c.command("postgres", "-D", c.data)
	c.postgres.Stdout, c.postgres.Stderr = c.log, c.log
	if err := c.postgres.Start(); err != nil {
		c.t.Fatal(err)
	}
	eventually(c.t, "PostgreSQL answers", func() bool {
		conn, err := pgx.Connect(context.Background(), c.address)
		if err != nil {
			return false
		}
		return conn.Close(context.Background()) == nil
	})
}

// stop ends the server at once, as a crash would.
func (c *cluster) stop() {
	if c.postgres == nil {
		return
	}
	_ = c.postgres.Process.Signal(syscall.SIGQUIT) // it may have ended
	_ = c.postgres.Wait()                          // with a status of its own
	c.postgres = nil
}
