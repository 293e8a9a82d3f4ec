package desk_test

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
	"muster/internal/store"
)

// laptop is a computer with some parts.
var laptop = machine{
	device: "lap-2026-01-01-00-00-00", name: "lap", maker: "Lenovo", serial: "PF0ABCDE", uuid: uuid1,
	mac: "00:1B:21:AA:BB:CC", ip: "10.0.0.5",
}

// program1 is an element of one program.
func program1(name, version, more string) string {
	return fmt.Sprintf("<SOFTWARES><NAME>%s</NAME><VERSION>%s</VERSION><PUBLISHER>Acme</PUBLISHER>%s</SOFTWARES>",
		name, version, more)
}

const (
	slot1  = "<MEMORIES><NUMSLOTS>1</NUMSLOTS><CAPACITY>8192</CAPACITY></MEMORIES>"
	slot2  = "<MEMORIES><NUMSLOTS>2</NUMSLOTS><CAPACITY>8192</CAPACITY></MEMORIES>"
	slot2x = "<MEMORIES><NUMSLOTS>2</NUMSLOTS><CAPACITY>16384</CAPACITY></MEMORIES>"
)

func drive(free int) string {
	return fmt.Sprintf("<DRIVES><LETTER>C:</LETTER><TYPE>Hard Drive</TYPE><TOTAL>1000</TOTAL><FREE>%d</FREE></DRIVES>",
		free)
}

func with(m machine, change func(*machine)) machine { change(&m); return m }

// since returns what the audit records from the nth on say, each with its
// changes.
func (o *office) since(t *testing.T, n int) (lines []string) {
	t.Helper()
	for _, a := range o.audits(t)[n:] {
		line := a.Action + " by " + a.Origin + ": " + a.Message
		for _, c := range a.Changes {
			line += fmt.Sprintf(" {%s: %s -> %s}", c.Field, c.From, c.To)
		}
		lines = append(lines, line)
	}
	return lines
}

// TestReportSentences tells what two reports of one computer with known
// differences say in the audit trail.
func TestReportSentences(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		before := with(laptop, func(m *machine) {
			m.more = slot1 + slot2 + drive(500) + program1("Editor", "1.0", "") + program1("Game", "3",
				"<INSTALLDATE>03/01/2026</INSTALLDATE>") + program1("Viewer", "2", "") +
				"<HARDWARE><MEMORY>16384</MEMORY><OSNAME>Windows 10</OSNAME></HARDWARE><PRINTERS><NAME>Office</NAME><PORT>USB001</PORT></PRINTERS>"
		})
		if out := o.deliver(t, before.xml()); out != agents.ReportNew {
			t.Fatalf("the first report: got %v, want %v", out, agents.ReportNew)
		}
		first := o.audits(t)
		if len(first) != 1 || first[0].Action != inventory.Created ||
			first[0].Message != "Computer lap created by its first report" {
			t.Fatalf("the first report: got %+v", first)
		}
		if n := len(first[0].Changes); n < 12 {
			t.Errorf("the first report: got %d changes: %v", n, first[0].Changes)
		}
		after := with(laptop, func(m *machine) {
			m.ip = "10.0.7.7"
			m.more = slot1 + slot2x + drive(400) + program1("Editor", "1.1", "") + program1("Viewer", "2",
				"<FOLDER>C:\\V</FOLDER>") + program1("Tool", "9", "") +
				"<HARDWARE><MEMORY>24576</MEMORY><OSNAME>Windows 11</OSNAME></HARDWARE><PRINTERS><NAME>Office</NAME><PORT>USB002</PORT></PRINTERS>"
		})
		o.clock.Advance(24 * time.Hour)
		if out := o.deliver(t, after.xml()); out != agents.ReportChanged {
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
		addresses := o.addresses(t, 1)
		want = []string{
			"ip: 10.0.0.5 -> 10.0.7.7",
			`networks: description: "eth0", ip-address: "10.0.0.5", mac-address: "00:1B:21:AA:BB:CC", status: "Up" -> description: "eth0", ip-address: "10.0.7.7", mac-address: "00:1B:21:AA:BB:CC", status: "Up"`,
		}
		if diff := cmp.Diff(want, addresses); diff != "" {
			t.Errorf("history of addresses (-want +got):\n%s", diff)
		}
		exact(t, o.store)
	})
}

