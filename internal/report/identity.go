package report

import (
	"slices"
	"strings"

	"muster/internal/identity"
)

// identity returns the identity of the computer that the report is from.
func (c *collector) identity(from Source) Identity {
	h, b := c.of("HARDWARE"), c.of("BIOS")
	header := func(value string) string { return c.keep([]byte(clean(value)), plain) } // of which nothing is known
	id := Identity{
		DeviceID: c.deviceID, AgentID: header(from.AgentID), Adapters: c.adapters,
		Serial: b.text("SSN"), Manufacturer: b.text("SMANUFACTURER", "MMANUFACTURER"),
	}
	client := c.client
	fill(&client, header(from.UserAgent))
	id.Program, id.ProgramVersion = program(client)
	id.SerialKey, id.ManufacturerKey = identity.Serial(id.Serial), identity.Maker(id.Manufacturer)
	id.UUID, id.SwappedUUID = identity.UUID(h.text("UUID"))
	for _, old := range []string{c.oldDeviceID, h.text("OLD_DEVICEID"), c.of("DOWNLOAD").text("OLD_DEVICEID")} {
		if old != "" && old != id.DeviceID && !slices.Contains(id.OldDeviceIDs, old) {
			id.OldDeviceIDs = append(id.OldDeviceIDs, old)
		}
	}
	return id
}

// program splits what an agent calls itself, such as GLPI-Agent_v1.12, into program and version.
func program(client string) (name, version string) {
	name, version, _ = strings.Cut(client, "_v")
	for _, known := range []struct{ prefix, name string }{
		{"ocs", OCS}, {"fusioninventory", Fusion}, {"glpi", GLPI}, {"muster", Own},
	} {
		if startsFold(name, known.prefix) {
			return known.name, version
		}
	}
	return name, version
}
