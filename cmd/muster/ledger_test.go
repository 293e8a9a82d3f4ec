//go:build full && volume

package main_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"muster/internal/mustertest"
)

// writers is how many clients write at once.
const writers = 4

// An entry is what is known about a computer.
type entry struct {
	name     string
	key      string // Idempotency-Key of its creation, "" for none
	id       int64  // 0 while its creation is in doubt
	payload  string
	doubtful string // a later payload that was sent and not acknowledged
	deletion string // "", doubtful or acknowledged
}

// Deletions of an entry.
const (
	doubtful     = "doubtful"
	acknowledged = "acknowledged"
)

// A ledger notes what was acknowledged.
type ledger struct {
	t            *testing.T
	password     string
	between      int64 // how many writes are acknowledged before the server's end
	mu           sync.Mutex
	entries      []*entry
	doubts       int
	repeats      int
	restarts     []time.Duration
	acknowledged atomic.Int64
	cut          atomic.Bool // power is being cut: what is acknowledged now does not count
	faulty       atomic.Bool // the disk fails now and then: a change may be answered with an error, and is in doubt
}

func newLedger(t *testing.T, password string) *ledger {
	return &ledger{t: t, password: password, between: between}
}

// write has all writers write until enough is acknowledged, ends the server
// among their writes and waits for their end.
func (l *ledger) write(s *service, end func()) {
	l.t.Helper()
	target := l.acknowledged.Load() + l.between
	var all sync.WaitGroup
	enough := make(chan struct{})
	var once sync.Once
	for range writers {
		all.Go(func() {
			w := writer{l, s.client(admin, l.password), s.address}
			for w.computer() {
				if l.acknowledged.Load() >= target {
					once.Do(func() { close(enough) })
				}
			}
			once.Do(func() { close(enough) }) // a writer failed too early; the check reports it
		})
	}
	<-enough
	end()
	all.Wait()
	if got := l.acknowledged.Load(); got < target {
		l.t.Errorf("a write failed before the end, at %d of %d:\n%s", got, target, s.log)
	}
}

// A writer makes one change after another on a connection that it keeps.
type writer struct {
	*ledger
	client *mustertest.Client
	base   string
}

// next enters a computer; every other has a key.
func (l *ledger) next() *entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.entries)
	e := &entry{name: fmt.Sprintf("pc-%d", n)}
	if n%2 == 0 {
		e.key = "key-" + e.name
	}
	e.payload = e.name + "-0"
	l.entries = append(l.entries, e)
	return e
}

// computer creates a computer and changes it twice; every third one it deletes.
// It returns false when the server is gone.
func (w *writer) computer() bool {
	e := w.next()
	if !w.create(e) {
		return false
	}
	for i := range 2 {
		e.doubtful = fmt.Sprintf("%s-%d", e.name, i+1)
		if w.send("PUT", e.path(), document(e.name, e.doubtful), "", http.StatusOK) == nil {
			return false
		}
		e.payload, e.doubtful = e.doubtful, ""
	}
	if e.id%3 != 0 {
		return true
	}
	e.deletion = doubtful
	if w.send("DELETE", e.path(), "", "", http.StatusOK) == nil {
		return false
	}
	e.deletion = acknowledged
	return true
}

func (e *entry) path() string { return fmt.Sprintf("/hardwares/%d.xml", e.id) }

// create makes the computer of an entry.
func (w *writer) create(e *entry) bool {
	header := w.send("POST", "/hardwares.xml", document(e.name, e.payload), e.key, http.StatusCreated)
	if header == nil {
		return false
	}
	path := strings.TrimPrefix(header.Get("Location"), w.base)
	id, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimPrefix(path, "/hardwares/"), ".xml"), 10, 64)
	if err != nil || e.id != 0 && e.id != id {
		w.t.Errorf("%s: got the address %q, want that of the computer %d", e.name, path, e.id)
	}
	e.id = id
	return true
}

// send makes a change. It returns the answer's header once the whole answer
// was read, or nil when nobody knows whether the change was made.
func (w *writer) send(method, path, body, key string, want int) http.Header {
	header, err := w.exchange(method, path, body, key, want)
	if err != nil || w.cut.Load() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.doubts++
		return nil
	}
	w.acknowledged.Add(1)
	return header
}

// exchange makes a request and checks the answer's status.
func (w *writer) exchange(method, path, body, key string, want int) (http.Header, error) {
	req, err := http.NewRequest(method, w.base+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/xml")
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	resp, err := w.client.HTTP.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != want {
		err = fmt.Errorf("%s %s: got %d %s, want %d", method, path, resp.StatusCode, text, want)
		if !w.cut.Load() && !(w.faulty.Load() && resp.StatusCode >= http.StatusInternalServerError) {
			w.t.Error(err)
		}
	}
	return resp.Header, err
}

// document returns a computer whose parts all contain its payload, so that half a
// write would be noticed.
func document(name, payload string) string {
	return "<hardware><name>" + name + "</name><tag>" + payload + "</tag><notes>" + payload + "</notes>" +
		"<videos type=\"array\"><video><name>" + payload + "</name></video><video><name>" + payload +
		"</name></video></videos></hardware>"
}

// restarted repeats what clients would repeat after the server's end:
// creations under their keys, those in doubt and the last acknowledged ones.
// Each is there once, whether it had happened or not.
func (l *ledger) restarted(s *service, took time.Duration) {
	l.t.Helper()
	l.restarts = append(l.restarts, took)
	w := writer{l, s.client(admin, l.password), s.address}
	for _, e := range l.entries[max(0, len(l.entries)-4*writers):] {
		switch {
		case e.key == "" || e.deletion == doubtful:
		case e.deletion == acknowledged:
			if _, err := w.exchange("POST", "/hardwares.xml", document(e.name, e.name+"-0"), e.key,
				http.StatusConflict); err != nil {
				l.t.Errorf("repeat of the creation of a deleted computer: %v", err)
			}
		default:
			l.repeat(&w, e)
		}
	}
}

// repeat repeats a creation under its key, twice.
func (l *ledger) repeat(w *writer, e *entry) {
	l.t.Helper()
	known := e.id != 0
	for range 2 {
		header, err := w.exchange("POST", "/hardwares.xml", document(e.name, e.name+"-0"), e.key, http.StatusCreated)
		if err != nil {
			l.t.Errorf("repeat of a creation: %v", err)
			return
		}
		got := strings.TrimPrefix(header.Get("Location"), w.base)
		if e.id == 0 {
			_, _ = fmt.Sscanf(got, "/hardwares/%d.xml", &e.id) // checked below
		}
		if replayed := header.Get("Idempotent-Replayed") == "true"; got != e.path() || known && !replayed {
			l.t.Errorf("repeat of the creation of %s, acknowledged %t: got %s, replayed %t, want the same again at %s",
				e.name, known, got, replayed, e.path())
		}
		known = true
		l.repeats++
	}
}

// report logs what was seen.
func (l *ledger) report(ends string) {
	slices.Sort(l.restarts)
	l.t.Logf("%d %s, %d writes acknowledged on %d computers, %d in doubt, %d creations repeated; ready again after %.2f s (median), %.2f s (longest)",
		len(l.restarts), ends, l.acknowledged.Load(), len(l.entries), l.doubts, l.repeats,
		l.restarts[len(l.restarts)/2].Seconds(), l.restarts[len(l.restarts)-1].Seconds())
}
