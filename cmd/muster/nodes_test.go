//go:build full

package main_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// nodes are two servers, each a process with a folder of its own, over one
// PostgreSQL database.
type nodes struct {
	t        *testing.T
	a, b     *service
	database string
	password string // of the administrator
}

// newNodes starts both at the same moment on an empty database.
func newNodes(t *testing.T) *nodes {
	t.Helper()
	database, key := mustertest.Postgres.New(t), filepath.Join(t.TempDir(), "server.key")
	launch := func() *service {
		f := newFolder(t)
		f.env = []string{
			"MUSTER_DATABASE=" + database, "MUSTER_KEY_FILE=" + key, "MUSTER_BASE_URL=https://assets.example",
			"MUSTER_RATE_LIMIT=0", "MUSTER_LOGIN_LIMIT=0",
		}
		return f.launch()
	}
	n := &nodes{t: t, database: database, a: launch(), b: launch()}
	n.a.greeting()
	n.b.greeting()
	n.password = n.a.password + n.b.password
	return n
}

func (n *nodes) both() []*service { return []*service{n.a, n.b} }

// admin returns a client of the administrator at a node.
func (n *nodes) admin(s *service) *mustertest.Client {
	n.t.Helper()
	return s.client(admin, n.password)
}

// count returns how many computers there are.
func (n *nodes) count() int {
	n.t.Helper()
	return n.computers("true")
}

// computers returns how many computers meet a condition. It asks the database, since the list of a node learns of
// the changes of the other a moment later.
func (n *nodes) computers(condition string) (count int) {
	n.t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, n.database)
	if err != nil {
		n.t.Fatal(err)
	}
	defer conn.Close(ctx)
	if err := conn.QueryRow(ctx, "SELECT count(*) FROM hardwares WHERE "+condition).Scan(&count); err != nil {
		n.t.Fatal(err)
	}
	return count
}

// TestNodesStart: of nodes that find an empty database at the same moment one
// makes the administrator, and all serve them.
func TestNodesStart(t *testing.T) {
	t.Parallel()
	for range 5 {
		n := newNodes(t)
		if (n.a.password == "") == (n.b.password == "") {
			t.Errorf("got the passwords %q and %q, want one", n.a.password, n.b.password)
		}
		for _, s := range n.both() {
			if got := n.admin(s).Get("/hardwares"); got.Status != http.StatusOK {
				t.Errorf("the password at a node: got %d, want 200", got.Status)
			}
		}
		if users := strings.Count(n.b.f.must("user", "list"), "administrator"); users != 1 {
			t.Errorf("got %d administrators, want 1", users)
		}
	}
}

// audits returns how many audit records there are.
func (n *nodes) audits() int {
	n.t.Helper()
	ctx := context.Background()
	s, err := store.Open(ctx, store.Config{Database: n.database, Kinds: inventory.All(), Frozen: true})
	if err != nil {
		n.t.Fatal(err)
	}
	defer s.Close()
	if err := s.Chain(ctx, inventory.Audits.Schema); err != nil {
		n.t.Fatal(err)
	}
	var ids []int64
	err = s.View(ctx, func(tx *store.Tx) error {
		ids, err = tx.IDs(ctx, inventory.Audits.Schema)
		return err
	})
	if err != nil {
		n.t.Fatal(err)
	}
	return len(ids)
}

// TestNodesTogether changes one record at both nodes at once: transactions that
// are in each other's way are run again, with the proof of their request.
func TestNodesTogether(t *testing.T) {
	t.Parallel()
	const each = 10
	n := newNodes(t)
	n.admin(n.a).Do("POST", "/hardwares", "<hardware><name>c</name></hardware>")
	before := n.audits() // of the administrator, the creation, and what a node that began later says of its file
	var all sync.WaitGroup
	for i := range 6 {
		c := n.admin(n.both()[i%2])
		all.Go(func() {
			for j := range each {
				r := c.Do("PUT", "/hardwares/1", fmt.Sprintf("<hardware><tag>%d-%d</tag></hardware>", i, j))
				if r.Status != http.StatusOK {
					t.Errorf("PUT: got %d %s, want 200", r.Status, r.Body)
				}
			}
		})
	}
	all.Wait()
	if got, want := n.audits()-before, 6*each; got != want {
		t.Errorf("audit records: got %d, want %d", got, want)
	}
}

