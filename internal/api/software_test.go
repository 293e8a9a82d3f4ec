package api_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// software puts fields into the document of software.
func software(fields string) string { return "<software>" + fields + "</software>" }

// madeAt posts a document and returns the id of what it made.
func madeAt(t *testing.T, c *mustertest.Client, path, document string) string {
	t.Helper()
	r := c.Do("POST", path, document)
	if r.Status != http.StatusCreated {
		t.Fatalf("POST %s %s: got %d %s, want 201", path, document, r.Status, r.Body)
	}
	return value(t, r.Body, "id")
}

// done makes a request that must be answered 200.
func done(t *testing.T, c *mustertest.Client, method, path, document string) string {
	t.Helper()
	r := c.Do(method, path, document)
	if r.Status != http.StatusOK {
		t.Fatalf("%s %s %s: got %d %s, want 200", method, path, document, r.Status, r.Body)
	}
	return r.Body
}

// exact checks that all counts are those of a recount from scratch.
func exact(t *testing.T, s *mustertest.Server) {
	t.Helper()
	ctx := context.Background()
	err := s.Store().View(ctx, func(tx *store.Tx) error {
		differences, err := desk.Recount(ctx, tx)
		for _, d := range differences {
			t.Errorf("a recount: %s", d)
		}
		return err
	})
	if err != nil {
		t.Fatalf("recount: %v", err)
	}
}

const installedDocument = `<?xml version="1.0" encoding="UTF-8"?>
<software>
  <id>1</id>
  <href>BASE/softwares/1.xml</href>
  <name>7-Zip</name>
  <version>24.08</version>
  <manufacturer>Igor Pavlov</manufacturer>
  <category nil="true"/>
  <vendor nil="true"/>
  <tag>tools</tag>
  <hidden>false</hidden>
  <installs>1</installs>
  <hardwares-href>BASE/softwares/1/hardwares.xml</hardwares-href>
  <first-detected-at>2026-01-31T09:30:00Z</first-detected-at>
  <created-at>2026-01-31T09:30:00Z</created-at>
  <updated-at>2026-01-31T09:30:00Z</updated-at>
  <install-date>2026-01-02</install-date>
  <install-path>C:\Program Files\7-Zip</install-path>
</software>
`

// TestInstallation installs software on a computer and removes it again.
func TestInstallation(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		create(t, c, "<name>a</name>")
		create(t, c, "<name>b</name>")
		before := c.Get("/hardwares/1")
		r := c.Do("POST", "/hardwares/1/softwares.xml", software(`<name>7-Zip</name><version>24.08</version><manufacturer>Igor Pavlov</manufacturer>
			<tag>tools</tag><install-date>2026-01-02</install-date><install_path>C:\Program Files\7-Zip</install_path>`))
		want := strings.ReplaceAll(installedDocument, "BASE", s.Base)
		equal(t, "POST", []any{r.Status, r.Header.Get("Location"), r.Body},
			[]any{http.StatusCreated, s.Base + "/hardwares/1/softwares/1.xml", want})
		one := c.Get("/hardwares/1/softwares/1.xml")
		equal(t, "GET", []any{one.Body, one.Header.Get("ETag")}, []any{want, r.Header.Get("ETag")})
		equal(t, "the computer", c.Get("/hardwares/1").Body, before.Body)

		s.Clock.Advance(time.Hour)
		r = c.Do("POST", "/hardwares/2/softwares", software("<id> 1 </id><name>ignored</name><version>9</version>"))
		equal(t, "POST by id", []string{fmt.Sprint(r.Status), value(t, r.Body, "name"), value(t, r.Body, "installs"),
			value(t, r.Body, "install-date"), value(t, r.Body, "updated-at")},
			[]string{"201", "7-Zip", "2", "nil", "2026-01-31T09:30:00Z"})
		equal(t, "GET of the software", value(t, c.Get("/softwares/1").Body, "installs"), "2")
		equal(t, "the software's own document", strings.Contains(c.Get("/softwares/1").Body, "install-"), false)
		equal(t, "its computers", ids(t, c.Get("/softwares/1/hardwares.xml?sort_by=name&sort_order=desc").Body), "2 1")
		madeAt(t, c, "/hardwares/2/softwares", software("<name>7-ZIP</name>"))
		refused(t, "POST by name, in other case",
			c.Do("POST", "/hardwares/1/softwares",
				software("<name>7-zip</name><version>24.08</version><manufacturer>IGOR PAVLOV</manufacturer>")),
			http.StatusConflict, "7-Zip 24.08 is already installed on computer 1")
		equal(t, "software", ids(t, c.Get("/softwares").Body), "1 2")

		equal(t, "DELETE", done(t, c, "DELETE", "/hardwares/1/softwares/1.xml", ""),
			strings.Replace(want, "<installs>1<", "<installs>2<", 1))
		refused(t, "DELETE again", c.Do("DELETE", "/hardwares/1/softwares/1", ""), http.StatusNotFound,
			"there is no software with the id 1 that belongs to the computer 1")
		equal(t, "after DELETE", value(t, c.Get("/softwares/1").Body, "installs"), "1")
		done(t, c, "DELETE", "/hardwares/2/softwares/1", "")
		equal(t, "first-detected-at", value(t, c.Get("/softwares/1").Body, "first-detected-at"), "2026-01-31T09:30:00Z")
		exact(t, s)
	})
}

