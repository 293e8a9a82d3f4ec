package agents_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/mustertest"
)

// TestWhoseReport delivers reports one after the other, and of which computer each
// is.
func TestWhoseReport(t *testing.T) {
	t.Parallel()
	dell := machine{Device: "pc-2026-01-01-00-00-00", Name: "pc", Maker: "Dell Inc.", Serial: "ABC1234", UUID: uuid1}
	with := func(m machine, change func(*machine)) machine { change(&m); return m }
	bare := machine{Device: "box-2026-01-01-00-00-00", Name: "box"}
	for _, c := range []struct {
		name      string
		reports   []machine
		want      []int64
		duplicate string // of which the last computer may be one
	}{
		{"the same again", []machine{dell, dell}, []int64{1, 1}, ""},
		{"a computer that was renamed", []machine{dell, with(dell, func(m *machine) { m.Name = "other" })}, []int64{
			1, 1,
		}, ""},
		{"a device id that was remade with the old one beside", []machine{
			bare, with(bare, func(m *machine) { m.Device, m.Old = "new", bare.Device }),
		}, []int64{1, 1}, ""},
		{"an agent that was installed anew", []machine{
			dell, with(dell, func(m *machine) { m.Device = "pc-2026-05-05-00-00-00" }),
		}, []int64{1, 1}, ""},
		{"a serial number in other case and punctuation", []machine{
			dell, with(dell, func(m *machine) { m.Device, m.Serial, m.UUID = "d2", "abc-1234", "" }),
		}, []int64{1, 1}, ""},
		{"a serial number of another maker", []machine{
			dell, with(dell, func(m *machine) { m.Device, m.Maker, m.UUID = "d2", "HP", "" }),
		}, []int64{1, 2}, ""},
		{"the UUID in the other byte order", []machine{
			dell, with(dell, func(m *machine) { m.Device, m.Serial, m.UUID = "d2", "", uuid1Swapped }),
		}, []int64{1, 1}, ""},
		{"a clone, then each again", []machine{
			dell, with(dell, func(m *machine) { m.Name, m.Serial, m.UUID = "pc2", "XYZ9999", uuid2 }), dell,
			with(dell, func(m *machine) { m.Name, m.Serial, m.UUID = "pc2", "XYZ9999", uuid2 }),
		}, []int64{1, 2, 1, 2}, "1 (pc)"},
		{"a clone that tells neither, then again", []machine{
			dell, with(dell, func(m *machine) { m.Name, m.Serial, m.UUID = "pc2", "XYZ9999", uuid2 }),
			with(dell, func(m *machine) { m.Serial, m.UUID = "", "" }),
			with(dell, func(m *machine) { m.Serial, m.UUID = "", "" }), dell,
		}, []int64{1, 2, 3, 3, 1}, "1 (pc), 2 (pc2)"},
		{"a mainboard that was replaced", []machine{
			dell, with(dell, func(m *machine) { m.Serial, m.UUID = "NEW0001", uuid2 }),
		}, []int64{1, 2}, "1 (pc)"},
		{"a mainboard with the serial number written into it", []machine{
			dell, with(dell, func(m *machine) { m.UUID = uuid2 }),
		}, []int64{1, 1}, ""},
		{"another serial number with the same UUID", []machine{
			dell, with(dell, func(m *machine) { m.Serial = "DEF5678" }),
		}, []int64{1, 2}, "1 (pc)"},
		{"an agent without the right to read the firmware", []machine{
			dell, with(dell, func(m *machine) { m.Serial, m.UUID = "", "" }), dell,
		}, []int64{1, 1, 1}, ""},
		{"two agents on one computer", []machine{
			dell, with(dell, func(m *machine) { m.Device, m.Program = "pc-2026-02-02-00-00-00", "Fusion" }),
		}, []int64{1, 1}, ""},
		{"serial numbers that are none", []machine{
			with(bare, func(m *machine) { m.Maker, m.Serial = "Dell Inc.", "To be filled by O.E.M." }),
			with(bare, func(m *machine) { m.Device, m.Maker, m.Serial = "d2", "Dell Inc.", "To Be Filled By O.E.M" }),
		}, []int64{1, 2}, ""},
		{"a MAC that a maker gave", []machine{
			with(bare, func(m *machine) { m.MAC, m.IP = "00:1B:21:AA:BB:CC", "10.0.0.5" }),
			with(bare, func(m *machine) { m.Device, m.MAC, m.IP = "d2", "00:1b:21:aa:bb:cc", "10.0.0.9" }),
		}, []int64{1, 1}, ""},
		{"the MAC of one whose serial number is known", []machine{
			with(dell, func(m *machine) { m.MAC, m.IP = "00:1B:21:AA:BB:CC", "10.0.0.5" }),
			with(bare, func(m *machine) { m.MAC, m.IP = "00:1B:21:AA:BB:CC", "10.0.0.5" }),
		}, []int64{1, 2}, ""},
		{"a docking station at two computers", []machine{
			with(bare, func(m *machine) {
				m.MAC, m.IP, m.Adapter = "00:50:B6:AA:BB:CC", "10.0.0.5", "ThinkPad USB-C Dock Ethernet"
			}),
			with(bare, func(m *machine) {
				m.Device, m.Name, m.MAC, m.IP, m.Adapter = "d2", "box2", "00:50:B6:AA:BB:CC", "10.0.0.5",
					"ThinkPad USB-C Dock Ethernet"
			}),
		}, []int64{1, 2}, ""},
		{"another agent in a container", []machine{
			with(bare, func(m *machine) { m.MAC, m.IP = "02:42:AC:11:00:02", "172.17.0.2" }),
			with(bare, func(m *machine) {
				m.Program, m.Device, m.MAC, m.IP = "Fusion", "d2", "02:42:AC:11:00:02",
					"172.17.0.2"
			}),
			with(bare, func(m *machine) {
				m.Program, m.Device, m.MAC, m.IP = "GLPI", "d3", "02:42:AC:11:00:02",
					"172.17.0.2"
			}),
		}, []int64{1, 1, 1}, ""},
		{"the same agent in two containers", []machine{
			with(bare, func(m *machine) { m.MAC, m.IP = "02:42:AC:11:00:02", "172.17.0.2" }),
			with(bare, func(m *machine) { m.Device, m.MAC, m.IP = "d2", "02:42:AC:11:00:02", "172.17.0.2" }),
		}, []int64{1, 2}, "1 (box)"},
		{"a clone that names the device id of its model as its old one", []machine{
			dell, with(dell, func(m *machine) {
				m.Device, m.Old, m.Name, m.Serial, m.UUID = "d2", dell.Device, "pc2", "XYZ9999", uuid2
			}), dell,
		}, []int64{1, 2, 1}, "1 (pc)"},
		{"machines of one template, each with its UUID", []machine{
			with(bare, func(m *machine) { m.UUID, m.Maker, m.Serial = uuid1, "QEMU", "Not Specified" }),
			with(bare, func(m *machine) { m.UUID, m.Maker, m.Serial = uuid2, "QEMU", "Not Specified" }),
			with(bare, func(m *machine) { m.UUID, m.Maker, m.Serial = uuid1, "QEMU", "Not Specified" }),
		}, []int64{1, 2, 1}, "1 (box)"},
		{"nothing but the name", []machine{bare, with(bare, func(m *machine) { m.Device = "d2" })}, []int64{1, 2}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
				o := openOffice(t, db)
				var got []int64
				for i, m := range c.reports {
					o.Clock.Advance(time.Minute)
					m.More = fmt.Sprintf("<HARDWARE><SWAP>%d</SWAP></HARDWARE>", i+1)
					o.Deliver(t, m.XML())
					for _, computer := range o.Computers(t) {
						if computer.DetectedAt.Equal(o.Clock.Now()) {
							got = append(got, computer.ID)
						}
					}
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("got the reports of the computers %v, want %v", got, c.want)
				}
				audits := o.Audits(t)
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
		one := with(laptop, func(m *machine) { m.UUID = "" })
		o.Deliver(t, one.XML())
		o.Set(t, o.Administrator(t), 1, "<serial-number>XYZ9999</serial-number>")
		o.Deliver(t, with(one, func(m *machine) { m.Device, m.Name, m.Serial = "d2", "other", "XYZ9999" }).XML())
		o.Deliver(t, one.XML())
		all := o.Computers(t)
		if len(all) != 2 || all[0].Name != "lap" || all[1].Name != "other" {
			t.Fatalf("got %d computers, the first is %s", len(all), all[0].Name)
		}
		const want = "create: Computer other created by its first report; possible duplicate of computer 1 (lap)"
		if got := o.History(t, 2); len(got) != 1 || got[0] != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
