package api_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/store"
)

const replayed = "Idempotent-Replayed"

// TestIdempotencyKey makes a record once, however often it is asked for.
func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		post := func(c *mustertest.Client, fields, key string) *mustertest.Response {
			return c.Do("POST", "/hardwares", hardware(fields), "Idempotency-Key", key)
		}
		const one = "<name>one</name>"
		first := post(c, one, "k")
		equal(t, "the first", []any{first.Status, first.Header.Get(replayed)}, []any{http.StatusCreated, ""})
		again := post(c, one, "k")
		equal(t, "again", []any{again.Status, again.Header.Get(replayed), again.Header.Get("Location"), again.Body},
			[]any{http.StatusCreated, "true", first.Header.Get("Location"), first.Body})
		equal(t, "at the address with extension",
			c.Do("POST", "/hardwares.xml", hardware(one), "Idempotency-Key", "k").Header.Get(replayed), "true")
		refused(t, "another document", post(c, "<name>two</name>", "k"), http.StatusUnprocessableEntity,
			"another document")
		equal(t, "another key", post(c, one, "K").Header.Get(replayed), "")
		technician := s.AddUser("tech@example.com", "technician", false)
		equal(t, "another user", post(technician, one, "k").Header.Get(replayed), "")
		equal(t, "computers", c.Get("/hardwares").Header.Get("X-Total-Count"), "3")
		made := 0
		for _, a := range s.Audits() {
			if a.RecordType == "hardware" {
				made++
			}
		}
		equal(t, "audit records of computers", made, 3)

		c.Do("PUT", "/hardwares/1", hardware("<site>Lyon</site>"))
		if now := post(c, one, "k"); !strings.Contains(now.Body, "<site>Lyon</site>") ||
			now.Header.Get(replayed) != "true" {
			t.Errorf("after a change: got %s, want the record as it is now", now.Body)
		}
		s.Clock.Advance(24*time.Hour - time.Second)
		equal(t, "another after almost a day", post(s.Admin(), one, "late").Header.Get(replayed), "")
		equal(t, "after almost a day", post(s.Admin(), one, "k").Header.Get(replayed), "true")
		s.Clock.Advance(2 * time.Second)
		equal(t, "after a day", post(s.Admin(), one, "k").Header.Get(replayed), "")
		c = s.Admin()
		c.Do("DELETE", "/hardwares/5", "")
		refused(t, "a record that is gone", post(c, one, "k"), http.StatusConflict, "is gone")
	})
}

// TestIdempotencyKeyRefusals are not kept, and a key has a form.
func TestIdempotencyKeyRefusals(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		post := func(fields, key string) *mustertest.Response {
			return c.Do("POST", "/hardwares", hardware(fields), "Idempotency-Key", key)
		}
		equal(t, "an invalid document", post("<memory>x</memory>", "k").Status, http.StatusUnprocessableEntity)
		equal(t, "the same key, mended", post("<name>a</name><asset-id>A</asset-id>", "k").Status, http.StatusCreated)
		equal(t, "a taken value", post("<name>b</name><asset-id>a</asset-id>", "k2").Status, http.StatusConflict)
		equal(t, "the same key, mended", post("<name>b</name>", "k2").Status, http.StatusCreated)
		for _, key := range []string{"", "a b", "ä", strings.Repeat("k", 256), "a\tb"} {
			refused(t, "key "+key, post("<name>c</name>", key), http.StatusBadRequest,
				"1 to 255 visible ASCII characters")
		}
		equal(t, "a long key", post("<name>c</name>", strings.Repeat("~", 255)).Status, http.StatusCreated)
	})
}

// TestIdempotencyKeyTogether: of many at once, one makes the record; the others
// get it, or an answer to try again.
func TestIdempotencyKeyTogether(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		var wg sync.WaitGroup
		var mu sync.Mutex
		made := 0
		for range 12 {
			c := s.Admin()
			wg.Go(func() {
				r := c.Do("POST", "/hardwares", hardware("<name>one</name>"), "Idempotency-Key", "k")
				mu.Lock()
				defer mu.Unlock()
				switch {
				case r.Status == http.StatusCreated && r.Header.Get(replayed) == "":
					made++
				case r.Status == http.StatusConflict && r.Header.Get("Retry-After") == "1":
				case r.Status != http.StatusCreated:
					t.Errorf("got %d %s", r.Status, r.Body)
				}
			})
		}
		wg.Wait()
		equal(t, "records made", made, 1)
		equal(t, "computers", s.Admin().Get("/hardwares").Header.Get("X-Total-Count"), "1")
	})
}

// TestIdempotencyKeyOfPath: a key is one of a path, of whatever kind its
// records are.
func TestIdempotencyKeyOfPath(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := startGadgets(t, db)
		for path, doc := range map[string]string{
			"/hardwares": hardware("<name>a</name>"), "/test_gadgets": "<test-gadget><name>a</name></test-gadget>",
		} {
			for _, want := range []string{"", "true"} {
				r := s.Admin().Do("POST", path, doc, "Idempotency-Key", "k")
				equal(t, path+" "+want, []any{r.Status, r.Header.Get(replayed)}, []any{http.StatusCreated, want})
			}
		}
	})
}

// TestIdempotencyKeyRights: one who may no longer create records does not get what
// they created before.
func TestIdempotencyKeyRights(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.AddUser("anna@example.com", inventory.Technician, false)
		post := func() *mustertest.Response {
			return c.Do("POST", "/hardwares", hardware("<name>a</name>"), "Idempotency-Key", "k")
		}
		equal(t, "the first", post().Status, http.StatusCreated)
		ctx := context.Background()
		err := s.Store().Update(ctx, func(tx *store.Tx) error {
			old, err := store.Get(ctx, tx, inventory.Users, 2)
			if err != nil {
				return err
			}
			now := *old
			now.Role = inventory.Requester
			return tx.Update(ctx, inventory.Users.Schema, &now, old, s.Clock.Now())
		})
		if err != nil {
			t.Fatal(err)
		}
		refused(t, "again, as a requester", post(), http.StatusForbidden, "a requester may not create computer records")
	})
}

// TestIdempotencyKeyRunning: a second request with the key of a creation that still
// runs is answered that it must try again.
func TestIdempotencyKeyRunning(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		clients := []*mustertest.Client{s.Admin(), s.Admin()}
		clients[0].Get("/api") // so that the login is noted before
		release := lockCreations(t, s)
		answers := make(chan *mustertest.Response, 2)
		for _, c := range clients {
			go func() { answers <- c.Do("POST", "/hardwares", hardware("<name>one</name>"), "Idempotency-Key", "k") }()
		}
		second := <-answers // the first is held up
		refused(t, "the second", second, http.StatusConflict, "still running")
		equal(t, "Retry-After", second.Header.Get("Retry-After"), "1")
		release()
		first := <-answers
		equal(t, "the first", []any{first.Status, first.Header.Get(replayed)}, []any{http.StatusCreated, ""})
	})
}

// lockCreations keeps the server from making computers until release is called:
// another transaction has the counter of asset ids.
func lockCreations(t *testing.T, s *mustertest.Server) (release func()) {
	t.Helper()
	locked, done, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	st, ctx := s.Store(), context.Background()
	go func() {
		ended <- st.Update(ctx, func(tx *store.Tx) error {
			_, err := tx.Count(ctx, "asset-id")
			close(locked)
			<-done
			return err
		})
	}()
	<-locked
	return func() {
		close(done)
		if err := <-ended; err != nil {
			t.Errorf("the other transaction: %v", err)
		}
	}
}
