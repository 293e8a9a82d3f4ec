//go:build full

package web_test

import (
	"archive/zip"
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

const table = "Device;Asset id;Site;Notes\nlej-1;A-1;Leipzig;<script>x</script>\n;A-2;Leipzig;\nlej-3;A-3;Rotterdam;=1+1\n"

// reach asks for a page of an import until the server is no longer at work.
func reach(t *testing.T, v *mustertest.Visitor, path string) string {
	t.Helper()
	for range 1000 {
		got := v.Get(path)
		if got.Status != http.StatusOK {
			t.Fatalf("%s: got %d: %s", path, got.Status, got.Body)
		}
		if !strings.Contains(got.Body, "data-running") {
			return got.Body
		}
	}
	t.Fatalf("%s: the server is still at work", path)
	return ""
}

// holdsAll checks what a page says.
func holdsAll(t *testing.T, what, body string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(body, text) {
			t.Errorf("%s: got %s, want %q in it", what, body, text)
		}
	}
}

// TestImportMatches recognises records by what the person has matched, and columns
// by what they are called on their pages.
func TestImportMatches(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	addComputers(t, v, url.Values{"name": {"lej-1"}, "site": {"Leipzig"}})
	path := v.Upload("/app/import", url.Values{"kind": {"computers"}}, "c.csv",
		"Hostname,Site\nlej-1,Lyon\n").Header.Get("Location")
	columns := v.Get(path)
	holdsAll(t, "columns", columns.Body,
		`<option value="usual" selected>Asset id, or else Serial number, or else Name, as in the file`)
	form := formOn(t, columns, path)
	form.Set("column.0", "name")
	form.Set("do", "check")
	v.Post(path, form)
	holdsAll(t, "matched by hand", reach(t, v, path), "Site changed from Leipzig to Lyon")
	v.Post(path, url.Values{"do": {"stop"}})

	v.Language = "de"
	exported := v.Get("/app/computers/export.csv?site=Leipzig").Body
	path = v.Upload("/app/import", url.Values{"kind": {"computers"}}, "c.csv",
		strings.ReplaceAll(exported, "Leipzig", "Lyon")+"x,y\n").Header.Get("Location")
	columns = v.Get(path)
	holdsAll(t, "columns", columns.Body, "<td class=\"name\">Standort</td>", `<option value="site" selected>`,
		`<option value="owner" selected>`, `<option value="asset-id" selected>`)
	form = formOn(t, columns, path)
	form.Set("do", "check")
	v.Post(path, form)
	holdsAll(t, "in German", reach(t, v, path), "Standort von Leipzig in Lyon geändert", "Die Zeile hat 2 Spalten")
}

