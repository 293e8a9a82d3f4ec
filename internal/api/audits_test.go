package api_test

import (
	"encoding/xml"
	"fmt"
	"testing"
	"time"

	"muster/internal/mustertest"
)

// A feed is a list of audit records as a client reads it.
type feed struct {
	Total  int `xml:"total_entries"`
	Audits []struct {
		ID      int64  `xml:"id"`
		Message string `xml:"message"`
		Href    string `xml:"record-href"`
		User    string `xml:"user>email"`
	} `xml:"audit"`
}

// messages returns what the audit records of a list say.
func messages(t *testing.T, c *mustertest.Client, target string) (texts []string) {
	t.Helper()
	got := c.Get(target)
	var f feed
	if err := xml.Unmarshal([]byte(got.Body), &f); err != nil || got.Status != 200 {
		t.Fatalf("%s: got %d, %v\n%s", target, got.Status, err, got.Body)
	}
	equal(t, target+": total", f.Total, len(f.Audits))
	for _, a := range f.Audits {
		texts = append(texts, a.Message)
	}
	return texts
}

// TestAuditTrail reads the audit trail: everybody sees their own change at once,
// a computer has its own among its audits, and they stay when it is gone.
func TestAuditTrail(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		c := s.Admin()
		before := len(s.Audits())
		steps := []struct {
			method, target, body string
			want                 string
		}{
			{"POST", "/hardwares", "<hardware><name>PC</name></hardware>", "Computer PC created"},
			{"PUT", "/hardwares/1", "<hardware><status>In Repair</status><tag>new</tag></hardware>",
				"Status changed from Operational to In Repair; Tag set to new"},
			{"POST", "/hardwares/1/tickets", "<ticket><name>Help</name></ticket>", "Ticket Help created"},
			{"POST", "/risks", "<risk><name>Old</name><affected-assets><affected-asset><asset-type>hardware</asset-type><id>1</id></affected-asset></affected-assets></risk>", "Risk Old created"},
			{"PUT", "/tickets/1", "<ticket><priority>High</priority></ticket>", "Priority changed from Medium to High"},
			{"POST", "/vendors", "<vendor><name>Acme</name></vendor>", "Vendor Acme created"},
		}
		for i, step := range steps {
			s.Clock.Advance(time.Minute)
			if got := c.Do(step.method, step.target, step.body); got.Status > 201 {
				t.Fatalf("%s %s: got %d %s", step.method, step.target, got.Status, got.Body)
			}
			got := c.Get(fmt.Sprintf("/audits.xml?after=%d", before+i))
			var f feed
			if err := xml.Unmarshal([]byte(got.Body), &f); err != nil || len(f.Audits) != 1 ||
				f.Audits[0].Message != step.want || f.Audits[0].ID != int64(before+i+1) {
				t.Errorf("%s %s: got %v\n%s\nwant %q", step.method, step.target, err, got.Body, step.want)
			}
		}
		want := []string{steps[0].want, steps[1].want, steps[2].want, steps[3].want}
		equal(t, "a computer's audits", messages(t, c, "/hardwares/1/audits.xml"), want)
		equal(t, "its changes", messages(t, c, "/hardwares/1/audits.xml?action=update"), want[1:2])
		equal(t, "from a time", messages(t, c, "/audits.xml?created_at_from=2026-01-31T09:35:00Z"),
			[]string{steps[4].want, steps[5].want})
		equal(t, "up to a time", messages(t, c, "/hardwares/1/audits.xml?created_at_to=2026-01-31T09:31:00Z"), want[:1])
		for _, call := range [][2]string{{"POST", "/audits"}, {"PUT", "/audits/1"}, {"DELETE", "/audits/1"}, {
			"POST", "/hardwares/1/audits",
		}} {
			got := c.Do(call[0], call[1], "<audit><message>nothing</message></audit>")
			equal(t, call[0]+" "+call[1], got.Status, 405)
			equal(t, "Allow of "+call[1], got.Header.Get("Allow"), "GET, HEAD, OPTIONS")
		}
		if got := c.Do("DELETE", "/hardwares/1", ""); got.Status != 200 {
			t.Fatalf("DELETE: got %d %s", got.Status, got.Body)
		}
		equal(t, "the audits of a computer that is gone", c.Get("/hardwares/1/audits.xml").Status, 404)
		equal(t, "its records in the trail", len(messages(t, c, "/audits.xml?record_type=hardware&record_id=1")), 3)
	})
}
