//go:build volume && full

package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/sheet"
)

// Of large imports: how many rows the one has beside which somebody else works, and what those wait at most.
const (
	besideRows    = 20_000
	stoppedRows   = 10_000
	longestBeside = 500 * time.Millisecond
	mostBeside    = 200 * time.Millisecond // 99 of 100 changes
	longestImport = 12 * time.Minute
)

// TestVolumeImport imports 20,000 rows while somebody else changes a record again and again, who waits little; and stops an
// import half-way, which leaves nothing but what was changed meanwhile.
func TestVolumeImport(t *testing.T) {
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db, Change: func(cfg *server.Config) { cfg.RateLimit = 0 }})
		v, c := s.SignIn(server.Administrator), s.Admin()
		if got := c.Do(http.MethodPost, "/hardwares.xml", "<hardware><name>busy</name></hardware>"); got.Status != http.StatusCreated {
			t.Fatalf("a computer: got %d: %s", got.Status, got.Body)
		}
		logWaits(t, "alone", changesUntil(t, c, nil, 200))

		path := upload(t, v, manyRows("a", besideRows))
		logWaits(t, "while 20,000 rows are checked", changesUntil(t, c, idle(v, path), 0))
		begun := time.Now()
		v.Post(path, url.Values{"do": {"write"}, "mode": {"whole"}})
		waits := changesUntil(t, c, idle(v, path), 0)
		t.Logf("20,000 rows: written in %v", time.Since(begun).Round(time.Second))
		longest, most := logWaits(t, "while 20,000 rows are written", waits)
		if longest > longestBeside || most > mostBeside {
			t.Errorf("changes beside the import: the longest took %v, want at most %v; 99 of 100 %v, want at most %v", longest,
				longestBeside, most, mostBeside)
		}
		computersAre(t, c, 1+besideRows)

		stoppedHalfWay(t, v, c)
		computersAre(t, c, 1+besideRows+2)
	})
}

// TestVolumeImportLargest imports as many rows as a file may have.
func TestVolumeImportLargest(t *testing.T) {
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		t.Parallel()
		s := mustertest.Start(t, mustertest.Options{On: db})
		v, c := s.SignIn(server.Administrator), s.Admin()
		begun := time.Now()
		path := upload(t, v, manyRows("c", sheet.MaxRows))
		mustertest.Within(t, longestImport, "all rows are checked", idle(v, path))
		checked := time.Since(begun)
		v.Post(path, url.Values{"do": {"write"}, "mode": {"whole"}})
		mustertest.Within(t, longestImport, "all rows are written", idle(v, path))
		t.Logf("%d rows: checked in %v, all done in %v", sheet.MaxRows, checked.Round(time.Second),
			time.Since(begun).Round(time.Second))
		holdsAll(t, "the largest", v.Get(path).Body, "100,000 added", "0 refused, 0 not written")
		computersAre(t, c, sheet.MaxRows)
	})
}

// stoppedHalfWay stops an import when half of its rows are written, of which somebody has changed two.
func stoppedHalfWay(t *testing.T, v *mustertest.Visitor, c *mustertest.Client) {
	t.Helper()
	path := upload(t, v, manyRows("b", stoppedRows))
	mustertest.Within(t, longestImport, "the rows are checked", idle(v, path))
	v.Post(path, url.Values{"do": {"write"}, "mode": {"whole"}})
	mustertest.Within(t, longestImport, "half of the rows are written", func() bool {
		found := written.FindStringSubmatch(v.Get(path).Body)
		if found == nil {
			t.Fatalf("%s: the import is not under way: %s", path, v.Get(path).Body)
		}
		done, err := strconv.Atoi(found[1])
		return err == nil && done >= stoppedRows/2
	})
	for _, row := range []int{7, 2000} {
		list := c.Get(fmt.Sprintf("/hardwares.xml?asset_id=b-%d", row)).Body
		id := firstID.FindStringSubmatch(list)
		if id == nil {
			t.Fatalf("row %d: got %s", row, list)
		}
		changed(t, c, "/hardwares/"+id[1]+".xml", 0)
	}
	begun := time.Now()
	v.Post(path, url.Values{"do": {"stop"}})
	mustertest.Within(t, longestImport, "the rows are taken back", idle(v, path))
	t.Logf("half of 10,000 rows: taken back in %v", time.Since(begun).Round(time.Second))
	holdsAll(t, "a stopped import", v.Get(path).Body, "rows taken back, 2 stay")
	holdsAll(t, "what stays", v.Get(path+"?show=6").Body, "b-7<", "b-2000<", "somebody has changed it since")
}

