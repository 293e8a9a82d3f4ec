package intake_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	records "muster/internal/inventory"
	"muster/internal/mustertest"
)

// A box is what an agent reports to identify a computer. A # in its values is replaced by the number of the
// case, so that cases have nothing in common but what they are about.
type box struct {
	program               string // "OCS-NG_unified_unix_agent_v2.10.0" when empty
	device, old, name     string
	maker, serial, uuid   string
	mac, adapter, address string
}

// but returns the box with a change.
func (b box) but(change func(*box)) box {
	change(&b)
	return b
}

// document returns the report of the box, with a mark by which the computer is found that has it.
func (b box) document(number int, mark string) string {
	if b.program == "" {
		b.program = "OCS-NG_unified_unix_agent_v2.10.0"
	}
	if b.adapter == "" {
		b.adapter = "Intel(R) Ethernet Connection"
	}
	network := ""
	if b.mac != "" {
		network = fmt.Sprintf("<NETWORKS><DESCRIPTION>%s</DESCRIPTION><MACADDR>%s</MACADDR><IPADDRESS>%s</IPADDRESS><STATUS>Up</STATUS></NETWORKS>", b.adapter, b.mac, b.address)
	}
	content := fmt.Sprintf("<VERSIONCLIENT>%s</VERSIONCLIENT><OLD_DEVICEID>%s</OLD_DEVICEID><HARDWARE><NAME>%s</NAME><UUID>%s</UUID><WORKGROUP>%s</WORKGROUP></HARDWARE>"+
		"<BIOS><SMANUFACTURER>%s</SMANUFACTURER><SSN>%s</SSN></BIOS>%s", b.program, b.old, b.name, b.uuid, mark,
		b.maker, b.serial, network)
	return strings.ReplaceAll(inventory(b.device, content), "#", fmt.Sprintf("%02X", number))
}

// Computers of the cases: one with everything that identifies it, a virtual machine without a serial number,
// and one without either.
var (
	whole = box{
		device: "pc#", name: "pc#", maker: "Dell Inc.", serial: "SER#A", uuid: "12345678-9abc-def0-1122-3344556677#",
		mac: "A4:C3:F0:11:00:#", address: "10.0.0.1",
	}
	guest = box{device: "vm#", name: "vm#", maker: "QEMU", serial: "Not Specified",
		uuid: "87654321-9abc-def0-1122-3344556677#", mac: "A4:C3:F0:22:00:#", address: "10.0.0.2"}
	bare = box{device: "box#", name: "box#"}
)

// A whose is a case: the computers of its reports in turn, of which the first is 1, and of which computers
// the last new one may be a duplicate.
type whose struct {
	name       string
	reports    []box
	want       []int
	duplicates []int
	pause      time.Duration // between its reports
}

const (
	otherUUID   = "abcdef01-9abc-def0-1122-3344556677#"
	otherMAC    = "A4:C3:F0:33:00:#"
	otherSerial = "SER#B"
)

