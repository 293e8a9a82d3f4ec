package agents

import (
	"fmt"
	"slices"
	"strings"

	"muster/internal/desk"
	"muster/internal/identity"
	"muster/internal/message"
	"muster/internal/report"
)

// Settings of what many computers share, besides what the program knows of.
var (
	notSerials = sharedSetting("not-serials",
		"further serial numbers that tell no computer, since many have them, separated by commas", serialKeyOf)
	notUUIDs = sharedSetting("not-uuids",
		"further UUIDs that tell no computer, since many have them, separated by commas", uuidKeyOf)
	notMACs = sharedSetting("not-macs",
		"further MAC addresses of adapters that tell no computer, such as those of docks, or their beginnings, separated by commas", macKeyOf)
)

// maxShared is how many values such a setting may have.
const maxShared = 1000

// sharedSetting returns the setting of a list of values. Its value is their keys.
func sharedSetting(name, about string, keyOf func(text string) (key, spelling string, err error)) desk.Setting {
	return desk.NewSetting(name, about, func(text string) (any, string, error) {
		var keys, spellings []string
		for one := range strings.SplitSeq(text, ",") {
			one = strings.TrimSpace(one)
			if one == "" {
				continue
			}
			key, spelling, err := keyOf(one)
			if err != nil {
				return nil, "", err
			}
			if !slices.Contains(keys, key) {
				keys, spellings = append(keys, key), append(spellings, spelling)
			}
		}
		if len(keys) > maxShared {
			return nil, "", message.Says("must have at most %d values", maxShared)
		}
		return keys, strings.Join(spellings, ", "), nil
	})
}

func serialKeyOf(text string) (key, spelling string, err error) {
	switch key = identity.Fold(text); {
	case !desk.IsLine(text):
		return "", "", message.Says("must be text of one line in UTF-8")
	case key == "":
		return "", "", message.Says("must have letters or digits, which %s has not", fmt.Sprintf("%.30s", text))
	}
	return key, text, nil
}

func uuidKeyOf(text string) (key, spelling string, err error) {
	key, ok := identity.ReadUUID(text)
	if !ok {
		return "", "", message.Says("must be UUIDs such as 03000200-0400-0500-0006-000700080009, which %s is not",
			fmt.Sprintf("%.40s", text))
	}
	return min(key, identity.Swapped(key)), key, nil
}

func macKeyOf(text string) (key, spelling string, err error) {
	key, ok := identity.ReadMAC(text)
	if !ok {
		return "", "", message.Says("must be MAC addresses such as 00:50:B6:12:34:56, "+
			"or their first three bytes or more, which %s is not",
			fmt.Sprintf("%.40s", text))
	}
	return key, key, nil
}

// shared is what many computers have besides what the program knows of.
type shared struct{ serials, uuids, macs []string }

// sharedValues returns what administrators have set.
func sharedValues(d *desk.Desk) shared {
	return shared{d.Settings().Value(&notSerials).([]string), d.Settings().Value(&notUUIDs).([]string),
		d.Settings().Value(&notMACs).([]string)}
}

// serial returns the key of a serial number, "" when many computers have it.
func (s *shared) serial(key string) string {
	if identity.Serial(key) == "" || slices.Contains(s.serials, key) {
		return ""
	}
	return key
}

// uuid is serial for a UUID, in the byte order that comes first.
func (s *shared) uuid(key string) string {
	if known, _ := identity.UUID(key); known == "" || slices.Contains(s.uuids, key) {
		return ""
	}
	return key
}

// hasMAC reports whether administrators have set that a MAC identifies no computer.
func (s *shared) hasMAC(mac string) bool {
	return slices.ContainsFunc(s.macs, func(start string) bool { return strings.HasPrefix(mac, start) })
}

// good reports whether a key of a computer distinguishes it from others.
func (s *shared) good(key string) bool {
	switch value := key[len(serialPrefix):]; key[:len(serialPrefix)] {
	case serialPrefix:
		return s.serial(value[strings.LastIndexByte(value, '/')+1:]) != ""
	case uuidPrefix:
		return s.uuid(value) != ""
	case macPrefix:
		return identity.GoodMAC(value) && !s.hasMAC(value)
	}
	return true
}

// without returns a report without what administrators have set that many
// computers share: the report itself when it has nothing of that.
func (s *shared) without(r *report.Report) *report.Report {
	id := &r.Identity
	serial, uuid := s.serial(id.SerialKey) != id.SerialKey, s.uuid(uuidOf(id)) != uuidOf(id)
	adapter := func(a report.Adapter) bool { return s.hasMAC(a.MAC) }
	if !serial && !uuid && !slices.ContainsFunc(id.Adapters, adapter) {
		return r
	}
	clean := *r
	id = &clean.Identity
	if serial {
		id.SerialKey = ""
	}
	if uuid {
		id.UUID, id.SwappedUUID = "", ""
	}
	id.Adapters = slices.Clone(id.Adapters)
	for i := range id.Adapters {
		id.Adapters[i].Shared = id.Adapters[i].Shared || adapter(id.Adapters[i])
	}
	return &clean
}
