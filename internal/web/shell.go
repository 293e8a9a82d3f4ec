package web

import (
	"html/template"
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
}

// A frame is what the shell around a page shows.
type frame struct {
	page
	Content        template.HTML // which the page's template has written
	Lang           string
	Theme          string // light or dark when the person chose it
	Density        string
	Nav            string // collapsed or open
	User           *inventory.User
	Initials, Face string
	Staff          bool
	Groups         []navGroup
	Toast          *toast
	Search         string
	Address        string // of the page, below Root
	Version        string
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
}

// shell returns what is around a page.
func (c *call) shell(p *page, content string) *frame {
	f := &frame{
		page: *p, Content: template.HTML(content), Lang: c.name, Version: c.web.Version, User: c.user,
		Theme: oneOf(c.cookieValue("theme"), "light", "dark"), Density: oneOf(c.cookieValue("density"), "comfortable", "compact"),
		Nav: oneOf(c.cookieValue("nav"), "open", "collapsed"), Search: c.URL.Query().Get("q"), Address: c.URL.RequestURI(),
	}
	if c.user != nil {
		f.Staff = staff.admits(c.user)
		f.Initials, f.Face = initials(c.user.Name), face(c.user.Email)
		f.Groups = c.navigation(p.Here)
		f.Toast = c.takeToast()
	}
	return f
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
func (c *call) navigation(here string) (groups []navGroup) {
	for _, g := range navGroups {
		group := navGroup{Title: c.t(g.title)}
		for _, s := range sections {
			if s.group == g.name && s.access.admits(c.user) {
				group.Links = append(group.Links, navLink{"/" + s.path, s.icon, c.t(s.title), "/"+s.path == here})
			}
		}
		for _, l := range g.links {
			if l.access.admits(c.user) {
				group.Links = append(group.Links, navLink{l.path, l.icon, c.t(l.title), l.path == here})
			}
		}
		if len(group.Links) > 0 {
			groups = append(groups, group)
		}
	}
	return groups
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
