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
