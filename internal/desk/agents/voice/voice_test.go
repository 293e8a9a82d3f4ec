package voice

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

var now = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// TestClaims: which reports wait for a technician, and why.
func TestClaims(t *testing.T) {
	t.Parallel()
	const own, other, revoked = 1, 2, 9
	agent := func(id int64, change ...func(*Agent)) Agent {
		a := Agent{ID: id, Token: own, ReportedAt: now.Add(-24 * time.Hour)}
		for _, f := range change {
			f(&a)
		}
		return a
	}
	keyed, accepted := func(a *Agent) { a.HasKey = true }, func(a *Agent) { a.Accepted = true }
	with := func(token int64) func(*Agent) { return func(a *Agent) { a.Token = token } }
	ago := func(d time.Duration) func(*Agent) { return func(a *Agent) { a.ReportedAt = now.Add(-d) } }
	token := func(id int64) Token { return Token{ID: id} }
	for name, c := range map[string]struct {
		report Report
		want   Reason
	}{
		"a known agent":                          {Report{Agent: agent(1), Token: token(own)}, None},
		"a known agent with another token":       {Report{Agent: agent(1), Token: token(other)}, OtherToken},
		"a known agent whose token is not known": {Report{Agent: agent(1, with(0)), Token: token(other)}, None},
		"a known agent whose token was revoked": {
			Report{Agent: agent(1, with(revoked)), Token: token(other)}, None,
		},
		"a known agent with a replacement": {
			Report{Agent: agent(1), Token: Token{ID: other, Replaces: []int64{own}}}, None,
		},
		"a known agent with a token for new images": {
			Report{Agent: agent(1), Token: Token{ID: other, ForNewImages: true}}, OtherToken,
		},
		"the first agent": {Report{Token: token(own)}, None},
		"a new agent":     {Report{Token: token(own), Others: []Agent{agent(1)}}, None},
		"a new agent with another token": {
			Report{Token: token(other), Others: []Agent{agent(1)}}, OtherToken,
		},
		"a new agent with the token of an older one": {
			Report{Token: token(other), Others: []Agent{agent(1), agent(2, with(other), ago(48*time.Hour))}},
			OtherToken,
		},
		"a new agent with the token of the last one": {
			Report{Token: token(other), Others: []Agent{agent(1), agent(2, with(other), ago(time.Hour))}}, None,
		},
		"a new agent with a replacement": {
			Report{Token: Token{ID: other, Replaces: []int64{own}}, Others: []Agent{agent(1)}}, None,
		},
		"a new agent with a token for new images": {
			Report{Token: Token{ID: other, ForNewImages: true}, Others: []Agent{agent(1)}}, None,
		},
		"a new agent after a month": {
			Report{Token: token(other), Others: []Agent{agent(1, ago(Recent+time.Hour))}}, None,
		},
		"a new agent within a month": {
			Report{Token: token(other), Others: []Agent{agent(1, ago(Recent))}}, OtherToken,
		},
		"beside a key": {
			Report{Token: token(own), Others: []Agent{agent(1, keyed)}}, NoKey,
		},
		"beside a key, accepted": {
			Report{Agent: agent(2, accepted), Token: token(own), Others: []Agent{agent(1, keyed)}}, None,
		},
		"beside a key, accepted, with another token": {
			Report{Agent: agent(2, accepted), Token: token(other), Others: []Agent{agent(1, keyed)}}, OtherToken,
		},
		"without its key": {Report{Agent: agent(1, keyed), Token: token(own)}, NoKey},
		"with the token of the computer": {
			Report{Agent: agent(1, keyed), Token: token(other), Bound: []int64{other}}, None,
		},
		"with another than that of the computer": {
			Report{Agent: agent(1), Token: token(own), Bound: []int64{other}}, OwnToken,
		},
		"with another than that of it, but accepted": {
			Report{Agent: agent(1, accepted), Token: token(own), Bound: []int64{other}}, None,
		},
	} {
		c.report.Now, c.report.Revoked = now, func(token int64) bool { return token == revoked }
		if got := c.report.Claims(); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// A heard is a case of Hear. Sections are words: c for the computer, s for software, p for printers.
type heard struct {
	agent   Agent
	others  []Agent
	reports string
	said    bool
	token   Token

	speaks, unheard, skipped string
	changed                  string // what the others speak for from now on, as id:sections
}

// TestHear: which agent is heard on which section.
func TestHear(t *testing.T) {
	t.Parallel()
	split := func(text string) []string { return strings.Split(text, "") }
	type change = func(*Agent)
	agent := func(id int64, program string, change ...change) Agent {
		a := Agent{ID: id, DeviceID: "d" + string(rune('0'+id)), Program: program, Token: 1,
			ReportedAt: now.Add(-24 * time.Hour)}
		for _, f := range change {
			f(&a)
		}
		return a
	}
	speaks := func(text string) change {
		return func(a *Agent) { a.Speaks = append([]string{}, split(text)...) }
	}
	reported := func(text string) change { return func(a *Agent) { a.Reported = split(text) } }
	silent := func(a *Agent) { a.ReportedAt = now.Add(-Silence - time.Hour) }
	for name, c := range map[string]heard{
		"alone":                                 {agent: agent(0, "O"), reports: "cs", speaks: "cs"},
		"alone, without a section that it told": {agent: agent(1, "O", speaks("csp")), reports: "cs", speaks: "csp"},
		"beside one that speaks": {
			agent: agent(2, "M", speaks("")), others: []Agent{agent(1, "O", speaks("csp"))}, reports: "cs",
			unheard: "cs", skipped: "csp"},
		"beside one that never tells printers": {
			agent: agent(2, "M", speaks("")), others: []Agent{agent(1, "O", speaks("cs"))}, reports: "csp", speaks: "p",
			unheard: "cs", skipped: "cs"},
		"after one fell silent": {
			agent: agent(2, "M", speaks("")), others: []Agent{agent(1, "O", speaks("csp"), silent)}, reports: "cs",
			speaks: "cs", skipped: "p", changed: "1:p"},
		"a technician says so": {
			agent: agent(0, "M"), others: []Agent{agent(1, "O", speaks("csp"))}, said: true, reports: "cs", speaks: "cs",
			skipped: "p", changed: "1:p"},
		"the same program in its place": {
			agent: agent(0, "O"), others: []Agent{agent(1, "O", speaks("csp"))}, reports: "csp", speaks: "csp",
			changed: "1:"},
		"the same program with another token": {
			agent: agent(0, "O"), token: Token{ID: 2}, others: []Agent{agent(1, "O", speaks("csp"))}, reports: "csp",
			unheard: "csp", skipped: "csp"},
		"the same program, but older": {
			agent: agent(1, "O", speaks("")), others: []Agent{agent(2, "O", speaks("csp"))}, reports: "csp",
			unheard: "csp", skipped: "csp"},

		// Nothing is noted yet, as after an upgrade or a merge.
		"not noted, behind the later one": {
			agent: agent(1, "O", reported("csp")), others: []Agent{agent(2, "M", reported("cs"))}, reports: "csp", speaks: "p",
			unheard: "cs", skipped: "cs", changed: "2:cs"},
		"not noted, the later one": {
			agent: agent(2, "M", reported("cs")), others: []Agent{agent(1, "O", reported("csp"))}, reports: "cs", speaks: "cs",
			skipped: "p", changed: "1:p"},
		"not noted, the later one tells more than before": {
			agent: agent(2, "M", reported("cs")), others: []Agent{agent(1, "O", reported("csp"))}, reports: "csp", speaks: "cs",
			unheard: "p", skipped: "p", changed: "1:p"},
		"not noted, and what they told is not known": {
			agent: agent(1, "O"), others: []Agent{agent(2, "M")}, reports: "csp", unheard: "csp", skipped: "csp",
			changed: "2:csp"},
		"not noted, and the later one is silent": {
			agent: agent(1, "O", reported("csp")), others: []Agent{agent(2, "M", reported("cs"), silent)}, reports: "csp",
			speaks: "csp", changed: "2:"},
		"not noted, of three": {
			agent: agent(1, "O", reported("csp")), others: []Agent{agent(2, "M", reported("cs")), agent(3, "G", reported("s"))},
			reports: "csp",
			speaks:  "p", unheard: "cs", skipped: "cs", changed: "2:c 3:s"},
		"not noted of the other alone": {
			agent: agent(2, "M", speaks("s")), others: []Agent{agent(1, "O", reported("csp"))}, reports: "csp", speaks: "s",
			unheard: "cp", skipped: "cp", changed: "1:cp"},
		"not noted, and new": {
			agent: agent(0, "M"), others: []Agent{agent(1, "O", reported("cs"))}, reports: "csp", speaks: "p", unheard: "cs",
			skipped: "cs", changed: "1:cs"},
	} {
		if c.token.ID == 0 {
			c.token.ID = 1
		}
		h := Hearing{Agent: c.agent, Token: c.token, Others: c.others, Sections: split("csp"), Reported: split(c.reports),
			Said: c.said, Now: now}
		v := h.Hear()
		var changed []string
		for _, id := range slices.Sorted(maps.Keys(v.Others)) {
			changed = append(changed, string(rune('0'+id))+":"+strings.Join(v.Others[id], ""))
		}
		got := []string{strings.Join(v.Speaks, ""), strings.Join(v.Unheard, ""), strings.Join(v.Skipped, ""),
			strings.Join(changed, " ")}
		if want := []string{c.speaks, c.unheard, c.skipped, c.changed}; !slices.Equal(got, want) {
			t.Errorf("%s: got that it speaks for, is not heard on, is left out, and others %q, want %q", name,
				got, want)
		}
	}
}
