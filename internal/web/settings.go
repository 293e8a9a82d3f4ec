package web

import (
	"net/http"
	"slices"
	"strings"

	"muster/internal/desk"
)

// settingsPath is where administrators decide what holds for all.
const settingsPath = "/settings"

// settingRoutes are the pages of settings and of the installation.
func (w *Web) settingRoutes() {
	w.route(settingsPath, admins, verbs{"GET": (*call).askSettings, "POST": (*call).setSetting})
	w.route(aboutPath, admins, verbs{"GET": (*call).showAbout})
	w.route("/about/verify", admins, verbs{"POST": (*call).verifyTrail})
}

// settingTitles are what people call settings, in the groups and the order in
// which they are shown. Those that are not among them come last, by their names.
var settingTitles = []struct {
	group  string
	titles [][2]string // name, title
}{
	{"Signing in", [][2]string{{"second-factor", "Who must have a second factor"}, {"organisation", "Name of the organisation"}}},
	{"Inventory", [][2]string{{"statuses", "Further statuses"}}},
	{"Agents", [][2]string{
		{"agent-hours", "Hours between reports"}, {"agent-rest-hours", "Hours of rest after a report"}, {"agent-reports", "Reports a minute of one computer"},
		{"agent-computers", "New computers a minute by one token"}, {"agent-computers-per-day", "New computers a day by one token"},
		{"agent-names-per-day", "New software names a day of one computer"}, {"agent-token-names-per-day", "New software names a day by one token"},
		{"agent-token-names-per-computer", "Further ones for each of its computers"},
		{"agent-printers-per-day", "New printers a day of one computer"}, {"agent-token-printers-per-day", "New printers a day by one token"},
		{"not-serials", "Serial numbers that tell no computer"}, {"not-uuids", "UUIDs that tell no computer"}, {"not-macs", "MAC addresses that tell no computer"},
	}},
	{"API", [][2]string{{"page-size", "Records on a page"}, {"digest-algorithms", "Algorithms of digest authentication"}}},
}

// choiceTitles are what people call the values of settings that have a few.
var choiceTitles = map[string]string{
	"second-factor optional": "Nobody, but everybody may", "second-factor staff": "Administrators and technicians", "second-factor everyone": "Everyone",
	"digest-algorithms sha-256,md5": "SHA-256 and MD5", "digest-algorithms sha-256": "SHA-256 alone",
}

// A settingsPage is what the page of settings shows.
type settingsPage struct {
	Groups []settingGroup
	Change bool
}

// A settingGroup is settings that belong together.
type settingGroup struct {
	Title    string
	Settings []settingForm
}

// A settingForm is one setting with its form.
type settingForm struct {
	desk.Setting
	Title   string
	Given   string // in its input
	Options []option
	Default string // as it is told
	Usual   bool   // it has its default
	Fault   string
}

// askSettings shows all settings.
func (c *call) askSettings() (*answer, error) { return c.settingsPage(http.StatusOK, "", "") }

// settingsPage shows them, with what is wrong with one.
func (c *call) settingsPage(status int, name, fault string) (*answer, error) {
	all, err := c.web.Desk.Settings(c.Context())
	if err != nil {
		return nil, err
	}
	p := settingsPage{Change: !c.user.ReadOnly.V}
	take := func(group *settingGroup, wanted, title string) {
		at := slices.IndexFunc(all, func(s desk.Setting) bool { return s.Name == wanted })
		if at < 0 {
			return
		}
		form := c.settingForm(all[at], title)
		if wanted == name {
			form.give(c.form.Get("value"))
			form.Fault = fault
			if rest, named := strings.CutPrefix(fault, name); named {
				form.Fault = title + rest
			}
		}
		group.Settings, all = append(group.Settings, form), slices.Delete(all, at, at+1)
	}
	for _, g := range settingTitles {
		group := settingGroup{Title: c.t(g.group)}
		for _, one := range g.titles {
			take(&group, one[0], c.t(one[1]))
		}
		p.Groups = append(p.Groups, group)
	}
	other := settingGroup{Title: c.t("More")}
	for len(all) > 0 {
		take(&other, all[0].Name, all[0].Name)
	}
	if other.Settings != nil {
		p.Groups = append(p.Groups, other)
	}
	return &answer{status: status, template: "settings", page: page{Title: c.t("Settings"), Here: settingsPath, Data: p}}, nil
}

// settingForm returns the form of a setting.
func (c *call) settingForm(s desk.Setting, title string) settingForm {
	s.About = sentence(c.t(s.About))
	form := settingForm{Setting: s, Title: title, Default: s.Default, Usual: s.Value == s.Default}
	for _, value := range s.Choices {
		label := value
		if known := choiceTitles[s.Name+" "+value]; known != "" {
			label = c.t(known)
		}
		if value == s.Default {
			form.Default = label
		}
		form.Options = append(form.Options, option{Value: value, Label: label})
	}
	form.give(s.Value)
	return form
}

// give puts a value into the form.
func (f *settingForm) give(value string) {
	f.Given = value
	for i := range f.Options {
		f.Options[i].Chosen = f.Options[i].Value == value
	}
}

// setSetting sets one setting.
func (c *call) setSetting() (*answer, error) {
	name := c.form.Get("name")
	err := c.web.Desk.SetSetting(c.Context(), c.who(), name, c.form.Get("value"))
	if text, refused := c.refusal(err); refused {
		return c.settingsPage(http.StatusUnprocessableEntity, name, text)
	}
	if err != nil {
		return nil, err
	}
	c.say(c.t("%s was saved", c.settingTitle(name)))
	return c.goTo(settingsPath)
}

// settingTitle returns what people call a setting.
func (c *call) settingTitle(name string) string {
	for _, g := range settingTitles {
		for _, one := range g.titles {
			if one[0] == name {
				return c.t(one[1])
			}
		}
	}
	return name
}

// sentence returns a text that begins with a capital letter and ends with a stop.
func sentence(text string) string {
	return capital(text) + "."
}
