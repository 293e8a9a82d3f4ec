// Package admin has the pages for administrators: users with their sessions and tokens,
// agents with their tokens and claims, settings, and the state of the installation. What
// people do for themselves belongs in package account.
package admin

import (
	"net/http"
	"slices"
	"strings"

	"muster/internal/desk"
	"muster/internal/web/lang"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// SettingsPath is the page of settings that apply to the whole installation.
const SettingsPath = "/settings"

// choiceTitles are what people call the values of settings that have a few.
var choiceTitles = map[string]string{
	"second-factor optional":        lang.Msg("Nobody (optional for everyone)"),
	"second-factor staff":           lang.Msg("Administrators and technicians"),
	"second-factor everyone":        lang.Msg("Everyone"),
	"digest-algorithms sha-256,md5": lang.Msg("SHA-256 and MD5"),
	"digest-algorithms sha-256":     lang.Msg("SHA-256 alone"),
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
	Options []records.Option
	Default string // as pages show it
	Usual   bool   // it has its default
	Fault   string
}

// AskSettings shows all settings.
func AskSettings(c *page.Call) (*page.Answer, error) {
	return newSettingsPage(c, http.StatusOK, "", "")
}

// newSettingsPage shows them, with what is wrong with one.
func newSettingsPage(c *page.Call, status int, name, fault string) (*page.Answer, error) {
	all, err := c.App.Desk.Settings().All(c.Context())
	if err != nil {
		return nil, err
	}
	p := settingsPage{Change: !c.User.ReadOnly.V}
	take := func(group *settingGroup, wanted, title string) {
		at := slices.IndexFunc(all, func(s desk.Setting) bool { return s.Name == wanted })
		if at < 0 {
			return
		}
		form := newSettingForm(c, all[at], title)
		if wanted == name {
			form.give(c.Form.Get("value"))
			form.Fault = fault
			if rest, named := strings.CutPrefix(fault, name); named {
				form.Fault = title + rest
			}
		}
		group.Settings, all = append(group.Settings, form), slices.Delete(all, at, at+1)
	}
	for _, g := range lang.SettingTitles {
		group := settingGroup{Title: c.T(g.Group)}
		for _, one := range g.Titles {
			take(&group, one[0], c.T(one[1]))
		}
		p.Groups = append(p.Groups, group)
	}
	other := settingGroup{Title: c.T("More")}
	for len(all) > 0 {
		take(&other, all[0].Name, all[0].Name)
	}
	if other.Settings != nil {
		p.Groups = append(p.Groups, other)
	}
	return &page.Answer{
		Status: status, Template: "settings", Page: page.Page{Title: c.T("Settings"), Here: SettingsPath, Data: p},
	}, nil
}

// newSettingForm returns the form of a setting.
func newSettingForm(c *page.Call, s desk.Setting, title string) settingForm {
	s.About = sentence(c.T(s.About))
	form := settingForm{Setting: s, Title: title, Default: s.Default, Usual: s.Value == s.Default}
	for _, value := range s.Choices {
		label := value
		if known := choiceTitles[s.Name+" "+value]; known != "" {
			label = c.T(known)
		}
		if value == s.Default {
			form.Default = label
		}
		form.Options = append(form.Options, records.Option{Value: value, Label: label})
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

// SetSetting sets one setting.
func SetSetting(c *page.Call) (*page.Answer, error) {
	name := c.Form.Get("name")
	err := c.App.Desk.Settings().Set(c.Context(), c.Who(), name, c.Form.Get("value"))
	if text, refused := c.Refusal(err); refused {
		return newSettingsPage(c, http.StatusUnprocessableEntity, name, text)
	}
	if err != nil {
		return nil, err
	}
	c.Notify(c.T("%s was saved", settingTitle(c, name)))
	return c.GoTo(SettingsPath)
}

// settingTitle returns what people call a setting.
func settingTitle(c *page.Call, name string) string {
	for _, g := range lang.SettingTitles {
		for _, one := range g.Titles {
			if one[0] == name {
				return c.T(one[1])
			}
		}
	}
	return name
}

// sentence returns a text that begins with a capital letter and ends with a stop.
func sentence(text string) string {
	return lang.Capital(text) + "."
}
