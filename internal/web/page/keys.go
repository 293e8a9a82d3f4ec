package page

// jumps are the keys that open pages from the navigation: G and the key of the page. The
// key for a new ticket works by itself.
var jumps = map[string]string{
	"/": "D", "/tickets": "T", "/articles": "A", "/computers": "C", "/software": "S", "/risks": "R",
	"/tickets/new": "C",
}

// A keyGroup is a part of the overview of keys.
type keyGroup struct {
	Title string
	Keys  []keyHelp
}

// A keyHelp describes what keys do.
type keyHelp struct {
	Keys []string
	Text string
}

// KeyGroups returns all keys, as people read them.
func (c *Call) KeyGroups() []keyGroup {
	one := func(text string, keys ...string) keyHelp { return keyHelp{keys, text} }
	return []keyGroup{
		{c.T("Everywhere"), []keyHelp{
			one(c.T("Search everything"), "/"), one(c.T("New ticket"), "C"), one(c.T("This overview"), "?"),
			one(c.T("Close"), "Esc"),
		}},
		{c.T("Go to"), []keyHelp{
			one(c.T("Dashboard"), "G", "D"), one(c.T("Tickets"), "G", "T"), one(c.T("Articles"), "G", "A"),
			one(c.T("Computers"), "G", "C"), one(c.T("Software"), "G", "S"), one(c.T("Risks"), "G", "R"),
		}},
		{c.T("Lists"), []keyHelp{
			one(c.T("Next row"), "J"), one(c.T("Previous row"), "K"), one(c.In("verb", "Open"), "Enter"),
			one(c.T("Select"), "X"), one(c.T("Select up to here"), "Shift", "X"),
			one(c.T("Filter"), "F"), one(c.T("Previous page"), "["), one(c.T("Next page"), "]"),
		}},
		{c.T("Ticket"), []keyHelp{
			one(c.T("Reply"), "R"), one(c.T("Write a note"), "N"), one(c.T("Assign to yourself"), "A"),
			one(c.T("State"), "S"), one(c.T("Priority"), "P"), one(c.T("Due date"), "D"),
			one(c.T("Next ticket"), "J"), one(c.T("Previous ticket"), "K"), one(c.T("Send"), "Ctrl", "Enter"),
		}},
	}
}
