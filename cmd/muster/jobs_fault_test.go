//go:build full && volume

package main_test

import (
	"fmt"
	"html"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"muster/internal/mustertest"
)

// Of long work that is killed: how many records it is about, who asks for it, and how often its server dies while it goes
// on and while it is taken back; and how many rows an import has that is taken back.
const (
	longRows  = 10_000
	importer  = "importer@example.com"
	longKills = 20
	backKills = 4
	backRows  = 3_000
)

// TestFaultLongWork kills the server again and again while it imports many rows, changes all of them and takes the import
// back. Each is done whole, and nothing of it twice.
func TestFaultLongWork(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		t.Parallel()
		f := newFolder(t)
		f.env = []string{"MUSTER_DATABASE=" + db.New(t), "MUSTER_RATE_LIMIT=0"}
		l := &longWork{t: t, f: f, random: rand.New(rand.NewPCG(25, 1))}
		l.s = f.serveReady()
		l.password = "a secret of many words"
		if got := f.feed(l.password, "user", "add", importer, "--role", "administrator", "--password-stdin"); got.status != 0 {
			t.Fatalf("add a user: got %d: %s", got.status, got.err)
		}
		l.visit()
		path := l.upload(longRows)
		l.v.Post(path, url.Values{"do": {"write"}, "mode": {"whole"}})
		l.killing(path, longRows, longKills)
		l.total("/hardwares.xml", longRows)
		l.total("/audits.xml?record_type=hardware", longRows)
		l.total("/audits.xml?record_type=import", 1)

		bulk := l.changeAll()
		l.killing(bulk, longRows, longKills)
		l.total("/hardwares.xml?site=Lyon", longRows)
		l.total("/audits.xml?record_type=hardware", 2*longRows)
		undo := undoForm.FindStringSubmatch(l.v.Get(bulk).Body)
		if undo == nil {
			t.Fatalf("the change has no Undo: %s", l.v.Get(bulk).Body)
		}
		l.killing(l.v.Post(html.UnescapeString(undo[1]), url.Values{}).Header.Get("Location"), longRows, backKills)
		l.total("/hardwares.xml?site=Lyon", 0)
		l.total("/audits.xml?record_type=hardware", 3*longRows)

		// The change of many and its way back have left new versions: nothing of the first import could be taken back.
		path = l.upload(backRows)
		l.v.Post(path, url.Values{"do": {"write"}, "mode": {"good"}})
		l.killing(path, backRows, backKills)
		l.v.Post(path, url.Values{"do": {"undo"}})
		l.killing(path, backRows, backKills)
		l.total("/hardwares.xml", longRows)
		l.total("/audits.xml?record_type=hardware", 3*longRows+2*backRows)
		if left := f.must("job", "list"); strings.Contains(left, " running ") || strings.Contains(left, " failed ") {
			t.Errorf("at the end: got the jobs\n%s\nwant none that runs or has failed", left)
		}
	})
}

// A longWork is a person whose server dies while it works for them.
type longWork struct {
	t        *testing.T
	f        *folder
	s        *service
	v        *mustertest.Visitor
	password string
	random   *rand.Rand
	uploads  int
}

// visit signs in to the server that runs now.
func (l *longWork) visit() { l.v = mustertest.Visit(l.t, l.s.account(importer, l.password)) }

// upload brings a file with new computers to where they can be written.
func (l *longWork) upload(rows int) (path string) {
	l.t.Helper()
	l.uploads++
	var table strings.Builder
	table.WriteString("Name,Asset ID,Site\n")
	for n := range rows {
		fmt.Fprintf(&table, "c-%d-%d,A-%d-%d,Leipzig\n", l.uploads, n, l.uploads, n)
	}
	path = l.v.Upload("/app/import", url.Values{"kind": {"computers"}}, "c.csv", table.String()).Header.Get("Location")
	form := url.Values{"do": {"check"}, "key": {"usual"}, "column.0": {"name"}, "column.1": {"asset-id"}, "column.2": {"site"}}
	l.v.Post(path, form)
	body := ""
	eventually(l.t, "the rows are checked", func() bool {
		body = l.v.Get(path).Body
		return !progress.MatchString(body)
	})
	if !strings.Contains(body, fmt.Sprintf("Import %d,000 rows", rows/1000)) {
		l.t.Fatalf("the check: got %s", body)
	}
	return path
}

// changeAll begins to set the site of all computers, and returns the page of its progress.
func (l *longWork) changeAll() (path string) {
	l.t.Helper()
	got := l.v.Post("/app/computers/bulk", url.Values{"all": {"true"}, "field": {"site"}, "to-site": {"Lyon"}})
	if got.Status != http.StatusSeeOther {
		l.t.Fatalf("change all: got %d: %s", got.Status, got.Body)
	}
	return got.Header.Get("Location")
}

// undoForm matches the form that takes a change of many records back.
var undoForm = regexp.MustCompile(`<form method="post" action="([^"]*)"><button class="btn plain">\s*Undo`)

// progress matches how far the work on a page is.
var progress = regexp.MustCompile(`<progress[^>]* max="(\d+)"[^>]* value="(\d+)"`)

// killing kills the server at random points of the work on a page, and waits for its end.
func (l *longWork) killing(path string, rows, kills int) {
	l.t.Helper()
	begun, killed := time.Now(), l.kills(path, rows, kills)
	mustertest.Eventually(l.t, path+" ends", func() bool { return !progress.MatchString(l.v.Get(path).Body) })
	l.t.Logf("%s: %d kills, %v", path, killed, time.Since(begun).Round(time.Second))
	if killed < kills/2 {
		l.t.Errorf("%s: the work was done after %d kills", path, killed)
	}
}

// kills kills the server when the work has gone on by some rows each time, and returns how often.
func (l *longWork) kills(path string, rows, kills int) int {
	for n := range kills {
		part := rows / (kills + kills/4 + 2)
		goal := (n+1)*part + l.random.IntN(part/2)
		over := false
		mustertest.Eventually(l.t, path+" goes on", func() bool {
			found := progress.FindStringSubmatch(l.v.Get(path).Body)
			if over = found == nil; over {
				return true
			}
			done, err := strconv.Atoi(found[2])
			return err == nil && done >= goal
		})
		if over {
			return n
		}
		l.s.kill()
		l.s = l.f.serveReady()
		l.visit()
	}
	return kills
}

// total checks how many records a list has.
func (l *longWork) total(list string, want int) {
	l.t.Helper()
	body := l.s.client(importer, l.password).Get(list).Body
	if !strings.Contains(body, fmt.Sprintf("<total_entries>%d</total_entries>", want)) {
		l.t.Errorf("%s: got %.300s, want %d", list, body, want)
	}
}
