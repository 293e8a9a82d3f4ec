package agents_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"muster/internal/desk/agents"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/report"
)

// programsOf is a computer with programs by their numbers, of one name or of several.
func programsOf(computer int, name string, from, to int) machine {
	var all strings.Builder
	for i := from; i < to; i++ {
		all.WriteString(programXML(fmt.Sprintf("%s %05d", name, i), "1", ""))
	}
	return machine{
		Device: fmt.Sprint("pc-", computer), Name: fmt.Sprint("pc", computer), Maker: "Dell Inc.",
		Serial: fmt.Sprint("NAMES00", computer),
		UUID:   fmt.Sprintf("%08d%s", computer+1, uuid1[8:]), MAC: fmt.Sprintf("00:1B:21:AA:CC:%02d", computer),
		More: all.String(),
	}
}

// softwareRecords returns how much software there is.
func (o *office) softwareRecords(t *testing.T) int {
	t.Helper()
	page, err := o.List(context.Background(), program, inventory.Softwares.Schema, &kind.Query{Page: 1, PerPage: 1})
	if err != nil {
		t.Fatal(err)
	}
	return page.Total
}

// limitNames sets the limits of new names.
func (o *office) limitNames(t *testing.T, computer, token, perComputer int) {
	t.Helper()
	who := o.Administrator(t)
	for name, value := range map[string]int{
		"agent-names-per-day": computer, "agent-token-names-per-day": token,
		"agent-token-names-per-computer": perComputer,
	} {
		if err := o.Settings().Set(context.Background(), who, name, fmt.Sprint(value)); err != nil {
			t.Fatal(err)
		}
	}
}

// leftOut returns how much software a computer has, and how many of its programs a
// limit left out.
func (o *office) leftOut(t *testing.T, computer int64) [2]int {
	t.Helper()
	rec, err := o.Get(context.Background(), program, inventory.Computers.Schema, computer)
	if err != nil {
		t.Fatal(err)
	}
	return [2]int{len(o.installedOn(t, computer)), int(rec.(*inventory.Computer).SoftwaresLeftOut.V)}
}

// TestNewNames: a computer and a token bring so many new names a day. What is beyond
// comes by itself with the reports of the following days.
func TestNewNames(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		o.limitNames(t, 20, 50, 2)
		has := func(what string, computer int64, want [2]int) {
			t.Helper()
			if got := o.leftOut(t, computer); got != want {
				t.Errorf("%s: got %v installed and left out, want %v", what, got, want)
			}
		}
		first := programsOf(1, "a", 0, 45).XML()
		o.Deliver(t, first)
		has("a new computer", 1, [2]int{20, 25})
		o.Deliver(t, first)
		has("the same again", 1, [2]int{20, 25})
		o.Clock.Advance(24 * time.Hour)
		o.Deliver(t, first)
		has("the next day", 1, [2]int{40, 5})
		o.Restart(t)
		o.Deliver(t, first)
		has("after a restart", 1, [2]int{40, 5})
		o.Clock.Advance(24 * time.Hour)
		o.Deliver(t, first)
		has("the third day", 1, [2]int{45, 0})
		if out := o.Deliver(t, first); out != agents.ReportUnchanged {
			t.Errorf("all of it again: got %v, want unchanged", out)
		}

		o.Deliver(t, programsOf(2, "a", 0, 45).XML())
		has("names that another computer has", 2, [2]int{45, 0})

		// The token has brought 5 today. It is 50 and 2 for the one computer of before today.
		for i, want := range [][2]int{{20, 10}, {20, 10}, {7, 23}, {0, 30}} {
			o.Deliver(t, programsOf(3+i, fmt.Sprint("b", i), 0, 30).XML())
			has(fmt.Sprint("new computer ", i), int64(3+i), want)
		}
		o.limitNames(t, 0, 0, 0)
		o.Deliver(t, programsOf(5, "b2", 0, 30).XML())
		has("without limits", 5, [2]int{30, 0})
		mustertest.CheckCounts(t, o.Store)
	})
}