// whoseReports are the cases that the rules are about.
var whoseReports = []whose{
	{"the same again", []box{whole, whole}, []int{1, 1}, nil, 0},
	{"same UUID, both serials good and different", []box{
		whole, whole.but(func(b *box) { b.device, b.serial = "new#", otherSerial }),
	}, []int{1, 2}, []int{1}, 0},
	{"same UUID and device id, both serials good and different", []box{
		whole, whole.but(func(b *box) { b.serial = otherSerial }), whole,
	}, []int{1, 2, 1}, []int{1}, 0},
	{"same device id and serial, other UUID", []box{whole, whole.but(func(b *box) { b.uuid = otherUUID }), whole},
		[]int{1, 1, 1}, nil, 0},
	{"same device id, other serial and UUID", []box{
		whole, whole.but(func(b *box) { b.name, b.serial, b.uuid, b.mac = "two#", otherSerial, otherUUID, otherMAC }),
		whole,
	}, []int{1, 2, 1}, []int{1}, 0},
	{"same device id, serial missing once, other UUID", []box{
		whole, whole.but(func(b *box) { b.serial, b.uuid = "", otherUUID }),
	}, []int{1, 2}, []int{1}, 0},
	{"same device id, serial and UUID missing once", []box{
		whole, whole.but(func(b *box) { b.serial, b.uuid, b.name = "", "", "two#" }),
	}, []int{1, 1}, nil, 0},
	{"junk serial, no UUID, different MACs", []box{
		whole.but(func(b *box) { b.serial, b.uuid = "To be filled by O.E.M.", "" }),
		whole.but(func(b *box) {
			b.device, b.name, b.serial, b.uuid, b.mac = "new#", "two#", "To be filled by O.E.M.", "", otherMAC
		}),
	}, []int{1, 2}, nil, 0},
	{"HP and Hewlett-Packard, same serial, no UUID", []box{
		whole.but(func(b *box) { b.maker, b.uuid = "HP", "" }),
		whole.but(func(b *box) { b.device, b.maker, b.uuid = "new#", "Hewlett-Packard", "" }),
	}, []int{1, 1}, nil, 0},
	{"Lenovo in another case, same serial, no UUID", []box{
		whole.but(func(b *box) { b.maker, b.uuid = "LENOVO", "" }),
		whole.but(func(b *box) { b.device, b.maker, b.uuid = "new#", "Lenovo", "" }),
	}, []int{1, 1}, nil, 0},
	{"two makers, same serial, no UUID", []box{
		whole.but(func(b *box) { b.maker, b.uuid = "HP", "" }),
		whole.but(func(b *box) { b.device, b.maker, b.uuid = "new#", "Dell", "" }),
	}, []int{1, 2}, nil, 0},
	{"re-image: new device id, same serial, same token", []box{
		whole, whole.but(func(b *box) { b.device, b.name, b.mac = "new#", "two#", otherMAC }),
	}, []int{1, 1}, nil, 0},
	{"same serial, other UUID, new device id", []box{
		whole, whole.but(func(b *box) { b.device, b.uuid = "new#", otherUUID }),
	}, []int{1, 2}, []int{1}, 0},
	{"clone of a virtual machine: same UUID, other name and MAC", []box{
		guest, guest.but(func(b *box) { b.device, b.name, b.mac = "new#", "two#", otherMAC }), guest,
	}, []int{1, 2, 1}, []int{1}, 0},
	{"clone of a virtual machine with its device id, then each again", []box{
		guest, guest.but(func(b *box) { b.name, b.mac = "two#", otherMAC }), guest,
		guest.but(func(b *box) { b.name, b.mac = "two#", otherMAC }),
		guest.but(func(b *box) { b.name, b.mac = "renamed#", otherMAC }), guest,
	}, []int{1, 2, 1, 2, 2, 1}, []int{1}, 0},
	{"a virtual machine that is renamed", []box{guest, guest.but(func(b *box) { b.name = "two#" })}, []int{
		1, 1,
	}, nil, 0},
	{"a virtual machine with another adapter", []box{guest, guest.but(func(b *box) { b.mac = otherMAC })}, []int{
		1, 1,
	}, nil, 0},
	{"a virtual machine with the UUID in the other byte order", []box{
		guest, guest.but(func(b *box) { b.device, b.uuid = "new#", "21436587-bc9a-f0de-1122-3344556677#" }),
	}, []int{1, 1}, nil, 0},
	{"copies without serial and UUID, with one device id", []box{
		bare.but(func(b *box) { b.mac = whole.mac }), bare.but(func(b *box) { b.name, b.mac = "two#", otherMAC }),
		bare.but(func(b *box) { b.mac = whole.mac }), bare.but(func(b *box) { b.name, b.mac = "two#", otherMAC }),
	}, []int{1, 2, 1, 2}, []int{1}, 0},
	{"one MAC, neither serial nor UUID", []box{
		bare.but(func(b *box) { b.mac = whole.mac }), bare.but(func(b *box) { b.device, b.mac = "new#", whole.mac }),
	}, []int{1, 1}, nil, 0},
	{"one name alone", []box{bare, bare.but(func(b *box) { b.device = "new#" })}, []int{1, 2}, nil, 0},
	{"another program at the same place", []box{
		bare.but(func(b *box) { b.mac, b.address = "02:42:AC:11:00:#", "172.17.0.2" }),
		bare.but(func(b *box) {
			b.program, b.device, b.mac, b.address = "FusionInventory-Agent_v2.6", "new#", "02:42:AC:11:00:#",
				"172.17.0.2"
		}),
	}, []int{1, 1}, nil, 73 * time.Hour}, // the other is silent by then, and this one heard
	{"a device id that was made anew, with the old one beside", []box{
		bare, bare.but(func(b *box) { b.device, b.old = "new#", "box#" }),
	}, []int{1, 1}, nil, 0},
}

// TestWhoseReports posts the reports of each case in turn, and looks of which computer each is.
func TestWhoseReports(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		a := newAgent(t, s)
		for i, c := range whoseReports {
			ids := c.post(t, a, s, i)
			c.flagged(t, s, ids)
		}
	})
}

// post posts the reports of a case and returns the ids of its computers.
func (c *whose) post(t *testing.T, a *agent, s *mustertest.Server, number int) (ids []int64) {
	t.Helper()
	var got []int
	for i, b := range c.reports {
		mark := fmt.Sprintf("mark-%d-%d", number, i)
		if answer := a.post(deflated(b.document(number, mark))); answer.status != http.StatusOK {
			t.Errorf("%s: got %d %s", c.name, answer.status, answer.text)
			return ids
		}
		id := marked(t, s, mark)
		s.Clock.Advance(c.pause)
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
		got = append(got, slices.Index(ids, id)+1)
	}
	if !slices.Equal(got, c.want) {
		t.Errorf("%s: got the computers %v, want %v", c.name, got, c.want)
	}
	return ids
}

