package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"muster/internal/draws"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// TestPanicInView reaches the caller and costs no connection: after many, all
// can be used at once.
func TestPanicInView(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		insert(t, s, gadgets, &gadget{Name: "g"})
		update(t, s, func(tx *store.Tx) error { return tx.SetCredentials(ctx, store.Credentials{UserID: 1}) })
		for range 50 {
			func() {
				defer func() { equal(t, "panic", recover(), any("mine")) }()
				_ = s.View(ctx, func(tx *store.Tx) error {
					return tx.Credentials(ctx, func(store.Credentials) error { panic("mine") })
				})
			}()
			is(t, "view", s.View(ctx, func(*store.Tx) error { return io.EOF }), io.EOF)
		}
		insert(t, s, gadgets, &gadget{Name: "new"})
		var begun, wg sync.WaitGroup
		begun.Add(4)
		for range 4 {
			wg.Go(func() {
				err := s.View(ctx, func(tx *store.Tx) error {
					begun.Done()
					begun.Wait()
					n, err := tx.Int(ctx, "SELECT count(*) FROM test_gadgets")
					equal(t, "gadgets seen by a used connection", n, int64(2))
					return err
				})
				is(t, "view", err, nil)
			})
		}
		wg.Wait()
	})
}

// slow is a query that takes minutes.
func slow(s *store.Store) string {
	if s.Shared() {
		return "SELECT count(*) FROM pg_sleep(300)"
	}
	return "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
}

// TestCancel ends a query under way, and the connection can be used again.
func TestCancel(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		for range 20 {
			c, cancel := context.WithCancel(ctx)
			err := s.View(c, func(tx *store.Tx) error {
				go cancel()
				_, err := tx.Int(c, slow(s))
				return err
			})
			is(t, "cancelled view", err, store.ErrUnavailable)
			if errors.Is(err, store.ErrTooLong) {
				t.Errorf("cancelled view: got %v, want no word of a time", err)
			}
			view(t, s, func(tx *store.Tx) error {
				_, err := tx.Empty(ctx, gadgets.Schema)
				return err
			})
		}
		late, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
		defer cancel()
		is(t, "late view", s.View(late, func(tx *store.Tx) error {
			_, err := tx.Int(late, slow(s))
			return err
		}), store.ErrTooLong)
		read := func(tx *store.Tx) error {
			_, err := tx.Empty(late, gadgets.Schema)
			return err
		}
		is(t, "view after the deadline", s.View(late, read), store.ErrTooLong)
		is(t, "update after the deadline", s.Update(late, read), store.ErrTooLong)
	})
}

// TestCancelAnyTime ends a query whenever its context ends, also just before it
// begins. On SQLite a cancellation that was lost would take minutes.
func TestCancelAnyTime(t *testing.T) {
	t.Parallel()
	s := open(t, mustertest.SQLite.New(t), allKinds()...)
	for i := range draws.Of(2000) {
		c, cancel := context.WithCancel(ctx)
		err := s.View(c, func(tx *store.Tx) error {
			go func() {
				for end := time.Now().Add(time.Duration(i%200) * time.Microsecond); time.Now().Before(end); {
				}
				cancel()
			}()
			_, err := tx.Int(c, slow(s))
			return err
		})
		is(t, "cancelled view", err, store.ErrUnavailable)
	}
}

