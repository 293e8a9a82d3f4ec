package web_test

import (
	"fmt"
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

// TestImportPages imports a file from its choice to the report.
func TestImportPages(t *testing.T) {
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v := s.SignIn(server.Administrator)
		holdsAll(t, "list", v.Get("/app/computers").Body, `href="/app/import?kind=computers"`)
		holdsAll(t, "start", v.Get("/app/import?kind=vendors").Body, `<option value="vendors" selected>`, `<option value="users">`, `enctype="multipart/form-data"`)
		if got := v.Upload("/app/import", url.Values{"kind": {"computers"}}, "x.csv", "\"a"); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "quotation marks") {
			t.Errorf("no table: got %d: %s", got.Status, got.Body)
		}
		begun := v.Upload("/app/import", url.Values{"kind": {"computers"}}, "stock.csv", table)
		path := begun.Header.Get("Location")
		if begun.Status != http.StatusSeeOther || !strings.HasPrefix(path, "/app/import/") {
			t.Fatalf("upload: got %d to %s: %s", begun.Status, path, begun.Body)
		}
		columns := v.Get(path)
		holdsAll(t, "columns", columns.Body, "stock.csv", "Device", "lej-1 · lej-3", `<option value="asset-id" selected>`)
		form := formOn(t, columns, path)
		form.Set("do", "check")
		form.Set("column.2", "name")
		form.Set("column.0", "name")
		if got := v.Post(path, form); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "are both Name") {
			t.Errorf("two columns of a field: got %d: %s", got.Status, got.Body)
		}
		form.Set("column.2", "site")
		if got := v.Post(path, form); got.Status != http.StatusSeeOther {
			t.Fatalf("check: got %d: %s", got.Status, got.Body)
		}
		preview := reach(t, v, path)
		holdsAll(t, "preview", preview, "1 row has a problem", "Name can&#39;t be blank", "Import 2 rows", "&lt;script&gt;x", "Only the good rows")
		if strings.Contains(preview, "All or nothing") {
			t.Error("all or nothing is offered, though a row has a problem")
		}
		if got := v.Get(path + "?show=3").Body; strings.Contains(got, "lej-1") || !strings.Contains(got, "A-2") {
			t.Errorf("problems alone: got %s", got)
		}
		rest := v.Get(path + "/rest.csv")
		if rest.Header.Get("Content-Type") != "text/csv; charset=utf-8" || !strings.HasSuffix(rest.Body, "3,Name can't be blank,,A-2,Leipzig,\n") {
			t.Errorf("rest: got %v %q", rest.Header, rest.Body)
		}
		v.Post(path, url.Values{"do": {"write"}, "mode": {"good"}})
		holdsAll(t, "report", reach(t, v, path), "2 added, 0 changed, 0 the same, 1 refused, 0 not written", `href="/app/computers/1"`)
		holdsAll(t, "computers", v.Get("/app/computers").Body, "lej-1", "lej-3")
		holdsAll(t, "activity", v.Get("/app/activity?origin=import").Body, "lej-1")
		v.Post(path, url.Values{"do": {"stop"}})
		if got := v.Get(path); got.Status != http.StatusNotFound {
			t.Errorf("a forgotten import: got %d, want 404", got.Status)
		}
	})
}

