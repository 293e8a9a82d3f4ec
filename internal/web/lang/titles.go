package lang

import (
	"maps"
	"sync"

	"muster/internal/inventory"
)

// faultTitles are what people call the fields, filters and settings that faults
// name, where it is something else than the name.
var faultTitles = sync.OnceValue(func() map[string]string {
	titles := map[string]string{}
	for _, k := range inventory.All() {
		for _, f := range k.Filters {
			titles[f.Param] = f.Field.Label
		}
		for _, f := range k.Fields {
			titles[f.Words()] = f.Label
		}
	}
	maps.Copy(titles, FilterWords)
	for param, words := range DayWords {
		titles[param] = words[1]
	}
	for _, g := range SettingTitles {
		for _, one := range g.Titles {
			titles[one[0]] = one[1]
		}
	}
	return titles
})

// DayWords are what filters by days are called: in the menu, and on a chip before
// and around the number.
var DayWords = map[string][4]string{
	"not_reporting":  {"Not reporting for … days", "Not reporting", "for %s day", "for %s days"},
	"not_reported":   {"Not reporting for … days", "Not reporting", "for %s day", "for %s days"},
	"recently_added": {"Added in the last … days", "Added", "in the last day", "in the last %s days"},
}

// FilterWords are what people call some filters, or those of one kind.
var FilterWords = map[string]string{
	"updated_since": "Changed since", "mac_address": "MAC address", "printer": "Printer", "processor": "Processor",
	"claimed_at": "Report waiting to be accepted", "record_id": "Number of the record",
	"ticket.created_at": "Created", // the column shows the age
}

// SettingTitles are what people call settings, in the groups and the order in
// which they are shown. Those that are not among them come last, by their names.
var SettingTitles = []struct {
	Group  string
	Titles [][2]string // name, title
}{
	{"Signing in", [][2]string{
		{"second-factor", "Who must have a second factor"}, {"organisation", "Name of the organisation"},
	}},
	{"Inventory", [][2]string{{"statuses", "Additional statuses"}}},
	{"Agents", [][2]string{
		{"agent-hours", "Hours between reports"}, {"agent-rest-hours", "Hours of rest after a report"},
		{"agent-reports", "Reports a minute of one computer"},
		{"agent-computers", "New computers a minute by one token"},
		{"agent-computers-per-day", "New computers a day by one token"},
		{"agent-names-per-day", "New software names a day of one computer"},
		{"agent-token-names-per-day", "New software names a day by one token"},
		{"agent-token-names-per-computer", "More new names for each of its computers"},
		{"agent-printers-per-day", "New printers a day of one computer"},
		{"agent-token-printers-per-day", "New printers a day by one token"},
		{"not-serials", "Serial numbers to ignore"}, {"not-uuids", "UUIDs to ignore"},
		{"not-macs", "MAC addresses to ignore"},
	}},
	{"Backups", [][2]string{
		{"backup-hour", "Time of the daily backup"}, {"backup-folder", "Folder of backups"},
		{"backup-keep", "How many are kept"}, {"backup-for", "Public keys to encrypt backups to"},
	}},
	{"API", [][2]string{
		{"page-size", "Records on a page"}, {"digest-algorithms", "Algorithms of digest authentication"},
	}},
}