// TestImportPages imports a file from its choice to the report.
func TestImportPages(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v := s.SignIn(server.Administrator)
		holdsAll(t, "list", v.Get("/app/computers").Body, `href="/app/import?kind=computers"`)
		holdsAll(t, "start", v.Get("/app/import?kind=vendors").Body, `<option value="vendors" selected>`,
			`<option value="users">`, `enctype="multipart/form-data"`)
		if got := v.Upload("/app/import", url.Values{"kind": {"computers"}}, "x.csv",
			"\"a"); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "quotation marks") {
			t.Errorf("no table: got %d: %s", got.Status, got.Body)
		}
		begun := v.Upload("/app/import", url.Values{"kind": {"computers"}}, "stock.csv", table)
		path := begun.Header.Get("Location")
		if begun.Status != http.StatusSeeOther || !strings.HasPrefix(path, "/app/import/") {
			t.Fatalf("upload: got %d to %s: %s", begun.Status, path, begun.Body)
		}
		columns := v.Get(path)
		holdsAll(t, "columns", columns.Body, "stock.csv", "Device", "lej-1 · lej-3",
			`<option value="asset-id" selected>`)
		form := formOn(t, columns, path)
		form.Set("do", "check")
		form.Set("column.2", "name")
		form.Set("column.0", "name")
		if got := v.Post(path, form); got.Status != http.StatusUnprocessableEntity ||
			!strings.Contains(got.Body, "are both Name") {
			t.Errorf("two columns of a field: got %d: %s", got.Status, got.Body)
		}
		form.Set("column.2", "site")
		if got := v.Post(path, form); got.Status != http.StatusSeeOther {
			t.Fatalf("check: got %d: %s", got.Status, got.Body)
		}
		preview := reach(t, v, path)
		holdsAll(t, "preview", preview, "1 row has a problem", "Device can&#39;t be blank", "Import 2 rows",
			"&lt;script&gt;x", "Only rows without problems")
		if strings.Contains(preview, "All or nothing") {
			t.Error("all or nothing is offered, though a row has a problem")
		}
		if got := v.Get(path + "?show=3").Body; strings.Contains(got, "lej-1") || !strings.Contains(got, "A-2") {
			t.Errorf("problems alone: got %s", got)
		}
		rest := v.Get(path + "/rest.csv")
		if rest.Header.Get("Content-Type") != "text/csv; charset=utf-8" ||
			!strings.HasSuffix(rest.Body, "3,Device can't be blank,,A-2,Leipzig,\r\n") {
			t.Errorf("rest: got %v %q", rest.Header, rest.Body)
		}
		v.Post(path, url.Values{"do": {"write"}, "mode": {"good"}})
		holdsAll(t, "report", reach(t, v, path), "2 added, 0 changed, 0 the same, 1 refused, 0 not written",
			`href="/app/computers/1"`)
		holdsAll(t, "computers", v.Get("/app/computers").Body, "lej-1", "lej-3")
		holdsAll(t, "activity", v.Get("/app/activity?origin=import").Body, "lej-1")
		v.Post(path, url.Values{"do": {"undo"}})
		holdsAll(t, "undone", reach(t, v, path), "2 rows taken back, 0 stay", "Taken back")
		if got := v.Get("/app/computers").Body; strings.Contains(got, "lej-1") {
			t.Errorf("computers after the import was undone: got %s", got)
		}
		holdsAll(t, "undone twice", v.Post(path, url.Values{"do": {"undo"}}).Body, "cannot be taken back")
		path = v.Upload("/app/import", url.Values{"kind": {"computers"}}, "stock.csv", table).Header.Get("Location")
		v.Post(path, url.Values{"do": {"stop"}})
		if got := v.Get(path); got.Status != http.StatusNotFound {
			t.Errorf("a forgotten import: got %d, want 404", got.Status)
		}
	})
}

// TestImportPreview pages through all rows of a preview, and through those with a
// problem.
func TestImportPreview(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	var file strings.Builder
	file.WriteString("Name,Asset id\n")
	for n := range 220 {
		fmt.Fprintf(&file, "good-%03d,G-%d\n,B-%d\n", n, n, n)
	}
	path := v.Upload("/app/import", url.Values{"kind": {"computers"}}, "c.csv", file.String()).Header.Get("Location")
	form := formOn(t, v.Get(path), path)
	form.Set("do", "check")
	v.Post(path, form)
	holdsAll(t, "all rows", reach(t, v, path), "1–100 of 440", "good-049", `href="`+path+`?page=2"`)
	holdsAll(t, "the last of all", v.Get(path+"?page=5").Body, "401–440 of 440", "good-219", "B-219")
	problems := v.Get(path + "?show=3&page=3").Body
	holdsAll(t, "the last problems", problems, "201–220 of 220", "B-219", `href="`+path+`?show=3&amp;page=2"`)
	if got := strings.Count(problems, "Name can&#39;t be blank"); got != 20 || strings.Contains(problems, "good-") {
		t.Errorf("the last problems: got %d of them, want 20 and nothing else: %s", got, problems)
	}
	holdsAll(t, "fewer rows", v.Get(path+"?show=3&per_page=25").Body, "1–25 of 220", `<option selected>25</option>`)
	goes(t, "past the end", v.Get(path+"?show=3&page=9"), strings.TrimPrefix(path, "/app")+"?show=3&page=3")
}

