//go:build full

package intake_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// dated returns the report of a computer with a mark, made at a time by the agent's clock; zero for one
// without a time.
func dated(mark string, at time.Time) []byte {
	log := ""
	if !at.IsZero() {
		log = "<ACCESSLOG><USERID>N/A</USERID><LOGDATE>" + at.Format(time.DateTime) + "</LOGDATE></ACCESSLOG>"
	}
	return deflated(inventory("pc-1", fmt.Sprintf("%s<HARDWARE><NAME>pc</NAME><WORKGROUP>%s</WORKGROUP></HARDWARE>",
		log, mark)))
}

// TestOldReports: a report that was made more than 26 hours before the agent's last one changes nothing, and
// is noted, unless the agent's clock was wrong.
func TestOldReports(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for _, c := range []struct {
		name string
		// how far the agent's clock is behind ours, for the report that counts and for the next
		first, later time.Duration
		undated      bool // neither has a time
		old          bool
	}{
		{"made before", 0, -3 * day, false, true},
		{"in another zone", 12 * time.Hour, -12 * time.Hour, false, false},
		{"made before, in a zone ahead", 12 * time.Hour, -28 * time.Hour, false, true},
		{"a clock put right", 30 * day, 0, false, false},
		{"a clock still wrong", -300 * day, -302 * day, false, false},
		{"without a time", 0, 0, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
				s := start(t, db, nil)
				a := newAgent(t, s)
				at := func(ahead time.Duration) time.Time {
					if c.undated {
						return time.Time{}
					}
					return s.Clock.Now().Add(ahead)
				}
				a.post(dated("first", at(c.first))).expect(t, "first", http.StatusOK, taken)
				s.Clock.Advance(time.Hour)
				a.post(dated("later", at(c.later))).expect(t, "later", http.StatusOK, taken)
				want := "later"
				if c.old {
					want = "first"
				}
				marked(t, s, want)
				if got := reports(s)["old"] == 1; got != c.old {
					t.Errorf("got old %t, want %t", got, c.old)
				}
				page := s.SignIn(server.Administrator).Get("/app/agents/refused")
				if noted := strings.Contains(page.Body, "more than 26 hours before"); noted != c.old {
					t.Errorf("got noted %t, want %t", noted, c.old)
				}
			})
		})
	}
}

// TestMissingSections: a section that a report lacks though the agent's last one had it stays, is listed with the
// agent, and is removed when it is missing twice in a row.
func TestMissingSections(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		a := newAgent(t, s)
		const sounds, drives, software = "<SOUNDS><NAME>HDA</NAME></SOUNDS>",
			"<DRIVES><LETTER>C:</LETTER><TOTAL>100</TOTAL></DRIVES>", "<SOFTWARES><NAME>Editor</NAME></SOFTWARES>"
		admin, visitor := s.Admin(), s.SignIn(server.Administrator)
		for i, step := range []struct{ sections, has, kept string }{
			{sounds + drives + software, "HDA C: Editor", ""},
			{drives + software, "HDA C: Editor", "Sounds"},
			{drives + software, "C: Editor", ""},
			{sounds + drives + software, "HDA C: Editor", ""},
			{sounds + drives, "HDA C: Editor", "Software"},
			{sounds + drives + software, "HDA C: Editor", ""},
			{sounds + drives, "HDA C: Editor", "Software"},
			{sounds, "HDA C:", "Drives"},
			{sounds + drives, "HDA C:", ""},
		} {
			a.post(deflated(inventory("pc-1", "<HARDWARE><NAME>pc</NAME></HARDWARE>"+step.sections))).expect(t,
				"report", http.StatusOK, taken)
			body := admin.Get("/hardwares/1.xml?include=softwares").Body
			var has []string
			for _, part := range []string{"HDA", "C:", "Editor"} {
				if strings.Contains(body, "<name>"+part+"</name>") {
					has = append(has, part)
				}
			}
			if got := strings.Join(has, " "); got != step.has {
				t.Errorf("report %d: got %q, want %q", i, got, step.has)
			}
			_, kept, _ := strings.Cut(visitor.Get("/app/agents").Body, "Missing from the last report, but kept: ")
			if kept, _, _ = strings.Cut(kept, "<"); kept != step.kept {
				t.Errorf("report %d: got %q kept, want %q", i, kept, step.kept)
			}
		}
	})
}
