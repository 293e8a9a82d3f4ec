package web

import (
	"slices"

	"muster/internal/kind"
	"muster/internal/web/account"
	"muster/internal/web/admin"
	"muster/internal/web/lang"
	"muster/internal/web/page"
	"muster/internal/web/records"
	"muster/internal/web/tickets"
)

// menus returns what the application's menus have.
func menus(sections records.Sections) page.Navigation {
	return page.Navigation{
		Groups: navGroups, Novelties: allNovelties(sections), Mine: mine, Alert: admin.AlertBackups,
		Counts: map[string]func(*page.Call, *page.NavLink) error{
			"/tickets": countOf("tickets", tickets.OpenStates), "/computers": countOf("computers", ""),
			"/risks":         countOf("risks", "status=Open"),
			admin.AgentsPath: admin.CountClaims,
		},
	}
}

// countOf returns a function that counts the records of a section that a query finds.
func countOf(path, query string) func(*page.Call, *page.NavLink) error {
	return func(c *page.Call, link *page.NavLink) error {
		total, err := records.SectionAt(c.App, path).Total(c, page.MustQuery(query))
		link.Count = &total
		return err
	}
}

// navGroups are the parts of the navigation, by task.
var navGroups = []page.NavSection{
	{Links: []page.NavEntry{{Path: "/", Icon: "dashboard", Title: lang.Msg("Dashboard"), Access: page.Staff}}},
	{Name: "desk", Title: lang.Msg("Desk")},
	{Name: "inventory", Title: lang.Msg("Inventory")},
	{Name: "contracts", Title: lang.Msg("Contracts")},
	{Name: "watch", Title: lang.Msg("Watch")},
	{Name: "administration", Title: lang.Msg("Administration"), Links: []page.NavEntry{
		{Path: admin.AgentsPath, Icon: "agent", Title: lang.Msg("Agents"), Access: page.Staff},
		{Path: admin.SessionsPath, Icon: "token", Title: lang.Msg("Sessions and tokens"), Access: page.Admins},
		{Path: page.JobsPath, Icon: "job", Title: lang.Msg("Jobs"), Access: page.Admins},
		{Path: admin.StoragePath, Icon: "store", Title: lang.Msg("Storage and backups"), Access: page.Admins},
		{Path: admin.SettingsPath, Icon: "settings", Title: lang.Msg("Settings"), Access: page.Admins},
		{Path: admin.AboutPath, Icon: "info", Title: lang.Msg("About"), Access: page.Admins},
	}},
}

// newEntries are what the menu "New" makes.
var newEntries = []page.NavEntry{
	{Path: "/tickets/new", Icon: "ticket", Title: lang.Msg("Ticket"), Access: page.Staff},
	{Path: "/articles/new", Icon: "article", Title: lang.Msg("Article"), Access: page.Staff},
	{Path: "/computers/new", Icon: "computer", Title: lang.Msg("Computer"), Access: page.Staff},
	{Path: "/software/new", Icon: "software", Title: lang.Msg("Software"), Access: page.Staff},
	{Path: "/printers/new", Icon: "printer", Title: lang.Msg("Printer"), Access: page.Staff},
	{Path: "/assets/new", Icon: "asset", Title: lang.Msg("Other asset"), Access: page.Staff},
	{Path: "/contracts/new", Icon: "contract", Title: lang.Msg("Contract"), Access: page.Staff},
	{Path: "/vendors/new", Icon: "vendor", Title: lang.Msg("Vendor"), Access: page.Staff},
	{Path: "/risks/new", Icon: "risk", Title: lang.Msg("Risk"), Access: page.Staff},
	{Path: "/users/new", Icon: "user", Title: lang.Msg("User"), Access: page.Admins},
}

// allNovelties returns what the menu "New" makes, that of sections last which it does
// not name.
func allNovelties(sections records.Sections) []page.NavEntry {
	all := slices.Clone(newEntries)
	for _, s := range sections {
		path := "/" + s.Path + "/new"
		if s.Add != "" && !slices.ContainsFunc(all, func(e page.NavEntry) bool { return e.Path == path }) {
			all = append(all, page.NavEntry{Path: path, Icon: s.Icon, Title: kind.Words(s.Kind.Noun), Access: s.Access})
		}
	}
	return all
}

// mine are the pages in a person's own menu.
var mine = []page.NavEntry{
	{Path: account.ProfilePath, Icon: "user", Title: lang.Msg("Profile and password"), Access: page.Everyone},
	{Path: account.OwnAPIPath, Icon: "token", Title: lang.Msg("Your API access"), Access: page.Everyone},
	{Path: page.OwnJobsPath, Icon: "job", Title: lang.Msg("Your jobs"), Access: page.Staff},
	{Path: "/preferences", Icon: "settings", Title: lang.Msg("Preferences"), Access: page.Everyone},
	{Path: "/keys", Icon: "help", Title: lang.Msg("Keyboard shortcuts"), Access: page.Staff},
}
