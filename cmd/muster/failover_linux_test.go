//go:build full

package main_test

import (
	"context"
	"encoding/xml"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"muster/internal/mustertest"
)

// follow makes a standby of a cluster, which follows it by streaming replication, and has it confirm each commit.
func (c *cluster) follow(d *disk) *cluster {
	c.t.Helper()
	sockets, err := os.MkdirTemp("/tmp", "muster-cluster") // the path of a socket must be short
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = os.RemoveAll(sockets) })
	s := &cluster{t: c.t, bin: c.bin, data: filepath.Join(d.folder, "standby"), sockets: sockets, owner: c.owner,
		log: newOutput(), address: "postgres://postgres@/postgres?host=" + sockets}
	if err := os.Chown(sockets, int(c.owner.Uid), int(c.owner.Gid)); err != nil {
		c.t.Fatal(err)
	}
	if out, err := c.command("pg_basebackup", "--host", c.sockets, "--username", "postgres", "--pgdata", s.data,
		"--write-recovery-conf", "--checkpoint", "fast").CombinedOutput(); err != nil {
		c.t.Fatalf("pg_basebackup: %v\n%s", err, out)
	}
	settings := filepath.Join(s.data, "postgresql.auto.conf")
	write(c.t, settings, read(c.t, settings)+"unix_socket_directories = '"+sockets+"'\n")
	c.t.Cleanup(s.stop)
	s.start()
	c.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
	c.sql("SELECT pg_reload_conf()")
	eventually(c.t, "the standby confirms commits", func() bool {
		return c.ask("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") == 1
	})
	return s
}

// sql runs a statement on a cluster.
func (c *cluster) sql(statement string) {
	c.t.Helper()
	conn, err := pgx.Connect(context.Background(), c.address)
	if err != nil {
		c.t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(context.Background(), statement); err != nil {
		c.t.Fatal(err)
	}
}

// ask returns the number that a query gives on a cluster.
func (c *cluster) ask(query string) (n int) {
	c.t.Helper()
	conn, err := pgx.Connect(context.Background(), c.address)
	if err != nil {
		c.t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if err := conn.QueryRow(context.Background(), query).Scan(&n); err != nil {
		c.t.Fatal(err)
	}
	return n
}

// names returns the names of all computers by SQL.
func (c *cluster) names() (names []string) {
	c.t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, c.address)
	if err != nil {
		c.t.Fatal(err)
	}
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, `SELECT name FROM hardwares ORDER BY name COLLATE "C"`)
	if err != nil {
		c.t.Fatal(err)
	}
	names, err = pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		c.t.Fatal(err)
	}
	return names
}

// TestFaultFailover ends the primary PostgreSQL server at once while programs write at two nodes, and lets its
// synchronous standby take over. Both nodes go on by themselves, nothing that was acknowledged is lost, the lists of both
// are what SQL says, and the audit trail fits what each node saw.
func TestFaultFailover(t *testing.T) {
	t.Parallel()
	const before, after = 200, 200
	d := newTmpfs(t, "1g")
	primary := newCluster(t, d, "max_wal_size = 64MB", "shared_buffers = 16MB")
	standby := primary.follow(d)
	address := fmt.Sprintf("postgres://postgres@/postgres?host=%s,%s&target_session_attrs=read-write", primary.sockets,
		standby.sockets)
	n := startNodes(t, address)
	acknowledged, mu := map[string]bool{}, sync.Mutex{}
	count := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(acknowledged)
	}
	end, working := make(chan struct{}), sync.WaitGroup{}
	for i := range 8 {
		c := n.admin(n.both()[i%2])
		working.Go(func() {
			for j := 0; ; j++ {
				select {
				case <-end:
					return
				default:
				}
				name := fmt.Sprintf("writer %d, computer %d", i, j)
				if got := c.Do("POST", "/hardwares", "<hardware><name>"+name+"</name></hardware>"); got.Status == http.StatusCreated {
					mu.Lock()
					acknowledged[name] = true
					mu.Unlock()
				}
			}
		})
	}
	eventually(t, "changes before the failover", func() bool { return count() >= before })
	primary.stop()
	lost := count()
	if out, err := standby.command("pg_ctl", "promote", "--pgdata", standby.data).CombinedOutput(); err != nil {
		t.Fatalf("promote: %v\n%s", err, out)
	}
	eventually(t, "changes after the failover", func() bool { return count() >= lost+after })
	close(end)
	working.Wait()
	want := standby.names()
	for _, name := range slices.Sorted(maps.Keys(acknowledged)) {
		if _, there := slices.BinarySearch(want, name); !there {
			t.Errorf("%s was acknowledged and is lost", name)
		}
	}
	t.Logf("acknowledged: %d, of these %d before the failover", len(acknowledged), lost)
	for _, s := range n.both() {
		eventually(t, "the lists of a node are what SQL says", func() bool {
			return cmp.Equal(listed(t, n.admin(s)), want)
		})
		if got := s.f.run("audit", "verify"); got.status != 0 {
			t.Errorf("audit verify: got status %d, want 0:\n%s%s", got.status, got.out, got.err)
		}
	}
}

// startNodes starts two nodes on a database.
func startNodes(t *testing.T, database string) *nodes {
	t.Helper()
	n, key := &nodes{t: t, database: database}, filepath.Join(t.TempDir(), "server.key")
	for _, node := range []**service{&n.a, &n.b} {
		f := newFolder(t)
		f.env = []string{"MUSTER_DATABASE=" + database, "MUSTER_KEY_FILE=" + key, "MUSTER_RATE_LIMIT=0",
			"MUSTER_BASE_URL=https://assets.example"}
		*node = f.serve()
		n.password += (*node).password
	}
	return n
}

// listed returns the names of all computers as the lists of a node have them, sorted.
func listed(t *testing.T, c *mustertest.Client) (names []string) {
	t.Helper()
	for page, more := 1, true; more; page++ {
		var list struct {
			Names []string `xml:"hardware>name"`
		}
		got := c.Get(fmt.Sprintf("/hardwares.xml?per_page=1000&page=%d", page))
		if err := xml.Unmarshal([]byte(got.Body), &list); err != nil || got.Status != http.StatusOK {
			t.Fatalf("page %d: got %d, %v, want 200", page, got.Status, err)
		}
		names, more = append(names, list.Names...), len(list.Names) == 1000
	}
	slices.Sort(names)
	return names
}
