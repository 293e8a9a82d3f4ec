package demo

import "muster/internal/inventory"

// A family is a family of operating systems: it decides how an agent writes
// many things.
type family uint8

const (
	windows family = iota
	unix
	macOS
)

// A system is an operating system.
type system struct {
	name   string
	family family
}

var (
	clientSystems = []share[system]{
		{50, system{"Microsoft Windows 11 Pro", windows}},
		{20, system{"Microsoft Windows 11 Enterprise", windows}},
		{17, system{"Microsoft Windows 10 Pro", windows}},
		{7, system{"Ubuntu 24.04.1 LTS", unix}},
		{3, system{"Debian GNU/Linux 12 (bookworm)", unix}},
		{3, system{"Fedora Linux 41 (Workstation Edition)", unix}},
	}
	serverSystems = []share[system]{
		{22, system{"Microsoft Windows Server 2022 Standard", windows}},
		{14, system{"Microsoft Windows Server 2019 Standard", windows}},
		{3, system{"Microsoft Windows Server 2016 Standard", windows}},
		{28, system{"Debian GNU/Linux 12 (bookworm)", unix}},
		{8, system{"Debian GNU/Linux 11 (bullseye)", unix}},
		{15, system{"Ubuntu 22.04.5 LTS", unix}},
		{10, system{"Red Hat Enterprise Linux 9.4 (Plow)", unix}},
	}
	appleSystems = []share[system]{
		{5, system{"macOS 15.1", macOS}},
		{4, system{"macOS 14.7.1", macOS}},
		{1, system{"macOS 13.6.9", macOS}},
	}
)

// A class is a group of computers that are alike: what they are called, what
// runs on them and how many parts they have of each sort.
type class struct {
	category, code string
	models         []share[*model]
	systems        []share[system]
	owned          int // how many of 100 belong to a person
	texts          []string
	module         string  // what its memory modules are
	memory         []int64 // sizes of a module, in MB
	adapters       [][]adapter
	disks          []disk
	cards          []inventory.Video // none when there is but one adapter
	connectors     []inventory.Port  // none when there are no ports

	slots, videos, printers, usbs, keyboards, mice  span
	displays, storages, ports, sounds, nets, drives span
}

var laptops = &class{
	category: "Laptop", code: "LT", models: laptopModels, systems: clientSystems, owned: 88,
	texts: []string{
		"Laptop for work at home and on the road",
		"Meeting room laptop, stays with the projector",
		"Loan laptop for visitors",
		"Replaces an older laptop that was handed in",
	},
	module: "SODIMM (None)", memory: []int64{8192, 8192, 16384}, adapters: laptopAdapters, disks: clientDisks,
	cards: laptopCards, connectors: clientPorts,
	slots: span{2, 2}, videos: span{1, 2}, printers: span{1, 4}, usbs: span{3, 8}, keyboards: span{1, 2},
	mice: span{1, 2}, displays: span{1, 3}, storages: span{1, 2}, ports: span{3, 6}, sounds: span{1, 2},
	nets: span{3, 5}, drives: span{1, 4},
}

var desktops = &class{
	category: "Desktop", code: "PC", models: desktopModels, systems: clientSystems, owned: 60,
	texts: []string{
		"Shared desk, used in two shifts",
		"Reception desk",
		"Shop floor terminal, line 3",
		"Label printing station",
	},
	module: "DIMM (None)", memory: []int64{4096, 8192, 8192, 16384}, adapters: desktopAdapters, disks: clientDisks,
	cards: desktopCards, connectors: clientPorts,
	slots: span{2, 4}, videos: span{1, 2}, printers: span{1, 4}, usbs: span{3, 8}, keyboards: span{1, 1},
	mice: span{1, 1}, displays: span{1, 3}, storages: span{1, 3}, ports: span{4, 6}, sounds: span{1, 2},
	nets: span{2, 4}, drives: span{1, 4},
}

// workstations are desktops with all that can be built in or plugged in.
var workstations = &class{
	category: "Desktop", code: "WS", models: workstationModels, systems: clientSystems, owned: 80,
	texts: []string{
		"CAD workstation",
		"Simulation runs at night: do not switch off",
		"Image processing for the test bench",
	},
	module: "DIMM (None)", memory: []int64{16384, 32768}, adapters: desktopAdapters, disks: clientDisks,
	cards: desktopCards, connectors: clientPorts,
	slots: span{8, 8}, videos: span{2, 2}, printers: span{4, 4}, usbs: span{12, 14}, keyboards: span{1, 2},
	mice: span{2, 2}, displays: span{2, 3}, storages: span{3, 3}, ports: span{10, 12}, sounds: span{2, 3},
	nets: span{5, 5}, drives: span{4, 4},
}

var servers = &class{
	category: "Server", code: "SRV", models: serverModels, systems: serverSystems,
	texts: []string{
		"File and print server of the site",
		"Virtualisation host",
		"Backup target, second copy is off site",
		"Database server of the order system",
	},
	module: "DIMM (Multi-bit ECC)", memory: []int64{16384, 32768, 65536}, adapters: serverAdapters, disks: serverDisks,
	connectors: serverPorts,
	slots:      span{8, 12}, videos: span{1, 1}, usbs: span{2, 4}, displays: span{0, 1}, storages: span{2, 4},
	ports: span{4, 6}, nets: span{3, 4}, drives: span{2, 4},
}

var guests = &class{
	category: "Virtual Machine", code: "VM", models: virtualModels, systems: serverSystems,
	texts: []string{
		"Build runner",
		"Web front end of the order system",
		"Test copy of production, refreshed each month",
		"Domain controller",
		"Monitoring",
	},
	memory: []int64{2048, 4096, 8192, 16384, 32768}, adapters: guestAdapters, disks: guestDisks,
	slots: span{1, 1}, videos: span{1, 1}, usbs: span{0, 1}, keyboards: span{0, 1}, mice: span{0, 1},
	storages: span{1, 2}, nets: span{1, 2}, drives: span{1, 3},
}

// classShares are the classes of computers, workstations apart.
var classShares = []share[*class]{{50, laptops}, {26, desktops}, {8, servers}, {16, guests}}

// statusShares are the statuses, by index, and how often each occurs.
var statusShares = []share[int]{{86, 0}, {3, 1}, {3, 2}, {4, 3}, {3, 4}, {1, 5}}
