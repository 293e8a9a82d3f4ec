package web

// menus returns what the application's menus have.
func menus() navigation {
	return navigation{
		groups: navGroups, novelties: novelties, mine: mine,
		counts: map[string]func(*call, *navLink) error{
			"/tickets": countOf("tickets", openStates), "/computers": countOf("computers", ""), "/risks": countOf("risks", "status=Open"),
			agentsPath: (*call).countClaims,
		},
	}
}

// countOf returns what tells how many records of a section a query finds.
func countOf(path, query string) func(*call, *navLink) error {
	return func(c *call, link *navLink) error {
		total, err := sectionAt(path).total(c, mustQuery(query))
		link.Count = &total
		return err
	}
}

// A navEntry is a page in the navigation that is no section.
type navEntry struct {
	path, icon, title string
	access            access
}

// navGroups are the parts of the navigation, by task.
var navGroups = []navSection{
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

// novelties are what the menu "New" makes.
var novelties = []navEntry{
	{"/tickets/new", "ticket", "Ticket", staff},
	{"/articles/new", "article", "Article", staff},
	{"/computers/new", "computer", "Computer", staff},
	{"/software/new", "software", "Software", staff},
	{"/printers/new", "printer", "Printer", staff},
	{"/assets/new", "asset", "Other asset", staff},
	{"/contracts/new", "contract", "Contract", staff},
	{"/vendors/new", "vendor", "Vendor", staff},
	{"/risks/new", "risk", "Risk", staff},
	{"/users/new", "user", "User", admins},
}

// mine are the pages in a person's own menu.
var mine = []navEntry{
	{profilePath, "user", "Profile and password", everyone},
	{ownAPIPath, "token", "Your API access", everyone},
	{"/preferences", "settings", "Preferences", everyone},
	{"/keys", "help", "Keyboard shortcuts", staff},
}

// jumps are the keys that lead to pages, after a G where they are not alone.
var jumps = map[string]string{
	"/": "D", "/tickets": "T", "/articles": "A", "/computers": "C", "/software": "S", "/risks": "R", "/tickets/new": "C",
}

// A keyGroup is a part of the overview of keys.
type keyGroup struct {
	Title string
	Keys  []keyHelp
}

// A keyHelp tells what keys do.
type keyHelp struct {
	Keys []string
	Text string
}

// keyGroups returns all keys, as people read them.
func (c *call) keyGroups() []keyGroup {
	one := func(text string, keys ...string) keyHelp { return keyHelp{keys, text} }
	return []keyGroup{
		{c.t("Everywhere"), []keyHelp{
			one(c.t("Search everything"), "/"), one(c.t("New ticket"), "C"), one(c.t("This overview"), "?"), one(c.t("Close"), "Esc"),
		}},
		{c.t("Go to"), []keyHelp{
			one(c.t("Dashboard"), "G", "D"), one(c.t("Tickets"), "G", "T"), one(c.t("Articles"), "G", "A"),
			one(c.t("Computers"), "G", "C"), one(c.t("Software"), "G", "S"), one(c.t("Risks"), "G", "R"),
		}},
		{c.t("Lists"), []keyHelp{
			one(c.t("Next row"), "J"), one(c.t("Previous row"), "K"), one(c.in("verb", "Open"), "Enter"), one(c.t("Select"), "X"), one(c.t("Select up to here"), "Shift", "X"),
			one(c.t("Filter"), "F"), one(c.t("Previous page"), "["), one(c.t("Next page"), "]"),
		}},
		{c.t("Ticket"), []keyHelp{
			one(c.t("Reply"), "R"), one(c.t("Write a note"), "N"), one(c.t("Take it yourself"), "A"), one(c.t("State"), "S"), one(c.t("Priority"), "P"), one(c.t("Due date"), "D"),
			one(c.t("Next ticket"), "J"), one(c.t("Previous ticket"), "K"), one(c.t("Send"), "Ctrl", "Enter"),
		}},
	}
}