// check brings a file as far as to the preview, which it returns with its path.
// Columns are matched as they are found, besides those that are given.
func check(t *testing.T, v *mustertest.Visitor, kind, name, file string,
	columns map[string]string) (path, preview string) {
	t.Helper()
	path = v.Upload("/app/import", url.Values{"kind": {kind}}, name, file).Header.Get("Location")
	form := formOn(t, v.Get(path), path)
	form.Set("do", "check")
	for column, field := range columns {
		form.Set(column, field)
	}
	v.Post(path, form)
	return path, reach(t, v, path)
}

// TestImportContracts imports a licence with its items, and what the list of
// contracts exports of it: that takes nothing away.
func TestImportContracts(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	const table = "Name,Type,Item name,Release,Quantity\nOffice,SoftwareLicense,Word,2021,10\nOffice,,Excel,2021,5\nOffice,,Access,2021,many\n"
	path, preview := check(t, v, "contracts", "licences.csv", table, map[string]string{"column.3": "items.version"})
	holdsAll(t, "preview", preview, "Item: Version", "Item added: Excel 2021", "Quantity is not a number",
		"Import 2 rows")
	v.Post(path, url.Values{"do": {"write"}, "mode": {"good"}})
	holdsAll(t, "report", reach(t, v, path), "1 added, 1 changed, 0 the same, 1 refused, 0 not written")
	contract := func() string { return s.Admin().Do(http.MethodGet, "/contracts/1.xml", "").Body }
	before := contract()
	holdsAll(t, "contract", before, "<name>Word</name>", "<name>Excel</name>", ">15</seats>")
	for _, name := range []string{"export.csv", "export.xlsx"} {
		_, preview = check(t, v, "contracts", name, v.Get("/app/contracts/"+name).Body, nil)
		holdsAll(t, name, preview, `Same <span class="n">1</span>`)
	}
	if got := contract(); got != before {
		t.Errorf("after the exported ones: got %s, want %s", got, before)
	}
	v.SetCookie("lang", "de")
	_, preview = check(t, v, "contracts", "licences.csv", table, nil)
	if holdsAll(t, "in German", preview, "Anzahl ist keine Zahl"); strings.Contains(preview, "Item:") {
		t.Errorf("in German: got %s", preview)
	}
}

// TestImportInGerman: in German too, the page says what is wrong with a file, its columns
// and its rows, and what would change.
func TestImportInGerman(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	v.SetCookie("lang", "de")
	addComputers(t, v, url.Values{"name": {"lej-1"}, "asset-id": {"A-1"}})
	holdsAll(t, "no table", v.Upload("/app/import", url.Values{"kind": {"computers"}}, "x.csv", "\"a").Body,
		"x.csv: Zeile 1: Die Anführungszeichen passen nicht zusammen")
	path := v.Upload("/app/import", url.Values{"kind": {"computers"}}, "c.csv",
		"Name,Asset id,Site\nlej-1,A-1,Leipzig\n,A-2,\n").Header.Get("Location")
	form := formOn(t, v.Get(path), path)
	form.Set("do", "check")
	form.Set("column.2", "name")
	holdsAll(t, "columns", v.Post(path, form).Body, "sind beide Name: Lassen Sie eine weg")
	form.Set("column.2", "site")
	form.Set("key", "asset-id")
	v.Post(path, form)
	holdsAll(t, "rows", reach(t, v, path), "Name darf nicht leer sein", "Standort auf Leipzig gesetzt")
}

