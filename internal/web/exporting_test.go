//go:build full

package web_test

import (
	"archive/zip"
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"muster/internal/desk/exports"
	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestExport exports all rows of a filter with the columns and the order that
// one sees, and nothing that a spreadsheet would carry out.
func TestExport(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v := s.SignIn(server.Administrator)
		hostile := []string{"=1+1", "+1", "-1", "@x", "\tx", "a\"b,c", "<b>ü"}
		for i, department := range hostile {
			addComputers(t, v, url.Values{"name": {fmt.Sprintf("pc-%d", i)}, "site": {"HQ"}, "department": {
				department,
			}})
		}
		addComputers(t, v, url.Values{"name": {"other"}, "site": {"Elsewhere"}})
		v.Post("/app/computers/look", url.Values{"column": {"department", "status"}})
		const query = "?site=HQ&sort_by=name&sort_order=DESC&per_page=2&page=2"
		got := v.Get("/app/computers/export.csv" + query)
		if got.Status != http.StatusOK || !strings.HasPrefix(got.Body, "\uFEFFName,Status,Department\r\n") ||
			!strings.Contains(got.Header.Get("Content-Disposition"), `"computers-2026-01-31.csv"`) {
			t.Fatalf("csv: got %d %v: %s", got.Status, got.Header, got.Body)
		}
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(got.Body, "\uFEFF"))).ReadAll()
		if err != nil || len(rows) != len(hostile)+1 {
			t.Fatalf("csv: got %d rows, error %v, want %d", len(rows), err, len(hostile)+1)
		}
		want := []string{"<b>ü", "a\"b,c", "x", "'@x", "'-1", "'+1", "'=1+1"} // outer blanks are not part of a value
		for i, row := range rows[1:] {
			if row[2] != want[i] {
				t.Errorf("row %d: got %q, want %q", i, row[2], want[i])
			}
		}
		book := v.Get("/app/computers/export.xlsx" + query)
		sheet := unzip(t, book.Body, "xl/worksheets/sheet1.xml")
		if strings.Count(sheet, "<row ") != len(hostile)+1 || !strings.Contains(sheet, ">=1+1</t>") ||
			strings.Contains(sheet, "Elsewhere") {
			t.Errorf("xlsx: got %s", sheet)
		}
		contains(t, "the list", v.Get("/app/computers"+query),
			"/app/computers/export.csv?site=HQ&amp;sort_by=name&amp;sort_order=DESC")
	})
}

// TestExportOfLinks exports the names of the records that others are linked with.
func TestExportOfLinks(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	for _, name := range []string{"lej-1", "=lej-2"} {
		add(t, s, "/hardwares", "<hardware><name>"+name+"</name></hardware>")
	}
	add(t, s, "/tickets", "<ticket><name>Both hum</name><hardwares><hardware><id>1</id></hardware><hardware><id>2</id></hardware></hardwares></ticket>")
	add(t, s, "/tickets", "<ticket><name>One hums</name><hardwares><hardware><id>2</id></hardware></hardwares></ticket>")
	v := s.SignIn(server.Administrator)
	contains(t, "csv", v.Get("/app/tickets/export.csv?sort_by=id"), ",Computer,", `,"lej-1, =lej-2",`, ",'=lej-2,")
	if sheet := unzip(t, v.Get("/app/tickets/export.xlsx").Body, "xl/worksheets/sheet1.xml"); !strings.Contains(sheet,
		">lej-1, =lej-2</t>") {
		t.Errorf("xlsx: got %s", sheet)
	}
}

// unzip returns a file of an archive.
func unzip(t *testing.T, archive, name string) string {
	t.Helper()
	z, err := zip.NewReader(strings.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatalf("%v: %.200s", err, archive)
	}
	f, err := z.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestExportOfEverySection exports every list.
func TestExportOfEverySection(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite)
	v := s.SignIn(server.Administrator)
	for _, path := range []string{"computers", "tickets", "articles", "software", "printers", "assets", "contracts",
		"vendors", "risks", "activity", "users"} {
		for _, extension := range []string{"csv", "xlsx"} {
			if got := v.Get("/app/" + path + "/export." + extension); got.Status != http.StatusOK ||
				len(got.Body) < 100 {
				t.Errorf("%s.%s: got %d: %.200s", path, extension, got.Status, got.Body)
			}
		}
	}
	s.AddUser("ask@example.com", inventory.Requester, false)
	if got := s.SignIn("ask@example.com").Get("/app/computers/export.csv"); got.Status != http.StatusForbidden {
		t.Errorf("a requester: got %d, want 403", got.Status)
	}
}

// fillVendors stores one more vendor than an export has that is sent at once.
func fillVendors(s *mustertest.Server) {
	recs := make([]*inventory.Vendor, exports.AtOnce+1)
	for i := range recs {
		v := inventory.Vendors.New()
		v.Name, v.Note = fmt.Sprintf("vendor %05d", i), "seit 1998"
		recs[i] = v
	}
	mustertest.Insert(s, inventory.Vendors, recs...)
}

