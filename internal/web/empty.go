package web

// A beginning is what a section without records says: why there is none, and
// what to do first.
type beginning struct {
	Icon, Title, Text string
	Steps             []step // the first is the one to take
}

// A step leads to where something can be begun.
type step struct{ Title, Path string }

// beginnings are those of sections, by their paths.
var beginnings = map[string]struct {
	title, text string
	steps       []navEntry
}{
	"tickets":   {"No tickets yet", "People open them here, or you do for them.", []navEntry{{path: "/tickets/new", title: "New ticket"}}},
	"articles":  {"No articles yet", "Write down what is asked again and again.", []navEntry{{path: "/articles/new", title: "New article"}}},
	"computers": {"No computers yet", "Point an agent at this server, or add one by hand.", []navEntry{{path: "/agents/tokens", title: "Connect agents", access: admins}, {path: importPath + "?kind=computers", title: "Import"}, {path: "/computers/new", title: "Add computer"}}},
	"software":  {"No software yet", "It comes with the reports of computers.", []navEntry{{path: "/computers", title: "Computers"}}},
	"printers":  {"No printers yet", "They come with the reports of computers, or you add them.", []navEntry{{path: "/printers/new", title: "Add printer"}}},
	"assets":    {"No other assets yet", "Monitors, phones, keys: all that is no computer.", []navEntry{{path: "/assets/new", title: "Add asset"}}},
	"contracts": {"No contracts yet", "Enter licences here, and their use is counted.", []navEntry{{path: "/contracts/new", title: "Add contract"}}},
	"vendors":   {"No vendors yet", "A contract that names one makes it, too.", []navEntry{{path: "/vendors/new", title: "Add vendor"}}},
	"risks":     {"No risks", "Nothing is known that should not stay as it is.", []navEntry{{path: "/risks/new", title: "Add risk"}}},
	"activity":  {"Nothing happened yet", "Every change is told here.", nil},
	"users":     {"No users yet", "Let people in who ask for help or give it.", []navEntry{{path: "/users/new", title: "Add user"}}},
}

// beginning returns what a section says that has no records.
func (s *section) beginning(c *call) *beginning {
	found := beginnings[s.path]
	b := &beginning{Icon: s.icon, Title: c.t(found.title), Text: c.t(found.text)}
	for _, e := range found.steps {
		if !c.user.ReadOnly.V && e.access.admits(c.user) {
			b.Steps = append(b.Steps, step{c.t(e.title), e.path})
		}
	}
	return b
}