// TestImportOfOthers shows an import to nobody else, and lets those import who
// may.
func TestImportOfOthers(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	s.AddUser("tech@example.com", inventory.Technician, false)
	s.AddUser("reader@example.com", inventory.Technician, true)
	s.AddUser("ask@example.com", inventory.Requester, false)
	path := s.SignIn(server.Administrator).Upload("/app/import", url.Values{"kind": {"users"}}, "u.csv",
		"Email,Password\nx@example.com,secret word\n").Header.Get("Location")
	if !strings.HasPrefix(path, "/app/import/") {
		t.Fatalf("got %s", path)
	}
	tech := s.SignIn("tech@example.com")
	for what, test := range map[string]struct{ got, want int }{
		"somebody else's": {tech.Get(path).Status, http.StatusNotFound},
		"users": {
			tech.Upload("/app/import", url.Values{"kind": {"users"}}, "u.csv", "Email\nx@example.com\n").Status,
			http.StatusForbidden,
		},
		"computers": {
			tech.Upload("/app/import", url.Values{"kind": {"computers"}}, "c.csv", "Name\nx\n").Status,
			http.StatusSeeOther,
		},
		"of one who reads": {s.SignIn("reader@example.com").Get("/app/import").Status, http.StatusForbidden},
		"of a requester":   {s.SignIn("ask@example.com").Get("/app/import").Status, http.StatusForbidden},
		"without any": {
			tech.Post("/app/import", url.Values{"kind": {"computers"}}).Status, http.StatusUnprocessableEntity,
		},
		"of a larger file": {
			tech.Upload("/app/import", url.Values{"kind": {"computers"}}, "c.csv", strings.Repeat("x", 34<<20)).Status,
			http.StatusRequestEntityTooLarge,
		},
		"of somebody unknown":  {s.Visitor().Get("/app/import").Status, http.StatusSeeOther},
		"an import of nothing": {tech.Get("/app/import/x").Status, http.StatusNotFound},
	} {
		if test.got != test.want {
			t.Errorf("%s: got %d, want %d", what, test.got, test.want)
		}
	}
	if got := s.SignIn(server.Administrator).Get(path).Body; strings.Contains(got, "secret word") {
		t.Error("the page of columns shows a password")
	}
}

// TestImportGoesOnByItsPerson: administrators see the imports of others, but do not go on with what is done in their name;
// one who may only read discards none.
func TestImportGoesOnByItsPerson(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	s.AddUser("tech@example.com", inventory.Technician, false)
	s.AddUser("auditor@example.com", inventory.Administrator, true)
	tech := s.SignIn("tech@example.com")
	path := tech.Upload("/app/import", url.Values{"kind": {"computers"}}, "c.csv", "Name\nx\n").Header.Get("Location")
	columns := url.Values{"do": {"check"}, "key": {"usual"}, "column.0": {"name"}}
	expect(t, "check", tech.Post(path, columns), http.StatusSeeOther)
	mustertest.Eventually(t, "the rows are checked", func() bool { return strings.Contains(tech.Get(path).Body, "Import 1 row") })
	for _, other := range []string{"auditor@example.com", server.Administrator} {
		v := s.SignIn(other)
		expect(t, other+" looks", v.Get(path), http.StatusOK, "c.csv")
		for _, do := range []string{"write", "back"} {
			expect(t, other+": "+do, v.Post(path, url.Values{"do": {do}}), http.StatusForbidden)
		}
	}
	expect(t, "discard", s.SignIn("auditor@example.com").Post(path, url.Values{"do": {"stop"}}), http.StatusForbidden)
	expect(t, "write", tech.Post(path, url.Values{"do": {"write"}, "mode": {"whole"}}), http.StatusSeeOther)
	mustertest.Eventually(t, "the rows are written", func() bool { return strings.Contains(tech.Get("/app/computers").Body, ">x<") })
	if got := tech.Post(path, columns); got.Status == http.StatusSeeOther {
		t.Errorf("check once more: got %d, want a refusal", got.Status)
	}
}

// TestImportPasswords shows the passwords of users neither in the preview nor in the
// file of the rows that are refused, which has all the rest.
func TestImportPasswords(t *testing.T) {
	t.Parallel()
	v := mustertest.Start(t, mustertest.Options{}).SignIn(server.Administrator)
	path, preview := check(t, v, "users", "u.csv",
		"Email,First name,Password,Role\nx@example.com,Xenia,a secret of many words,King\n", nil)
	rest := v.Get(path + "/rest.csv").Body
	if want := `2,"Role must be one of administrator, technician, requester",x@example.com,Xenia,,King` +
		"\r\n"; !strings.HasSuffix(rest, want) {
		t.Errorf("rest: got %q, want %q at its end", rest, want)
	}
	if strings.Contains(preview, "a secret of many words") {
		t.Error("the preview shows a password")
	}
}

