package web

import (
	"muster/internal/inventory"
	"muster/internal/kind"
)

// A section shows the records of one kind.
type section struct {
	kind    *kind.Schema
	path    string // below Root, such as computers
	icon    string
	title   string // what people call the records
	add     string // on the button that makes one, "" where people make none
	group   string // of the navigation
	access  access
	lead    string   // the field that names a record
	state   string   // the field that tells how it is, "" for none
	columns []column // that lists show at first
	sort    string   // the query by which lists are sorted at first, "" for the order of ids
	views   []view
	facts   []factGroup // of a record's page and its form; fields that none names come last
	bulk    []string    // the fields that can be changed of many records at once
}

// A column is a field that lists show.
type column struct {
	field string
	// class is that of its cells, which tells what becomes of them on narrow screens:
	// a card has the lead and the state, and one cell each at the left and at the
	// right of a second and a third line; in long lists the state is the left one of
	// the second line.
	class string
}

// A view is a list that people often want.
type view struct {
	title string
	query string // as in the address; {department} is the person's
}

// A factGroup is a part of a record's page.
type factGroup struct {
	title  string
	fields []string
}

// A navEntry is a page in the navigation that is no section.
type navEntry struct {
	path, icon, title string
	access            access
}

// navGroups are the parts of the navigation, by task.
var navGroups = []struct {
	name, title string
	links       []navEntry
}{
	{"", "", []navEntry{{"/", "dashboard", "Dashboard", staff}}},
	{"desk", "Desk", nil},
	{"inventory", "Inventory", nil},
	{"contracts", "Contracts", nil},
	{"watch", "Watch", nil},
	{"administration", "Administration", []navEntry{
		{agentsPath, "agent", "Agents", staff},
		{sessionsPath, "token", "Sessions and tokens", admins},
		{settingsPath, "settings", "Settings", admins},
		{aboutPath, "info", "About", admins},
	}},
}

