//go:build full && volume

package main_test

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"slices"

	"muster/internal/mustertest"
)

// A stored is a computer as the server shows it.
type stored struct {
	ID     int64    `xml:"id"`
	Name   string   `xml:"name"`
	Tag    string   `xml:"tag"`
	Notes  string   `xml:"notes"`
	Videos []string `xml:"videos>video>name"`
}

// check compares the ledger with what the server has, stops it and looks into
// the database.
func (l *ledger) check(s *service, database string) {
	l.t.Helper()
	c := s.client(admin, l.password)
	there := l.list(c)
	want := rows{}
	for _, e := range l.entries {
		id := there[e.name]
		switch {
		case id == 0 && e.id == 0: // its creation was in doubt and did not happen
			continue
		case id == 0 && e.deletion != "":
			want[gone]++
		case id == 0 || e.id != 0 && id != e.id:
			l.t.Errorf("%s was acknowledged as %d and is there as %d", e.name, e.id, id)
		case e.deletion == acknowledged:
			l.t.Errorf("%s was deleted and is there as %d", e.name, id)
		default:
			want[live]++
			l.compare(c, e, id)
		}
		if e.key != "" {
			want[keys]++
		}
		delete(there, e.name)
	}
	if len(there) > 0 {
		l.t.Errorf("nobody has written %v", there)
	}
	if status := s.stop(); status != 0 {
		l.t.Errorf("exit status: got %d, want 0", status)
	}
	want[wrongLive], want[wrongGone] = 0, 0
	want.check(l.t, database)
}

// list returns the ids of all computers by their names.
func (l *ledger) list(c *mustertest.Client) map[string]int64 {
	l.t.Helper()
	there := map[string]int64{}
	for after, more := int64(0), true; more; {
		var list struct {
			Records []stored `xml:"hardware"`
		}
		l.parse(c, fmt.Sprintf("/hardwares.xml?per_page=1000&after=%d", after), &list)
		for _, rec := range list.Records {
			if there[rec.Name] != 0 {
				l.t.Errorf("%s is there twice, as %d and %d", rec.Name, there[rec.Name], rec.ID)
			}
			there[rec.Name], after = rec.ID, rec.ID
		}
		more = len(list.Records) > 0
	}
	return there
}

// compare looks at one computer.
func (l *ledger) compare(c *mustertest.Client, e *entry, id int64) {
	l.t.Helper()
	var rec stored
	l.parse(c, fmt.Sprintf("/hardwares/%d.xml", id), &rec)
	if rec.Tag != e.payload && (e.doubtful == "" || rec.Tag != e.doubtful) {
		l.t.Errorf("%s: got %q, want the acknowledged %q (or %q, in doubt)", e.name, rec.Tag, e.payload, e.doubtful)
	}
	if rec.Name != e.name || rec.Notes != rec.Tag || !slices.Equal(rec.Videos, []string{rec.Tag, rec.Tag}) {
		l.t.Errorf("%s: got %+v, which is not whole", e.name, rec)
	}
}

func (l *ledger) parse(c *mustertest.Client, path string, into any) {
	l.t.Helper()
	got := c.Get(path)
	if err := xml.Unmarshal([]byte(got.Body), into); err != nil || got.Status != http.StatusOK {
		l.t.Fatalf("%s: got %d, %v, want 200", path, got.Status, err)
	}
}

// trails are the audit records of each computer, by what was done. A computer
// that is there has one of its creation and one of each change, whose number
// ends its tag; one that is gone has been created, changed twice and deleted.
const trails = ` FROM (SELECT record_id AS id,
	SUM(CASE WHEN action = 'create' THEN 1 ELSE 0 END) AS created,
	SUM(CASE WHEN action = 'update' THEN 1 ELSE 0 END) AS updated,
	SUM(CASE WHEN action = 'delete' THEN 1 ELSE 0 END) AS deleted
	FROM audits WHERE record_type = 'hardware' GROUP BY record_id) t LEFT JOIN hardwares h ON h.id = t.id `

// What the database must have.
const (
	live      = "SELECT COUNT(*) FROM hardwares"
	gone      = "SELECT COUNT(*)" + trails + "WHERE h.id IS NULL"
	keys      = "SELECT COUNT(*) FROM creations WHERE record_id > 0"
	wrongLive = `SELECT (SELECT COUNT(*) FROM hardwares WHERE id NOT IN (SELECT record_id FROM audits WHERE record_type = 'hardware')) + COUNT(*)` +
		trails + "WHERE h.id IS NOT NULL AND (created <> 1 OR deleted <> 0 OR updated <> CAST(substr(h.tag, length(h.tag)) AS INTEGER))"
	wrongGone = "SELECT COUNT(*)" + trails + "WHERE h.id IS NULL AND (created <> 1 OR updated <> 2 OR deleted <> 1)"
)