// TestImportsOfMany keeps the last files of each person that wait for their next word, whatever others do, and shows them
// to nobody else but administrators.
func TestImportsOfMany(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	begin := func(v *mustertest.Visitor) string {
		return v.Upload("/app/import", url.Values{"kind": {"computers"}}, "c.csv", "Name\nlej-1\n").Header.Get("Location")
	}
	var people []*mustertest.Visitor
	var paths []string
	for _, email := range []string{"a@example.com", "b@example.com"} {
		s.AddUser(email, inventory.Technician, false)
		people = append(people, s.SignIn(email))
	}
	for range 4 {
		for _, v := range people {
			paths = append(paths, begin(v))
		}
	}
	for i, path := range paths {
		want := http.StatusOK
		if i < 2 {
			want = http.StatusNotFound // the oldest of four
		}
		wants(t, path, people[i%2].Get(path), want)
	}
	wants(t, "another's", people[0].Get(paths[7]), http.StatusNotFound, "no longer kept")
	wants(t, "another's, for administrators", s.SignIn(server.Administrator).Get(paths[7]), http.StatusOK)
}

// TestImportNumbers warns of a file with the numbers of tickets, of which every row
// would be a new one, until they are chosen as the key.
func TestImportNumbers(t *testing.T) {
	t.Parallel()
	v := mustertest.Start(t, mustertest.Options{}).SignIn(server.Administrator)
	for file, warned := range map[string]bool{"No.;Subject\n1;Fan\n": true, "Subject\nFan\n": false} {
		path := v.Upload("/app/import", url.Values{"kind": {"tickets"}}, "t.csv", file).Header.Get("Location")
		columns := v.Get(path)
		if got := strings.Contains(columns.Body, "every row becomes a new record"); got != warned {
			t.Errorf("%q: got a warning %v, want %v", file, got, warned)
		}
	}
}

