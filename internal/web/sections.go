package web

import (
	"net/url"

	"muster/internal/inventory"
)

func init() { sections = declared() }

// declared returns all kinds that the application shows, in the order of the
// navigation.
func declared() []*section {
	return []*section{
		{
			place: place{kind: inventory.Tickets.Schema, path: "tickets", icon: "ticket", title: "Tickets", add: "New ticket", group: "desk", access: staff, lead: "name"}, state: "state",
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
			begin:   beginningText{"No tickets yet", "People open them here, or you do for them.", []navEntry{{path: "/tickets/new", title: "New ticket"}}},
			widths:  queueWidths,
			among:   map[string]url.Values{"assignee": workers()},
			special: special{listColumns: queueColumns, listCell: (*call).ticketCell, newForm: (*call).newTicketForm},
		},
		{
			place: place{kind: inventory.Solutions.Schema, path: "articles", icon: "article", title: "Articles", add: "New article", group: "desk", access: staff, lead: "name"}, state: "state",
			columns: []column{{"name", "lead cap"}, {"state", "state"}, {"category", "third"}, {"tag", "drop"}, {"author", "cap right third"}, {"updated-at", "right second"}},
			facts: []factGroup{
				{"Article", []string{"name", "description", "state", "category", "tag"}},
				{"Related", []string{"tickets"}},
			},
			views:   []view{{"All", ""}, {"Published", "state=Published"}, {"Internal", "state=Internal"}, {"Drafts", "state=Draft"}},
			begin:   beginningText{"No articles yet", "Write down what is asked again and again.", []navEntry{{path: "/articles/new", title: "New article"}}},
			buttons: []string{"state"},
			special: special{record: (*call).articlePage, input: (*call).articleInput},
		},
		{
			place: place{kind: inventory.Computers.Schema, path: "computers", icon: "computer", title: "Computers", add: "Add computer", group: "inventory", access: staff, lead: "name"}, state: "status",
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
			begin:     beginningText{"No computers yet", "Point an agent at this server, or add one by hand.", []navEntry{{path: "/agents/tokens", title: "Connect agents", access: admins}, {path: importPath + "?kind=computers", title: "Import"}, {path: "/computers/new", title: "Add computer"}}},
			shortName: true,
			widths:    computerWidths,
			tabPaths:  computerTabs,
			special:   special{listCell: (*call).computerCell},
		},
		{
			place:   place{kind: inventory.Softwares.Schema, path: "software", icon: "software", title: "Software", add: "Add software", group: "inventory", access: staff, lead: "name"},
			sort:    "sort_by=name",
			bulk:    []string{"category", "tag"},
			columns: []column{{"name", "lead cap"}, {"version", "right second"}, {"manufacturer", "cap second"}, {"category", "third"}, {"installs", "right end third"}, {"first-detected-at", "drop p3"}},
			facts: []factGroup{
				{"Program", []string{"name", "version", "manufacturer", "vendor", "category", "tag", "hidden", "installs", "first-detected-at", "created-at"}},
			},
			views:   []view{{"All", ""}, {"Visible", "hidden=false"}, {"System", "hidden=true"}},
			begin:   beginningText{"No software yet", "It comes with the reports of computers.", []navEntry{{path: "/computers", title: "Computers"}}},
			special: special{rowName: softwareName, relations: softwareRelations, related: softwareRelated},
		},
		{
			place:   place{kind: inventory.Printers.Schema, path: "printers", icon: "printer", title: "Printers", add: "Add printer", group: "inventory", access: staff, lead: "name"},
			sort:    "sort_by=name",
			bulk:    []string{"site", "department", "tag"},
			columns: []column{{"name", "lead cap"}, {"manufacturer", "right second"}, {"model", "cap second"}, {"ip", "third"}, {"site", "right third"}, {"shared", "drop"}, {"asset-id", "drop p3"}},
			facts: []factGroup{
				{"Printer", []string{"name", "status", "manufacturer", "model", "serial-number", "asset-id"}},
				{"Connection", []string{"ip", "driver", "port", "shared"}},
				{"Place", []string{"site", "department", "technical-contact", "tag", "notes", "created-at"}},
			},
			begin: beginningText{"No printers yet", "They come with the reports of computers, or you add them.", []navEntry{{path: "/printers/new", title: "Add printer"}}},
		},
		{
			place: place{kind: inventory.OtherAssets.Schema, path: "assets", icon: "asset", title: "Other assets", add: "Add asset", group: "inventory", access: staff, lead: "name"}, state: "status",
			sort:    "sort_by=name",
			bulk:    []string{"status", "site", "department", "tag", "owner"},
			columns: []column{{"name", "lead cap"}, {"status", "state"}, {"asset-type", "second"}, {"asset-id", "right second"}, {"manufacturer", "cap drop"}, {"model", "cap third"}, {"site", "right third"}, {"owner", "cap drop"}},
			facts: []factGroup{
				{"Asset", []string{"name", "status", "asset-type", "category", "asset-id", "serial-number", "manufacturer", "model", "ip", "tag", "description"}},
				{"People and place", []string{"owner", "user", "site", "department", "notes", "created-at"}},
			},
			views:     []view{{"All", ""}, {"Operational", "status=Operational"}, {"Spares", "status=Spare"}, {"Broken or in repair", "status=In+Repair&status=Broken"}},
			begin:     beginningText{"No other assets yet", "Monitors, phones, keys: all that is no computer.", []navEntry{{path: "/assets/new", title: "Add asset"}}},
			shortName: true,
		},
		{
			place: place{kind: inventory.Contracts.Schema, path: "contracts", icon: "contract", title: "Contracts", add: "Add contract", group: "contracts", access: staff, lead: "name"}, state: "status",
			sort:    "sort_by=end_date",
			bulk:    []string{"site", "department", "tag"},
			columns: []column{{"name", "lead cap"}, {"status", "state"}, {"type", "right second"}, {"vendor", "cap third"}, {"end-date", "right third"}, {"seats", "end drop"}, {"installed", "end drop"}, {"compliance", "drop"}},
			facts: []factGroup{
				{"Contract", []string{"name", "type", "vendor", "manufacturer", "start-date", "end-date", "note"}},
				{"Place", []string{"site", "department", "tag", "created-at"}},
			},
			views:   []view{{"All", ""}, {"Active", "status=Active"}, {"Licences", "type=SoftwareLicense"}, {"Over-used", overUsed}, {"Expired", "status=Expired"}},
			begin:   beginningText{"No contracts yet", "Enter licences here, and their use is counted.", []navEntry{{path: "/contracts/new", title: "Add contract"}}},
			special: special{record: (*call).contractPage, relations: contractRelations, related: contractRelated, input: (*call).contractInput},
		},
		{
			place:   place{kind: inventory.Vendors.Schema, path: "vendors", icon: "vendor", title: "Vendors", add: "Add vendor", group: "contracts", access: staff, lead: "name"},
			sort:    "sort_by=name",
			columns: []column{{"name", "lead cap"}, {"vendor-type", "right second"}, {"contact-name", "cap second"}, {"contact-email", "cap third"}, {"telephone", "right third"}, {"country", "drop"}},
			facts: []factGroup{
				{"Vendor", []string{"name", "vendor-type", "url", "telephone"}},
				{"Contact", []string{"contact-name", "contact-email", "contact-phone"}},
				{"Address", []string{"address", "city", "region", "zip", "country"}},
				{"Notes", []string{"note", "created-at"}},
			},
			begin: beginningText{"No vendors yet", "A contract that names one makes it, too.", []navEntry{{path: "/vendors/new", title: "Add vendor"}}},
		},
		{
			place: place{kind: inventory.Risks.Schema, path: "risks", icon: "risk", title: "Risks", add: "Add risk", group: "watch", access: staff, lead: "name"}, state: "status",
			bulk:    []string{"status"},
			columns: []column{{"name", "lead cap"}, {"status", "state"}, {"severity", "right second"}, {"category", "third"}, {"source", "drop"}, {"detected-at", "right third"}},
			facts: []factGroup{
				{"Risk", []string{"name", "description", "category", "severity", "status", "ignored-until", "source", "detected-at", "resolved-at"}},
				{"Affected assets", []string{"affected-assets"}},
			},
			views:   []view{{"Open", "status=Open"}, {"Ignored", "status=Ignored"}, {"Resolved", "status=Resolved"}, {"All", ""}},
			begin:   beginningText{"No risks", "Nothing is known that should not stay as it is.", []navEntry{{path: "/risks/new", title: "Add risk"}}},
			buttons: []string{"status", "ignored-until"},
			special: special{record: (*call).riskPage},
		},
		{
			place:   place{kind: inventory.Audits.Schema, path: "activity", icon: "activity", title: "Activity", group: "watch", access: staff, lead: "message"},
			sort:    "sort_by=id&sort_order=DESC",
			columns: []column{{"message", "lead cap"}, {"action", "state"}, {"record-name", "cap second"}, {"user", "cap second"}, {"origin", "third"}, {"created-at", "right third"}},
			views:   []view{{"All", ""}, {"By people", "origin=web&origin=api&origin=command"}, {"By agents", "origin=agent"}},
			begin:   beginningText{"Nothing happened yet", "Every change is told here.", nil},
			special: special{record: (*call).trailPage},
		},
		{
			place:   place{kind: inventory.Users.Schema, path: "users", icon: "users", title: "Users", add: "Add user", group: "administration", access: admins, lead: "name"},
			columns: []column{{"name", "lead cap"}, {"email", "cap second"}, {"role", "right second"}, {"department", "cap third"}, {"site", "drop"}, {"disabled", "drop"}, {"last-login", "right third"}},
			facts: []factGroup{
				{"Person", []string{"first-name", "last-name", "email", "title", "phone", "mobile-phone", "department", "site"}},
				{"Access", []string{"role", "password", "read-only", "disabled", "last-login", "created-at"}},
			},
			views:     []view{{"All", ""}, {"Administrators", "role=administrator"}, {"Technicians", "role=technician"}, {"Requesters", "role=requester"}, {"Disabled", "disabled=true"}},
			begin:     beginningText{"No users yet", "Let people in who ask for help or give it.", []navEntry{{path: "/users/new", title: "Add user"}}},
			shortName: true,
			special:   special{related: userRelated},
		},
	}
}
