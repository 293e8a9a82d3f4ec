package agents_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"muster/internal/desk"
	"muster/internal/desk/agents"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
)

// since returns what the audit records from the nth on say, each with its
// changes.
func (o *office) since(t *testing.T, n int) (lines []string) {
	t.Helper()
	for _, a := range o.Audits(t)[n:] {
		line := a.Action + " by " + a.Origin + ": " + a.Message
		for _, c := range a.Changes {
			line += fmt.Sprintf(" {%s: %s -> %s}", c.Field, c.From, c.To)
		}
		lines = append(lines, line)
	}
	return lines
}

// TestReportSentences checks what two reports of one computer with known
// differences say in the audit trail.
func TestReportSentences(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		before := with(laptop, func(m *machine) {
			m.More = slot1 + slot2 + driveXML(500) + programXML("Editor", "1.0", "") + programXML("Game", "3",
				"<INSTALLDATE>03/01/2026</INSTALLDATE>") + programXML("Viewer", "2", "") +
				"<HARDWARE><MEMORY>16384</MEMORY><OSNAME>Windows 10</OSNAME></HARDWARE><PRINTERS><NAME>Office</NAME><PORT>USB001</PORT></PRINTERS>"
		})
		if out := o.Deliver(t, before.XML()); out != agents.ReportNew {
			t.Fatalf("the first report: got %v, want %v", out, agents.ReportNew)
		}
		first := o.Audits(t)
		if len(first) != 1 || first[0].Action != inventory.Created ||
			first[0].Message != "Computer lap created by its first report" {
			t.Fatalf("the first report: got %+v", first)
		}
		if n := len(first[0].Changes); n < 12 {
			t.Errorf("the first report: got %d changes: %v", n, first[0].Changes)
		}
		after := with(laptop, func(m *machine) {
			m.IP = "10.0.7.7"
			m.More = slot1 + slot2x + driveXML(400) + programXML("Editor", "1.1", "") + programXML("Viewer", "2",
				"<FOLDER>C:\\V</FOLDER>") + programXML("Tool", "9", "") +
				"<HARDWARE><MEMORY>24576</MEMORY><OSNAME>Windows 11</OSNAME></HARDWARE><PRINTERS><NAME>Office</NAME><PORT>USB002</PORT></PRINTERS>"
		})
		o.Clock.Advance(24 * time.Hour)
		if out := o.Deliver(t, after.XML()); out != agents.ReportChanged {
			t.Errorf("the second report: got %v, want %v", out, agents.ReportChanged)
		}
		want := []string{
			`report by agent: Operating system changed from Windows 10 to Windows 11 {operating-system: Windows 10 -> Windows 11}`,
			`report by agent: Memory changed from 16384 MB to 24576 MB {memory: 16384 -> 24576}`,
			`report by agent: Memory 8192 MB changed: capacity changed from 8192 MB to 16384 MB {memories: capacity: "8192", slot: "2" -> capacity: "16384", slot: "2"}`,
			`report by agent: Printer removed: Office {printers: name: "Office", port: "USB001" -> }`,
			`report by agent: Printer added: Office {printers:  -> name: "Office", port: "USB002"}`,
			`report by agent: Software Editor 1.0 changed: version changed from 1.0 to 1.1 {softwares: name: "Editor", version: "1.0", manufacturer: "Acme" -> name: "Editor", version: "1.1", manufacturer: "Acme"}`,
			`report by agent: Software removed: Game 3 {softwares: name: "Game", version: "3", manufacturer: "Acme", install-date: "2026-01-03" -> }`,
			`report by agent: Software Viewer 2 changed: install path set to C:\V {softwares: name: "Viewer", version: "2", manufacturer: "Acme" -> name: "Viewer", version: "2", manufacturer: "Acme", install-path: "C:\\V"}`,
			`report by agent: Software added: Tool 9 {softwares:  -> name: "Tool", version: "9", manufacturer: "Acme"}`,
		}
		if diff := cmp.Diff(want, o.since(t, 1)); diff != "" {
			t.Errorf("audit records (-want +got):\n%s", diff)
		}
		addresses := o.Addresses(t, 1)
		want = []string{
			"ip: 10.0.0.5 -> 10.0.7.7",
			`networks: description: "eth0", ip-address: "10.0.0.5", mac-address: "00:1B:21:AA:BB:CC", status: "Up" -> description: "eth0", ip-address: "10.0.7.7", mac-address: "00:1B:21:AA:BB:CC", status: "Up"`,
		}
		if diff := cmp.Diff(want, addresses); diff != "" {
			t.Errorf("history of addresses (-want +got):\n%s", diff)
		}
		mustertest.CheckCounts(t, o.Store)
	})
}

