package page

import (
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"muster/internal/inventory"
)

// A Page is what a handler shows.
type Page struct {
	Title string
	Here  string // the path of the navigation that it belongs to
	Bare  string // the class of a page without the frame, "" for one with it
	// Scripts are the modules that the page loads besides muster.js.
	Scripts []string
	Data    any
	wrong   bool // the page shows an error
}

// A frame is what the shell around a page shows.
type frame struct {
	Page
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
	New            []NavLink // records that the person may make
	Mine           []NavLink // in the person's own menu
	KeyGroups      []keyGroup
	Toast          *Toast
	Address        string   // of the page, below Root
	Posted         bool     // it answers a form, whose values it may have
	Jobs           *jobChip // nil where the person has none under way
	Held           bool     // jobs that reach outside are held, and the person may let them go on
	Alert          *Alert   // what is wrong with the installation, nil for nothing
}

// A navGroup is a part of the navigation.
type navGroup struct {
	Title string
	Links []NavLink
}

// A NavLink leads to a page.
type NavLink struct {
	Path, Icon, Title string
	Current           bool
	Key               string // that leads there, "" for none
	Count             *int   // of what is there, nil where it is not shown
	Waits             int    // of what is there, how much waits for somebody
}

// An Alert is what people must know on every page.
type Alert struct {
	Text string
	Path string // where more stands
}

// A Navigation is what the application's menus have.
type Navigation struct {
	Groups    []NavSection
	Novelties []NavEntry                             // that the menu "New" makes
	Mine      []NavEntry                             // in a person's own menu
	Counts    map[string]func(*Call, *NavLink) error // say how much there is at a path
	Alert     func(*Call) (*Alert, error)            // says what is wrong with the installation
}

// A NavSection is a part of the navigation: places of a group, then further pages.
type NavSection struct {
	Name, Title string
	Links       []NavEntry
}

// frameOf returns what is around a page.
func frameOf(c *Call, p *Page, content string) (*frame, error) {
	f := &frame{
		Page: *p, Content: template.HTML(content), Lang: c.Name, Locale: c.Conventions.Name, User: c.User,
		Theme:   OneOf(c.CookieValue("theme"), "light", "dark"),
		Density: OneOf(c.CookieValue("density"), "comfortable", "compact"),
		Nav:     OneOf(c.CookieValue("nav"), "open", "collapsed"), Keys: OneOf(c.CookieValue("keys"), "off"),
		Address: c.URL.RequestURI(), Posted: c.Method == http.MethodPost,
	}
	if c.User == nil {
		return f, nil
	}
	f.Staff, f.People = Staff.Allows(c.User), c.App.Place(inventory.Users.Schema).Access.Allows(c.User)
	f.Initials, f.Face = Initials(c.User.Name), Face(c.User.Email)
	f.Toast = takeToast(c)
	f.Mine = linksOf(c, c.App.Nav.Mine, p.Here)
	if p.Bare != "" {
		return f, nil
	}
	f.KeyGroups = c.KeyGroups()
	if err := f.addJobs(c); err != nil {
		return nil, err
	}
	if f.Staff && !c.User.ReadOnly.V {
		f.New = linksOf(c, c.App.Nav.Novelties, p.Here)
	}
	var err error
	if !p.wrong { // the page of an error asks for nothing more
		if f.Alert, err = c.App.Nav.Alert(c); err != nil {
			return f, err
		}
	}
	f.Groups, err = navGroups(c, p)
	return f, err
}

// addJobs adds what each page says of jobs. The page of an error says nothing of them.
func (f *frame) addJobs(c *Call) error {
	if f.wrong {
		return nil
	}
	glance, err := c.App.Jobs.Glance(c.Context(), c.User.ID)
	if err != nil {
		return err
	}
	f.Held = glance.Held && Admins.Allows(c.User) && !c.User.ReadOnly.V
	f.Jobs, err = c.newJobChip(glance.Sum, false)
	return err
}

// OneOf returns a value from a cookie if it is one of the allowed values, else "".
func OneOf(value string, ours ...string) string {
	for _, own := range ours {
		if value == own {
			return value
		}
	}
	return ""
}

// navGroups returns the links to all sections that the user may see.
func navGroups(c *Call, p *Page) (groups []navGroup, err error) {
	for _, g := range c.App.Nav.Groups {
		group := navGroup{Title: c.T(g.Title)}
		for _, s := range c.App.Places {
			if s.Group == g.Name && s.Access.Allows(c.User) {
				group.Links = append(group.Links,
					newLink(c, NavEntry{Path: "/" + s.Path, Icon: s.Icon, Title: s.Title}, p.Here))
			}
		}
		if group.Links = append(group.Links, linksOf(c, g.Links, p.Here)...); len(group.Links) > 0 {
			groups = append(groups, group)
		}
	}
	if p.wrong { // the page of an error counts nothing
		return groups, nil
	}
	for _, g := range groups {
		for i := range g.Links {
			if count := c.App.Nav.Counts[g.Links[i].Path]; count != nil {
				if err := count(c, &g.Links[i]); err != nil {
					return nil, err
				}
			}
		}
	}
	return groups, nil
}

// linksOf returns the entries of a menu that the user may come to.
func linksOf(c *Call, entries []NavEntry, here string) (links []NavLink) {
	for _, e := range entries {
		if e.Access.Allows(c.User) {
			links = append(links, newLink(c, e, here))
		}
	}
	return links
}

func newLink(c *Call, e NavEntry, here string) NavLink {
	return NavLink{Path: e.Path, Icon: e.Icon, Title: c.T(e.Title), Current: e.Path == here, Key: jumps[e.Path]}
}

// MustQuery reads a query that the program itself declares.
func MustQuery(query string) url.Values {
	values, err := url.ParseQuery(query)
	if err != nil {
		panic(err)
	}
	return values
}

// Initials returns the first letters of a name's first and last word.
func Initials(name string) string {
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

// Face returns the tone in which a person is always shown.
func Face(email string) string {
	sum := 0
	for _, b := range []byte(email) {
		sum += int(b)
	}
	return string("abcd"[sum%4])
}
