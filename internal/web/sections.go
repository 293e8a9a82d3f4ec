package web

import (
	"net/url"
	"slices"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/activity"
	"muster/internal/web/admin"
	"muster/internal/web/computers"
	"muster/internal/web/dashboard"
	"muster/internal/web/imports"
	"muster/internal/web/lang"
	"muster/internal/web/page"
	"muster/internal/web/records"
	"muster/internal/web/tickets"
)

// withoutSection are the kinds that are served and have no section, with the reason.
var withoutSection = map[*kind.Schema]string{
	inventory.AgentClaims.Schema: "staff answer claims on the page of agents, beside the agent that each is about",
}

// Sections returns the sections of the kinds that are served, in the order of the
// navigation: those that are refined below, then the others as records makes them.
func Sections(served []*kind.Schema) (all records.Sections) {
	refined := refinements()
	for _, s := range refined {
		if slices.Contains(served, s.Kind) {
			s.Complete()
			all = append(all, s)
		}
	}
	for _, k := range served {
		if k.Stored() == k && k.Parent() == nil && refined.Of(k) == nil && withoutSection[k] == "" {
			s := records.Usual(k)
			s.Icon, s.Group = usualIcon, usualGroup
			all = append(all, s)
		}
	}
	return all
}

// What kinds without a refinement have in the menus.
const (
	usualIcon  = "tag"
	usualGroup = "inventory"
)