// written finds how many rows are done, on the page of an import that is under way.
var written = regexp.MustCompile(`<progress[^>]* value="(\d+)"`)

// firstID finds the id of the first record of a list.
var firstID = regexp.MustCompile(`<id>(\d+)</id>`)

// manyRows returns a file with new computers.
func manyRows(prefix string, rows int) string {
	var table strings.Builder
	table.WriteString("Name,Asset ID,Site,Serial number,Description\n")
	for n := 1; n <= rows; n++ {
		fmt.Fprintf(&table, "%s-%d,%[1]s-%[2]d,Leipzig,S-%[1]s-%[2]d,the computer of room %[2]d\n", prefix, n)
	}
	return table.String()
}

// upload lets the rows of a file with computers be checked, and returns the path of the import.
func upload(t *testing.T, v *mustertest.Visitor, file string) (path string) {
	t.Helper()
	path = v.Upload("/app/import", url.Values{"kind": {"computers"}}, "c.csv", file).Header.Get("Location")
	form := formOn(t, v.Get(path), path)
	form.Set("do", "check")
	if got := v.Post(path, form); got.Status != http.StatusSeeOther {
		t.Fatalf("check: got %d: %s", got.Status, got.Body)
	}
	return path
}

// idle returns what reports whether the server is no longer at work on an import.
func idle(v *mustertest.Visitor, path string) func() bool {
	return func() bool { return !strings.Contains(v.Get(path).Body, "data-running") }
}

// changesUntil changes the first computer again and again until an import has ended, or without one so many times, and
// returns how long each change took.
func changesUntil(t *testing.T, c *mustertest.Client, ended func() bool, most int) (waits []time.Duration) {
	t.Helper()
	for asked := time.Now(); ended != nil || len(waits) < most; {
		waits = append(waits, changed(t, c, "/hardwares/1.xml", len(waits)))
		if ended == nil || time.Since(asked) < time.Second {
			continue
		}
		if ended() {
			break
		}
		asked = time.Now()
	}
	return waits
}

// changed changes a computer, and returns how long that took.
func changed(t *testing.T, c *mustertest.Client, path string, n int) time.Duration {
	t.Helper()
	begun := time.Now()
	got := c.Do(http.MethodPut, path, fmt.Sprintf("<hardware><domain>d%d</domain></hardware>", n))
	if got.Status != http.StatusOK {
		t.Fatalf("%s: got %d after %v: %s", path, got.Status, time.Since(begun), got.Body)
	}
	return time.Since(begun)
}

// logWaits tells how long changes took, and returns the longest time and that of 99 of 100.
func logWaits(t *testing.T, when string, waits []time.Duration) (longest, most time.Duration) {
	t.Helper()
	slices.Sort(waits)
	longest, most = waits[len(waits)-1], waits[len(waits)*99/100]
	t.Logf("%d changes %s: half of them within %v, 99 of 100 within %v, the longest %v", len(waits), when,
		waits[len(waits)/2], most, longest)
	return longest, most
}

// computersAre checks how many computers there are.
func computersAre(t *testing.T, c *mustertest.Client, want int) {
	t.Helper()
	if got := c.Get("/hardwares.xml").Body; !strings.Contains(got, fmt.Sprintf("<total_entries>%d</total_entries>", want)) {
		t.Errorf("computers: got %.300s, want %d", got, want)
	}
}
