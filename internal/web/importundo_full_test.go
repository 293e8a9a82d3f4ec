//go:build full

package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// times are what a change and its way back leave behind in documents.
var times = regexp.MustCompile(`<(updated-at|lock-version|version)[^>]*>[^<]*</[^>]*>`)

// imported imports a table of which every row is in order, and returns the path of the import.
func imported(t *testing.T, v *mustertest.Visitor, kind, table string, columns map[string]string) string {
	t.Helper()
	path, preview := check(t, v, kind, kind+".csv", table, columns)
	holdsAll(t, kind, preview, "All or nothing")
	v.Post(path, url.Values{"do": {"write"}, "mode": {"whole"}})
	holdsAll(t, kind, reach(t, v, path), "0 refused, 0 not written", "Undo the whole import")
	return path
}

// TestImportUndo takes imports of each kind back: what they have added goes, and what they have changed is as before.
func TestImportUndo(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v, c := s.SignIn(server.Administrator), s.Admin()
		for _, one := range []struct{ kind, path, first, second string }{
			{"vendors", "/vendors", "Name,Note\nACME,old\n", "Name,Note\nACME,new\nOther,\n"},
			{"users", "/users", "Email,First name,Password\nx@example.com,Xenia,a secret of many words\n",
				"Email,First name,Password\nx@example.com,Xaver,another secret of many\ny@example.com,Yara,a secret of many words\n"},
			{"computers", "/hardwares", "Name,Asset ID,Site,Owner\nlej-1,A-1,Leipzig,x@example.com\n",
				"Name,Asset ID,Site,Owner\nlej-1b,A-1,Lyon," + server.Administrator + "\nlej-2,A-2,,\n"},
			{"printers", "/printers", "Name,Asset ID,Site\np1,P-1,Leipzig\n", "Name,Asset ID,Site\np1,P-1,Lyon\np2,P-2,\n"},
			{"assets", "/other_assets", "Name,Asset ID,Site\no1,O-1,Leipzig\n",
				"Name,Asset ID,Site\no1,O-1,Lyon\no2,O-2,\n"},
			{"software", "/softwares", "Name,Version,Manufacturer,Category\nEditor,1,ACME,\n",
				"Name,Version,Manufacturer,Category\nEditor,1,ACME,Tools\nEditor,2,ACME,\n"},
			{"contracts", "/contracts", "Name,Type,Item name,Item version,Quantity\nOffice,SoftwareLicense,Word,2021,10\n",
				"Name,Type,Item name,Item version,Quantity\nOffice,,Word,2021,12\nOffice,,Excel,2021,5\nMail,SoftwareLicense,,,\n"},
			{"risks", "/risks", "Name\nfirst\n", "Name\nsecond\nthird\n"},
			{"articles", "/solutions", "Name,Description\nHow,so\n", "Name,Description\nHow,otherwise\nWhy,since\n"},
			{"tickets", "/tickets", "Subject,Requester,Priority\nFan,x@example.com,High\n",
				"Subject,Requester,Computers\nScreen,x@example.com,lej-1\n"},
		} {
			imported(t, v, one.kind, one.first, nil)
			list := func() string {
				got := c.Do(http.MethodGet, one.path+".xml", "")
				if got.Status != http.StatusOK {
					t.Fatalf("%s: got %d", one.path, got.Status)
				}
				return times.ReplaceAllString(got.Body, "")
			}
			before := list()
			path := imported(t, v, one.kind, one.second, nil)
			if list() == before {
				t.Errorf("%s: the import has changed nothing", one.kind)
			}
			v.Post(path, url.Values{"do": {"undo"}})
			holdsAll(t, one.kind, reach(t, v, path), "taken back, 0 stay", "Taken back")
			if after := list(); after != before {
				t.Errorf("%s: got %s after the way back, want %s", one.kind, after, before)
			}
		}
		mustertest.CheckCounts(t, s.Store())
	})
}

// TestImportUndoTouched leaves what somebody has changed or used since, and says so.
func TestImportUndoTouched(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v, c := s.SignIn(server.Administrator), s.Admin()
		var table strings.Builder
		table.WriteString("Name,Asset ID\n")
		for n := range 120 {
			fmt.Fprintf(&table, "c-%d,A-%d\n", n+1, n+1)
		}
		path := imported(t, v, "computers", table.String(), nil)
		for target, body := range map[string]string{
			"/hardwares/7.xml":  "<hardware><domain>mine</domain></hardware>",
			"/hardwares/60.xml": "<hardware><domain>mine too</domain></hardware>",
		} {
			if got := c.Do(http.MethodPut, target, body); got.Status != http.StatusOK {
				t.Fatalf("%s: got %d: %s", target, got.Status, got.Body)
			}
		}
		ticket := "<ticket><name>Fan</name><hardwares><hardware><id>33</id></hardware></hardwares></ticket>"
		if got := c.Do(http.MethodPost, "/tickets.xml", ticket); got.Status != http.StatusCreated {
			t.Fatalf("a ticket: got %d: %s", got.Status, got.Body)
		}
		if got := c.Do(http.MethodDelete, "/hardwares/90.xml", ""); got.Status != http.StatusOK {
			t.Fatalf("a deleted one: got %d", got.Status)
		}
		v.Post(path, url.Values{"do": {"undo"}})
		body := reach(t, v, path)
		holdsAll(t, "report", body, "116 rows taken back, 3 stay", "the record of 1 row had been deleted by others")
		stay := v.Get(path + "?show=6").Body
		holdsAll(t, "what stays", stay, "c-7<", "c-33<", "c-60<", "somebody has changed it since", "it is used by 1 ticket")
		list := c.Do(http.MethodGet, "/hardwares.xml", "").Body
		holdsAll(t, "what is there", list, "<total_entries>3</total_entries>", "<name>c-7</name>", "<name>c-33</name>")
		audits := c.Do(http.MethodGet, "/audits.xml?record_type=import", "").Body
		holdsAll(t, "audits", audits, "<total_entries>2</total_entries>", "120 added", "taken back: 116 rows, 3 stay; 1 row deleted by others before")
		mustertest.CheckCounts(t, s.Store())
	})
}