// TestReportUnchanged reports the same in several ways, none of which is a change.
func TestReportUnchanged(t *testing.T) {
	t.Parallel()
	first := with(laptop, func(m *machine) {
		m.More = slot1 + slot2 + driveXML(500) + programXML("Editor", "1.0", "")
	})
	for name, again := range map[string]machine{
		"word for word": first,
		"less free space": with(first,
			func(m *machine) {
				m.More = slot1 + slot2 + driveXML(400) + programXML("Editor", "1.0", "")
			}),
		"rows in other order": with(first,
			func(m *machine) {
				m.More = slot2 + slot1 + driveXML(500) + programXML("Editor", "1.0", "")
			}),
	} {
		t.Run(name, func(t *testing.T) {
			mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
				o := openOffice(t, db)
				o.Deliver(t, first.XML())
				was := o.Computers(t)[0]
				o.Clock.Advance(24 * time.Hour)
				if out := o.Deliver(t, again.XML()); out != agents.ReportUnchanged {
					t.Errorf("got %v, want %v", out, agents.ReportUnchanged)
				}
				is := o.Computers(t)[0]
				if !is.DetectedAt.Equal(o.Clock.Now()) {
					t.Errorf("detected-at: got %v, want %v", is.DetectedAt, o.Clock.Now())
				}
				if is.Version != was.Version || !is.UpdatedAt.Equal(was.UpdatedAt) || len(o.Audits(t)) != 1 {
					t.Errorf("got version %d of %v and %v, want no change", is.Version, is.UpdatedAt, o.since(t, 1))
				}
			})
		})
	}
}

// TestReportMany reports more changes than have a record each.
func TestReportMany(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		list := func(n int, version string) (all string) {
			for i := range n {
				all += programXML(fmt.Sprintf("p%03d", i), version, "")
			}
			return all
		}
		o.Deliver(t, with(laptop, func(m *machine) { m.More = list(60, "1") }).XML())
		o.Deliver(t, with(laptop, func(m *machine) { m.More = list(50, "2") + programXML("last", "1", "") }).XML())
		got := o.Audits(t)[1:]
		const want = "Report with 61 changes: softwares 1 added, 10 removed, 50 changed"
		if len(got) != 1 || got[0].Action != inventory.Reported || got[0].Message != want || len(got[0].Changes) != 61 {
			t.Errorf("got %v, want one record: %s", o.since(t, 1), want)
		}
		mustertest.CheckCounts(t, o.Store)
	})
}

// TestReportDefaults: a new computer has what its token gives, and an asset id.
func TestReportDefaults(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		o.Deliver(t, with(laptop, func(m *machine) { m.More = "<BIOS><ASSETTAG>A-77</ASSETTAG></BIOS>" }).XML())
		o.Deliver(t, machine{
			Device: "d2", Name: "b",
			More: "<BIOS><ASSETTAG>a-77</ASSETTAG></BIOS><ACCOUNTINFO><KEYNAME>TAG</KEYNAME><KEYVALUE>own</KEYVALUE></ACCOUNTINFO>",
		}.XML())
		for i, want := range []inventory.Computer{
			{AssetID: "A-77", Site: "Berlin", Department: "IT", Tag: "rolled-out", Status: "Operational",
				SerialNumber: "PF0ABCDE", Manufacturer: "Lenovo"},
			{AssetID: "MUS-000001", Site: "Berlin", Department: "IT", Tag: "own", Status: "Operational"},
		} {
			c := o.Computers(t)[i]
			got := inventory.Computer{AssetID: c.AssetID, Site: c.Site, Department: c.Department, Tag: c.Tag,
				Status: c.Status, SerialNumber: c.SerialNumber, Manufacturer: c.Manufacturer}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("computer %d (-want +got):\n%s", i+1, diff)
			}
		}
	})
}

