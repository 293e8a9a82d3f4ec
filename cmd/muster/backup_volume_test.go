//go:build full && volume

package main_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"muster/internal/mustertest"
)

// backups is how many are taken while clients write, and pause how many writes
// are acknowledged between two of them.
const (
	backups = 6
	pause   = 150
)

// TestVolumeBackupUnderLoad takes backups while clients write, and finds in
// each of them every write that was acknowledged before it began, and none in
// part.
func TestVolumeBackupUnderLoad(t *testing.T) {
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f := newFolder(t)
		f.env = []string{"MUSTER_DATABASE=" + db.New(t), "MUSTER_RATE_LIMIT=0"}
		s := f.serveReady()
		b := &book{ledger: &ledger{t: t}, versions: map[string]version{}}
		var all sync.WaitGroup
		stop := make(chan struct{})
		for i := range writers {
			all.Go(func() { b.write(writer{b.ledger, s.client(admin, s.password), s.address}, i, stop) })
		}
		var known [backups]map[string]version
		for i := range backups {
			target := b.acknowledged.Load() + pause
			eventually(t, "enough is written", func() bool { return b.acknowledged.Load() >= target })
			known[i] = b.known()
			f.must("backup", fmt.Sprintf("%d.backup", i))
		}
		close(stop)
		all.Wait()
		for i := range backups {
			elsewhere := &folder{t: t, dir: t.TempDir(), env: []string{"MUSTER_RATE_LIMIT=0"}}
			elsewhere.must("restore", fmt.Sprintf("%s/%d.backup", f.dir, i))
			later := checkVersions(elsewhere.serveReady().client(admin, s.password), b.ledger, known[i])
			rows{wrongLive: 0, gone: 0}.check(t, elsewhere.data("muster.db"))
			t.Logf("backup %d: %d computers were known before, %d writes were later", i, len(known[i]), later)
		}
	})
}

// A version is a computer and how often its change was acknowledged.
type version struct {
	id      int64
	changes int
}

// A book notes which version of each computer was acknowledged.
type book struct {
	*ledger
	versions map[string]version
}

// known returns what is acknowledged by now.
func (b *book) known() map[string]version {
	b.mu.Lock()
	defer b.mu.Unlock()
	known := map[string]version{}
	for name, v := range b.versions {
		known[name] = v
	}
	return known
}

// note notes what was acknowledged.
func (b *book) note(name string, v version) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.versions[name] = v
}

// write creates computers and changes each of them several times, until it is
// stopped.
func (b *book) write(w writer, number int, stop <-chan struct{}) {
	for n := 0; ; n++ {
		name := fmt.Sprintf("pc-%d-%d", number, n)
		e := &entry{name: name, payload: name + "-0"}
		if !w.create(e) {
			b.t.Errorf("%s was not created", name)
			return
		}
		for changes, ok := 0, true; ok; changes++ {
			b.note(name, version{e.id, changes})
			select {
			case <-stop:
				return
			default:
			}
			if changes == 5 {
				break
			}
			ok = w.send("PUT", e.path(), document(name, fmt.Sprintf("%s-%d", name, changes+1)), "",
				http.StatusOK) != nil
		}
	}
}

// checkVersions compares a restored installation with what was known before
// its backup began, and returns how many later writes it has.
func checkVersions(c *mustertest.Client, l *ledger, known map[string]version) (later int) {
	l.t.Helper()
	seen := map[string]bool{}
	for after, more := int64(0), true; more; {
		var list struct {
			Records []stored `xml:"hardware"`
		}
		l.parse(c, fmt.Sprintf("/hardwares.xml?per_page=1000&after=%d", after), &list)
		more = len(list.Records) > 0
		for _, listed := range list.Records {
			after = listed.ID
			var rec stored
			l.parse(c, fmt.Sprintf("/hardwares/%d.xml", listed.ID), &rec)
			changes, err := strconv.Atoi(strings.TrimPrefix(rec.Tag, rec.Name+"-"))
			if err != nil || rec.Notes != rec.Tag || !slices.Equal(rec.Videos, []string{rec.Tag, rec.Tag}) ||
				listed.Tag != rec.Tag || seen[rec.Name] {
				l.t.Errorf("%s: got %+v, which is not whole", rec.Name, rec)
			}
			seen[rec.Name] = true
			v, ok := known[rec.Name]
			if ok && (v.id != rec.ID || changes < v.changes) {
				l.t.Errorf("%s: got %+v, want id %d and at least %d changes", rec.Name, rec, v.id, v.changes)
			}
			later += changes - v.changes
			if !ok {
				later++
			}
		}
	}
	for name := range known {
		if !seen[name] {
			l.t.Errorf("%s was acknowledged and is not there", name)
		}
	}
	return later
}