// TestInstallationAudit looks at what the trail records of installations.
func TestInstallationAudit(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		create(t, c, "<name>front desk</name>")
		before := len(s.Audits())
		madeAt(t, c, "/hardwares/1/softwares",
			software(`<name>7-Zip</name><version>24.08</version><install-path>/opt/"7"</install-path>`))
		done(t, c, "DELETE", "/hardwares/1/softwares/1", "")
		madeAt(t, c, "/hardwares/1/softwares", software(`<id>1</id>`))
		done(t, c, "DELETE", "/hardwares/1", "")
		var got []string
		for _, a := range s.Audits()[before:] {
			text := fmt.Sprintf("%s %s %d %s: %s", a.Action, a.RecordType, a.RecordID.V, a.RecordName, a.Message)
			if a.RecordType == "hardware" && a.Action == inventory.Updated {
				text += fmt.Sprint(" ", a.Changes)
			}
			got = append(got, text)
		}
		const whole = `name: "7-Zip", version: "24.08", install-path: "/opt/\"7\""`
		equal(t, "audit records", got, []string{
			"create software 1 7-Zip: Software 7-Zip created",
			"update hardware 1 front desk: Software added: 7-Zip 24.08 [{softwares  " + whole + "}]",
			"update hardware 1 front desk: Software removed: 7-Zip 24.08 [{softwares " + whole + " }]",
			`update hardware 1 front desk: Software added: 7-Zip 24.08 [{softwares  name: "7-Zip", version: "24.08"}]`,
			"delete hardware 1 front desk: Computer front desk deleted",
		})
		equal(t, "installs after the computer", value(t, c.Get("/softwares/1").Body, "installs"), "0")
		exact(t, s)
	})
}

// TestInstallationRefusals sends invalid installations.
func TestInstallationRefusals(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		create(t, c, "<name>a</name>")
		create(t, c, "<name>b</name>")
		madeAt(t, c, "/hardwares/1/softwares", software("<name>one</name>"))
		for _, test := range []struct {
			what, method, path, document string
			status                       int
			text                         string
		}{
			{"no name", "POST", "/hardwares/1/softwares", software("<version>1</version>"), 422, "Name can't be blank"},
			{"an id that does not exist", "POST", "/hardwares/1/softwares", software("<id>7</id>"), 422,
				"Id does not exist: no software has the id 7"},
			{"an id that is 0", "POST", "/hardwares/1/softwares", software("<id>0</id>"), 422, "Id does not exist"},
			{"an id that is no number", "POST", "/hardwares/1/softwares", software("<id>x</id><name>x</name>"), 422,
				"Id is not a number"},
			{"an id that holds elements", "POST", "/hardwares/1/softwares", software("<id><x/></id><name>x</name>"),
				422, "Id must be plain text"},
			{"a date that is none", "POST", "/hardwares/1/softwares",
				software("<name>x</name><install-date>soon</install-date>"), 422, "Install date is not a date"},
			{"a path too long", "POST", "/hardwares/2/softwares",
				software("<id>1</id><install-path>" + strings.Repeat("x", 256) + "</install-path>"), 422,
				"Install path is too long"},
			{"another root", "POST", "/hardwares/1/softwares", "<hardware/>", 422, "want <software>"},
			{"a computer that does not exist", "POST", "/hardwares/9/softwares", software("<id>1</id>"), 404,
				"there is no computer with the id 9"},
			{"another computer's software", "GET", "/hardwares/2/softwares/1", "", 404,
				"there is no software with the id 1 that belongs to the computer 2"},
			{"DELETE of another computer's software", "DELETE", "/hardwares/2/softwares/1", "", 404,
				"there is no software with the id 1 that belongs to the computer 2"},
			{"PUT", "PUT", "/hardwares/1/softwares/1", software(""), 405,
				"PUT is not possible here, only GET, HEAD, DELETE"},
			{"an installation's field elsewhere", "PUT", "/softwares/1",
				software("<install-date>2026-01-01</install-date>"), 422, "Install date is not a field of software"},
			{"a query", "GET", "/hardwares/1/softwares/1?view=system", "", 400, "unknown parameter view"},
			{"software that is installed", "DELETE", "/softwares/1", "", 409,
				"the software 1 is still installed on 1 computer"},
		} {
			refused(t, test.what, c.Do(test.method, test.path, test.document), test.status, test.text)
		}
		equal(t, "software", ids(t, c.Get("/softwares").Body), "1")
		refused(t, "DELETE of an older version", c.Do("DELETE", "/hardwares/1/softwares/1", "", "If-Match", `"1-9"`),
			http.StatusPreconditionFailed, "read it again")
		done(t, c, "DELETE", "/hardwares/1/softwares/1", "")
		done(t, c, "DELETE", "/softwares/1", "")
		exact(t, s)
	})
}