// sections are all kinds that the application shows, in the order of the
// navigation.
var sections = []*section{
	{
		kind: inventory.Tickets.Schema, path: "tickets", icon: "ticket", title: "Tickets", add: "New ticket", group: "desk", access: staff, lead: "name", state: "state",
		sort:    "sort_by=updated_at&sort_order=DESC",
		bulk:    []string{"state", "priority", "assignee", "tag"},
		columns: []column{{"number", "drop"}, {"priority", "right third"}, {"name", "lead cap"}, {"state", "state"}, {"requester", "cap third"}, {"assignee", "cap drop"}, {"hardwares", "cap drop p3"}, {"created-at", "right drop"}, {"due-at", "right second"}},
		facts: []factGroup{
			{"Ticket", []string{"name", "description", "state", "priority", "category", "subcategory", "due-at", "tag"}},
			{"People and place", []string{"requester", "assignee", "site", "department"}},
			{"Concerns", []string{"hardwares", "other-assets"}},
			{"Resolution", []string{"resolution"}},
		},
		views: []view{
			{"Mine", "assignee=me&" + openStates}, {"Unassigned", "assignee=&" + openStates}, {"My department's", "department={department}&" + openStates},
			{"Overdue", "due_at_to=now&" + openStates}, {"All open", openStates}, {"New", "state=New"}, {"Done", doneStates}, {"All", openStates + "&" + doneStates},
		},
	},
	{
		kind: inventory.Solutions.Schema, path: "articles", icon: "article", title: "Articles", add: "New article", group: "desk", access: staff, lead: "name", state: "state",
		columns: []column{{"name", "lead cap"}, {"state", "state"}, {"category", "third"}, {"tag", "drop"}, {"author", "cap right third"}, {"updated-at", "right second"}},
		facts: []factGroup{
			{"Article", []string{"name", "description", "state", "category", "tag"}},
			{"Related", []string{"tickets"}},
		},
		views: []view{{"All", ""}, {"Published", "state=Published"}, {"Internal", "state=Internal"}, {"Drafts", "state=Draft"}},
	},
	{
		kind: inventory.Computers.Schema, path: "computers", icon: "computer", title: "Computers", add: "Add computer", group: "inventory", access: staff, lead: "name", state: "status",
		sort:    "sort_by=name",
		bulk:    []string{"status", "site", "department", "tag", "owner"},
		columns: []column{{"name", "lead cap"}, {"status", "state"}, {"detected-at", "right second"}, {"operating-system", "cap second"}, {"owner", "cap third"}, {"site", "right third"}, {"department", "cap drop"}, {"asset-id", "drop p3"}},
		views: []view{
			{"All", ""}, {"Operational", "status=Operational"}, {"Not reporting", "not_reporting=10"}, {"Recently added", "recently_added=7"}, {"Spares", "status=Spare"}, {"Broken or in repair", "status=In+Repair&status=Broken"},
		},
		facts: []factGroup{
			{"Identity", []string{"name", "status", "serial-number", "asset-id", "category", "manufacturer", "model", "owner", "technical-contact", "site", "department", "tag", "notes"}},
			{"System", []string{"operating-system", "ip", "cpu", "processor-speed", "memory", "swap", "domain", "username", "description", "detected-at", "created-at"}},
		},
	},
	{
		kind: inventory.Softwares.Schema, path: "software", icon: "software", title: "Software", add: "Add software", group: "inventory", access: staff, lead: "name",
		sort:    "sort_by=name",
		bulk:    []string{"category", "tag"},
		columns: []column{{"name", "lead cap"}, {"version", "right second"}, {"manufacturer", "cap second"}, {"category", "third"}, {"installs", "right end third"}, {"first-detected-at", "drop p3"}},
		facts: []factGroup{
			{"Program", []string{"name", "version", "manufacturer", "vendor", "category", "tag", "hidden", "installs", "first-detected-at", "created-at"}},
		},
		views: []view{{"All", ""}, {"Visible", "hidden=false"}, {"System", "hidden=true"}},
	},
	{
		kind: inventory.Printers.Schema, path: "printers", icon: "printer", title: "Printers", add: "Add printer", group: "inventory", access: staff, lead: "name",
		sort:    "sort_by=name",
		bulk:    []string{"site", "department", "tag"},
		columns: []column{{"name", "lead cap"}, {"manufacturer", "right second"}, {"model", "cap second"}, {"ip", "third"}, {"site", "right third"}, {"shared", "drop"}, {"asset-id", "drop p3"}},
		facts: []factGroup{
			{"Printer", []string{"name", "status", "manufacturer", "model", "serial-number", "asset-id"}},
			{"Connection", []string{"ip", "driver", "port", "shared"}},
			{"Place", []string{"site", "department", "technical-contact", "tag", "notes", "created-at"}},
		},
	},
	{
		kind: inventory.OtherAssets.Schema, path: "assets", icon: "asset", title: "Other assets", add: "Add asset", group: "inventory", access: staff, lead: "name", state: "status",
		sort:    "sort_by=name",
		bulk:    []string{"status", "site", "department", "tag", "owner"},
		columns: []column{{"name", "lead cap"}, {"status", "state"}, {"asset-type", "second"}, {"asset-id", "right second"}, {"manufacturer", "cap drop"}, {"model", "cap third"}, {"site", "right third"}, {"owner", "cap drop"}},
		facts: []factGroup{
			{"Asset", []string{"name", "status", "asset-type", "category", "asset-id", "serial-number", "manufacturer", "model", "ip", "tag", "description"}},
			{"People and place", []string{"owner", "user", "site", "department", "notes", "created-at"}},
		},
		views: []view{{"All", ""}, {"Operational", "status=Operational"}, {"Spares", "status=Spare"}, {"Broken or in repair", "status=In+Repair&status=Broken"}},
	},
	{
		kind: inventory.Contracts.Schema, path: "contracts", icon: "contract", title: "Contracts", add: "Add contract", group: "contracts", access: staff, lead: "name", state: "status",
		sort:    "sort_by=end_date",
		bulk:    []string{"site", "department", "tag"},
		columns: []column{{"name", "lead cap"}, {"status", "state"}, {"type", "right second"}, {"vendor", "cap third"}, {"end-date", "right third"}, {"seats", "end drop"}, {"installed", "end drop"}, {"compliance", "drop"}},
		facts: []factGroup{
			{"Contract", []string{"name", "type", "vendor", "manufacturer", "start-date", "end-date", "note"}},
			{"Place", []string{"site", "department", "tag", "created-at"}},
		},
		views: []view{{"All", ""}, {"Active", "status=Active"}, {"Licences", "type=SoftwareLicense"}, {"Over-used", overUsed}, {"Expired", "status=Expired"}},
	},
	{
		kind: inventory.Vendors.Schema, path: "vendors", icon: "vendor", title: "Vendors", add: "Add vendor", group: "contracts", access: staff, lead: "name",
		sort:    "sort_by=name",
		columns: []column{{"name", "lead cap"}, {"vendor-type", "right second"}, {"contact-name", "cap second"}, {"contact-email", "cap third"}, {"telephone", "right third"}, {"country", "drop"}},
		facts: []factGroup{
			{"Vendor", []string{"name", "vendor-type", "url", "telephone"}},
			{"Contact", []string{"contact-name", "contact-email", "contact-phone"}},
			{"Address", []string{"address", "city", "region", "zip", "country"}},
			{"Notes", []string{"note", "created-at"}},
		},
	},
	{
		kind: inventory.Risks.Schema, path: "risks", icon: "risk", title: "Risks", add: "Add risk", group: "watch", access: staff, lead: "name", state: "status",
		bulk:    []string{"status"},
		columns: []column{{"name", "lead cap"}, {"status", "state"}, {"severity", "right second"}, {"category", "third"}, {"source", "drop"}, {"detected-at", "right third"}},
		facts: []factGroup{
			{"Risk", []string{"name", "description", "category", "severity", "status", "ignored-until", "source", "detected-at", "resolved-at"}},
			{"Affected assets", []string{"affected-assets"}},
		},
		views: []view{{"Open", "status=Open"}, {"Ignored", "status=Ignored"}, {"Resolved", "status=Resolved"}, {"All", ""}},
	},
	{
		kind: inventory.Audits.Schema, path: "activity", icon: "activity", title: "Activity", group: "watch", access: staff, lead: "message",
		sort:    "sort_by=id&sort_order=DESC",
		columns: []column{{"message", "lead cap"}, {"action", "state"}, {"record-name", "cap second"}, {"user", "cap second"}, {"origin", "third"}, {"created-at", "right third"}},
		views:   []view{{"All", ""}, {"By people", "origin=web&origin=api&origin=command"}, {"By agents", "origin=agent"}},
	},
	{
		kind: inventory.Users.Schema, path: "users", icon: "users", title: "Users", add: "Add user", group: "administration", access: admins, lead: "name",
		columns: []column{{"name", "lead cap"}, {"email", "cap second"}, {"role", "right second"}, {"department", "cap third"}, {"site", "drop"}, {"disabled", "drop"}, {"last-login", "right third"}},
		facts: []factGroup{
			{"Person", []string{"first-name", "last-name", "email", "title", "phone", "mobile-phone", "department", "site"}},
			{"Access", []string{"role", "password", "read-only", "disabled", "last-login", "created-at"}},
		},
		views: []view{{"All", ""}, {"Administrators", "role=administrator"}, {"Technicians", "role=technician"}, {"Requesters", "role=requester"}, {"Disabled", "disabled=true"}},
	},
}

// sectionOf returns the section that shows records of a kind, nil for none.
func sectionOf(k *kind.Schema) *section {
	for _, s := range sections {
		if s.kind == k.Stored() {
			return s
		}
	}
	return nil
}

// tones are the classes in which values that tell how something is are shown: a
// shape and a colour beside the word.
var tones = map[string]string{
	"Operational": "good", "In Repair": "warn half", "Broken": "bad", "Spare": "ring", "Lost": "bad ring", "Disposed": "",
	inventory.TicketNew: "info ring", inventory.TicketAssigned: "accent half", inventory.TicketAwaiting: "warn", inventory.TicketOnHold: "ring",
	inventory.TicketResolved: "good", inventory.TicketClosed: "",
	"Active": "good", "Future": "info ring", "Expired": "bad",
	inventory.RiskOpen: "warn", inventory.RiskIgnored: "ring",
	inventory.SolutionDraft: "ring", inventory.SolutionInternal: "info", inventory.SolutionPublished: "good",
	inventory.OverUsed: "bad", inventory.Unused: "warn", inventory.Compliant: "good",
	inventory.Created: "good", inventory.Updated: "info", inventory.Deleted: "bad", inventory.Reported: "ring", inventory.Split: "info",
}