// TestSetByPerson: what a person has set stays until they clear it; then the
// agent's last value shows at once.
func TestSetByPerson(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o, ctx, k := openOffice(t, db), context.Background(), inventory.Computers.Schema
		who := o.Administrator(t)
		set := func(document string) {
			t.Helper()
			_, err := o.Update(ctx, who, desk.Target{Kind: k, ID: 1}, func() (*kind.Patch, error) {
				return k.Decode([]byte("<hardware>" + document + "</hardware>"))
			})
			if err != nil {
				t.Fatalf("%v, of %s", err, document)
			}
		}
		shows := func(when, name string, memory, parts int64) {
			t.Helper()
			c := o.Computers(t)[0]
			var sum int64
			for _, m := range c.Memories {
				sum += m.Capacity.V
			}
			if c.Name != name || c.Memory.V != memory || sum != parts {
				t.Errorf("%s: got %s with %d MB in modules of %d, want %s with %d in %d", when, c.Name, c.Memory.V,
					sum, name, memory, parts)
			}
		}
		deliver := func(name string, memory int, parts string) {
			t.Helper()
			o.Deliver(t, with(laptop, func(m *machine) {
				m.Name, m.More = name, fmt.Sprintf("<HARDWARE><MEMORY>%d</MEMORY></HARDWARE>", memory)+parts
			}).XML())
		}
		deliver("lap", 8000, slot1)
		set(`<name>lap</name><memory>8000</memory>`)
		deliver("lap2", 8001, slot1)
		shows("the same as stored is not set", "lap2", 8001, 8192)
		set(`<memory>9000</memory><memories><memory><slot>7</slot><capacity>5</capacity></memory></memories>`)
		deliver("lap3", 8002, slot1+slot2)
		shows("set", "lap3", 9000, 5)
		set(`<notes>unrelated</notes>`)
		shows("another field", "lap3", 9000, 5)
		set(`<memory nil="true"/>`)
		shows("one released", "lap3", 8002, 5)
		deliver("lap3", 8003, slot1+slot2x)
		shows("told again", "lap3", 8003, 5)
		set(`<memories/>`)
		shows("both released", "lap3", 8003, 8192+16384)
		set(`<memory nil="true"/><name/>`)
		shows("nothing to release", "lap3", 8003, 8192+16384)
		set(`<name>mine</name>`)
		deliver("lap4", 8003, slot1+slot2x)
		shows("a name", "mine", 8003, 8192+16384)
		set(`<name/>`)
		shows("the name released", "lap4", 8003, 8192+16384)
	})
}

// TestTypedBefore: a computer that a person has typed in is the one that the
// agent reports, by its serial number, and keeps what they typed.
func TestTypedBefore(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o, ctx, k := openOffice(t, db), context.Background(), inventory.Computers.Schema
		_, _, err := o.Create(ctx, o.Administrator(t), desk.New{Kind: k, Document: func() (*kind.Patch, error) {
			return k.Decode([]byte("<hardware><name>typed</name><serial-number>pf0abcde</serial-number><manufacturer>Lenovo</manufacturer></hardware>"))
		}})
		if err != nil {
			t.Fatal(err)
		}
		if out := o.Deliver(t, with(laptop, func(m *machine) { m.More = slot1 }).XML()); out != agents.ReportChanged {
			t.Errorf("got %v, want %v", out, agents.ReportChanged)
		}
		all := o.Computers(t)
		if len(all) != 1 || all[0].Name != "typed" || len(all[0].Memories) != 1 || all[0].SerialNumber != "pf0abcde" {
			t.Fatalf("got %+v", all)
		}
		if got := o.Audits(t); len(got) != 2 || !strings.HasPrefix(got[1].Message, "First report of typed: ") {
			t.Errorf("got %v", o.since(t, 0))
		}
	})
}

