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

// limited starts a server with the limits that are usual.
func limited(t *testing.T, db mustertest.Database) *mustertest.Server {
	t.Helper()
	return start(t, db, func(cfg *server.Config) { cfg.RateLimit = 200 })
}

// set changes a setting.
func set(s *mustertest.Server, name, value string) {
	s.Settings(server.SettingCommand{Do: "set", Name: name, Value: value})
}

// tooMany compares an answer with 429.
func (got answer) tooMany(t *testing.T, what, reason, after string) {
	t.Helper()
	got.refuses(t, what, http.StatusTooManyRequests, reason)
	if got := got.header.Get("Retry-After"); got != after {
		t.Errorf("%s: got Retry-After %q, want %q", what, got, after)
	}
}

// TestReportsOfComputer takes a number of reports a minute of each computer, changed or not.
func TestReportsOfComputer(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := limited(t, db)
		a := newAgent(t, s)
		for i := range 2 {
			a.post(deflated(small(i))).expect(t, "a new computer", http.StatusOK, taken)
		}
		changed := func(name string) []byte {
			return deflated(inventory("pc0-2026-01-02-03-04-05",
				"<HARDWARE><NAME>"+name+
					"</NAME></HARDWARE><BIOS><SMANUFACTURER>Acme</SMANUFACTURER><SSN>SN-000000</SSN></BIOS>"))
		}
		for range 9 {
			a.post(deflated(small(0))).expect(t, "the same again", http.StatusOK, taken)
		}
		s.Clock.Advance(20 * time.Second)
		a.post(changed("other")).expect(t, "another", http.StatusOK, taken)
		a.post(changed("third")).tooMany(t, "the 11th", "has sent 10 reports in a minute", "40")
		a.post(changed("other")).tooMany(t, "the 12th, unchanged", "has sent 10 reports in a minute", "40")
		a.post(deflated(ask("pc0-2026-01-02-03-04-05"))).expect(t, "a question", http.StatusOK, send)
		a.post(deflated(small(1))).expect(t, "another computer", http.StatusOK, taken)
		s.Clock.Advance(40 * time.Second)
		a.post(changed("third")).expect(t, "a minute later", http.StatusOK, taken)
		set(s, "agent-reports", "1")
		a.post(changed("third")).tooMany(t, "with another limit", "has sent 1 reports in a minute", "60")
		set(s, "agent-reports", "0")
		a.post(changed("third")).expect(t, "without a limit", http.StatusOK, taken)
		if got := reports(s)["limited"]; got != 3 {
			t.Errorf("got %v limited reports in the metrics, want 3", got)
		}
	})
}

// TestReportsOfOthers: reports of a computer with another token, which wait, are counted apart, and keep none
// of its own out.
func TestReportsOfOthers(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := limited(t, db)
		own, other, third := newAgent(t, s), newAgent(t, s), newAgent(t, s)
		claim := func(i int) []byte {
			return deflated(strings.ReplaceAll(small(0), "pc0-2026", fmt.Sprintf("other%d-2026", i)))
		}
		own.post(deflated(small(0))).expect(t, "its own", http.StatusOK, taken)
		for i := range 10 {
			other.post(claim(i)).expect(t, "one that waits", http.StatusOK, taken)
		}
		other.post(claim(10)).tooMany(t, "the 11th that waits",
			"has sent 10 reports of this computer in a minute, which wait to be accepted", "60")
		third.post(claim(11)).expect(t, "one with a third token", http.StatusOK, taken)
		for i := range 10 {
			own.post(deflated(strings.Replace(small(0), "<NAME>pc0", fmt.Sprintf("<NAME>renamed%d", i), 1))).expect(t,
				"its own", http.StatusOK, taken)
		}
		own.post(deflated(small(0))).tooMany(t, "its own 11th", "has sent 10 reports in a minute", "60")
		s.Clock.Advance(time.Minute)
		other.post(claim(12)).expect(t, "one that waits, a minute later", http.StatusOK, taken)
	})
}

// TestNewComputers takes a number of new computers a minute and a day of each token; known ones report all the same.
func TestNewComputers(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := limited(t, db)
		set(s, "agent-computers", "10")
		set(s, "agent-computers-per-day", "25")
		a, other := newAgent(t, s), newAgent(t, s)
		next := 0
		brings := func(what string, taken int, reason, after string) {
			t.Helper()
			for range taken {
				if got := a.post(deflated(small(next))); got.status != http.StatusOK {
					t.Errorf("%s: computer %d: got %d %s, want 200", what, next, got.status, got.text)
				}
				next++
			}
			for range 5 {
				a.post(deflated(small(1_000+next))).tooMany(t, what, reason, after)
				next++
			}
		}
		brings("at first", 10, "has brought 10 new computers in a minute", "60")
		a.post(deflated(small(0))).expect(t, "a known one", http.StatusOK, taken)
		other.post(deflated(small(500))).expect(t, "by another token", http.StatusOK, taken)
		s.Clock.Advance(time.Minute)
		brings("a minute later", 10, "has brought 10 new computers in a minute", "60")
		s.Clock.Advance(time.Minute)
		brings("two minutes later", 5,
			"has brought 25 new computers in a day: an administrator can allow more with muster setting set agent-computers-per-day", "86280")
		s.Clock.Advance(24 * time.Hour)
		brings("the next day", 10, "has brought 10 new computers in a minute", "60")
		if got := computers(t, s); got != "36" {
			t.Errorf("got %s computers, want 36", got)
		}
	})
}

// TestUnlimited turns these limits off with those of users.
func TestUnlimited(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite, nil)
	set(s, "agent-computers", "1")
	set(s, "agent-reports", "1")
	a := newAgent(t, s)
	for i := range 6 {
		a.post(deflated(small(i/3))).expect(t, "a report", http.StatusOK, taken)
	}
}
