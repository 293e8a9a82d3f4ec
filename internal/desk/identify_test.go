package desk_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/access"
	"muster/internal/desk/agents"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/report"
	"muster/internal/store"
)

// An office is a desk with a clock of its own, and an agent token.
type office struct {
	*desk.Desk
	access *access.Service
	agents *agents.Service
	store  *store.Store
	token  *agents.Token
	clock  *mustertest.Clock
}

func openOffice(t *testing.T, db mustertest.Database) *office {
	t.Helper()
	return openOfficeAt(t, db.Made(t))
}

func openOfficeAt(t *testing.T, address string) *office {
	t.Helper()
	ctx := context.Background()
	s, err := store.Open(ctx, store.Config{Database: address, Kinds: inventory.All()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	o := &office{store: s, clock: mustertest.NewClock()}
	o.restart(t)
	o.token, _, err = o.agents.AddToken(ctx, program,
		agents.NewToken{Name: "agents", Site: "Berlin", Department: "IT", Tag: "rolled-out"})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// restart opens the desk and its agents anew.
func (o *office) restart(t *testing.T) {
	t.Helper()
	var err error
	o.Desk = o.desk(t)
	o.access = openAccess(t, o.Desk)
	if o.agents, err = agents.Open(context.Background(), o.Desk); err != nil {
		t.Fatal(err)
	}
}

// desk returns a further desk of the office, which knows nothing of what the
// others have in memory.
func (o *office) desk(t *testing.T) *desk.Desk {
	t.Helper()
	d, err := desk.Open(context.Background(), desk.Config{
		Store: o.store, Key: make([]byte, desk.KeySize), Realm: "Muster", Now: o.clock.Now,
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// openAccess returns what lets people in on a desk.
func openAccess(t *testing.T, d *desk.Desk) *access.Service {
	t.Helper()
	s, err := access.Open(context.Background(), d, access.Config{HashCost: mustertest.CheapHash})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// user makes a user with a role.
func (o *office) user(t *testing.T, email, role string) desk.Caller {
	t.Helper()
	user := inventory.Users.New()
	user.Email, user.Role = email, role
	if _, err := o.access.AddUser(context.Background(), program, user, "correct horse battery"); err != nil {
		t.Fatal(err)
	}
	return desk.Caller{User: user, Origin: "web", ByPassword: true}
}

// A machine is what an agent tells of a computer, as far as a test says.
type machine struct {
	program          string // "OCS" when empty
	device, old      string
	name             string
	maker, serial    string
	uuid             string
	mac, ip, adapter string
	more             string // further sections
}

// xml returns the report of the machine.
func (m machine) xml() string {
	client := map[string]string{"": "OCS-NG_unified_unix_agent_v2.10.0", "Fusion": "FusionInventory-Agent_v2.6",
		"GLPI": "GLPI-Agent_v1.12"}[m.program]
	network := ""
	if m.mac != "" {
		if m.adapter == "" {
			m.adapter = "eth0"
		}
		network = fmt.Sprintf("<NETWORKS><DESCRIPTION>%s</DESCRIPTION><MACADDR>%s</MACADDR><IPADDRESS>%s</IPADDRESS><STATUS>Up</STATUS></NETWORKS>", m.adapter, m.mac, m.ip)
	}
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?><REQUEST><CONTENT>
		<VERSIONCLIENT>%s</VERSIONCLIENT><OLD_DEVICEID>%s</OLD_DEVICEID>
		<HARDWARE><NAME>%s</NAME><UUID>%s</UUID></HARDWARE>
		<BIOS><SMANUFACTURER>%s</SMANUFACTURER><SSN>%s</SSN></BIOS>%s%s
		</CONTENT><DEVICEID>%s</DEVICEID><QUERY>INVENTORY</QUERY></REQUEST>`,
		client, m.old, m.name, m.uuid, m.maker, m.serial, network, m.more, m.device)
}

// deliver takes in a report and returns what it led to.
func (o *office) deliver(t *testing.T, document string) agents.Outcome {
	t.Helper()
	out, err := o.try(t, document)
	if err != nil {
		t.Fatalf("%v, of the report %s", err, document)
	}
	return out
}

// try is deliver of a report that may be refused.
func (o *office) try(t *testing.T, document string) (agents.Outcome, error) {
	t.Helper()
	got, err := o.tryBy(t, agents.Reporter{Token: o.token, Address: "192.0.2.1"}, document)
	return got.Outcome, err
}

// tryBy is try of a report that comes in by what a test says.
func (o *office) tryBy(t *testing.T, by agents.Reporter, document string) (agents.Receipt, error) {
	t.Helper()
	body, err := report.Open([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	admit := func(int64, bool) error { return nil }
	scan, ok, err := body.Scan()
	if err != nil {
		t.Fatal(err)
	}
	if ok {
		if again, err := o.agents.Again(context.Background(), scan, by, admit); again || err != nil {
			return agents.Receipt{}, err
		}
	}
	m, err := body.Read(report.Source{})
	if err != nil || m.Report == nil {
		t.Fatalf("got the action %v, %v, of the report %s", m.Action, err, document)
	}
	return o.agents.Report(context.Background(), agents.Delivery{By: by, Report: m.Report, Sum: scan.Sum, Admit: admit})
}

// computers returns all computers, whole, in the order of their ids.
func (o *office) computers(t *testing.T) (all []*inventory.Computer) {
	t.Helper()
	ctx, k := context.Background(), inventory.Computers.Schema
	page, err := o.List(ctx, program, k, &kind.Query{Page: 1, PerPage: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range page.Records {
		whole, err := o.Get(ctx, program, k, rec.(*inventory.Computer).ID)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, whole.(*inventory.Computer))
	}
	return all
}

// audits returns the audit records about computers, in their order.
func (o *office) audits(t *testing.T) []*inventory.Audit {
	t.Helper()
	return o.auditsOf(t, inventory.Computers.Item)
}

// auditsOf returns the audit records about one sort of records, in their order.
func (o *office) auditsOf(t *testing.T, item string) (all []*inventory.Audit) {
	t.Helper()
	page, err := o.List(context.Background(), program, inventory.Audits.Schema, &kind.Query{Page: 1, PerPage: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range page.Records {
		if a := rec.(*inventory.Audit); a.RecordType == item {
			// a list has some of many changes
			whole, err := o.Get(context.Background(), program, inventory.Audits.Schema, a.ID)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, whole.(*inventory.Audit))
		}
	}
	return all
}

const (
	uuid1, uuid1Swapped = "12345678-9abc-def0-1122-334455667788", "78563412-bc9a-f0de-1122-334455667788"
	uuid2               = "aaaaaaaa-9abc-def0-1122-334455667799"
)

// TestWhoseReport tells reports one after the other, and of which computer each
// is.
func TestWhoseReport(t *testing.T) {
	t.Parallel()
	dell := machine{device: "pc-2026-01-01-00-00-00", name: "pc", maker: "Dell Inc.", serial: "ABC1234", uuid: uuid1}
	with := func(m machine, change func(*machine)) machine { change(&m); return m }
	bare := machine{device: "box-2026-01-01-00-00-00", name: "box"}
	for _, c := range []struct {
		name      string
		reports   []machine
		want      []int64
		duplicate string // of which the last computer may be one
	}{
		{"the same again", []machine{dell, dell}, []int64{1, 1}, ""},
		{"a computer that was renamed", []machine{dell, with(dell, func(m *machine) { m.name = "other" })}, []int64{
			1, 1,
		}, ""},
		{"a device id that was remade with the old one beside", []machine{
			bare, with(bare, func(m *machine) { m.device, m.old = "new", bare.device }),
		}, []int64{1, 1}, ""},
		{"an agent that was installed anew", []machine{
			dell, with(dell, func(m *machine) { m.device = "pc-2026-05-05-00-00-00" }),
		}, []int64{1, 1}, ""},
		{"a serial number in other case and punctuation", []machine{
			dell, with(dell, func(m *machine) { m.device, m.serial, m.uuid = "d2", "abc-1234", "" }),
		}, []int64{1, 1}, ""},
		{"a serial number of another maker", []machine{
			dell, with(dell, func(m *machine) { m.device, m.maker, m.uuid = "d2", "HP", "" }),
		}, []int64{1, 2}, ""},
		{"the UUID in the other byte order", []machine{
			dell, with(dell, func(m *machine) { m.device, m.serial, m.uuid = "d2", "", uuid1Swapped }),
		}, []int64{1, 1}, ""},
		{"a clone, then each again", []machine{
			dell, with(dell, func(m *machine) { m.name, m.serial, m.uuid = "pc2", "XYZ9999", uuid2 }), dell,
			with(dell, func(m *machine) { m.name, m.serial, m.uuid = "pc2", "XYZ9999", uuid2 }),
		}, []int64{1, 2, 1, 2}, "1 (pc)"},
		{"a clone that tells neither, then again", []machine{
			dell, with(dell, func(m *machine) { m.name, m.serial, m.uuid = "pc2", "XYZ9999", uuid2 }),
			with(dell, func(m *machine) { m.serial, m.uuid = "", "" }),
			with(dell, func(m *machine) { m.serial, m.uuid = "", "" }), dell,
		}, []int64{1, 2, 3, 3, 1}, "1 (pc), 2 (pc2)"},
		{"a mainboard that was replaced", []machine{
			dell, with(dell, func(m *machine) { m.serial, m.uuid = "NEW0001", uuid2 }),
		}, []int64{1, 2}, "1 (pc)"},
		{"a mainboard with the serial number written into it", []machine{
			dell, with(dell, func(m *machine) { m.uuid = uuid2 }),
		}, []int64{1, 1}, ""},
		{"another serial number with the same UUID", []machine{
			dell, with(dell, func(m *machine) { m.serial = "DEF5678" }),
		}, []int64{1, 2}, "1 (pc)"},
		{"an agent without the right to read the firmware", []machine{
			dell, with(dell, func(m *machine) { m.serial, m.uuid = "", "" }), dell,
		}, []int64{1, 1, 1}, ""},
		{"two agents on one computer", []machine{
			dell, with(dell, func(m *machine) { m.device, m.program = "pc-2026-02-02-00-00-00", "Fusion" }),
		}, []int64{1, 1}, ""},
		{"serial numbers that are none", []machine{
			with(bare, func(m *machine) { m.maker, m.serial = "Dell Inc.", "To be filled by O.E.M." }),
			with(bare, func(m *machine) { m.device, m.maker, m.serial = "d2", "Dell Inc.", "To Be Filled By O.E.M" }),
		}, []int64{1, 2}, ""},
		{"a MAC that a maker gave", []machine{
			with(bare, func(m *machine) { m.mac, m.ip = "00:1B:21:AA:BB:CC", "10.0.0.5" }),
			with(bare, func(m *machine) { m.device, m.mac, m.ip = "d2", "00:1b:21:aa:bb:cc", "10.0.0.9" }),
		}, []int64{1, 1}, ""},
		{"the MAC of one whose serial number is known", []machine{
			with(dell, func(m *machine) { m.mac, m.ip = "00:1B:21:AA:BB:CC", "10.0.0.5" }),
			with(bare, func(m *machine) { m.mac, m.ip = "00:1B:21:AA:BB:CC", "10.0.0.5" }),
		}, []int64{1, 2}, ""},
		{"a docking station at two computers", []machine{
			with(bare, func(m *machine) {
				m.mac, m.ip, m.adapter = "00:50:B6:AA:BB:CC", "10.0.0.5", "ThinkPad USB-C Dock Ethernet"
			}),
			with(bare, func(m *machine) {
				m.device, m.name, m.mac, m.ip, m.adapter = "d2", "box2", "00:50:B6:AA:BB:CC", "10.0.0.5",
					"ThinkPad USB-C Dock Ethernet"
			}),
		}, []int64{1, 2}, ""},
		{"another agent in a container", []machine{
			with(bare, func(m *machine) { m.mac, m.ip = "02:42:AC:11:00:02", "172.17.0.2" }),
			with(bare, func(m *machine) {
				m.program, m.device, m.mac, m.ip = "Fusion", "d2", "02:42:AC:11:00:02",
					"172.17.0.2"
			}),
			with(bare, func(m *machine) {
				m.program, m.device, m.mac, m.ip = "GLPI", "d3", "02:42:AC:11:00:02",
					"172.17.0.2"
			}),
		}, []int64{1, 1, 1}, ""},
		{"the same agent in two containers", []machine{
			with(bare, func(m *machine) { m.mac, m.ip = "02:42:AC:11:00:02", "172.17.0.2" }),
			with(bare, func(m *machine) { m.device, m.mac, m.ip = "d2", "02:42:AC:11:00:02", "172.17.0.2" }),
		}, []int64{1, 2}, "1 (box)"},
		{"a clone that names the device id of its model as its old one", []machine{
			dell, with(dell, func(m *machine) {
				m.device, m.old, m.name, m.serial, m.uuid = "d2", dell.device, "pc2", "XYZ9999", uuid2
			}), dell,
		}, []int64{1, 2, 1}, "1 (pc)"},
		{"machines of one template, each with its UUID", []machine{
			with(bare, func(m *machine) { m.uuid, m.maker, m.serial = uuid1, "QEMU", "Not Specified" }),
			with(bare, func(m *machine) { m.uuid, m.maker, m.serial = uuid2, "QEMU", "Not Specified" }),
			with(bare, func(m *machine) { m.uuid, m.maker, m.serial = uuid1, "QEMU", "Not Specified" }),
		}, []int64{1, 2, 1}, "1 (box)"},
		{"nothing but the name", []machine{bare, with(bare, func(m *machine) { m.device = "d2" })}, []int64{1, 2}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
				o := openOffice(t, db)
				var got []int64
				for i, m := range c.reports {
					o.clock.Advance(time.Minute)
					m.more = fmt.Sprintf("<HARDWARE><SWAP>%d</SWAP></HARDWARE>", i+1)
					o.deliver(t, m.xml())
					for _, computer := range o.computers(t) {
						if computer.DetectedAt.Equal(o.clock.Now()) {
							got = append(got, computer.ID)
						}
					}
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("got the reports of the computers %v, want %v", got, c.want)
				}
				audits := o.audits(t)
				var last string
				for _, a := range audits {
					if a.Action == inventory.Created {
						last = a.Message
					}
				}
				_, duplicate, _ := strings.Cut(last, "possible duplicate of computer")
				if duplicate = strings.TrimLeft(duplicate, "s "); duplicate != c.duplicate {
					t.Errorf("got %q, want it to be a possible duplicate of %q", last, c.duplicate)
				}
			})
		})
	}
}

// TestTypedSerialOfAnother: a computer that reports its serial number is not the
// one that a person gave that of another by mistake.
func TestTypedSerialOfAnother(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		one := with(laptop, func(m *machine) { m.uuid = "" })
		o.deliver(t, one.xml())
		o.set(t, o.administrator(t), 1, "<serial-number>XYZ9999</serial-number>")
		o.deliver(t, with(one, func(m *machine) { m.device, m.name, m.serial = "d2", "other", "XYZ9999" }).xml())
		o.deliver(t, one.xml())
		all := o.computers(t)
		if len(all) != 2 || all[0].Name != "lap" || all[1].Name != "other" {
			t.Fatalf("got %d computers, the first is %s", len(all), all[0].Name)
		}
		const want = "create: Computer other created by its first report; possible duplicate of computer 1 (lap)"
		if got := o.history(t, 2); len(got) != 1 || got[0] != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
