package api_test

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// changesOf returns so many changes whose values are of so many characters.
func changesOf(n, characters int) (all []inventory.AuditChange) {
	for i := range n {
		number := fmt.Sprintf("%05d", i)
		all = append(all, inventory.AuditChange{
			Field: "notes", From: number, To: number + strings.Repeat("ö", characters-len(number)),
		})
	}
	return all
}

// addAudits adds records with these changes to the trail.
func addAudits(t *testing.T, s *mustertest.Server, changes ...[]inventory.AuditChange) {
	t.Helper()
	ctx := context.Background()
	recs := make([]any, len(changes))
	for i := range changes {
		recs[i] = &inventory.Audit{
			Action: inventory.Reported, Message: "many", RecordType: "none", Origin: "agent", Changes: changes[i],
		}
	}
	err := s.Store().Update(ctx,
		func(tx *store.Tx) error { return tx.Append(ctx, inventory.Audits.Schema, recs, s.Clock.Now()) })
	if err != nil {
		t.Fatal(err)
	}
}

// A listedAudit is an audit record as a client reads it.
type listedAudit struct {
	ID      int64    `xml:"id" json:"id"`
	To      []string `xml:"changes>change>to" json:"-"`
	Changes []struct {
		To string `json:"to"`
	} `xml:"-" json:"changes"`
	Total int `xml:"changes-total" json:"changes_total"`
}

// TestManyChanges: a page of audit records has all records that are asked for, each
// with as many changes as there is room for, however many and long they are.
func TestManyChanges(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		c := s.Admin()
		before := len(s.Audits())
		many := changesOf(4000, 30)
		var all [][]inventory.AuditChange
		for range 23 {
			all = append(all, many)
		}
		addAudits(t, s, append(all, changesOf(12, 30_000), changesOf(3, 2000))...)
		read := func(target string, document any) int {
			t.Helper()
			got := c.Get(target)
			err := xml.Unmarshal([]byte(got.Body), document)
			if strings.Contains(target, ".json") {
				err = json.Unmarshal([]byte(got.Body), document)
			}
			if got.Status != 200 || err != nil || len(got.Body) > 4_000_000 {
				t.Fatalf("%s: got %d, %v, %d bytes", target, got.Status, err, len(got.Body))
			}
			return len(got.Body)
		}
		var page struct {
			Audits []listedAudit `xml:"audit"`
		}
		target := fmt.Sprintf("/audits.xml?after=%d", before)
		size := read(target, &page)
		if len(page.Audits) != 25 || size < 3_000_000 {
			t.Errorf("got %d records in %d bytes, want 25 in nearly 4 MB", len(page.Audits), size)
		}
		for _, a := range page.Audits[:23] {
			if a.Total != 4000 || len(a.To) < 800 || a.To[799] != many[799].To {
				t.Fatalf("got %d of %d changes, want some of 4000", len(a.To), a.Total)
			}
		}
		for i, want := range []struct{ shown, total, letters int }{{10, 12, 2001}, {3, 3, 2000}} {
			a := page.Audits[23+i]
			if len(a.To) != want.shown || a.Total != want.total || len([]rune(a.To[0])) != want.letters ||
				strings.HasSuffix(a.To[0], "…") != (want.letters > 2000) {
				t.Errorf("got %d of %d changes, a value of %d characters; want %v", len(a.To), a.Total,
					len([]rune(a.To[0])), want)
			}
		}
		again := c.Get(target)
		equal(t, "the tag of the page again", again.Header.Get("ETag"), c.Get(target).Header.Get("ETag"))

		var few struct {
			Audits []listedAudit `json:"audits"`
		}
		read(fmt.Sprintf("/audits.json?per_page=2&after=%d", before+21), &few)
		equal(t, "changes of a page of two", [2]int{len(few.Audits[0].Changes), len(few.Audits[1].Changes)},
			[2]int{4000, 4000})
		read(fmt.Sprintf("/audits.json?per_page=1000&after=%d", before), &few)
		if got := len(few.Audits[0].Changes); len(few.Audits) != 25 || got < 10 || got > 40 {
			t.Errorf("got %d records, %d changes; want a thousandth of the page each", len(few.Audits), got)
		}

		var one listedAudit
		read(fmt.Sprintf("/audits/%d.xml", before+24), &one)
		equal(t, "a long value of a record of its own", [2]int{len(one.To), len([]rune(one.To[0]))}, [2]int{12, 30_000})
		addAudits(t, s, changesOf(30_000, 50))
		one = listedAudit{}
		read(fmt.Sprintf("/audits/%d.xml", before+26), &one)
		if one.Total != 30_000 || len(one.To) < 15_000 || len(one.To) >= one.Total {
			t.Errorf("got %d of %d changes of one record, want some of 30000", len(one.To), one.Total)
		}
	})
}

