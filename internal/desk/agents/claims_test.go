package agents_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/agents"
	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/report"
)

// A fleet is a computer that agents report with several tokens.
type fleet struct {
	*office
	t      *testing.T
	tokens map[string]*agents.Token
	who    desk.Caller
	key    string // that the agent was given last
}

func newFleet(t *testing.T, db mustertest.Database) *fleet {
	t.Helper()
	o := openOffice(t, db)
	return &fleet{office: o, t: t, tokens: map[string]*agents.Token{"agents": o.Token}, who: o.Administrator(t)}
}

// A said is a report of the fleet's computer.
type said struct {
	token, program, device, os string
	key                        string // with which it comes, "wanted" when its agent would keep one
	serial                     string // "ABC1234" when empty
}

// report delivers a report.
func (f *fleet) report(r said) agents.Outcome {
	f.t.Helper()
	got, err := f.tryReport(r)
	if err != nil {
		f.t.Fatal(err)
	}
	return got
}

func (f *fleet) tryReport(r said) (agents.Outcome, error) {
	f.t.Helper()
	if r.token != "" && f.tokens[r.token] == nil {
		f.add(agents.NewToken{Name: r.token})
	}
	m := machine{Program: r.program, Device: r.device, Name: "pc", Maker: "Dell Inc.", Serial: r.serial, UUID: uuid1}
	if r.serial == "" {
		m.Serial = "ABC1234"
	} else {
		m.UUID = ""
	}
	m.More = "<HARDWARE><OSNAME>" + r.os + "</OSNAME></HARDWARE>"
	document := m.XML()
	if r.program == report.Own {
		document = strings.Replace(document, "<VERSIONCLIENT></VERSIONCLIENT>",
			"<VERSIONCLIENT>Muster-Agent_v1.0</VERSIONCLIENT>", 1)
	}
	by := agents.Reporter{Token: f.tokens[r.token], Address: "192.0.2.7", Key: f.Agents.Key(r.key),
		WantsKey: r.key != "" && f.Agents.Key(r.key) == nil}
	got, err := f.TryBy(f.t, by, document)
	if got.Key != "" {
		f.key = got.Key
	}
	return got.Outcome, err
}

// add makes an agent token.
func (f *fleet) add(n agents.NewToken) {
	f.t.Helper()
	token, _, err := f.Agents.AddToken(context.Background(), program, n)
	if err != nil {
		f.t.Fatal(err)
	}
	f.tokens[n.Name] = token
}

// claims returns what waits, as computer, token and device id.
func (f *fleet) claims() (all []*inventory.AgentClaim) {
	f.t.Helper()
	all, err := f.Agents.Claims(context.Background(), f.who)
	if err != nil {
		f.t.Fatal(err)
	}
	return all
}

// accept accepts the only claim.
func (f *fleet) accept() {
	f.t.Helper()
	all := f.claims()
	if len(all) != 1 {
		f.t.Fatalf("got %d claims, want one", len(all))
	}
	_, err := f.Agents.AcceptClaim(context.Background(), f.who,
		desk.Target{Kind: inventory.AgentClaims.Schema, ID: all[0].ID})
	if err != nil {
		f.t.Fatal(err)
	}
}

// shows checks the systems of all computers, and how many reports wait.
func (f *fleet) shows(waiting int, systems ...string) {
	f.t.Helper()
	var got []string
	for _, c := range f.Computers(f.t) {
		got = append(got, c.OperatingSystem)
	}
	if !slices.Equal(got, systems) {
		f.t.Errorf("got computers with the systems %q, want %q", got, systems)
	}
	if got := len(f.claims()); got != waiting {
		f.t.Errorf("got %d claims that wait, want %d", got, waiting)
	}
}

// is checks what a report led to.
func (f *fleet) is(got, want agents.Outcome) {
	f.t.Helper()
	if got != want {
		f.t.Errorf("got the outcome %v, want %v", got, want)
	}
}

const (
	day   = 24 * time.Hour
	taken = agents.ReportChanged
	waits = agents.ReportClaimed
)