// TestNoDatabase checks the errors for a wrong address or file.
func TestNoDatabase(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "text")
	if err := os.WriteFile(file, []byte(fmt.Sprintf("%04096d", 0)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{
		file, folder, filepath.Join(folder, "missing", "muster.db"), "postgres://%",
		"postgres://localhost:1/x?sslmode=disable",
		"postgres:///x?host=" + folder + "&default_query_exec_mode=simple_protocol",
	} {
		s, err := store.Open(ctx, store.Config{Database: address, Kinds: allKinds()})
		if err == nil {
			t.Errorf("open %s: got no error", address)
			_ = s.Close()
		}
	}
}

// A gate is a PostgreSQL server's other address, which the test can cut off.
type gate struct {
	mu       sync.Mutex
	listener net.Listener
	conns    []net.Conn
	deaf     bool   // accepts connections, but passes nothing on
	silent   bool   // swallows what comes on all connections
	last     string // when this statement comes, all connections are dropped; "" for none
}

// newGate returns a gate and the address of the database through it.
func newGate(t *testing.T, address string) (*gate, string) {
	t.Helper()
	cfg, err := pgx.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	network, target := pgconn.NetworkAddress(cfg.Host, cfg.Port)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{listener: l}
	t.Cleanup(g.cut)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			g.pass(c, network, target)
		}
	}()
	q := url.Values{"sslmode": {"disable"}, "connect_timeout": {strconv.Itoa(int(cfg.ConnectTimeout.Seconds()))}}
	for _, name := range []string{"search_path", "statement_timeout"} {
		q.Set(name, cfg.RuntimeParams[name])
	}
	return g, fmt.Sprintf("postgres://%s@%s/%s?%s", cfg.User, l.Addr(), cfg.Database, q.Encode())
}

// pass connects a client with the server.
func (g *gate) pass(client net.Conn, network, target string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.conns = append(g.conns, client)
	if g.deaf {
		return
	}
	server, err := net.Dial(network, target)
	if err != nil {
		return
	}
	g.conns = append(g.conns, server)
	go func() { _, _ = io.Copy(gateWriter{g, server}, client) }()
	go func() { _, _ = io.Copy(gateWriter{g, client}, server) }()
}

// dropAt drops all connections in place of passing on a statement, "" for none.
func (g *gate) dropAt(statement string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.last = statement
}

// A gateWriter passes on what comes through a gate.
type gateWriter struct {
	*gate
	to net.Conn
}

func (w gateWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	silent, last := w.silent, w.last
	w.mu.Unlock()
	if last != "" && bytes.Contains(bytes.ToLower(b), []byte(last)) {
		w.drop()
		return 0, net.ErrClosed
	}
	if silent {
		return len(b), nil
	}
	return w.to.Write(b)
}

// drop ends all connections; the gate stays open.
func (g *gate) drop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range g.conns {
		_ = c.Close()
	}
	g.conns = nil
}

// cut ends all connections and refuses new ones.
func (g *gate) cut() {
	_ = g.listener.Close()
	g.drop()
}

// TestLostServer checks that a lost server is reported as unavailable soon; after its return, dead connections
// in the pool do no harm.
func TestLostServer(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		if !store.IsPostgres(address) {
			return
		}
		g, address := newGate(t, address)
		s := open(t, address, allKinds()...)
		insert(t, s, gadgets, &gadget{Name: "g"})
		is(t, "query under way", s.View(ctx, func(tx *store.Tx) error {
			go g.drop()
			_, err := tx.Int(ctx, slow(s))
			return err
		}), store.ErrUnavailable)
		busy(t, s)
		g.drop()
		equal(t, "ids when the server is back", ids(t, s), []int64{1})
		busy(t, s)
		g.cut()
		begun := time.Now()
		is(t, "view", s.View(ctx, func(*store.Tx) error { return nil }), store.ErrUnavailable)
		is(t, "change", change(s, gadgets, 1, now, func(*gadget) {}), store.ErrUnavailable)
		if took := time.Since(begun); took > 40*time.Second {
			t.Errorf("got an answer after %v, want it at once", took)
		}
	})
}

// busy opens several connections of the pool.
func busy(t *testing.T, s *store.Store) {
	t.Helper()
	var begun, wg sync.WaitGroup
	begun.Add(6)
	for range 6 {
		wg.Go(func() {
			err := s.View(ctx, func(*store.Tx) error {
				begun.Done()
				begun.Wait()
				return nil
			})
			is(t, "view", err, nil)
		})
	}
	wg.Wait()
}