// TestBriefAudits reads the trail without changes, as those do who poll it, and with them in between.
func TestBriefAudits(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		c := s.Admin()
		before := len(s.Audits())
		totals := []int{4000, 12, 0}
		addAudits(t, s, changesOf(totals[0], 30), changesOf(totals[1], 3000), changesOf(totals[2], 0))
		path := fmt.Sprintf("/audits.xml?after=%d&per_page=2", before)
		read := func(target string) (all []listedAudit, size int) {
			t.Helper()
			got := c.Get(target)
			var page struct {
				Audits []listedAudit `xml:"audit" json:"audits"`
			}
			err := xml.Unmarshal([]byte(got.Body), &page)
			if strings.Contains(target, ".json") {
				err = json.Unmarshal([]byte(got.Body), &page)
			}
			if got.Status != 200 || err != nil {
				t.Fatalf("%s: got %d, %v: %.500s", target, got.Status, err, got.Body)
			}
			return page.Audits, len(got.Body)
		}
		for range 2 { // the second time from memory
			brief, size := read(path + "&view=brief")
			for i, a := range brief {
				equal(t, "a brief record", [2]int{a.Total, len(a.To)}, [2]int{totals[i], 0})
			}
			if whole, long := read(path); len(whole) != 2 || len(whole[0].To) != totals[0] || size > 5000 || long < 100_000 {
				t.Errorf("got %d bytes, and %d with %d records, want few, and many with two", size, long, len(whole))
			}
		}
		for _, target := range []string{
			strings.Replace(path, ".xml", ".json", 1) + "&view=brief", path + "&view=brief&q=many",
			path + "&view=brief&origin=agent",
		} {
			brief, _ := read(target)
			if len(brief) != 2 || brief[0].Total != totals[0] || len(brief[0].To)+len(brief[0].Changes) != 0 {
				t.Errorf("%s: got %+v, want two records without changes", target, brief)
			}
		}
		if got := c.Get(path + "&view=brief").Header.Get("Link"); !strings.Contains(got, "view=brief") {
			t.Errorf("got Link %q, want one that keeps the view", got)
		}
		one, _ := read("/audits.xml?view=brief&per_page=1&page=1")
		equal(t, "records of a page of one", len(one), 1)
		for target, want := range map[string]string{
			path + "&view=short":            `view must be brief, not "short"`,
			path + "&view=brief&view=brief": `view must be brief, not "brief and brief"`,
			"/tickets.xml?view=brief":       "unknown parameter view",
		} {
			if got := c.Get(target); got.Status != 400 || !strings.Contains(got.Body, want) {
				t.Errorf("%s: got %d: %s, want 400 and %q", target, got.Status, got.Body, want)
			}
		}
	})
}

// TestChangesOfAudit pages the changes of an audit record.
func TestChangesOfAudit(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		c := s.Admin()
		addAudits(t, s, changesOf(60, 5000))
		path := fmt.Sprintf("/audits/%d/changes", len(s.Audits()))
		got := c.Get(path + ".xml?page=3")
		var page struct {
			Number int      `xml:"page"`
			Total  int      `xml:"total_entries"`
			To     []string `xml:"change>to"`
		}
		if err := xml.Unmarshal([]byte(got.Body), &page); err != nil || got.Status != 200 {
			t.Fatalf("got %d, %v: %s", got.Status, err, got.Body)
		}
		equal(t, "the page", [3]int{page.Number, page.Total, len(page.To)}, [3]int{3, 60, 10})
		equal(t, "its first value", [2]any{len([]rune(page.To[0])), page.To[0][:5]}, [2]any{5000, "00050"})
		equal(t, "X-Total-Count", got.Header.Get("X-Total-Count"), "60")
		equal(t, "Link", got.Header.Get("Link"),
			fmt.Sprintf(`<%[1]s?page=1>; rel="first", <%[1]s?page=2>; rel="prev", <%[1]s?page=3>; rel="last"`,
				s.Base+path+".xml"))
		var object struct {
			Changes []inventory.AuditChange `json:"changes"`
		}
		if err := json.Unmarshal([]byte(c.Get(path+".json?per_page=1000").Body), &object); err != nil ||
			len(object.Changes) != 60 {
			t.Errorf("got %d changes in JSON, %v", len(object.Changes), err)
		}
		for target, status := range map[string]int{
			path + "?page=4": 200, path + "?page=0": 400, path + "?after=1": 400, path + "?q=x": 400,
			path + "?sort_by=field": 400,
			"/audits/99999/changes": 404, "/audits/x/changes": 404,
		} {
			equal(t, target, c.Get(target).Status, status)
		}
		equal(t, "POST", c.Do("POST", path, "<change/>").Status, 405)
		requester := s.AddUser("r@example.com", inventory.Requester, false)
		equal(t, "for requesters", requester.Get(path).Status, requester.Get("/audits/1").Status)
	})
}