// TestRenamedClone: the agent of a computer that a person has renamed reports
// another serial number, as after a new mainboard: it may be the same computer.
func TestRenamedClone(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o, ctx, k := openOffice(t, db), context.Background(), inventory.Computers.Schema
		o.Deliver(t, laptop.XML())
		_, err := o.Update(ctx, o.Administrator(t), desk.Target{Kind: k, ID: 1}, func() (*kind.Patch, error) {
			return k.Decode([]byte("<hardware><name>of Anna</name></hardware>"))
		})
		if err != nil {
			t.Fatal(err)
		}
		o.Deliver(t, with(laptop, func(m *machine) { m.Serial, m.UUID = "NEW0001", uuid2 }).XML())
		audits := o.Audits(t)
		const want = "Computer lap created by its first report; possible duplicate of computer 1 (of Anna)"
		if got := audits[len(audits)-1].Message; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// TestTwoAgents: of two agents on one computer the one that came first counts, until
// it has been silent for some days, or one of the same program comes in its place.
func TestTwoAgents(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		deliver := func(program, device, os string) agents.Outcome {
			t.Helper()
			return o.Deliver(t, with(laptop, func(m *machine) {
				m.Program, m.Device, m.More = program, device, "<HARDWARE><OSNAME>"+os+"</OSNAME></HARDWARE>"
			}).XML())
		}
		for i, step := range []struct {
			program, device, os string
			after               time.Duration
			want                agents.Outcome
			shows               string
		}{
			{"", "d1", "Debian 12", 0, agents.ReportNew, "Debian 12"},
			{"Fusion", "d2", "Debian GNU/Linux 12", time.Hour, agents.ReportBehind, "Debian 12"},
			{"", "d1", "Debian 12.", 24 * time.Hour, agents.ReportChanged, "Debian 12."},
			{"Fusion", "d2", "Debian GNU/Linux 12", 0, agents.ReportBehind, "Debian 12."},
			{"Fusion", "d2", "Debian GNU/Linux 12", 71 * time.Hour, agents.ReportBehind, "Debian 12."},
			{"Fusion", "d2", "Debian GNU/Linux 12", 2 * time.Hour, agents.ReportChanged, "Debian GNU/Linux 12"},
			{"Fusion", "d2", "Debian GNU/Linux 12", 0, agents.ReportUnchanged, "Debian GNU/Linux 12"},
			{"", "d1", "Debian 12", time.Hour, agents.ReportBehind, "Debian GNU/Linux 12"},
			{"", "d3", "Debian 13", 0, agents.ReportBehind, "Debian GNU/Linux 12"},
			{"Fusion", "d4", "Debian GNU/Linux 13", 0, agents.ReportChanged, "Debian GNU/Linux 13"},
			{"Fusion", "d2", "Debian GNU/Linux 12", 0, agents.ReportBehind, "Debian GNU/Linux 13"},
		} {
			o.Clock.Advance(step.after)
			if got := deliver(step.program, step.device, step.os); got != step.want {
				t.Errorf("report %d: got %v, want %v", i+1, got, step.want)
			}
			c := o.Computers(t)
			if len(c) != 1 || c[0].OperatingSystem != step.shows || !c[0].DetectedAt.Equal(o.Clock.Now()) {
				t.Errorf("report %d: got %s at %v, want %s at %v", i+1, c[0].OperatingSystem, c[0].DetectedAt,
					step.shows, o.Clock.Now())
			}
		}
	})
}

// TestReportedSoftware: what a person added stays, and what they removed comes
// back with the next report, as the computer still has it.
func TestReportedSoftware(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o, ctx, k := openOffice(t, db), context.Background(), inventory.Installations.Schema
		who, place := o.Administrator(t), mustertest.PlaceOf("softwares", 1)
		has := func(when string, want ...string) {
			t.Helper()
			page, err := o.ListOf(ctx, who, place, &kind.Query{Page: 1, PerPage: 100})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, rec := range page.Records {
				got = append(got, rec.(*inventory.Software).Name)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", when, diff)
			}
		}
		both := with(laptop, func(m *machine) {
			m.More = programXML("A", "1", "") + programXML("B", "1", "")
		})
		o.Deliver(t, both.XML())
		_, _, err := o.Create(ctx, who,
			desk.New{Kind: k.Stored(), Under: &place, Document: func() (*kind.Patch, error) {
				return k.Decode([]byte("<software><name>C</name></software>"))
			}})
		if err != nil {
			t.Fatal(err)
		}
		o.Deliver(t, with(laptop, func(m *machine) { m.More = programXML("A", "1", "") }).XML())
		has("added by a person", "A", "C")
		if _, err := o.Untie(ctx, who, place, desk.Target{Kind: k.Stored(), ID: 1}); err != nil {
			t.Fatal(err)
		}
		has("removed by a person", "C")
		o.Deliver(t, with(laptop, func(m *machine) { m.More = programXML("A", "1", "") }).XML())
		has("reported again", "A", "C")
		mustertest.CheckCounts(t, o.Store)
	})
}

// TestReportedPrinters: the printers of computers are printers, each once; those that are programs are none.
func TestReportedPrinters(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		printers := "<PRINTERS><NAME>Office</NAME><DRIVER>PCL</DRIVER><PORT>IP_10.0.0.9</PORT></PRINTERS><PRINTERS><NAME>office</NAME></PRINTERS><PRINTERS><NAME>PDF</NAME></PRINTERS>"
		o.Deliver(t, with(laptop, func(m *machine) { m.More = printers }).XML())
		o.Deliver(t, machine{Device: "d2", Name: "b", More: printers}.XML())
		page, err := o.List(context.Background(), program, inventory.Printers.Schema,
			&kind.Query{Page: 1, PerPage: 100})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, rec := range page.Records {
			p := rec.(*inventory.Printer)
			got = append(got, p.Name+" "+p.Driver+" "+p.Port)
		}
		if diff := cmp.Diff([]string{"Office PCL IP_10.0.0.9"}, got); diff != "" {
			t.Errorf("printers (-want +got):\n%s", diff)
		}
	})
}

