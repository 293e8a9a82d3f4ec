package inventory_test

import (
	"flag"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"muster/internal/inventory"
	"muster/internal/kind"
)

const base = "https://muster.example.com"

var update = flag.Bool("update", false, "write the golden files anew")

// equal fails the test unless got is want; no items are as good as none.
func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// golden compares got with a file, which -update writes.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, file, got, string(want))
}

// mb returns a number that is not null.
func mb(n int64) kind.Int { return kind.Some(n) }

// fullComputer returns a computer with every value set, and an item that lacks
// what the specification calls nullable.
func fullComputer() *inventory.Computer {
	anna := kind.Person{
		ID: 7, Email: "anna@example.com", Name: "Anna Berg", FirstName: "Anna", LastName: "Berg",
		LastLogin: time.Date(2026, 1, 30, 8, 0, 0, 0, time.UTC),
	}
	return &inventory.Computer{
		Record: kind.Record{
			ID: 158, Version: 4,
			CreatedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
			UpdatedAt: time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC),
		},
		AssetID: "MUS-000158", Name: "ws-0158", Status: "Operational", Category: "Workstation",
		OperatingSystem: "Debian GNU/Linux 12 (bookworm)", CPU: "  Intel(R) Core(TM) i7-9700 CPU @ 3.00GHz",
		IP:   "10.0.4.18",
		Site: "Headquarters", Department: "R&D", Domain: "example.com", Tag: "loan",
		Memory: mb(32768), ProcessorSpeed: mb(3000), Swap: mb(0),
		Username: "aberg", Description: "Under the desk,\nleft side", Notes: "Fan < 900 rpm & rising",
		TechnicalContact: anna,
		Videos: []inventory.Video{{Chipset: "GA104", Name: "GeForce RTX 3070", Memory: mb(8192)}, {
			Name: "Intel UHD 630",
		}},
		Memories: []inventory.Memory{
			{Description: "DIMM", Type: "DDR4", Name: "DIMM A1", Purpose: "System Memory", Speed: "2666",
				Capacity: mb(16384), Slot: mb(0)},
			{Description: "DIMM", Type: "DDR4", Name: "DIMM B1", Purpose: "System Memory", Speed: "2666",
				Capacity: mb(16384), Slot: mb(1)},
		},
		Printers: []inventory.LocalPrinter{{Driver: "PCL 6", Name: "Laser 2nd floor", Port: "IP_10.0.4.200"}},
		USBs: []inventory.USB{
			{ControllerType: "xHCI", Description: "USB 3.1", Manufacturer: "Intel", Name: "Cannon Lake", Version: "10"},
		},
		Keyboards: []inventory.Input{{Type: "USB", Name: "Standard keyboard"}},
		Displays: []inventory.Display{
			{Manufacturer: "Dell", Name: "U2720Q", Description: "27\"", SerialNumber: "7XK1"},
			{Manufacturer: "LG", Name: "27UK850"},
		},
		Storages: []inventory.Storage{{
			Description: "NVMe", Manufacturer: "Samsung", Model: "970 EVO", Name: "nvme0n1", Type: "SSD",
			Size: mb(953869),
		}},
		BIOSes: []inventory.BIOS{
			{Date: "03/12/2020", Manufacturer: "Dell Inc.", Model: "OptiPlex 7070", SSN: "5CG0", Version: "1.4.0"},
		},
		Ports:  []inventory.Port{{Description: "Serial", Name: "COM1", Type: "DB-9"}},
		Sounds: []inventory.Sound{{Description: "HD Audio", Manufacturer: "Realtek", Name: "ALC3234"}},
		Mice:   []inventory.Input{{Type: "USB", Manufacturer: "Logitech", Name: "M90"}},
		Networks: []inventory.Network{
			{Description: "eth0", DHCP: "10.0.4.1", Gateway: "10.0.4.1", IP: "10.0.4.18", MAC: "00:11:22:33:44:55",
				Status: "Up"},
			{Description: "wlan0", MAC: "00:11:22:33:44:56", Status: "Down"},
		},
		Drives: []inventory.Drive{
			{DriveName: "System", Type: "ext4", Name: "/", FreeSpace: mb(401233), TotalSpace: mb(937872)},
			{Type: "vfat", Name: "/boot/efi"},
		},
		DetectedAt:   time.Date(2026, 1, 31, 9, 29, 58, 0, time.UTC),
		SerialNumber: "5CG0", Manufacturer: "Dell Inc.", Model: "OptiPlex 7070 SFF", SetModel: "OptiPlex 7070 SFF",
		Owner: anna,
	}
}

// TestComputerDocuments compares with documents that were checked by eye
// against the specification, 2.2 and 2.3.
func TestComputerDocuments(t *testing.T) {
	full, bare := fullComputer(), inventory.Computers.New()
	bare.ID, bare.Name = 159, "bare"
	golden(t, "testdata/computer.xml", string(inventory.Computers.AppendRecord(nil, kind.XML, base, full)))
	golden(t, "testdata/computer-bare.xml", string(inventory.Computers.AppendRecord(nil, kind.XML, base, bare)))
	page := kind.Page{Position: kind.Position{Number: 1, PerPage: 25, Total: 2}, Records: []any{full, bare}}
	golden(t, "testdata/computers.xml", string(inventory.Computers.AppendList(nil, kind.XML, base, page)))
}