// TestWhoSpeaks: whose reports of a computer are taken in, and whose wait for a
// technician.
func TestWhoSpeaks(t *testing.T) {
	t.Parallel()
	first := said{token: "agents", device: "d1", os: "System 1"}
	for name, run := range map[string]func(f *fleet){
		"a new agent with the same token": func(f *fleet) {
			f.is(f.report(said{token: "agents", device: "d2", os: "System 2"}), taken)
			f.shows(0, "System 2")
			last := f.Audits(f.t)
			if i := slices.IndexFunc(last, func(a *inventory.Audit) bool {
				return strings.HasPrefix(a.Message, "Reported by a new agent") && a.AgentToken == "agents" &&
					a.Address == "192.0.2.7"
			}); i < 0 {
				f.t.Error("no audit record tells of the new agent")
			}
		},
		"a new agent with another token": func(f *fleet) {
			f.is(f.report(said{token: "other", device: "d2", os: "System 2"}), waits)
			f.shows(1, "System 1")
			f.is(f.report(said{token: "other", device: "d2", os: "System 3"}), waits)
			f.shows(1, "System 1")
			f.accept()
			f.shows(0, "System 3")
			f.is(f.report(said{token: "other", device: "d2", os: "System 4"}), taken)
			f.is(f.report(said{token: "agents", device: "d1", os: "System 5"}), agents.ReportBehind)
			f.shows(0, "System 4")
		},
		"a new agent with another token after a month of silence": func(f *fleet) {
			f.Clock.Advance(31 * day)
			f.is(f.report(said{token: "other", device: "d2", os: "System 2"}), taken)
			f.shows(0, "System 2")
		},
		"the same agent with another token": func(f *fleet) {
			f.is(f.report(said{token: "other", device: "d1", os: "System 2"}), waits)
			f.shows(1, "System 1")
			if err := f.Agents.RevokeTokens(context.Background(), program, []string{"agents"}); err != nil {
				f.t.Fatal(err)
			}
			f.is(f.report(said{token: "other", device: "d1", os: "System 2"}), taken)
			f.shows(0, "System 2")
		},
		"a token that replaces another": func(f *fleet) {
			f.add(agents.NewToken{Name: "other", TokenMarks: agents.TokenMarks{Replaces: []string{"agents"}}})
			f.is(f.report(said{token: "other", device: "d1", os: "System 2"}), taken)
			f.is(f.report(said{token: "other", device: "d2", os: "System 3"}), taken)
			f.shows(0, "System 3")
		},
		"a token that is said to replace another later": func(f *fleet) {
			f.is(f.report(said{token: "other", device: "d2", os: "System 2"}), waits)
			token, err := f.Agents.MarkToken(context.Background(), program, "other",
				agents.TokenMarks{Replaces: []string{"agents"}})
			if err != nil {
				f.t.Fatal(err)
			}
			f.tokens["other"] = token
			f.is(f.report(said{token: "other", device: "d2", os: "System 3"}), taken)
			f.shows(0, "System 3")
		},
		"a token for new images": func(f *fleet) {
			yes := true
			f.add(agents.NewToken{Name: "other", TokenMarks: agents.TokenMarks{ForNewImages: &yes}})
			f.is(f.report(said{token: "other", device: "d1", os: "System 2"}), waits)
			f.is(f.report(said{token: "other", device: "d2", os: "System 3"}), taken)
			f.shows(0, "System 3")
		},
		"a refused claim": func(f *fleet) {
			f.is(f.report(said{token: "other", device: "d2", os: "System 2"}), waits)
			claim := f.claims()[0]
			if _, err := f.Agents.RefuseClaim(context.Background(), f.who,
				desk.Target{Kind: inventory.AgentClaims.Schema, ID: claim.ID}); err != nil {
				f.t.Fatal(err)
			}
			f.is(f.report(said{token: "other", device: "d2", os: "System 3"}), waits)
			f.shows(0, "System 1")
			f.is(f.report(said{token: "other", device: "d3", os: "System 4"}), waits)
			f.shows(1, "System 1")
		},
		"a claim that nobody answers": func(f *fleet) {
			f.is(f.report(said{token: "other", device: "d2", os: "System 2"}), waits)
			f.Clock.Advance(31 * day)
			f.shows(0, "System 1")
		},
		"a claim of a computer that goes": func(f *fleet) {
			f.is(f.report(said{token: "other", device: "d2", os: "System 2"}), waits)
			if _, err := f.Delete(context.Background(), f.who,
				desk.Target{Kind: inventory.Computers.Schema, ID: 1}); err != nil {
				f.t.Fatal(err)
			}
			f.shows(0)
		},
		"a token of one computer": func(f *fleet) {
			f.add(agents.NewToken{Name: "own", ForComputer: "1"})
			f.is(f.report(said{token: "agents", device: "d1", os: "System 2"}), waits)
			f.is(f.report(said{token: "own", device: "d1", os: "System 3"}), taken)
			f.is(f.report(said{token: "own", device: "d2", os: "System 4"}), taken)
			f.shows(0, "System 4")
			_, err := f.tryReport(said{token: "own", device: "d3", os: "System 5", serial: "XYZ9999"})
			if e, ok := errors.AsType[*desk.Error](err); !ok || e.Code != desk.Forbidden {
				f.t.Errorf("another computer with the token: got the error %v, want that it is refused", err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
				f := newFleet(t, db)
				f.is(f.report(first), agents.ReportNew)
				f.Clock.Advance(day)
				run(f)
			})
		})
	}
}