// addresses returns the history of a computer's addresses.
func (o *office) addresses(t *testing.T, computer int64) (lines []string) {
	t.Helper()
	ctx := context.Background()
	err := o.store.View(ctx, func(tx *store.Tx) error {
		all, err := tx.Addresses(ctx, computer)
		for _, a := range all {
			lines = append(lines, fmt.Sprintf("%s: %s -> %s", a.Field, a.From, a.To))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// TestReportUnchanged tells the same in several ways, none of which is a change.
func TestReportUnchanged(t *testing.T) {
	t.Parallel()
	first := with(laptop, func(m *machine) { m.more = slot1 + slot2 + drive(500) + program1("Editor", "1.0", "") })
	for name, again := range map[string]machine{
		"word for word": first,
		"less free space": with(first,
			func(m *machine) { m.more = slot1 + slot2 + drive(400) + program1("Editor", "1.0", "") }),
		"rows in other order": with(first,
			func(m *machine) { m.more = slot2 + slot1 + drive(500) + program1("Editor", "1.0", "") }),
	} {
		t.Run(name, func(t *testing.T) {
			mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
				o := openOffice(t, db)
				o.deliver(t, first.xml())
				was := o.computers(t)[0]
				o.clock.Advance(24 * time.Hour)
				if out := o.deliver(t, again.xml()); out != agents.ReportUnchanged {
					t.Errorf("got %v, want %v", out, agents.ReportUnchanged)
				}
				is := o.computers(t)[0]
				if !is.DetectedAt.Equal(o.clock.Now()) {
					t.Errorf("detected-at: got %v, want %v", is.DetectedAt, o.clock.Now())
				}
				if is.Version != was.Version || !is.UpdatedAt.Equal(was.UpdatedAt) || len(o.audits(t)) != 1 {
					t.Errorf("got version %d of %v and %v, want no change", is.Version, is.UpdatedAt, o.since(t, 1))
				}
			})
		})
	}
}

// TestReportMany tells more changes than have a record each.
func TestReportMany(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		list := func(n int, version string) (all string) {
			for i := range n {
				all += program1(fmt.Sprintf("p%03d", i), version, "")
			}
			return all
		}
		o.deliver(t, with(laptop, func(m *machine) { m.more = list(60, "1") }).xml())
		o.deliver(t, with(laptop, func(m *machine) { m.more = list(50, "2") + program1("last", "1", "") }).xml())
		got := o.audits(t)[1:]
		const want = "Report with 61 changes: softwares 1 added, 10 removed, 50 changed"
		if len(got) != 1 || got[0].Action != inventory.Reported || got[0].Message != want || len(got[0].Changes) != 61 {
			t.Errorf("got %v, want one record: %s", o.since(t, 1), want)
		}
		exact(t, o.store)
	})
}

// TestReportDefaults: a new computer has what its token gives, and an asset id.
func TestReportDefaults(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		o.deliver(t, with(laptop, func(m *machine) { m.more = "<BIOS><ASSETTAG>A-77</ASSETTAG></BIOS>" }).xml())
		o.deliver(t, machine{
			device: "d2", name: "b",
			more: "<BIOS><ASSETTAG>a-77</ASSETTAG></BIOS><ACCOUNTINFO><KEYNAME>TAG</KEYNAME><KEYVALUE>own</KEYVALUE></ACCOUNTINFO>",
		}.xml())
		for i, want := range []inventory.Computer{
			{AssetID: "A-77", Site: "Berlin", Department: "IT", Tag: "rolled-out", Status: "Operational",
				SerialNumber: "PF0ABCDE", Manufacturer: "Lenovo"},
			{AssetID: "MUS-000001", Site: "Berlin", Department: "IT", Tag: "own", Status: "Operational"},
		} {
			c := o.computers(t)[i]
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
		who := o.administrator(t)
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
			c := o.computers(t)[0]
			var sum int64
			for _, m := range c.Memories {
				sum += m.Capacity.V
			}
			if c.Name != name || c.Memory.V != memory || sum != parts {
				t.Errorf("%s: got %s with %d MB in modules of %d, want %s with %d in %d", when, c.Name, c.Memory.V,
					sum, name, memory, parts)
			}
		}
		tell := func(name string, memory int, parts string) {
			t.Helper()
			o.deliver(t, with(laptop, func(m *machine) {
				m.name, m.more = name, fmt.Sprintf("<HARDWARE><MEMORY>%d</MEMORY></HARDWARE>", memory)+parts
			}).xml())
		}
		tell("lap", 8000, slot1)
		set(`<name>lap</name><memory>8000</memory>`)
		tell("lap2", 8001, slot1)
		shows("the same as stored is not set", "lap2", 8001, 8192)
		set(`<memory>9000</memory><memories><memory><slot>7</slot><capacity>5</capacity></memory></memories>`)
		tell("lap3", 8002, slot1+slot2)
		shows("set", "lap3", 9000, 5)
		set(`<notes>unrelated</notes>`)
		shows("another field", "lap3", 9000, 5)
		set(`<memory nil="true"/>`)
		shows("one released", "lap3", 8002, 5)
		tell("lap3", 8003, slot1+slot2x)
		shows("told again", "lap3", 8003, 5)
		set(`<memories/>`)
		shows("both released", "lap3", 8003, 8192+16384)
		set(`<memory nil="true"/><name/>`)
		shows("nothing to release", "lap3", 8003, 8192+16384)
		set(`<name>mine</name>`)
		tell("lap4", 8003, slot1+slot2x)
		shows("a name", "mine", 8003, 8192+16384)
		set(`<name/>`)
		shows("the name released", "lap4", 8003, 8192+16384)
	})
}