// TestInstallationKey repeats an installation under its idempotency key.
func TestInstallationKey(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		create(t, c, "<name>a</name>")
		post := func() *mustertest.Response {
			return c.Do("POST", "/hardwares/1/softwares", software("<name>one</name><install-path>/</install-path>"),
				"Idempotency-Key", "k")
		}
		first, again := post(), post()
		equal(t, "the repetition",
			[]string{fmt.Sprint(again.Status), again.Header.Get("Idempotent-Replayed"), again.Body},
			[]string{"201", "true", first.Body})
		done(t, c, "DELETE", "/hardwares/1/softwares/1", "")
		refused(t, "after DELETE", post(), http.StatusConflict, "is gone")
		exact(t, s)
	})
}

// TestSoftwareList filters, sorts and pages the software of a computer.
func TestSoftwareList(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		create(t, c, "<name>other</name>")
		create(t, c, "<name>a</name>")
		for i, fields := range []string{
			"<name>Firefox</name><version>128</version><install-date>2026-01-03</install-date>",
			"<name>KB5034441</name><hidden>true</hidden><install-date>2026-01-01</install-date>",
			"<name>7-Zip</name><version>24.08</version><install-path>c:\\b</install-path>",
			"<name>KB5034123</name><hidden>1</hidden>",
			"<name>curl</name><category>Tools</category><install-date>2026-01-02</install-date><install-path>C:\\A</install-path>",
		} {
			madeAt(t, c, "/hardwares/2/softwares", software(fields))
			if i%2 == 0 {
				madeAt(t, c, "/hardwares/1/softwares",
					software(fmt.Sprintf("<id>%d</id><install-date>2020-01-0%d</install-date>", i+1, i+1)))
			}
		}
		madeAt(t, c, "/softwares", software("<name>nowhere</name>"))
		for query, want := range map[string]string{
			"": "1 3 5", "?view=system": "2 4", "?name=*f*": "1", "?version=24.08": "3", "?category=tools": "5",
			"?category=":    "1 3",
			"?hidden=false": "1 3 5", "?hidden=true": "", "?view=system&hidden=true": "2 4",
			"?view=system&name=*441": "2",
			"?sort_by=name":          "3 5 1", "?sort_by=install-date": "5 1 3",
			"?sort_by=install_date&sort_order=DESC": "1 5 3", "?sort_by=install-path": "5 3 1",
			"?sort_by=installs&sort_order=desc": "1 3 5", "?per_page=2&page=2": "5", "?after=1": "3 5",
			"?after=1&per_page=1": "3", "?view=system&sort_by=install-date": "2 4",
		} {
			r := c.Get("/hardwares/2/softwares.xml" + query)
			equal(t, query, []string{fmt.Sprint(r.Status), ids(t, r.Body)}, []string{"200", want})
		}
		root := parse(t, c.Get("/hardwares/2/softwares.xml?per_page=1&sort_by=name").Body)
		equal(t, "envelope", root.names(), []string{"page", "per_page", "total_entries", "software"})
		equal(t, "path of an item", root.Nodes[3].child("install-path").Text, `c:\b`)
		equal(t, "href of an item", root.Nodes[3].child("href").Text, s.Base+"/softwares/3.xml")
		link := c.Get("/hardwares/2/softwares.xml?per_page=1&view=system").Header.Get("Link")
		if want := s.Base + "/hardwares/2/softwares.xml?page=2&per_page=1&view=system>; rel=\"next\""; !strings.Contains(link, want) {
			t.Errorf("Link: got %s, want %s in it", link, want)
		}
		equal(t, "the address of hidden ones", value(t, c.Get("/hardwares/2").Body, "hidden-softwares-href"),
			s.Base+"/hardwares/2/softwares.xml?view=system")
		for query, text := range map[string]string{
			"?view=all": "view must be system, not ", "?view=": "view must be system",
			"?view=system&view=system": "view must be system", "?site=x": "unknown parameter site",
			"?sort_by=hardwares-href": "is not a field that lists can be sorted by",
			"?include=softwares":      "unknown parameter include",
		} {
			refused(t, query, c.Get("/hardwares/2/softwares"+query), http.StatusBadRequest, text)
		}
		refused(t, "the view of another list", c.Get("/softwares?view=system"), http.StatusBadRequest,
			"unknown parameter view")
		refused(t, "sorting another list", c.Get("/softwares?sort_by=install-date"), http.StatusBadRequest,
			"is not a field that lists can be sorted by")
		refused(t, "the list of no computer", c.Get("/hardwares/9/softwares"), http.StatusNotFound,
			"there is no computer")
	})
}