// TestAgentKeys: a computer whose agent has a key of its own takes reports by it
// alone.
func TestAgentKeys(t *testing.T) {
	t.Parallel()
	first := said{token: "agents", program: report.Own, device: "d1", os: "System 1", key: "wanted"}
	for name, run := range map[string]func(f *fleet){
		"another agent": func(f *fleet) {
			f.is(f.report(said{token: "agents", device: "d2", os: "System 3"}), waits)
			f.shows(1, "System 2")
			f.accept()
			f.shows(0, "System 3")
			f.is(f.report(said{token: "agents", device: "d2", os: "System 4"}), taken)
			f.is(f.report(said{token: "agents", program: report.Own, device: "d1", os: "System 5", key: f.key}),
				agents.ReportBehind)
			f.shows(0, "System 4")
		},
		"the agent without its key": func(f *fleet) {
			old := f.key
			f.is(f.report(said{token: "agents", program: report.Own, device: "d1", os: "System 3", key: "wanted"}),
				waits)
			f.accept()
			f.is(f.report(said{token: "agents", program: report.Own, device: "d1", os: "System 4", key: "wanted"}),
				taken)
			if f.key == old {
				f.t.Error("got no new key")
			}
			f.is(f.report(said{token: "agents", program: report.Own, device: "d1", os: "System 5", key: f.key}), taken)
			f.is(f.report(said{token: "agents", program: report.Own, device: "d1", os: "System 6", key: old}), waits)
			f.shows(1, "System 5")
		},
		"the computer set up anew": func(f *fleet) {
			f.is(f.report(said{token: "agents", program: report.Own, device: "d2", os: "System 3", key: "wanted"}),
				waits)
			f.accept()
			f.is(f.report(said{token: "agents", program: report.Own, device: "d2", os: "System 4", key: "wanted"}),
				taken)
			f.is(f.report(said{token: "agents", program: report.Own, device: "d2", os: "System 5", key: f.key}), taken)
			f.shows(0, "System 5")
		},
		"a copy of the disk": func(f *fleet) {
			f.is(f.report(said{token: "agents", program: report.Own, device: "d1", os: "System 3", key: f.key,
				serial: "XYZ9999"}), agents.ReportNew)
			f.shows(0, "System 2", "System 3")
		},
		"a revoked token": func(f *fleet) {
			if err := f.Agents.RevokeTokens(context.Background(), program, []string{"agents"}); err != nil {
				f.t.Fatal(err)
			}
			f.is(f.report(said{program: report.Own, device: "d1", os: "System 3", key: f.key}), taken)
			f.shows(0, "System 3")
		},
	} {
		t.Run(name, func(t *testing.T) {
			mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
				f := newFleet(t, db)
				f.is(f.report(first), agents.ReportNew)
				lost := f.key // as when the answer does not arrive
				again := first
				again.os = "System 1b"
				f.is(f.report(again), taken)
				if f.key == "" || f.key == lost {
					t.Fatalf("got the keys %q and %q, want two", lost, f.key)
				}
				f.is(f.report(said{token: "agents", program: report.Own, device: "d1", os: "System 2", key: f.key}),
					taken)
				f.Clock.Advance(day)
				run(f)
			})
		})
	}
}