// TestImportPreview pages through all rows of a preview, and through those with a
// problem.
func TestImportPreview(t *testing.T) {
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
func check(t *testing.T, v *mustertest.Visitor, kind, name, file string, columns map[string]string) (path, preview string) {
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
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	const table = "Name,Type,Item name,Release,Quantity\nOffice,SoftwareLicense,Word,2021,10\nOffice,,Excel,2021,5\nOffice,,Access,2021,many\n"
	path, preview := check(t, v, "contracts", "licences.csv", table, map[string]string{"column.3": "items.version"})
	holdsAll(t, "preview", preview, "Item: Version", "Item added: Excel 2021", "Quantity is not a number", "Import 2 rows")
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

// TestImportInGerman tells in the language of the page what is wrong with a file,
// its columns and its rows, and what would change.
func TestImportInGerman(t *testing.T) {
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	v.SetCookie("lang", "de")
	addComputers(t, v, url.Values{"name": {"lej-1"}, "asset-id": {"A-1"}})
	holdsAll(t, "no table", v.Upload("/app/import", url.Values{"kind": {"computers"}}, "x.csv", "\"a").Body, "x.csv: Zeile 1: Die Anführungszeichen passen nicht zusammen")
	path := v.Upload("/app/import", url.Values{"kind": {"computers"}}, "c.csv", "Name,Asset id,Site\nlej-1,A-1,Leipzig\n,A-2,\n").Header.Get("Location")
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
	s := mustertest.Start(t, mustertest.Options{})
	s.AddUser("tech@example.com", inventory.Technician, false)
	s.AddUser("reader@example.com", inventory.Technician, true)
	s.AddUser("ask@example.com", inventory.Requester, false)
	path := s.SignIn(server.Administrator).Upload("/app/import", url.Values{"kind": {"users"}}, "u.csv", "Email,Password\nx@example.com,secret word\n").Header.Get("Location")
	if !strings.HasPrefix(path, "/app/import/") {
		t.Fatalf("got %s", path)
	}
	tech := s.SignIn("tech@example.com")
	for what, test := range map[string]struct{ got, want int }{
		"somebody else's":      {tech.Get(path).Status, http.StatusNotFound},
		"users":                {tech.Upload("/app/import", url.Values{"kind": {"users"}}, "u.csv", "Email\nx@example.com\n").Status, http.StatusForbidden},
		"computers":            {tech.Upload("/app/import", url.Values{"kind": {"computers"}}, "c.csv", "Name\nx\n").Status, http.StatusSeeOther},
		"of one who reads":     {s.SignIn("reader@example.com").Get("/app/import").Status, http.StatusForbidden},
		"of a requester":       {s.SignIn("ask@example.com").Get("/app/import").Status, http.StatusForbidden},
		"without any":          {tech.Post("/app/import", url.Values{"kind": {"computers"}}).Status, http.StatusUnprocessableEntity},
		"of a larger file":     {tech.Upload("/app/import", url.Values{"kind": {"computers"}}, "c.csv", strings.Repeat("x", 34<<20)).Status, http.StatusRequestEntityTooLarge},
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

// TestImportsOfMany refuses a further import while as many are open as the server
// holds, and takes nobody's away that is not done.
func TestImportsOfMany(t *testing.T) {
	s := mustertest.Start(t, mustertest.Options{})
	begin := func(v *mustertest.Visitor) *mustertest.Response {
		return v.Upload("/app/import", url.Values{"kind": {"computers"}}, "c.csv", "Name\nlej-1\n")
	}
	var people []*mustertest.Visitor
	var paths []string
	for _, email := range []string{"a@example.com", "b@example.com", "c@example.com"} {
		s.AddUser(email, inventory.Technician, false)
		v := s.SignIn(email)
		people, paths = append(people, v), append(paths, begin(v).Header.Get("Location"))
	}
	admin := s.SignIn(server.Administrator)
	wants(t, "a fourth", begin(admin), http.StatusTooManyRequests, "3 imports are open", `name="file"`)
	for i, v := range people {
		wants(t, "one that is open", v.Get(paths[i]), http.StatusOK, "c.csv")
	}
	form := formOn(t, people[1].Get(paths[1]), paths[1])
	form.Set("do", "check")
	people[1].Post(paths[1], form)
	reach(t, people[1], paths[1])
	people[1].Post(paths[1], url.Values{"do": {"write"}, "mode": {"good"}})
	holdsAll(t, "report", reach(t, people[1], paths[1]), "1 added")
	if got := begin(admin); got.Status != http.StatusSeeOther {
		t.Errorf("after one was done: got %d, want 303: %s", got.Status, got.Body)
	}
	wants(t, "the one that was done", people[1].Get(paths[1]), http.StatusNotFound, "no longer held", "until others need the room")
	wants(t, "one that is open still", people[0].Get(paths[0]), http.StatusOK)
}