// TestDeafServer answers in time when connections are accepted and then
// nothing comes.
func TestDeafServer(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		if !store.IsPostgres(address) {
			return
		}
		g, address := newGate(t, limited(t, address, "5s"))
		s := open(t, address, allKinds()...)
		g.mu.Lock()
		g.deaf = true
		g.mu.Unlock()
		g.drop()
		begun := time.Now()
		err := s.View(ctx, func(*store.Tx) error { return nil })
		is(t, "view", err, store.ErrUnavailable)
		if errors.Is(err, store.ErrTooLong) {
			t.Errorf("view: got %v, want that the database is away", err)
		}
		if took := time.Since(begun); took > 40*time.Second {
			t.Errorf("got an answer after %v, want it after about 5 s", took)
		}
		g.cut() // closing waits for connections that are being made
	})
}

// TestServerEndsConnections runs a transaction again that had not begun, and
// reports one that was under way.
func TestServerEndsConnections(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		if !s.Shared() {
			return
		}
		runs := 0
		err := s.Update(ctx, func(tx *store.Tx) error {
			runs++
			return tx.Exec(ctx, "SELECT pg_terminate_backend(pg_backend_pid())")
		})
		is(t, "update", err, store.ErrUnavailable)
		equal(t, "runs", runs, 1)
		equal(t, "ids", ids(t, s), []int64{})
		is(t, "error of a function", s.Update(ctx, func(*store.Tx) error { return store.ErrNotFound }),
			store.ErrNotFound)
		if errors.Is(s.Update(ctx, func(*store.Tx) error { return store.ErrNotFound }), store.ErrUnavailable) {
			t.Error("got ErrUnavailable for an error of the function")
		}
	})
}

// TestSlowMigration is waited for by a node that starts meanwhile, for longer
// than other statements may take.
func TestSlowMigration(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		if !store.IsPostgres(address) {
			return
		}
		first := open(t, address, allKinds()...)
		opened := make(chan error)
		update(t, first, func(tx *store.Tx) error {
			if err := tx.Lock(ctx); err != nil {
				return err
			}
			go func() {
				s, err := store.Open(ctx, store.Config{Database: limited(t, address, "2s"), Kinds: allKinds()})
				if err == nil {
					err = s.Close()
				}
				opened <- err
			}()
			select {
			case err := <-opened:
				t.Errorf("got error %v before the lock was free", err)
				go func() { opened <- nil }()
			case <-time.After(3 * time.Second):
			}
			return nil
		})
		is(t, "open", <-opened, nil)
	})
}

// limited returns the address of a database whose statements may take a time.
func limited(t *testing.T, address, limit string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("statement_timeout", limit)
	u.RawQuery = q.Encode()
	return u.String()
}

// TestStatementTimeout lets a transaction take as long as the address says, and no longer.
func TestStatementTimeout(t *testing.T) {
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		if !store.IsPostgres(address) {
			return
		}
		pause := func(tx *store.Tx, length string) error { return tx.Exec(ctx, "SELECT pg_sleep("+length+")") }
		long := func(tx *store.Tx) error { return pause(tx, "7.5") }
		for name, c := range map[string]struct {
			limit string
			does  func(*store.Tx) error
			want  error
		}{
			"a long statement":                 {"60s", long, nil},
			"a long statement without a limit": {"0", long, nil},
			"many short statements": {"4s", func(tx *store.Tx) (err error) {
				for err == nil {
					err = pause(tx, "0.1")
				}
				return err
			}, store.ErrTooLong},
			"a statement that is too long": {"1s", long, store.ErrTooLong},
			"one that the server does not end while it waits": {"3s", func(tx *store.Tx) error {
				if err := tx.Exec(ctx, "SET LOCAL statement_timeout = 0"); err != nil {
					return err
				}
				return pause(tx, "60")
			}, store.ErrTooLong},
		} {
			t.Run(name, func(t *testing.T) {
				s := open(t, limited(t, address, c.limit), allKinds()...)
				t.Parallel() // they wait
				is(t, name, s.View(ctx, c.does), c.want)
			})
		}
	})
}