// refinements returns what the sections of kinds have that does not follow from the
// declaration of the kind, in the order of the navigation. A kind needs none.
func refinements() records.Sections {
	return records.Sections{
		{
			Place: page.Place{
				Kind: inventory.Tickets.Schema, Path: "tickets", Icon: "ticket", Title: "Tickets", Add: "New ticket",
				Group: "desk",
			},
			Sort: "sort_by=updated_at&sort_order=DESC",
			Bulk: []string{"state", "priority", "assignee", "tag"},
			Columns: []records.Column{
				col("number", "drop"), col("priority", "right third"), col("name", "lead cap"), col("state", "state"),
				col("requester", "cap third"), col("assignee", "cap drop"), col("hardwares", "cap drop p3"),
				col("created-at", "right drop"), col("due-at", "right second"),
			},
			Facts: []records.FactGroup{
				group("Ticket", "name", "description", "state", "priority", "category", "subcategory", "due-at", "tag"),
				group("People and place", "requester", "assignee", "site", "department"),
				group("Concerns", "hardwares", "other-assets"),
				group("Resolution", "resolution"),
			},
			Views: []records.View{
				view("Mine", "assignee=me&"+tickets.OpenStates), view("Unassigned", "assignee=&"+tickets.OpenStates),
				view("My department's", "department={department}&"+tickets.OpenStates),
				view("Overdue", "due_at_to=now&"+tickets.OpenStates), view("All open", tickets.OpenStates),
				view("New", "state=New"), view("Done", tickets.DoneStates),
				view("All", tickets.OpenStates+"&"+tickets.DoneStates),
			},
			Begin: records.BeginningText{
				Title: "No tickets yet", Text: "People open tickets here, or you open them on their behalf.",
				Steps: []page.NavEntry{{Path: "/tickets/new", Title: "New ticket"}},
			},
			Headings: map[string]string{
				"name": lang.Msg("Subject"), "number": lang.Msg("No."), "hardwares": lang.Msg("Computer"),
				"created-at": lang.Msg("Age"), "due-at": lang.Msg("Due"),
			},
			Identities: []string{"number"},
			Widths:     tickets.QueueWidths,
			Among:      map[string]url.Values{"assignee": tickets.Workers()},
			Special: records.Special{
				ListColumns: tickets.QueueColumns, ListCell: tickets.ListCell, NewForm: tickets.NewForm,
			},
		},
		{
			Place: page.Place{
				Kind: inventory.Solutions.Schema, Path: "articles", Icon: "article", Title: "Articles",
				Add:   "New article",
				Group: "desk",
			},
			Columns: []records.Column{
				col("name", "lead cap"), col("state", "state"), col("category", "third"), col("tag", "drop"),
				col("author", "cap right third"), col("updated-at", "right second"),
			},
			Facts: []records.FactGroup{
				group("Article", "name", "description", "state", "category", "tag"),
				group("Related", "tickets"),
			},
			Views: []records.View{
				view("All", ""), view("Published", "state=Published"), view("Internal", "state=Internal"),
				view("Drafts", "state=Draft"),
			},
			Begin: records.BeginningText{
				Title: "No articles yet", Text: "Write down what people ask again and again.",
				Steps: []page.NavEntry{{Path: "/articles/new", Title: "New article"}},
			},
			Buttons: []string{"state"},
			Special: records.Special{Record: articlePage, Input: articleInput},
		},
		{
			Place: page.Place{
				Kind: inventory.Computers.Schema, Path: "computers", Icon: "computer", Title: "Computers",
				Add:   "Add computer",
				Group: "inventory",
			},
			Sort: "sort_by=name",
			Bulk: []string{"status", "site", "department", "tag", "owner"},
			Columns: []records.Column{
				col("name", "lead cap"), col("status", "state"), col("detected-at", "right second"),
				col("operating-system", "cap second"), col("owner", "cap third"), col("site", "right third"),
				col("department", "cap drop"), col("asset-id", "drop p3"),
			},
			Views: []records.View{
				view("All", ""), view("Operational", "status=Operational"), view("Not reporting", admin.SilentQuery),
				view("Recently added", "recently_added=7"), view("Spares", "status=Spare"),
				view("Broken or in repair", "status=In+Repair&status=Broken"),
			},
			Facts: []records.FactGroup{
				group("Identity", "name", "status", "serial-number", "asset-id", "category", "manufacturer",
					"model", "owner", "technical-contact", "site", "department", "tag", "notes"),
				group("System", "operating-system", "ip", "cpu", "processor-speed", "memory", "swap", "domain",
					"username", "description", "detected-at", "created-at"),
			},
			Begin: records.BeginningText{
				Title: "No computers yet", Text: "Connect an agent to this server, or add one by hand.",
				Steps: []page.NavEntry{
					{Path: "/agents/tokens", Title: "Connect agents", Access: page.Admins},
					{Path: imports.Path + "?kind=computers", Title: "Import"},
					{Path: "/computers/new", Title: "Add computer"},
				},
			},
			ShortName:  true,
			Headings:   map[string]string{"operating-system": lang.Msg("System"), "cpu": lang.Msg("Processor")},
			Identities: []string{"asset_id", "serial_number"},
			Widths:     computers.Widths,
			TabPaths:   computers.ComputerTabs,
			Special:    records.Special{ListCell: computers.ListCell, Releasable: releasable},
		},
		{
			Place: page.Place{
				Kind: inventory.Softwares.Schema, Path: "software", Icon: "software", Title: "Software",
				Add:   "Add software",
				Group: "inventory",
			},
			Sort: "sort_by=name",
			Bulk: []string{"category", "tag"},
			Columns: []records.Column{
				col("name", "lead cap"), col("version", "right second"), col("manufacturer", "cap second"),
				col("category", "third"), col("installs", "right end third"), col("first-detected-at", "drop p3"),
			},
			Facts: []records.FactGroup{
				group("Program", "name", "version", "manufacturer", "vendor", "category", "tag", "hidden",
					"installs", "first-detected-at", "created-at"),
			},
			Views: []records.View{view("All", ""), view("Visible", "hidden=false"), view("System", "hidden=true")},
			Begin: records.BeginningText{
				Title: "No software yet", Text: "Software appears here when computers report it.",
				Steps: []page.NavEntry{{Path: "/computers", Title: "Computers"}},
			},
			Special: records.Special{RowName: softwareName, Relations: softwareRelations, Related: softwareRelated},
		},
		{
			Place: page.Place{
				Kind: inventory.Printers.Schema, Path: "printers", Icon: "printer", Title: "Printers",
				Add:   "Add printer",
				Group: "inventory",
			},
			Sort: "sort_by=name",
			Bulk: []string{"site", "department", "tag"},
			Columns: []records.Column{
				col("name", "lead cap"), col("manufacturer", "right second"), col("model", "cap second"),
				col("ip", "third"),
				col("site", "right third"), col("shared", "drop"), col("asset-id", "drop p3"),
			},
			Facts: []records.FactGroup{
				group("Printer", "name", "status", "manufacturer", "model", "serial-number", "asset-id"),
				group("Connection", "ip", "driver", "port", "shared"),
				group("Place", "site", "department", "technical-contact", "tag", "notes", "created-at"),
			},
			Begin: records.BeginningText{
				Title: "No printers yet", Text: "They appear here when computers report them, or when you add them.",
				Steps: []page.NavEntry{{Path: "/printers/new", Title: "Add printer"}},
			},
		},
		{
			Place: page.Place{
				Kind: inventory.OtherAssets.Schema, Path: "assets", Icon: "asset", Title: "Other assets",
				Add:   "Add asset",
				Group: "inventory",
			},
			Sort: "sort_by=name",
			Bulk: []string{"status", "site", "department", "tag", "owner"},
			Columns: []records.Column{
				col("name", "lead cap"), col("status", "state"), col("asset-type", "second"),
				col("asset-id", "right second"),
				col("manufacturer", "cap drop"), col("model", "cap third"), col("site", "right third"),
				col("owner", "cap drop"),
			},
			Facts: []records.FactGroup{
				group("Asset", "name", "status", "asset-type", "category", "asset-id", "serial-number",
					"manufacturer", "model", "ip", "tag", "description"),
				group("People and place", "owner", "user", "site", "department", "notes", "created-at"),
			},
			Views: []records.View{
				view("All", ""), view("Operational", "status=Operational"), view("Spares", "status=Spare"),
				view("Broken or in repair", "status=In+Repair&status=Broken"),
			},
			Begin: records.BeginningText{
				Title: "No other assets yet", Text: "Monitors, phones, keys: everything that is not a computer.",
				Steps: []page.NavEntry{{Path: "/assets/new", Title: "Add asset"}},
			},
			Identities: []string{"asset_id"},
			ShortName:  true,
		},
		{
			Place: page.Place{
				Kind: inventory.Contracts.Schema, Path: "contracts", Icon: "contract", Title: "Contracts",
				Add:   "Add contract",
				Group: "contracts",
			},
			Sort: "sort_by=end_date",
			Bulk: []string{"site", "department", "tag"},
			Columns: []records.Column{
				col("name", "lead cap"), col("status", "state"), col("type", "right second"),
				col("vendor", "cap third"),
				col("end-date", "right third"), col("seats", "end drop"), col("installed", "end drop"),
				col("compliance", "drop"),
			},
			Facts: []records.FactGroup{
				group("Contract", "name", "type", "vendor", "manufacturer", "start-date", "end-date", "note"),
				group("Place", "site", "department", "tag", "created-at"),
			},
			Views: []records.View{
				view("All", ""), view("Active", "status=Active"), view("Licences", "type=SoftwareLicense"),
				view("Over-used", dashboard.OverUsed), view("Expired", "status=Expired"),
			},
			Begin: records.BeginningText{
				Title: "No contracts yet", Text: "Enter licences here, and Muster counts their use.",
				Steps: []page.NavEntry{{Path: "/contracts/new", Title: "Add contract"}},
			},
			Special: records.Special{
				ListCell: contractCell, Record: contractPage, Relations: contractRelations, Related: contractRelated,
				Input: contractInput,
			},
		},
		{
			Place: page.Place{
				Kind: inventory.Vendors.Schema, Path: "vendors", Icon: "vendor", Title: "Vendors", Add: "Add vendor",
				Group: "contracts",
			},
			Sort: "sort_by=name",
			Columns: []records.Column{
				col("name", "lead cap"), col("vendor-type", "right second"), col("contact-name", "cap second"),
				col("contact-email", "cap third"), col("telephone", "right third"), col("country", "drop"),
			},
			Facts: []records.FactGroup{
				group("Vendor", "name", "vendor-type", "url", "telephone"),
				group("Contact", "contact-name", "contact-email", "contact-phone"),
				group("Address", "address", "city", "region", "zip", "country"),
				group("Notes", "note", "created-at"),
			},
			Begin: records.BeginningText{
				Title: "No vendors yet", Text: "A contract creates the vendors it names, too.",
				Steps: []page.NavEntry{{Path: "/vendors/new", Title: "Add vendor"}},
			},
		},
		{
			Place: page.Place{
				Kind: inventory.Risks.Schema, Path: "risks", Icon: "risk", Title: "Risks", Add: "Add risk",
				Group: "watch",
			},
			Bulk: []string{"status"},
			Columns: []records.Column{
				col("name", "lead cap"), col("status", "state"), col("severity", "right second"),
				col("category", "third"),
				col("source", "drop"), col("detected-at", "right third"),
			},
			Facts: []records.FactGroup{
				group("Risk", "name", "description", "category", "severity", "status", "ignored-until", "source",
					"detected-at", "resolved-at"),
				group("Affected assets", "affected-assets"),
			},
			Views: []records.View{
				view("Open", "status=Open"), view("Ignored", "status=Ignored"), view("Resolved", "status=Resolved"),
				view("All", ""),
			},
			Begin: records.BeginningText{
				Title: "No risks", Text: "There is nothing that needs attention.",
				Steps: []page.NavEntry{{Path: "/risks/new", Title: "Add risk"}},
			},
			Buttons: []string{"status", "ignored-until"},
			Special: records.Special{Record: riskPage},
		},
		{
			Place: page.Place{
				Kind: inventory.Audits.Schema, Path: "activity", Icon: "activity", Title: "Activity", Group: "watch",
				Lead: "message",
			},
			Sort: "sort_by=id&sort_order=DESC",
			Columns: []records.Column{
				col("message", "lead cap"), col("action", "state"), col("record-name", "cap second"),
				col("user", "cap second"),
				col("origin", "third"), col("created-at", "right third"),
			},
			Views: []records.View{
				view("All", ""), view("By people", "origin=web&origin=api&origin=command"),
				view("By agents", "origin=agent"),
			},
			Begin: records.BeginningText{Title: "No activity yet", Text: "Every change is shown here."},
			Headings: map[string]string{
				"message": lang.Msg("What"), "created-at": lang.Msg("When"), "user": lang.Msg("Who"),
			},
			Special: records.Special{Record: trailPage, NameFor: auditTitle, Feed: activity.Feed},
		},
		{
			Place: page.Place{
				Kind: inventory.Users.Schema, Path: "users", Icon: "users", Title: "Users", Add: "Add user",
				Group: "administration",
			},
			Columns: []records.Column{
				col("name", "lead cap"), col("email", "cap second"), col("role", "right second"),
				col("department", "cap third"), col("site", "drop"), col("disabled", "drop"),
				col("last-login", "right third"),
			},
			Facts: []records.FactGroup{
				group("Person", "first-name", "last-name", "email", "title", "phone", "mobile-phone", "department",
					"site"),
				group("Access", "role", "password", "read-only", "disabled", "last-login", "created-at"),
			},
			Views: []records.View{
				view("All", ""), view("Administrators", "role=administrator"), view("Technicians", "role=technician"),
				view("Requesters", "role=requester"), view("Disabled", "disabled=true"),
			},
			Begin: records.BeginningText{
				Title: "No users yet", Text: "Add the people who ask for help and those who give it.",
				Steps: []page.NavEntry{{Path: "/users/new", Title: "Add user"}},
			},
			People:    true,
			ShortName: true,
			Special:   records.Special{Related: userRelated, FilterName: userAddress, InputName: userTitle},
		},
	}
}

// col returns a column of a list and the class of its cells.
func col(field, class string) records.Column { return records.Column{Field: field, Class: class} }

// view returns a list that people often want.
func view(title, query string) records.View { return records.View{Title: title, Query: query} }

// group returns a part of a record's page.
func group(title string, fields ...string) records.FactGroup {
	return records.FactGroup{Title: title, Fields: fields}
}
