//go:build full && browser

package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/store"
)

// fileOf writes a file that a browser can choose, and returns its path.
func fileOf(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// brings chooses a file to be imported, up to the match of its columns.
func brings(b *mustertest.Browser, section, file string) {
	b.Open("/app/import?kind=" + section)
	b.Upload("File", file)
	b.Click("Next: match columns")
	b.Wait("#key")
}

// TestBrowserImportExported imports what the list of vendors has exported for
// Excel, after one of them was deleted: that one comes back.
func TestBrowserImportExported(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := mustertest.Start(t, mustertest.Options{})
		v := s.SignIn(server.Administrator)
		for _, name := range []string{"Hansen & Søn", "=1+1", "Beamer Ltd"} {
			expect(t, name, v.Post("/app/vendors/new", url.Values{"name": {name}, "country": {"Denmark"}}),
				http.StatusSeeOther)
		}
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/vendors")
		_, content := b.Download(func() {
			if l.screen.Touch {
				b.In(".head").Click("More")
				b.In("#list-more").Click("Export")
			} else {
				b.Click("Export")
			}
			b.In("#export").Click("Excel (.xlsx)")
		})
		expect(t, "delete", v.Post("/app/vendors/1/delete", url.Values{}), http.StatusSeeOther)

		brings(b, "vendors", fileOf(t, "vendors.xlsx", string(content)))
		b.Axe(t)
		b.Click("Next: check rows")
		b.Click("Import 1 row")
		b.WaitText("1 added, 0 changed, 2 the same, 0 refused, 0 not written")
		b.Axe(t)
		b.In(".actions").Click("Vendors")
		b.In("tbody").WaitText("Hansen & Søn")
		b.In("tbody").WaitText("=1+1")
	})
}

// TestBrowserImportWhole imports all rows or none: a name that somebody takes
// meanwhile leaves all unwritten.
func TestBrowserImportWhole(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := mustertest.Start(t, mustertest.Options{})
		v := s.SignIn(server.Administrator)
		first, second := "First "+t.Name(), "Second "+t.Name()
		b := l.visit(t, s, server.Administrator)
		brings(b, "vendors", fileOf(t, "two.csv", "Who;Where\n"+first+";Aarhus\n"+second+";Odense\n"))
		b.Select("Field of the column Who", "Name")
		b.Select("Field of the column Where", "City")
		b.Select("Match rows with existing records by", "None: every row is a new record")
		b.Click("Next: check rows")
		b.WaitText("Import 2 rows")
		expect(t, "meanwhile", v.Post("/app/vendors/new", url.Values{"name": {second}}), http.StatusSeeOther)
		b.Select("If a row has a problem", "All or nothing")
		b.Click("Import 2 rows")
		b.WaitText("0 added, 0 changed, 0 the same, 1 refused, 1 not written")
		b.Axe(t)
		if got := v.Get("/app/vendors"); strings.Contains(got.Body, first) {
			t.Error("one of two rows was written, though the other was refused")
		}
	})
}

// TestBrowserImportGood imports the good rows of a file of other assets, and hands
// out the others with what is wrong.
func TestBrowserImportGood(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := mustertest.Start(t, mustertest.Options{})
		importGood(t, l.visit(t, s, server.Administrator))
		if !l.screen.Touch {
			importGood(t, scriptless.visit(t, s, server.Administrator))
		}
	})
}

func importGood(t *testing.T, b *mustertest.Browser) {
	t.Helper()
	brings(b, "assets", fileOf(t, "stock.csv",
		"Thing;Asset id;State\nBeamer;N-1;Spare\n;N-2;Spare\nKeyboard;N-3;Dancing\n"))
	b.Select("Field of the column Thing", "Name")
	b.Select("Field of the column State", "Leave out")
	b.Click("Next: check rows")
	b.WaitText("1 row has a problem.")
	b.Click("Back to columns")
	b.Select("Field of the column State", "Status")
	b.Select("Match rows with existing records by", "None: every row is a new record")
	b.Click("Next: check rows")
	b.WaitText("2 rows have problems.")
	b.Axe(t)
	b.In(".tabs").Click("Problems 2")
	b.In("tbody").WaitText("Thing can't be blank")
	if got := b.Count("#mode option"); got != 1 {
		t.Errorf("ways to import with problems: got %d, want the good rows alone", got)
	}
	b.Click("Import 1 row")
	b.WaitText("1 added, 0 changed, 0 the same, 2 refused, 0 not written")
	name, rest := b.Download(func() { b.Click("Download the rows that were not written") })
	if name != "refused-rows.csv" || !strings.Contains(string(rest), "N-2") ||
		!strings.Contains(string(rest), "Dancing") || strings.Contains(string(rest), "Beamer") {
		t.Errorf("the rest: got %s: %s", name, rest)
	}
}