// TestExportByJob: a long list is written by a job, in the words of whoever asked, who gets the file for a day on every
// node, as long as they have the same role.
func TestExportByJob(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		waits := mustertest.Options{On: db, Change: func(cfg *server.Config) { cfg.Jobs = 0 }}
		s := mustertest.Start(t, waits)
		fillVendors(s)
		s.AddUser("tech@example.com", inventory.Technician, false)
		s.AddUser("reader@example.com", inventory.Technician, true)
		v, other := s.SignIn("tech@example.com"), s.SignIn("reader@example.com")
		v.Language = "de"
		const list, all = "/app/vendors", "/app/vendors/export.xlsx"
		contains(t, "a long list", v.Get(list), `<form method="post" action="`+all)
		lacks(t, "a short list", v.Get(list+"?name=vendor+00001"), `<form method="post" action="`+all)
		goes(t, "a short one", v.Post(all+"?name=vendor+00001", nil), "/vendors/export.xlsx?name=vendor+00001")
		goes(t, "a link of before", v.Get(all), "/vendors")
		contains(t, "it says", v.Get(list), "mehr als 10.000 Zeilen")

		goes(t, "begin", v.Post(all+"?sort_by=name&sort_order=DESC", nil), "/vendors?sort_by=name&sort_order=DESC")
		contains(t, "it says", v.Get(list), "Die Datei wird geschrieben", `id="job-chip"`)
		goes(t, "a second one", v.Post(all, nil), "/vendors")
		contains(t, "it says", v.Get(list), "Ein anderer Export von Ihnen")
		job := jobPath(t, v.Get("/app/jobs/mine").Body, "vendors-2026-01-31.xlsx exportieren")
		expect(t, "not done", v.Get(job+"/file"), http.StatusConflict)
		lacks(t, "not done", v.Get(job), "/file")
		goes(t, "who may only read", other.Post("/app/vendors/export.csv", nil), "/vendors")
		theirs := jobPath(t, other.Get("/app/jobs/mine").Body, "Export vendors-2026-01-31.csv")
		goes(t, "they stop it", other.Post(theirs+"/stop?back=/jobs/mine", nil), "/jobs/mine")
		contains(t, "they stop it", other.Get(theirs), "It was stopped")

		node := nextNode(t, s)
		v, other = node.SignIn("tech@example.com"), node.SignIn("reader@example.com")
		v.Language = "de"
		awaitPage(t, v, job, "10.001 Zeilen exportiert", job+"/file", "Herunterladen", "aufbewahrt bis")
		contains(t, "the list of jobs", v.Get("/app/jobs/mine/done"), job+"/file")
		contains(t, "the chip", v.Get("/app/jobs/chip?of="+strings.TrimPrefix(job, "/app/jobs/")), job+"/file")
		got := v.Get(job + "/file")
		if got.Header.Get("Content-Length") != fmt.Sprint(len(got.Body)) ||
			!strings.Contains(got.Header.Get("Content-Disposition"), `"vendors-2026-01-31.xlsx"`) {
			t.Errorf("got %v, want a file of %d bytes", got.Header, len(got.Body))
		}
		sheet := unzip(t, got.Body, "xl/worksheets/sheet1.xml")
		if strings.Count(sheet, "<row ") != exports.AtOnce+2 || !strings.Contains(sheet, ">Art des Lieferanten</t>") ||
			strings.Index(sheet, "vendor 10000") > strings.Index(sheet, "vendor 00000") {
			t.Errorf("got %.3000s", sheet)
		}

		expect(t, "somebody else", other.Get(job+"/file"), http.StatusNotFound)
		admin := node.SignIn(server.Administrator)
		contains(t, "an administrator", admin.Get(job), "10,001 rows exported")
		lacks(t, "an administrator", admin.Get(job), "/file")
		expect(t, "an administrator", admin.Get(job+"/file"), http.StatusForbidden)
		expect(t, "no export", v.Get("/app/jobs/x/file"), http.StatusNotFound)
		role := func(role string) {
			node.Admin().Do("PUT", "/users/2.xml", "<user><role>"+role+"</role></user>")
			v = node.SignIn("tech@example.com")
		}
		role(inventory.Requester)
		if got := v.Get(job + "/file"); got.Status != http.StatusForbidden || !strings.Contains(got.Body, "your role was") {
			t.Errorf("another role: got %d: %s", got.Status, got.Body)
		}
		role(inventory.Technician)
		expect(t, "the same role again", v.Get(job+"/file"), http.StatusOK)
		node.Clock.Advance(24 * time.Hour)
		v = node.SignIn("tech@example.com")
		lacks(t, "a day later", v.Get(job), "/file")
		expect(t, "a day later", v.Get(job+"/file"), http.StatusNotFound)
	})
}

// nextNode ends a server and starts another one on its database, which does the jobs that were left.
func nextNode(t *testing.T, s *mustertest.Server) *mustertest.Server {
	t.Helper()
	s.Quit()
	return mustertest.Start(t, mustertest.Options{Data: s.Data, Database: s.Database, Clock: s.Clock})
}
