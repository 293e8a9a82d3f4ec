package web

import (
	"net/http"
	"unicode"
	"unicode/utf8"

	"muster/internal/desk"
)

// settingsPath is where administrators decide what holds for all.
const settingsPath = "/settings"

// settingRoutes are the pages of settings and of the installation.
func (w *Web) settingRoutes() {
	w.route(settingsPath, admins, verbs{"GET": (*call).askSettings})
	w.route("/settings/{name}", admins, verbs{"POST": (*call).setSetting})
	w.route(aboutPath, admins, verbs{"GET": (*call).showAbout})
	w.route("/about/verify", admins, verbs{"POST": (*call).verifyTrail})
}

// A settingsPage is what the page of settings shows.
type settingsPage struct {
	Settings []settingForm
	Change   bool
}

// A settingForm is one setting with its form.
type settingForm struct {
	desk.Setting
	Given string // in its input
	Usual bool   // it has its default
	Fault string
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
	for _, s := range all {
		s.About = sentence(c.t(s.About))
		form := settingForm{Setting: s, Given: s.Value, Usual: s.Value == s.Default}
		if s.Name == name {
			form.Given, form.Fault = c.form.Get("value"), fault
		}
		p.Settings = append(p.Settings, form)
	}
	return &answer{status: status, template: "settings", page: page{Title: c.t("Settings"), Here: settingsPath, Data: p}}, nil
}

// setSetting sets one setting.
func (c *call) setSetting() (*answer, error) {
	name := c.PathValue("name")
	err := c.web.Desk.SetSetting(c.Context(), c.who(), name, c.form.Get("value"))
	if text, refused := refusal(err); refused {
		return c.settingsPage(http.StatusUnprocessableEntity, name, text)
	}
	if err != nil {
		return nil, err
	}
	c.say(c.t("%s was saved", name))
	return c.goTo(settingsPath)
}

// sentence returns a text that begins with a capital letter and ends with a stop.
func sentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:] + "."
}