// TestBrowserImportPages pages through the problems of a file by clicking, with and
// without scripts.
func TestBrowserImportPages(t *testing.T) {
	t.Parallel()
	file := fileOf(t, "many.csv", "Name;Asset id\n"+strings.Repeat(";N\n", 120))
	eachLook(t, []look{wide, phoneDark, scriptless}, func(t *testing.T, l look) {
		b := l.visit(t, mustertest.Start(t, mustertest.Options{}), server.Administrator)
		brings(b, "assets", file)
		b.Select("Match rows with existing records by", "None: every row is a new record")
		b.Click("Next: check rows")
		b.WaitText("120 rows have problems.")
		b.In(".tabs").Click("Problems 120")
		b.WaitText("1–100 of 120")
		b.Axe(t)
		b.Click("Next page")
		b.WaitText("101–120 of 120")
		if got := b.Count("tbody tr"); got != 20 {
			t.Errorf("rows of the last page: got %d, want 20", got)
		}
	})
}

// manyComputers is a file that takes the server some time.
func manyComputers(t *testing.T) string {
	t.Helper()
	var table strings.Builder
	table.WriteString("Name,Asset ID\n")
	for n := range 5_000 {
		fmt.Fprintf(&table, "c-%d,A-%[1]d\n", n)
	}
	return fileOf(t, "stock.csv", table.String())
}

// slowly lets every change of a server wait for others, so that an import takes long enough to be looked at, until it is
// told to end.
func slowly(t *testing.T, s *mustertest.Server) (end func()) {
	t.Helper()
	done := make(chan struct{})
	for range 3 {
		go func() {
			for {
				err := s.Store().Update(context.Background(), func(*store.Tx) error {
					select {
					case <-done:
						return context.Canceled
					case <-time.After(100 * time.Millisecond):
						return nil
					}
				})
				if err != nil {
					return
				}
			}
		}()
	}
	end = sync.OnceFunc(func() { close(done) })
	t.Cleanup(end)
	return end
}

// TestBrowserImportLong sees on another page how far a large import is, and stops it there, which takes back what it has
// written; then imports the file once more, and takes that back.
func TestBrowserImportLong(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := mustertest.Start(t, mustertest.Options{})
		v, file := s.SignIn(server.Administrator), manyComputers(t)
		b := l.visit(t, s, server.Administrator)
		brings(b, "computers", file)
		b.Click("Next: check rows")
		b.WaitText("Import 5,000 rows")
		quickly := slowly(t, s)
		b.Click("Import 5,000 rows")
		b.WaitText("goes on after a restart")
		page := b.URL()
		awaitPage(t, v, "/app/computers", `class="n">`, "c-0")

		b.Open("/app/vendors")
		b.ClickOn("#job-chip")
		b.In("#my-jobs").WaitText("of 5,000")
		inspect(t, b.In("#my-jobs"), "import-chip")
		b.In("#my-jobs").Click("Stop: Import stock.csv")
		quickly()
		b.Wait(`#job-chip[data-ids=""]`)
		b.Open(strings.TrimPrefix(page, s.Base))
		b.WaitText("rows taken back, 0 stay")
		if got := v.Get("/app/computers").Body; strings.Contains(got, "A-") {
			t.Error("rows of a stopped import are left")
		}

		brings(b, "computers", file)
		b.Click("Next: check rows")
		b.Click("Import 5,000 rows")
		b.WaitText("5,000 added")
		b.Click("Undo the whole import")
		b.WaitText("5,000 rows taken back, 0 stay")
		if got := v.Get("/app/computers").Body; strings.Contains(got, "A-") {
			t.Error("rows of an import that was undone are left")
		}
	})
}