// TestImportSpellings reads what people write in their language: states, truth values,
// numbers, sizes and times of their zone.
func TestImportSpellings(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	v.SetCookie("zone", "Europe/Berlin")
	for _, c := range []struct{ language, section, file, path, want string }{
		{"de", "computers", "Name;Status;Arbeitsspeicher\na;in reparatur;1.536,5 MB\n", "/hardwares/1.xml",
			"<status>In Repair</status>, <memory>1537</memory>"},
		{"en", "computers", "Name;Status;Memory\nb;In Repair;1,536.5 MB\n", "/hardwares/2.xml",
			"<status>In Repair</status>, <memory>1537</memory>"},
		{"en", "computers", "Name;Memory;Swap\nc;1,5 gb;2\u00a0TB\n", "/hardwares/3.xml",
			"<memory>1536</memory>, <swap>2097152</swap>"},
		{"de", "contracts", "Name;Art;Item name;Quantity;Rate\nOffice;Softwarelizenz;Word;1.200;1.234,50\n",
			"/contracts/1.xml", "<type>SoftwareLicense</type>, <quantity>1200</quantity>, <rate>1234.5</rate>"},
		{"en", "contracts", "Name;Type;Item name;Quantity;Rate\nPaint;software licence;Paint;1,200;1,234.50\n",
			"/contracts/2.xml", "<type>SoftwareLicense</type>, <quantity>1200</quantity>, <rate>1234.5</rate>"},
		{"de", "printers", "Name;Freigegeben\np;ja\n", "/printers/1.xml", "<shared>true</shared>"},
		{"de", "tickets", "Name;Status;Fällig am\nt;zurückgestellt;31.07.2026 10:30\n", "/tickets/1.xml",
			"<state>On Hold</state>, <due-at>2026-07-31T08:30:00Z</due-at>"},
		{"en", "tickets", "Name;Due at\nt;2026-07-31\n", "/tickets/2.xml", "<due-at>2026-07-30T22:00:00Z</due-at>"},
		{"de", "contracts", "Name;Item name;Quantity;Rate\nHalf;Half;7;0.125\n", "/contracts/3.xml",
			"<rate>0.125</rate>"},
		{"de", "computers", "Name;Arbeitsspeicher;Auslagerung\nh;0.500 GB;16.384\n", "/hardwares/4.xml",
			"<memory>512</memory>, <swap>16384</swap>"},
		{"en", "tickets", "Name;Due at\nt;2026-07-31 10:30:00+05:00\n", "/tickets/3.xml",
			"<due-at>2026-07-31T05:30:00Z</due-at>"},
		{"de", "contracts", workbook("Name", "Item name", "Rate", "Exact", "Exact", 1.234), "/contracts/4.xml",
			"<rate>1.234</rate>"},
		{"en", "tickets", "Name;Due at\nt;2026-07-31T10:30:00Z\n", "/tickets/4.xml",
			"<due-at>2026-07-31T10:30:00Z</due-at>"},
		{"en-US", "contracts", "Name;Start date;End date\nUS;7/31/2026;Dec 1, 2027\n", "/contracts/5.xml",
			"<start-date>2026-07-31</start-date>, <end-date>2027-12-01</end-date>"},
		{"en-AU", "contracts", "Name;Start date;End date\nAU;12/01/2026;1 Dec 2027\n", "/contracts/6.xml",
			"<start-date>2026-01-12</start-date>, <end-date>2027-12-01</end-date>"},
		{"en-US", "tickets", "Name;Due at\nt;7/31/2026 1:30 PM\n", "/tickets/5.xml",
			"<due-at>2026-07-31T11:30:00Z</due-at>"},
	} {
		v.Language = c.language
		v.SetCookie("lang", c.language[:2])
		path, preview := check(t, v, c.section, "table.csv", c.file, nil)
		v.Post(path, url.Values{"do": {"write"}, "mode": {"good"}})
		reach(t, v, path)
		got := s.Admin().Get(c.path)
		if got.Status != http.StatusOK {
			t.Errorf("%s in %s: %q: got %d: %s", c.section, c.language, c.file, got.Status, rowsText(preview))
			continue
		}
		holdsAll(t, c.file, got.Body, strings.Split(c.want, ", ")...)
	}
	v.Language = ""
	v.SetCookie("lang", "en")
	_, preview := check(t, v, "contracts", "table.csv", "Name;Start date\na;12/01/2026\n", nil)
	holdsAll(t, "a day of two meanings", preview, "Start date is not a date such as 2026-01-31: &#34;12/01/2026&#34;")
	v.SetCookie("lang", "de")
	_, preview = check(t, v, "computers", "table.csv", "Name;Arbeitsspeicher\nd;16 PB\ne;1.2.3 GB\n", nil)
	holdsAll(t, "no sizes", preview, `Arbeitsspeicher ist keine Zahl: &#34;16 PB&#34;`,
		`Arbeitsspeicher ist keine Zahl: &#34;1.2.3 GB&#34;`)
}