// administrator returns a person who may do everything.
func (o *office) administrator(t *testing.T) desk.Caller {
	t.Helper()
	ctx := context.Background()
	if _, err := o.access.FirstAdministrator(ctx, "admin@localhost"); err != nil {
		t.Fatal(err)
	}
	user, err := o.access.User(ctx, "admin@localhost")
	if err != nil {
		t.Fatal(err)
	}
	return desk.Caller{User: user, Origin: "api", ByPassword: true}
}

// TestTypedBefore: a computer that a person has typed in is the one that the
// agent reports, by its serial number, and keeps what they typed.
func TestTypedBefore(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o, ctx, k := openOffice(t, db), context.Background(), inventory.Computers.Schema
		_, _, err := o.Create(ctx, o.administrator(t), desk.New{Kind: k, Document: func() (*kind.Patch, error) {
			return k.Decode([]byte("<hardware><name>typed</name><serial-number>pf0abcde</serial-number><manufacturer>Lenovo</manufacturer></hardware>"))
		}})
		if err != nil {
			t.Fatal(err)
		}
		if out := o.deliver(t, with(laptop, func(m *machine) { m.more = slot1 }).xml()); out != agents.ReportChanged {
			t.Errorf("got %v, want %v", out, agents.ReportChanged)
		}
		all := o.computers(t)
		if len(all) != 1 || all[0].Name != "typed" || len(all[0].Memories) != 1 || all[0].SerialNumber != "pf0abcde" {
			t.Fatalf("got %+v", all)
		}
		if got := o.audits(t); len(got) != 2 || !strings.HasPrefix(got[1].Message, "First report of typed: ") {
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
		o.deliver(t, laptop.xml())
		_, err := o.Update(ctx, o.administrator(t), desk.Target{Kind: k, ID: 1}, func() (*kind.Patch, error) {
			return k.Decode([]byte("<hardware><name>of Anna</name></hardware>"))
		})
		if err != nil {
			t.Fatal(err)
		}
		o.deliver(t, with(laptop, func(m *machine) { m.serial, m.uuid = "NEW0001", uuid2 }).xml())
		audits := o.audits(t)
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
		tell := func(program, device, os string) agents.Outcome {
			t.Helper()
			return o.deliver(t, with(laptop, func(m *machine) {
				m.program, m.device, m.more = program, device, "<HARDWARE><OSNAME>"+os+"</OSNAME></HARDWARE>"
			}).xml())
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
			o.clock.Advance(step.after)
			if got := tell(step.program, step.device, step.os); got != step.want {
				t.Errorf("report %d: got %v, want %v", i+1, got, step.want)
			}
			c := o.computers(t)
			if len(c) != 1 || c[0].OperatingSystem != step.shows || !c[0].DetectedAt.Equal(o.clock.Now()) {
				t.Errorf("report %d: got %s at %v, want %s at %v", i+1, c[0].OperatingSystem, c[0].DetectedAt,
					step.shows, o.clock.Now())
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
		who, place := o.administrator(t), placeOf("softwares", 1)
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
		both := with(laptop, func(m *machine) { m.more = program1("A", "1", "") + program1("B", "1", "") })
		o.deliver(t, both.xml())
		_, _, err := o.Create(ctx, who,
			desk.New{Kind: k.Stored(), Under: &place, Document: func() (*kind.Patch, error) {
				return k.Decode([]byte("<software><name>C</name></software>"))
			}})
		if err != nil {
			t.Fatal(err)
		}
		o.deliver(t, with(laptop, func(m *machine) { m.more = program1("A", "1", "") }).xml())
		has("added by a person", "A", "C")
		if _, err := o.Untie(ctx, who, place, desk.Target{Kind: k.Stored(), ID: 1}); err != nil {
			t.Fatal(err)
		}
		has("removed by a person", "C")
		o.deliver(t, with(laptop, func(m *machine) { m.more = program1("A", "1", "") }).xml())
		has("reported again", "A", "C")
		exact(t, o.store)
	})
}

// TestReportedPrinters: the printers of computers are printers, each once; those that are programs are none.
func TestReportedPrinters(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		printers := "<PRINTERS><NAME>Office</NAME><DRIVER>PCL</DRIVER><PORT>IP_10.0.0.9</PORT></PRINTERS><PRINTERS><NAME>office</NAME></PRINTERS><PRINTERS><NAME>PDF</NAME></PRINTERS>"
		o.deliver(t, with(laptop, func(m *machine) { m.more = printers }).xml())
		o.deliver(t, machine{device: "d2", name: "b", more: printers}.xml())
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
		o.deliver(t, laptop.xml())
		if _, err := o.Delete(ctx, o.administrator(t),
			desk.Target{Kind: inventory.Computers.Schema, ID: 1}); err != nil {
			t.Fatal(err)
		}
		if out := o.deliver(t, laptop.xml()); out != agents.ReportNew {
			t.Errorf("after it was deleted: got %v, want %v", out, agents.ReportNew)
		}
		if err := o.agents.RevokeTokens(ctx, program, []string{"agents"}); err != nil {
			t.Fatal(err)
		}
		if _, err := o.try(t, machine{device: "d9", name: "x"}.xml()); err == nil ||
			!strings.Contains(err.Error(), "revoked") {
			t.Errorf("a revoked token: got %v", err)
		}
		if n := len(o.computers(t)); n != 1 {
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

// TestRemovedAndToldAgain: software that a person removed comes back with the
// next report, also of an agent whose reports are in JSON.
func TestRemovedAndToldAgain(t *testing.T) {
	t.Parallel()
	const document = `{"action":"inventory","deviceid":"j1","itemtype":"Computer","content":{"versionclient":"GLPI-Agent_v1.12",
		"hardware":{"name":"json"},"softwares":[{"name":"A","version":"1"}]}}`
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		o.deliver(t, document)
		k := inventory.Installations.Stored()
		if _, err := o.Untie(context.Background(), o.administrator(t), placeOf("softwares", 1),
			desk.Target{Kind: k, ID: 1}); err != nil {
			t.Fatal(err)
		}
		o.deliver(t, document)
		if got := strings.Join(o.software(t, 1), ", "); got != "A" {
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
			list += program1(fmt.Sprint("p", i), "1", "")
		}
		document := with(laptop, func(m *machine) { m.more = list }).xml()
		made := func() int {
			t.Helper()
			page, err := o.List(context.Background(), program, inventory.Softwares.Schema,
				&kind.Query{Page: 1, PerPage: 1})
			if err != nil {
				t.Fatal(err)
			}
			return page.Total
		}
		token := o.token
		o.token = &agents.Token{ID: token.ID + 1, Name: "gone"}
		if _, err := o.try(t, document); err == nil || made() != 0 {
			t.Errorf("a token that is gone: got %v and %d software records, want none", err, made())
		}
		o.token = token
		o.deliver(t, document)
		if history := o.history(t, 1); made() != much || len(history) != 1 {
			t.Errorf("got %d software records and %v, want %d and one record", made(), history, much)
		}
		exact(t, o.store)
	})
}
