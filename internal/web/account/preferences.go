package account

import (
	"maps"
	"time"

	"muster/internal/web/lang"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// preferable returns all that a person may choose, with the languages that there
// are.
func preferable() map[string][]string {
	all := maps.Clone(page.Preferences)
	all[page.LanguageCookie] = []string{"browser"}
	for _, l := range lang.Languages() {
		all[page.LanguageCookie] = append(all[page.LanguageCookie], l.Name)
	}
	return all
}

// ShowKeys shows all keys, as the overlay does that opens with "?".
func ShowKeys(c *page.Call) (*page.Answer, error) {
	return c.Show("keyspage", page.Page{Title: c.T("Keyboard shortcuts"), Here: "/keys", Data: c.KeyGroups()})
}

// A preferencePage is what the page of a person's preferences shows.
type preferencePage struct {
	Choices []preference
	Zone    string
	Staff   bool
}

// A preference is something that a person can choose.
type preference struct {
	Name, Title, Hint string
	Options           []records.Option
}

// AskPreferences shows what a person can choose, of what the pages have that they
// see.
func AskPreferences(c *page.Call) (*page.Answer, error) {
	all := preferable()
	ask := func(name, title, hint string, labels ...string) preference {
		p := preference{Name: name, Title: title, Hint: hint}
		chosen := page.OneOf(c.CookieValue(name), all[name]...)
		for i, value := range all[name] {
			p.Options = append(p.Options, records.Option{Value: value, Label: labels[i], Chosen: value == chosen ||
				i == 0 && chosen == ""})
		}
		return p
	}
	p := preferencePage{Zone: c.Zone().String(), Staff: page.Staff.Allows(c.User), Choices: []preference{
		ask("theme", c.T("Theme"), "", c.T("Same as system"), c.T("Light"), c.T("Dark")),
	}}
	if p.Staff { // the portal has no lists, no navigation and no keys
		p.Choices = append(p.Choices,
			ask("density", c.T("Rows of lists"), "", c.T("Comfortable"), c.T("Compact")),
			ask("nav", c.T("Navigation"), "", c.T("Icons and text"), c.T("Icons only")),
			ask("keys", c.T("Single keys"), c.T("Such as C for a new ticket. Turn them off if you use speech input."),
				c.T("On"), c.T("Off")),
		)
	}
	if len(lang.Languages()) > 1 {
		p.Choices = append(p.Choices, ask(page.LanguageCookie, c.T("Language"), "", languageTitles(c)...))
	}
	return c.Show("preferences", page.Page{Title: c.T("Preferences"), Here: "/preferences", Data: p})
}

// languageTitles returns the names of the languages, each in that language, after an
// entry for the browser's language.
func languageTitles(c *page.Call) []string {
	titles := []string{c.T("Same as browser")}
	for _, l := range lang.Languages() {
		titles = append(titles, (&lang.Locale{Language: l}).In("name of this language", "English"))
	}
	return titles
}

// SetPreferences keeps what a person has chosen, in the browser. What the form
// does not have stays as it was.
func SetPreferences(c *page.Call) (*page.Answer, error) {
	for name, values := range preferable() {
		switch value := c.Form.Get(name); page.OneOf(value, values...) {
		case "":
		case values[0]:
			c.SetPreference(name, "", -time.Second)
		default:
			c.SetPreference(name, value, page.PreferenceTime)
		}
	}
	c.Notify(c.T("Your preferences were saved"))
	return c.GoTo(page.OwnPath(c.Form.Get("to")))
}