// TestSoftwareUnique: name, version and manufacturer are unique together.
func TestSoftwareUnique(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		long := strings.Repeat("😀", 255)
		for _, fields := range []string{
			"<name>a</name>", "<name>a</name><version>1</version>", "<name>a</name><manufacturer>1</manufacturer>",
			"<name>a1</name>",
			"<name>Straße</name><version>b</version>",
			"<name>" + long + "</name><version>" + long + "</version><manufacturer>" + long + "</manufacturer>",
		} {
			madeAt(t, c, "/softwares", software(fields))
		}
		for fields, id := range map[string]string{
			"<name>A</name>": "1", "<name>A</name><version>1</version><manufacturer/>": "2",
			"<name>a</name><manufacturer>1</manufacturer><tag>x</tag>":                                          "3",
			"<name>STRASSE</name><version>B</version>":                                                          "5",
			"<name>" + long + "</name><version>" + long + "</version><manufacturer>" + long + "</manufacturer>": "6",
		} {
			refused(t, fields, c.Do("POST", "/softwares", software(fields)), http.StatusConflict,
				"Name has already been taken: software "+id+" has the same name, version, manufacturer")
		}
		refused(t, "PUT", c.Do("PUT", "/softwares/2", software("<version/>")), http.StatusConflict,
			"software 1 has the same")
		done(t, c, "PUT", "/softwares/2", software("<name>A</name>"))
		equal(t, "ids", ids(t, c.Get("/softwares").Body), "1 2 3 4 5 6")
	})
}