// TestReportRefused: what Admit says, and a token that was revoked, change
// nothing; a deleted computer comes anew.
func TestReportRefused(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o, ctx := openOffice(t, db), context.Background()
		o.Deliver(t, laptop.XML())
		if _, err := o.Delete(ctx, o.Administrator(t),
			desk.Target{Kind: inventory.Computers.Schema, ID: 1}); err != nil {
			t.Fatal(err)
		}
		if out := o.Deliver(t, laptop.XML()); out != agents.ReportNew {
			t.Errorf("after it was deleted: got %v, want %v", out, agents.ReportNew)
		}
		if err := o.Agents.RevokeTokens(ctx, program, []string{"agents"}); err != nil {
			t.Fatal(err)
		}
		if _, err := o.Try(t, machine{Device: "d9", Name: "x"}.XML()); err == nil ||
			!strings.Contains(err.Error(), "revoked") {
			t.Errorf("a revoked token: got %v", err)
		}
		if n := len(o.Computers(t)); n != 1 {
			t.Errorf("got %d computers, want 1", n)
		}
	})
}

// TestDocumentOfReported: what is kept of an agent's values can be read again.
func TestDocumentOfReported(t *testing.T) {
	t.Parallel()
	k := inventory.Computers.Schema
	c := &inventory.Computer{CPU: "  Intel  ", Description: "a\nb", Drives: []inventory.Drive{
		{Name: "C:", FreeSpace: kind.Some(int64(3))},
	}}
	patch, err := k.Decode(k.AppendRecord(nil, kind.XML, "", c))
	if err != nil {
		t.Fatal(err)
	}
	got := &inventory.Computer{}
	patch.Apply(got)
	if !bytes.Equal(k.AppendRecord(nil, kind.XML, "", got), k.AppendRecord(nil, kind.XML, "", c)) || got.CPU != c.CPU {
		t.Errorf("got %+v, want %+v", got, c)
	}
}

// TestRemovedAndReportedAgain: software that a person removed comes back with the
// next report, also of an agent whose reports are in JSON.
func TestRemovedAndReportedAgain(t *testing.T) {
	t.Parallel()
	const document = `{"action":"inventory","deviceid":"j1","itemtype":"Computer","content":{"versionclient":"GLPI-Agent_v1.12",
		"hardware":{"name":"json"},"softwares":[{"name":"A","version":"1"}]}}`
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		o.Deliver(t, document)
		k := inventory.Installations.Stored()
		if _, err := o.Untie(context.Background(), o.Administrator(t), mustertest.PlaceOf("softwares", 1),
			desk.Target{Kind: k, ID: 1}); err != nil {
			t.Fatal(err)
		}
		o.Deliver(t, document)
		if got := strings.Join(o.Software(t, 1), ", "); got != "A" {
			t.Errorf("got the software %q, want A", got)
		}
	})
}

// TestReportOfMuchNew: much new software is made once, and not at all for a report
// that is refused.
func TestReportOfMuchNew(t *testing.T) {
	t.Parallel()
	const much = 1_200
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		var list string
		for i := range much {
			list += programXML(fmt.Sprint("p", i), "1", "")
		}
		document := with(laptop, func(m *machine) { m.More = list }).XML()
		made := func() int {
			t.Helper()
			page, err := o.List(context.Background(), program, inventory.Softwares.Schema,
				&kind.Query{Page: 1, PerPage: 1})
			if err != nil {
				t.Fatal(err)
			}
			return page.Total
		}
		token := o.Token
		o.Token = &agents.Token{ID: token.ID + 1, Name: "gone"}
		if _, err := o.Try(t, document); err == nil || made() != 0 {
			t.Errorf("a token that is gone: got %v and %d software records, want none", err, made())
		}
		o.Token = token
		o.Deliver(t, document)
		if history := o.History(t, 1); made() != much || len(history) != 1 {
			t.Errorf("got %d software records and %v, want %d and one record", made(), history, much)
		}
		mustertest.CheckCounts(t, o.Store)
	})
}