// marked returns the computer that has a mark.
func marked(t *testing.T, s *mustertest.Server, mark string) int64 {
	t.Helper()
	var list struct{ Hardwares []struct{ ID int64 } }
	if err := json.Unmarshal([]byte(s.Admin().Get("/hardwares.json?domain="+mark).Body), &list); err != nil {
		t.Fatal(err)
	}
	if len(list.Hardwares) != 1 {
		t.Fatalf("got %d computers with the mark %s, want one", len(list.Hardwares), mark)
	}
	return list.Hardwares[0].ID
}

// flagged checks of which others the last new computer of a case may be a duplicate.
func (c *whose) flagged(t *testing.T, s *mustertest.Server, ids []int64) {
	t.Helper()
	if len(ids) == 0 {
		return
	}
	message := ""
	for _, audit := range s.Audits() {
		if audit.Action == records.Created && audit.RecordType == "hardware" && audit.RecordID.V == ids[len(ids)-1] {
			message = audit.Message
		}
	}
	_, flagged, _ := strings.Cut(message, "possible duplicate of computer")
	var got []int
	for i, id := range ids {
		if strings.Contains(flagged, fmt.Sprintf(" %d (", id)) {
			got = append(got, i+1)
		}
	}
	if !slices.Equal(got, c.duplicates) || c.duplicates == nil && flagged != "" {
		t.Errorf("%s: got %q, want it to be a possible duplicate of %v", c.name, message, c.duplicates)
	}
}

// sharedValues are the cases of what many computers have: it joins none. Some of it is set by an administrator.
func sharedValues() (cases []whose) {
	two := func(what, value string, one box) {
		other := one.but(func(b *box) { b.device, b.name, b.address = "new#", "two#", "10.0.0.9" })
		cases = append(cases, whose{what + " " + value, []box{one, other, one}, []int{1, 2, 1}, nil, 0})
	}
	for _, serial := range []string{
		"0", "1111111", "To Be Filled By O.E.M.", "to be filled by oem", "System Serial Number", "SystemSerialNumb",
		"Default string", "None", "N/A", "123456789",
		"SYS-1234567890", "SN-12345", "EVAL", "OEM_Serial", "Unknow", "(null string)", "MB-1234567890",
		"Chassis Serial Number", "Our Lab-1", "our lab 1",
	} {
		two("serial", serial, whole.but(func(b *box) { b.serial, b.uuid, b.mac = serial, "", "" }))
	}
	for _, uuid := range []string{
		"00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
		"03000200-0400-0500-0006-000700080009", "00020003-0004-0005-0006-000700080009",
		"6AB5B300-538D-1014-9FB5-B0684D007B53", "01010101-0101-0101-0101-010101010101", "Not Settable",
		"feedbeef-0000-1111-2222-333344445555", "efbeedfe-0000-1111-2222-333344445555",
	} {
		two("UUID", uuid, guest.but(func(b *box) { b.uuid, b.mac = uuid, "" }))
	}
	for _, mac := range []string{
		"00:00:00:00:00:00", "50:50:54:50:30:30", "24:B6:20:52:41:53", "00:A0:C6:00:00:00", "44:45:53:54:00:00",
		"20:41:53:59:4E:FF", "08:00:27:12:34:56", "00:50:56:C0:00:08",
		"00:50:B6:12:34:56", "00-24-9b-12-34-56", "A4:BB:6D:12:34:56", "02:80:37:EC:02:00",
	} {
		two("MAC", mac, bare.but(func(b *box) { b.mac, b.address = mac, "10.0.0.1" }))
	}
	for _, adapter := range []string{
		"Surface Ethernet Adapter", "DisplayLink Network Adapter NCM", "Remote NDIS based Internet Sharing Device",
		"Apple Mobile Device Ethernet", "Realtek USB GbE Family Controller",
		"ThinkPad Dock Ethernet", "Bluetooth Device (Personal Area Network)",
	} {
		two("adapter", adapter,
			bare.but(func(b *box) { b.mac, b.adapter, b.address = "A4:C3:F0:44:00:#", adapter, "10.0.0.1" }))
	}
	return cases
}

// TestSharedValues posts reports of computers that have a value in common which many have.
func TestSharedValues(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		set(s, "not-serials", "Our Lab 1")
		set(s, "not-uuids", "FEEDBEEF-0000-1111-2222-333344445555")
		set(s, "not-macs", "a4-bb-6d")
		a := newAgent(t, s)
		for i, c := range sharedValues() {
			c.post(t, a, s, i)
		}
	})
}