// TestImportLinks names linked records by their ids, or by what they are called if
// that says which.
func TestImportLinks(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v := s.SignIn(server.Administrator)
		addComputers(t, v, url.Values{"name": {"one"}}, url.Values{"name": {"twin"}}, url.Values{"name": {"Twin"}},
			url.Values{"name": {"big, blue"}},
			url.Values{"name": {"rack:7"}}, url.Values{"name": {"1001"}}, url.Values{"name": {"2"}})
		expect(t, "ticket", v.Post("/app/tickets/new", url.Values{"name": {"tied"}, "hardwares": {"3", "4"}}),
			http.StatusSeeOther)
		for _, name := range []string{"one", "two"} {
			expect(t, name, v.Post("/app/assets/new", url.Values{"name": {name}, "asset-type": {"Monitor"}}),
				http.StatusSeeOther)
		}
		for _, c := range []struct{ section, columns, row, want string }{
			{"tickets", "Name,Hardwares", "new,ONE; 4", "2 New new ONE; 4"},
			{"tickets", "Name,Hardwares", "new,1 3", "2 New new 1 3"},
			{"tickets", "Name,Hardwares", "new,none",
				"2 Problem new none Hardwares names a computer that does not exist: none"},
			{"tickets", "Name,Hardwares", "new,70",
				"2 Problem new 70 Hardwares names a computer that does not exist: 70"},
			{"tickets", "Name,Hardwares,Due at", "new,nil;one;nix,soon",
				"2 Problem new nil;one;nix soon Due at is not a timestamp such as 2026-01-31T09:30:00Z: &#34;soon&#34; Hardwares names a computer that does not exist: nil Hardwares names a computer that does not exist: nix"},
			{"users", "Email,Role", server.Administrator + ",King", "2 Problem " + server.Administrator +
				" King Role must be one of administrator, technician, requester Email has already been taken: user 1 has " + server.Administrator},
			{"tickets", "Name,Hardwares", "new,twin",
				"2 Problem new twin Hardwares is not clear: several records have the name twin, name one by its id"},
			{"tickets", "Number,Hardwares", `1,"Twin, big, blue"`, "2 Same 1 Twin, big, blue"},
			{"tickets", "Number,Hardwares", `1,"Twin, big, blue, one"`,
				"2 Change 1 Twin, big, blue, one Computer added: one"},
			{"tickets", "Name,Hardwares", `new,"big, blue;one"`, "2 New new big, blue;one"},
			{"tickets", "Name,Hardwares", "new,rack:7", "2 New new rack:7"},
			{"tickets", "Name,Hardwares", "new,1001", "2 New new 1001"},
			{"tickets", "Name,Hardwares", "new,2",
				"2 Problem new 2 Hardwares is not clear: 2 is the id of one record and the name of another"},
			{"tickets", "Name,Hardwares", "new,a\x00b",
				"2 Problem new a\ufffdb Hardwares holds characters that are no text"},
			{"risks", "Name,Severity,Affected assets", "r,High,hardware:1 hardware:2",
				"2 New r High hardware:1 hardware:2"},
			{"risks", "Name,Severity,Affected assets", "r,High,1001", "2 New r High 1001"},
			{"tickets", "Number,Hardwares", "1,twin", "2 Change 1 twin Computer removed: big, blue"},
			{"tickets", "Number,Hardwares", `1,"1,Twin"`,
				"2 Change 1 1,Twin Computer removed: big, blue; Computer added: one"},
			{"tickets", "Number,Hardwares", "1,", "2 Same 1"},
			{"risks", "Name,Severity,Affected assets", "r,High,two", "2 New r High two"},
			{"risks", "Name,Severity,Affected assets", "r,High,hardware:2", "2 New r High hardware:2"},
			{"risks", "Name,Severity,Affected assets", "r,High,one",
				"2 Problem r High one Affected assets is not clear: several records have the name one, name one by its id"},
			{"risks", "Name,Severity,Affected assets", "r,High,none",
				"2 Problem r High none Affected assets names a record that does not exist: none"},
			{"risks", "Name,Severity,Affected assets", "r,High,5",
				"2 Problem r High 5 Affected assets must be named by kind and id, not &#34;5&#34;"},
		} {
			key := map[string]string{"key": ""}
			if strings.HasPrefix(c.columns, "Number") {
				key["key"] = "number"
			}
			_, preview := check(t, v, c.section, "table.csv", c.columns+"\n"+c.row+"\n", key)
			if got := rowsText(preview); got != c.want {
				t.Errorf("%s of %s: got %q, want %q", c.row, c.section, got, c.want)
			}
		}
	})
}

// workbook returns the file of a workbook with three columns and a row, which ends with
// a number.
func workbook(one, two, three, first, second string, number float64) string {
	text := func(texts ...string) (row string) {
		for _, t := range texts {
			row += `<c t="inlineStr"><is><t>` + t + `</t></is></c>`
		}
		return row
	}
	var file strings.Builder
	z := zip.NewWriter(&file)
	for name, content := range map[string]string{
		"xl/workbook.xml":            `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml":   fmt.Sprintf(`<worksheet><sheetData><row>%s</row><row>%s<c><v>%v</v></c></row></sheetData></worksheet>`, text(one, two, three), text(first, second), number),
	} {
		if w, err := z.Create(name); err == nil {
			_, _ = io.WriteString(w, content) // into memory
		}
	}
	_ = z.Close()
	return file.String()
}