// TestComputerFieldOrder spells the order of the specification out, and what
// is added behind it.
func TestComputerFieldOrder(t *testing.T) {
	list := []string{
		"id", "href", "asset-id", "name", "status", "category", "operating-system", "cpu", "ip", "site", "department",
		"domain", "tag",
		"created-at", "updated-at", "softwares-href", "hidden-softwares-href", "tickets-href", "risks-href",
		"audits-href",
	}
	detail := []string{
		"memory", "processor-speed", "swap", "username", "description", "notes", "technical-contact", "videos",
		"memories", "printers",
		"usbs", "keyboards", "displays", "storages", "bioses", "ports", "sounds", "mice", "networks", "drives",
	}
	extra := []string{"detected-at", "serial-number", "manufacturer", "model", "owner"}
	var single, listed []string
	for _, f := range inventory.Computers.Fields {
		if f.Hidden || f.Included {
			continue
		}
		single = append(single, f.Name)
		if !f.Detail {
			listed = append(listed, f.Name)
		}
	}
	equal(t, "list item", listed, append(list[:len(list):len(list)], extra...))
	equal(t, "single record", single, append(append(append(list, detail...), extra...), "softwares-left-out"))
}

// TestComputerFilters asks for each parameter of the specification and of ours.
func TestComputerFilters(t *testing.T) {
	for _, param := range []string{
		"category", "status", "operating_system", "processor", "tag", "manufacturer", "domain", "site", "department",
		"name", "asset_id", "ip", "mac_address", "serial_number", "model", "username", "owner",
	} {
		if _, err := inventory.Computers.ParseQuery(param+"=x", time.Now()); err != nil {
			t.Errorf("%s: %v", param, err)
		}
	}
	for _, param := range []string{"recently_added", "not_reporting", "not_reported"} {
		if _, err := inventory.Computers.ParseQuery(param+"=10", time.Now()); err != nil {
			t.Errorf("%s: %v", param, err)
		}
	}
}

// TestStockRubyDocument reads what a client makes of our document that forms
// singulars by its own rules.
func TestStockRubyDocument(t *testing.T) {
	patch, err := inventory.Computers.Decode([]byte(`<hardware><name>x</name>
		<bioses type="array"><bio><ssn>S1</ssn></bio></bioses>
		<drives type="array"><drife><name>/</name><free-space type="integer">5</free-space></drife></drives>
		<memories type="array"><memory type="array"><memory><slot type="integer">0</slot></memory></memory></memories></hardware>`))
	if err != nil || patch.Faults() != nil {
		t.Fatal(err, patch.Faults())
	}
	var c inventory.Computer
	patch.Apply(&c)
	equal(t, "computer", c, inventory.Computer{
		Name: "x", BIOSes: []inventory.BIOS{{SSN: "S1"}}, Drives: []inventory.Drive{{Name: "/", FreeSpace: mb(5)}},
		Memories: []inventory.Memory{{Slot: mb(0)}},
	})
}

// TestLoneBIOS reads a BIOS without its collection.
func TestLoneBIOS(t *testing.T) {
	patch, err := inventory.Computers.Decode([]byte(`<hardware><bio><ssn>S1</ssn></bio></hardware>`))
	if err != nil || patch.Faults() != nil {
		t.Fatal(err, patch.Faults())
	}
	c := fullComputer()
	patch.Apply(c)
	equal(t, "bioses", c.BIOSes, []inventory.BIOS{{SSN: "S1"}})
}

func TestComputerDiff(t *testing.T) {
	old, now := fullComputer(), fullComputer()
	now.Memory = mb(65536)
	now.BIOSes = []inventory.BIOS{
		{Date: "01/01/2024", Manufacturer: "Dell Inc.", Model: "OptiPlex 7070", SSN: "5CG0", Version: "1.9.0"},
	}
	now.Networks = []inventory.Network{
		old.Networks[0], {Description: "wlan0", MAC: "00:11:22:33:44:56", IP: "10.0.5.1", Status: "Up"},
	}
	now.SetModel, now.Model = "", "OptiPlex 7070"
	diff := inventory.Computers.Diff(old, now)
	equal(t, "sentences", diff.Sentences, []string{
		"Memory changed from 32768 MB to 65536 MB",
		"BIOS 5CG0 changed: BIOS date changed from 03/12/2020 to 01/01/2024, version changed from 1.4.0 to 1.9.0",
		"Network 00:11:22:33:44:56 wlan0 changed: IP address set to 10.0.5.1, status changed from Down to Up",
		"Model changed from OptiPlex 7070 SFF to OptiPlex 7070",
	})
}