// TestNewNamesOfToken: a token may bring more for each computer that it reported before
// today, also when it reported these in the place of another token.
func TestNewNamesOfToken(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		o.limitNames(t, 0, 5, 10)
		by := func(token *agents.Token, m machine) {
			t.Helper()
			if _, err := o.TryBy(t, agents.Reporter{Token: token, Address: "192.0.2.1"}, m.XML()); err != nil {
				t.Fatal(err)
			}
		}
		brings := func(what string, token *agents.Token, computer, want int) {
			t.Helper()
			before := o.softwareRecords(t)
			by(token, programsOf(computer, what, 0, 100))
			if got := o.softwareRecords(t) - before; got != want {
				t.Errorf("%s: got %d new names, want %d", what, got, want)
			}
		}
		for i := range 3 {
			by(o.Token, programsOf(1+i, "", 0, 0))
		}
		brings("computers of the same day", o.Token, 4, 5)
		o.Clock.Advance(24 * time.Hour)
		brings("four computers of the day before", o.Token, 5, 45)

		marks := agents.TokenMarks{Replaces: []string{o.Token.Name}}
		next, _, err := o.Agents.AddToken(context.Background(), program,
			agents.NewToken{Name: "next", TokenMarks: marks})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			by(next, programsOf(1+i, "", 0, 0))
		}
		brings("three computers of the token before", next, 6, 35)
		o.Clock.Advance(24 * time.Hour)
		brings("two computers that are left", o.Token, 7, 25)
	})
}

// TestNewNamesOneByOne: the limit counts also for programs that come one by one.
func TestNewNamesOneByOne(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		o.limitNames(t, 5, 50, 0)
		for n := range 8 {
			o.Deliver(t, programsOf(1, "a", 0, n+1).XML())
			if got, want := o.leftOut(t, 1), [2]int{min(n+1, 5), max(0, n+1-5)}; got != want {
				t.Errorf("%d programs: got %v, want %v", n+1, got, want)
			}
		}
		o.Deliver(t, programsOf(1, "a", 0, 4).XML())
		if got, want := o.leftOut(t, 1), [2]int{4, 0}; got != want {
			t.Errorf("fewer programs: got %v, want %v", got, want)
		}
	})
}

// TestReportLeavesNothing: a report that fails once its software is made leaves none
// of it, in the tables and in memory.
func TestReportLeavesNothing(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		for _, programs := range []int{100, 1200} { // with others, and alone
			body, err := report.Open([]byte(programsOf(1, "a", 0, programs).XML()))
			if err != nil {
				t.Fatal(err)
			}
			m, err := body.Read(report.Source{})
			if err != nil {
				t.Fatal(err)
			}
			m.Report.Computer.Name = "" // which is refused once its software is made
			_, err = o.Agents.Report(context.Background(), agents.Delivery{
				By: agents.Reporter{Token: o.Token}, Report: m.Report, Admit: func(int64, bool) error { return nil },
			})
			if _, refused := errors.AsType[*kind.Invalid](err); !refused {
				t.Errorf("%d programs: got %v, want a refusal", programs, err)
			}
			if n, audits := o.softwareRecords(t), len(o.AuditsOf(t, inventory.Softwares.Item)); n != 0 || audits != 0 {
				t.Errorf("%d programs: got %d software records and %d audit records, want none", programs, n, audits)
			}
			body.Close()
		}
		o.Deliver(t, programsOf(1, "a", 0, 1200).XML())
		if n := o.softwareRecords(t); n != 1200 {
			t.Errorf("got %d software records after all, want 1200", n)
		}
		mustertest.CheckCounts(t, o.Store)
	})
}

// TestLargeChanges: a report that changes very much of its computer is taken in alone,
// others are not.
func TestLargeChanges(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		rows := func(name string, n int) (all string) {
			for i := range n {
				all += fmt.Sprintf("<SOUNDS><NAME>%s %d</NAME></SOUNDS><VIDEOS><NAME>%s %d</NAME></VIDEOS>", name,
					i, name, i)
			}
			return all
		}
		software := programsOf(1, "p", 0, 400).More
		for _, c := range []struct {
			name, more string
			alone      bool
		}{
			{"a new computer", software, false},
			{"an ordinary change", software + rows("a", 20), false},
			{"many rows", software + rows("b", 1100), true},
			{"software of such a computer", rows("b", 1100), false},
			{"other rows", rows("c", 1050), true},
			{"few again", rows("d", 1), true},
			{"few others", rows("e", 2), false},
		} {
			m := programsOf(1, "", 0, 0)
			m.More = c.more
			body, err := report.Open([]byte(m.XML()))
			if err != nil {
				t.Fatal(err)
			}
			read, err := body.Read(report.Source{})
			if err != nil {
				t.Fatal(err)
			}
			alone := false
			in := agents.Delivery{
				By: agents.Reporter{Token: o.Token}, Report: read.Report, Admit: func(int64, bool) error { return nil },
			}
			in.Yield = func() error { alone = true; return nil }
			if _, err := o.Agents.Report(context.Background(), in); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			body.Close()
			if alone != c.alone {
				t.Errorf("%s: got %v, want taken in alone %v", c.name, alone, c.alone)
			}
		}
	})
}