// TestSoftwareRights: requesters see no software, not even their own computer's.
func TestSoftwareRights(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		anna := s.AddUser("anna@example.com", inventory.Requester, false)
		create(t, c, "<name>own</name><owner>anna@example.com</owner>")
		create(t, c, "<name>other</name>")
		madeAt(t, c, "/hardwares/1/softwares", software("<name>one</name>"))
		for _, path := range []string{
			"/hardwares/1/softwares", "/hardwares/1/softwares?view=system", "/hardwares?include=softwares",
			"/hardwares/1?include=softwares", "/softwares",
		} {
			refused(t, path, anna.Get(path), http.StatusForbidden, "a requester may not see software records")
		}
		for _, path := range []string{"/hardwares/2/softwares", "/hardwares/1/softwares/1", "/softwares/1/hardwares",
			"/hardwares/2?include=softwares"} {
			refused(t, path, anna.Get(path), http.StatusNotFound, "there is no ")
		}
		refused(t, "POST", anna.Do("POST", "/hardwares/1/softwares", "<"), http.StatusForbidden,
			"a requester may not create software records")
		refused(t, "POST to another's", anna.Do("POST", "/hardwares/2/softwares", "<"), http.StatusNotFound,
			"there is no computer")
		refused(t, "DELETE", anna.Do("DELETE", "/hardwares/1/softwares/1", ""), http.StatusNotFound,
			"there is no software")
		auditor := s.AddUser("auditor@example.com", inventory.Technician, true)
		equal(t, "a reader's list", ids(t, auditor.Get("/hardwares/1/softwares").Body), "1")
		refused(t, "a reader's POST", auditor.Do("POST", "/hardwares/1/softwares", software("<name>x</name>")),
			http.StatusForbidden, "may only read")
		refused(t, "a reader's DELETE", auditor.Do("DELETE", "/hardwares/1/softwares/1", ""), http.StatusForbidden,
			"may only read")
		technician := s.AddUser("bert@example.com", inventory.Technician, false)
		done(t, technician, "DELETE", "/hardwares/1/softwares/1", "")
		exact(t, s)
	})
}

// TestInclude reads computers with their software.
func TestInclude(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		for _, name := range []string{"a", "b", "c"} {
			create(t, c, "<name>"+name+"</name>")
		}
		madeAt(t, c, "/hardwares/1/softwares",
			software("<name>x &amp; y</name><install-date>2026-01-02</install-date>"))
		madeAt(t, c, "/hardwares/1/softwares", software("<name>hidden</name><hidden>true</hidden>"))
		madeAt(t, c, "/hardwares/3/softwares", software("<name>z</name>"))
		madeAt(t, c, "/hardwares/3/softwares", software("<id>1</id><install-path>/x</install-path>"))

		plain, body := c.Get("/hardwares/1.xml").Body, c.Get("/hardwares/1.xml?include=softwares").Body
		item := c.Get("/hardwares/1/softwares/1.xml").Body
		item = strings.ReplaceAll(item[strings.Index(item, "<software>"):], "\n", "\n    ")
		want := strings.Replace(plain, "</hardware>", "  <softwares type=\"array\">\n    "+strings.TrimRight(item,
			" ")+"  </softwares>\n</hardware>", 1)
		equal(t, "a computer", body, want)
		list := parse(t, c.Get("/hardwares.xml?include=softwares&per_page=100").Body)
		var got []string
		for _, n := range list.Nodes[3:] {
			all := n.Nodes[len(n.Nodes)-1]
			text := n.child("name").Text + " " + all.XMLName.Local + ":"
			for _, item := range all.Nodes {
				text += " " + item.child("name").Text + item.child("install-path").Text
			}
			got = append(got, text)
		}
		equal(t, "a list", got, []string{"a softwares: x & y", "b softwares:", "c softwares: x & y/x z"})
		equal(t, "the software's computers", strings.Count(c.Get("/softwares/1/hardwares?include=softwares").Body,
			"<software>"), 3)
		json := c.Get("/hardwares.json?include=softwares&name=b").Body
		if !strings.HasSuffix(strings.TrimSpace(json), `"softwares":[]}]}`) {
			t.Errorf("JSON: got %s, want softwares as the last member", json)
		}

		s.Clock.Advance(time.Hour)
		equal(t, "PUT back", done(t, c, "PUT", "/hardwares/1.xml", body), plain)
		equal(t, "POST of it", value(t,
			c.Do("POST", "/hardwares",
				hardware("<name>new</name><softwares><software><name>q</name></software></softwares>")).Body, "name"),
			"new")
		for path, text := range map[string]string{
			"/hardwares?include=softwares&per_page=101":      "per_page must be at most 100 with include",
			"/hardwares?include=tickets":                     "include must be softwares, not ",
			"/hardwares?include=softwares&include=softwares": "more than once",
			"/hardwares/1?include=":                          "include must be softwares",
			"/hardwares/1?page=1":                            "unknown parameter page",
			"/tickets?include=softwares":                     "unknown parameter include",
			"/hardwares/1?include=%zz":                       "does not parse",
		} {
			refused(t, path, c.Get(path), http.StatusBadRequest, text)
		}
		refused(t, "PUT with include", c.Do("PUT", "/hardwares/1?include=softwares", hardware("<name>x</name>")),
			http.StatusBadRequest, "unknown parameter include")
		exact(t, s)
	})
}