// TestNodesUsers changes users at one node.
func TestNodesUsers(t *testing.T) {
	t.Parallel()
	n := newNodes(t)
	const anna = "anna@example.com"
	status := func(s *service, password string) int { return s.client(anna, password).Get("/hardwares").Status }
	knows := func(s *service, password string, want int) func() bool {
		return func() bool { return status(s, password) == want }
	}
	first := strings.TrimSpace(n.a.f.must("user", "add", anna, "--role", "technician"))
	mustertest.Eventually(t, "a new user at the other node", knows(n.b, first, 200))
	second := strings.TrimSpace(n.b.f.must("user", "passwd", anna))
	mustertest.Eventually(t, "the new password at the other node", knows(n.a, second, 200))
	if got := status(n.a, first); got != http.StatusUnauthorized {
		t.Errorf("the old password at the other node: got %d, want 401", got)
	}

	c := n.b.client(anna, second)
	c.Get("/api") // so that the next request needs no challenge
	n.a.f.must("user", "disable", anna)
	if got := c.Do("POST", "/hardwares",
		"<hardware><name>late</name></hardware>").Status; got != http.StatusForbidden &&
		got != http.StatusUnauthorized {
		t.Errorf("a change of a disabled user at the other node: got %d, want 401 or 403", got)
	}
	mustertest.Eventually(t, "disabled at the other node", knows(n.b, second, 401))
	n.b.f.must("user", "enable", anna)
	mustertest.Eventually(t, "enabled at the other node", knows(n.a, second, 200))
	if got := n.count(); got != 0 {
		t.Errorf("computers: got %d, want 0", got)
	}
}

// TestNodesConditions: tags and idempotency keys of one node are valid at the other.
func TestNodesConditions(t *testing.T) {
	t.Parallel()
	n := newNodes(t)
	a, b := n.admin(n.a), n.admin(n.b)
	const document, key = "<hardware><name>c</name></hardware>", "Idempotency-Key"
	first := a.Do("POST", "/hardwares", document, key, "k")
	again := b.Do("POST", "/hardwares", document, key, "k")
	if again.Status != http.StatusCreated || again.Header.Get("Idempotent-Replayed") != "true" ||
		again.Body != first.Body {
		t.Errorf("a key at the other node: got %d %v %s, want the same record", again.Status, again.Header, again.Body)
	}
	if got := b.Do("POST", "/hardwares", "<hardware><name>d</name></hardware>", key,
		"k").Status; got != http.StatusUnprocessableEntity {
		t.Errorf("another document under the key at the other node: got %d, want 422", got)
	}

	tag := a.Get("/hardwares/1").Header.Get("ETag")
	if got := b.Get("/hardwares/1", "If-None-Match", tag).Status; got != http.StatusNotModified {
		t.Errorf("If-None-Match at the other node: got %d, want 304", got)
	}
	list := a.Get("/hardwares").Header.Get("ETag")
	if got := b.Do("PUT", "/hardwares/1", "<hardware><tag>x</tag></hardware>", "If-Match",
		tag).Status; got != http.StatusOK {
		t.Errorf("If-Match at the other node: got %d, want 200", got)
	}
	for what, got := range map[string]int{
		"If-Match of PUT": a.Do("PUT", "/hardwares/1", "<hardware><tag>y</tag></hardware>", "If-Match",
			tag).Status - http.StatusPreconditionFailed,
		"If-Match of DELETE": b.Do("DELETE", "/hardwares/1", "", "If-Match",
			tag).Status - http.StatusPreconditionFailed,
		"If-None-Match of the record": a.Get("/hardwares/1", "If-None-Match", tag).Status - http.StatusOK,
		"If-None-Match of the present": a.Get("/hardwares/1", "If-None-Match",
			b.Get("/hardwares/1").Header.Get("ETag")).Status - http.StatusNotModified,
	} {
		if got != 0 {
			t.Errorf("%s after a change at the other node: got the status %+d off, want the right one", what, got)
		}
	}
	changed := time.Now() // lists have others' changes within a second
	mustertest.Eventually(t, "the list has a change of the other node", func() bool {
		late := time.Since(changed) > time.Second
		status := a.Get("/hardwares", "If-None-Match", list).Status
		if late && status != http.StatusOK {
			t.Fatalf("If-None-Match of the list a second after a change at the other node: got %d, want 200", status)
		}
		return status == http.StatusOK
	})
}

