package mustertest

import "fmt"

// A Machine is what an agent reports of a computer, as far as a test says.
type Machine struct {
	Program          string // "OCS" when empty
	Device, Old      string
	Name             string
	Maker, Serial    string
	UUID             string
	MAC, IP, Adapter string
	More             string // further sections
}

// XML returns the report of the machine.
func (m Machine) XML() string {
	client := map[string]string{"": "OCS-NG_unified_unix_agent_v2.10.0", "Fusion": "FusionInventory-Agent_v2.6",
		"GLPI": "GLPI-Agent_v1.12"}[m.Program]
	network := ""
	if m.MAC != "" {
		if m.Adapter == "" {
			m.Adapter = "eth0"
		}
		network = fmt.Sprintf("<NETWORKS><DESCRIPTION>%s</DESCRIPTION><MACADDR>%s</MACADDR><IPADDRESS>%s</IPADDRESS><STATUS>Up</STATUS></NETWORKS>", m.Adapter, m.MAC, m.IP)
	}
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?><REQUEST><CONTENT>
		<VERSIONCLIENT>%s</VERSIONCLIENT><OLD_DEVICEID>%s</OLD_DEVICEID>
		<HARDWARE><NAME>%s</NAME><UUID>%s</UUID></HARDWARE>
		<BIOS><SMANUFACTURER>%s</SMANUFACTURER><SSN>%s</SSN></BIOS>%s%s
		</CONTENT><DEVICEID>%s</DEVICEID><QUERY>INVENTORY</QUERY></REQUEST>`,
		client, m.Old, m.Name, m.UUID, m.Maker, m.Serial, network, m.More, m.Device)
}

// Laptop is a computer with some parts.
var Laptop = Machine{
	Device: "lap-2026-01-01-00-00-00", Name: "lap", Maker: "Lenovo", Serial: "PF0ABCDE", UUID: UUID1,
	MAC: "00:1B:21:AA:BB:CC", IP: "10.0.0.5",
}

// ProgramXML is an element of one program.
func ProgramXML(name, version, more string) string {
	return fmt.Sprintf("<SOFTWARES><NAME>%s</NAME><VERSION>%s</VERSION><PUBLISHER>Acme</PUBLISHER>%s</SOFTWARES>",
		name, version, more)
}

// DriveXML is an element of a drive with so much free.
func DriveXML(free int) string {
	return fmt.Sprintf("<DRIVES><LETTER>C:</LETTER><TYPE>Hard Drive</TYPE><TOTAL>1000</TOTAL><FREE>%d</FREE></DRIVES>",
		free)
}

// With returns a machine with a change.
func With(m Machine, change func(*Machine)) Machine { change(&m); return m }

// Elements of memory.
const (
	Slot1       = "<MEMORIES><NUMSLOTS>1</NUMSLOTS><CAPACITY>8192</CAPACITY></MEMORIES>"
	Slot2       = "<MEMORIES><NUMSLOTS>2</NUMSLOTS><CAPACITY>8192</CAPACITY></MEMORIES>"
	Slot2Larger = "<MEMORIES><NUMSLOTS>2</NUMSLOTS><CAPACITY>16384</CAPACITY></MEMORIES>"
)

// UUIDs of machines, one also in the other byte order.
const (
	UUID1, UUID1Swapped = "12345678-9abc-def0-1122-334455667788", "78563412-bc9a-f0de-1122-334455667788"
	UUID2               = "aaaaaaaa-9abc-def0-1122-334455667799"
)
