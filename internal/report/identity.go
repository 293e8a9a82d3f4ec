package report

import (
	"slices"
	"strings"
	"unicode"
)

// identity returns what tells whose report it is.
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
	id.SerialKey, id.ManufacturerKey = SerialKey(id.Serial), MakerKey(id.Manufacturer)
	id.UUID, id.SwappedUUID = UUIDKeys(h.text("UUID"))
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

// fold returns the letters and digits of a value in lower case, for comparing.
func fold(value string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, value)
}

// junk are folded values that makers leave in the firmware of computers they did not number.
var junk = words(`tobefilledbyoem tobefilledbyoemstring systemserialnumber defaultstring none na notavailable notapplicable notspecified
	notdefined notset unknown undefined invalid empty null nil oem oemstring serial serialnumber sn chassisserialnumber baseboardserialnumber
	mbserialnumber boardserialnumber systemmanufacturer systemproductname 12345 123456 1234567 12345678 123456789 1234567890 0123456789
	01234567 012345678 0123456789abcdef ssn12345678901234567 sernum0 xxxxxxxxxx test`)

// junkTags are such values of asset tags besides.
var junkTags = words(`noassetinformation noassettag noasset asset1234567890 assettag systemassettag chassisassettag baseboardassettag atn12345678901234567
	assettagnumber defaultassettag asset`)

func words(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}

// MakerKey returns the name of a manufacturer for comparing.
func MakerKey(name string) string { return fold(name) }

// SerialKey returns a serial number for comparing, "" when it is not good: when a maker gave it to many computers.
func SerialKey(serial string) string {
	key := fold(serial)
	if monotone(key) || junk[key] {
		return ""
	}
	return key
}

// monotone reports whether a value is one character alone, however often: zeros, mostly.
func monotone(value string) bool { return value == "" || strings.Trim(value, value[:1]) == "" }

// assetTag returns the number that a computer's owner wrote into its firmware, "" when nobody did.
func assetTag(tag string) string {
	if key := fold(tag); monotone(key) || junk[key] || junkTags[key] {
		return ""
	}
	return tag
}

// notUUIDs are those that makers gave to many computers, in either byte order.
var notUUIDs = words(`03000200-0400-0500-0006-000700080009 00020003-0004-0005-0006-000700080009
	12345678-1234-5678-90ab-cddeefaabbcc 78563412-3412-7856-90ab-cddeefaabbcc`)

// UUIDKeys returns a UUID in lower case, and the same with its first three groups in the other byte order, as which
// another agent of the same computer may know it. Both are "" when it is not good.
func UUIDKeys(uuid string) (key, swapped string) {
	key = strings.ToLower(uuid)
	if !wellFormed(key) || monotone(strings.ReplaceAll(key, "-", "")) || notUUIDs[key] {
		return "", ""
	}
	k := key
	swapped = k[6:8] + k[4:6] + k[2:4] + k[0:2] + "-" + k[11:13] + k[9:11] + "-" + k[16:18] + k[14:16] + k[18:]
	return key, swapped
}

// wellFormed reports whether text is a UUID in lower case.
func wellFormed(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i := range len(text) {
		switch c := text[i]; {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f'):
			return false
		}
	}
	return true
}
