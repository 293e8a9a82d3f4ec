package web

import (
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"muster/internal/inventory"
)

// A page is what a handler shows.
type page struct {
	Title string
	Here  string // the path of the navigation that it belongs to
	Bare  string // the class of a page without the frame, "" for one with it
	// Scripts are the modules that the page loads besides muster.js.
	Scripts []string
	Data    any
	wrong   bool // it tells of an error
}

// A frame is what the shell around a page shows.
type frame struct {
	page
	Content        template.HTML // which the page's template has written
	Lang           string
	Locale         string // of dates and numbers
	Theme          string // light or dark when the person chose it
	Density        string
	Nav            string // collapsed or open
	Keys           string // off when the person wants no single keys
	User           *inventory.User
	Initials, Face string
	Staff          bool
	People         bool // the person may see users
	Groups         []navGroup
	New            []navLink // records that the person may make
	Mine           []navLink // in the person's own menu
	KeyGroups      []keyGroup
	Toast          *toast
	Address        string // of the page, below Root
	Posted         bool   // it answers a form, whose values it may have
}

// A navGroup is a part of the navigation.
type navGroup struct {
	Title string
	Links []navLink
}

// A navLink leads to a page.
type navLink struct {
	Path, Icon, Title string
	Current           bool
	Key               string // that leads there, "" for none
	Count             *int   // of what is there, nil where that is not told
	Waits             int    // of what is there, how much waits for somebody
}

// A navigation is what the application's menus have.
type navigation struct {
	groups    []navSection
	novelties []navEntry                             // that the menu "New" makes
	mine      []navEntry                             // in a person's own menu
	counts    map[string]func(*call, *navLink) error // say how much there is at a path
}

// A navSection is a part of the navigation: places of a group, then further pages.
type navSection struct {
	name, title string
	links       []navEntry
}

// shell returns what is around a page.
func (c *call) shell(p *page, content string) (*frame, error) {
	f := &frame{
		page: *p, Content: template.HTML(content), Lang: c.name, Locale: c.locale.name, User: c.user,
		Theme: oneOf(c.cookieValue("theme"), "light", "dark"), Density: oneOf(c.cookieValue("density"), "comfortable", "compact"),
		Nav: oneOf(c.cookieValue("nav"), "open", "collapsed"), Keys: oneOf(c.cookieValue("keys"), "off"),
		Address: c.URL.RequestURI(), Posted: c.Method == http.MethodPost,
	}
	if c.user == nil {
		return f, nil
	}
	f.Staff, f.People = staff.admits(c.user), c.web.place(inventory.Users.Schema).access.admits(c.user)
	f.Initials, f.Face = initials(c.user.Name), face(c.user.Email)
	f.Toast = c.takeToast()
	f.Mine = c.links(c.web.nav.mine, p.Here)
	if p.Bare != "" {
		return f, nil
	}
	f.KeyGroups = c.keyGroups()
	if f.Staff && !c.user.ReadOnly.V {
		f.New = c.links(c.web.nav.novelties, p.Here)
	}
	var err error
	f.Groups, err = c.navigation(p)
	return f, err
}

// oneOf returns a value that a browser keeps, "" when it is none of ours.
func oneOf(value string, ours ...string) string {
	for _, own := range ours {
		if value == own {
			return value
		}
	}
	return ""
}

// navigation returns the links to all sections that the user may see.
func (c *call) navigation(p *page) (groups []navGroup, err error) {
	for _, g := range c.web.nav.groups {
		group := navGroup{Title: c.t(g.title)}
		for _, s := range c.web.places {
			if s.group == g.name && s.access.admits(c.user) {
				group.Links = append(group.Links, c.link(navEntry{path: "/" + s.path, icon: s.icon, title: s.title}, p.Here))
			}
		}
		if group.Links = append(group.Links, c.links(g.links, p.Here)...); len(group.Links) > 0 {
			groups = append(groups, group)
		}
	}
	if p.wrong { // the page of an error counts nothing
		return groups, nil
	}
	for _, g := range groups {
		for i := range g.Links {
			if count := c.web.nav.counts[g.Links[i].Path]; count != nil {
				if err := count(c, &g.Links[i]); err != nil {
					return nil, err
				}
			}
		}
	}
	return groups, nil
}

// links returns the entries of a menu that the user may come to.
func (c *call) links(entries []navEntry, here string) (links []navLink) {
	for _, e := range entries {
		if e.access.admits(c.user) {
			links = append(links, c.link(e, here))
		}
	}
	return links
}

func (c *call) link(e navEntry, here string) navLink {
	return navLink{Path: e.path, Icon: e.icon, Title: c.t(e.title), Current: e.path == here, Key: jumps[e.path]}
}

// mustQuery reads a query that the program itself declares.
func mustQuery(query string) url.Values {
	values, err := url.ParseQuery(query)
	if err != nil {
		panic(err)
	}
	return values
}

// initials returns the first letters of a name's first and last word.
func initials(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
	if len(words) == 0 {
		return "?"
	}
	first := []rune(words[0])[:1]
	if len(words) > 1 {
		first = append(first, []rune(words[len(words)-1])[0])
	}
	return strings.ToUpper(string(first))
}

// face returns the tone in which a person is always shown.
func face(email string) string {
	sum := 0
	for _, b := range []byte(email) {
		sum += int(b)
	}
	return string("abcd"[sum%4])
}