// TestNodesKeyTogether sends one creation under a key to both nodes at once.
func TestNodesKeyTogether(t *testing.T) {
	t.Parallel()
	n := newNodes(t)
	var all sync.WaitGroup
	var mu sync.Mutex
	made := 0
	for i := range 8 {
		c := n.admin(n.both()[i%2])
		all.Go(func() {
			r := c.Do("POST", "/hardwares", "<hardware><name>one</name></hardware>", "Idempotency-Key", "k")
			mu.Lock()
			defer mu.Unlock()
			switch {
			case r.Status == http.StatusCreated && r.Header.Get("Idempotent-Replayed") == "":
				made++
			case r.Status != http.StatusCreated && r.Status != http.StatusConflict:
				t.Errorf("got %d %s, want 201 or 409", r.Status, r.Body)
			}
		})
	}
	all.Wait()
	if got := n.count(); made != 1 || got != 1 {
		t.Errorf("got %d new and %d in all, want 1", made, got)
	}
}

// TestNodesKill kills a node while clients write at both. The other goes on, and
// what either has acknowledged is there.
func TestNodesKill(t *testing.T) {
	t.Parallel()
	const before, after = 60, 60
	n := newNodes(t)
	begun := n.audits()
	var mu sync.Mutex
	acknowledged := map[*service][]string{}
	count := func(s *service) int {
		mu.Lock()
		defer mu.Unlock()
		return len(acknowledged[s])
	}
	var all sync.WaitGroup
	for i := range 4 {
		s := n.both()[i%2]
		c := n.admin(s)
		all.Go(func() {
			for s == n.a || count(n.b) < before+after { // at the node that is killed, as long as it lasts
				at, ok := post(c, s.address)
				if !ok {
					break
				}
				mu.Lock()
				acknowledged[s] = append(acknowledged[s], at)
				mu.Unlock()
			}
		})
	}
	eventually(t, "acknowledged changes at both nodes",
		func() bool { return count(n.a) >= before && count(n.b) >= before/2 })
	n.a.kill()
	all.Wait()
	if got := count(n.b); got < before+after {
		t.Errorf("the other node acknowledged %d changes, want %d:\n%s", got, before+after, n.b.log)
	}
	c := n.admin(n.b)
	for _, s := range n.both() {
		for _, at := range acknowledged[s] {
			if got := c.Get(at).Status; got != http.StatusOK {
				t.Errorf("%s was acknowledged: got %d, want 200", at, got)
			}
		}
	}
	// those of two clients are in doubt
	if got, least := n.count(), len(acknowledged[n.a])+len(acknowledged[n.b]); got < least || got > least+2 {
		t.Errorf("computers: got %d, want %d or up to 2 more", got, least)
	}
	if got, want := n.audits()-begun, n.count(); got != want {
		t.Errorf("audit records: got %d, want %d", got, want)
	}
}

// post makes a computer and returns its path; ok means that it was acknowledged,
// whole answer read.
func post(c *mustertest.Client, address string) (at string, ok bool) {
	resp, err := c.HTTP.Post(address+"/hardwares", "application/xml",
		strings.NewReader("<hardware><name>c</name></hardware>"))
	if err != nil {
		return "", false
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return strings.TrimPrefix(resp.Header.Get("Location"), "https://assets.example"), err == nil &&
		resp.StatusCode == http.StatusCreated
}

// TestNodesOneFolder refuses a second server on the data folder of another: commands go on to the first one. When that was
// killed, the next one starts, and takes its name for that of a dead one.
func TestNodesOneFolder(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.env = []string{"MUSTER_DATABASE=" + mustertest.Postgres.New(t)}
	name := func() string { return read(t, f.data("node")) }
	first := f.serve()
	before := name()
	f.refused([]string{"serve", "--listen", "localhost:0"}, "another server runs on the data folder "+f.data(""),
		fmt.Sprintf("(process %d on ", first.cmd.Process.Pid))
	if got := name(); got != before || got == "" {
		t.Errorf("beside another server: got the name %q, want that of the first, %q", got, before)
	}
	if out := f.must("user", "list"); !strings.Contains(out, admin) {
		t.Errorf("user list through the first server's socket: got %q", out)
	}
	first.kill()
	second := f.serve()
	if got := name(); got == before || strings.Contains(got, "\n") {
		t.Errorf("after its death: got the name %q, want a new one alone", got)
	}
	second.stop()
	f.serve()
}
