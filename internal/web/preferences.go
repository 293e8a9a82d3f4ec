package web

import (
	"maps"
	"net/http"
	"time"

	"muster/internal/door"
)

// preferenceTime is how long a browser keeps what a person prefers.
const preferenceTime = 365 * 24 * time.Hour

// preferences are what a browser keeps of how pages look and behave: the values
// that each may have, the first when nothing was chosen. Scripts set them too.
var preferences = map[string][]string{
	"theme":   {"system", "light", "dark"},
	"density": {"comfortable", "compact"},
	"nav":     {"open", "collapsed"},
	"keys":    {"on", "off"},
}

// languageCookie keeps which language a person has chosen, that of the browser
// for none.
const languageCookie = "lang"

// preferable returns all that a person may choose, with the languages that there
// are.
func preferable() map[string][]string {
	all := maps.Clone(preferences)
	all[languageCookie] = []string{"browser"}
	for _, l := range languages() {
		all[languageCookie] = append(all[languageCookie], l.name)
	}
	return all
}

// shellRoutes are the pages that belong to the frame around all others.
func (w *Web) shellRoutes() {
	w.route("/preferences", everyone, verbs{"GET": (*call).askPreferences, "POST": (*call).setPreferences})
	w.route("/keys", staff, verbs{"GET": (*call).showKeys})
}

// showKeys shows all keys, as the overlay does that opens with "?".
func (c *call) showKeys() (*answer, error) {
	return c.show("keyspage", page{Title: c.t("Keyboard shortcuts"), Here: "/keys", Data: c.keyGroups()})
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
	Options           []option
}

// askPreferences shows what a person can choose, of what the pages have that they
// see.
func (c *call) askPreferences() (*answer, error) {
	all := preferable()
	ask := func(name, title, hint string, labels ...string) preference {
		p := preference{Name: name, Title: title, Hint: hint}
		chosen := oneOf(c.cookieValue(name), all[name]...)
		for i, value := range all[name] {
			p.Options = append(p.Options, option{value, labels[i], value == chosen || i == 0 && chosen == ""})
		}
		return p
	}
	p := preferencePage{Zone: c.zone().String(), Staff: staff.admits(c.user), Choices: []preference{
		ask("theme", c.t("Theme"), "", c.t("As the system"), c.t("Light"), c.t("Dark")),
	}}
	if p.Staff { // the portal has no lists, no navigation and no keys
		p.Choices = append(p.Choices,
			ask("density", c.t("Rows of lists"), "", c.t("Comfortable"), c.t("Compact")),
			ask("nav", c.t("Navigation"), "", c.t("With words"), c.t("Icons alone")),
			ask("keys", c.t("Single keys"), c.t("Such as C for a new ticket. Off is better with speech input."), c.t("On"), c.t("Off")),
		)
	}
	if len(languages()) > 1 {
		p.Choices = append(p.Choices, ask(languageCookie, c.t("Language"), "", c.languageTitles()...))
	}
	return c.show("preferences", page{Title: c.t("Preferences"), Here: "/preferences", Data: p})
}

// languageTitles returns what the languages are called by those who speak them,
// after that of the browser.
func (c *call) languageTitles() []string {
	titles := []string{c.t("As the browser")}
	for _, l := range languages() {
		titles = append(titles, (&tongue{language: l}).in("name of this language", "English"))
	}
	return titles
}

// setPreferences keeps what a person has chosen, in the browser. What the form
// does not have stays as it was.
func (c *call) setPreferences() (*answer, error) {
	for name, values := range preferable() {
		switch value := c.form.Get(name); oneOf(value, values...) {
		case "":
		case values[0]:
			c.setPreference(name, "", -time.Second)
		default:
			c.setPreference(name, value, preferenceTime)
		}
	}
	c.say(c.t("Your preferences were saved"))
	return c.goTo(ownPath(c.form.Get("to")))
}

// setPreference gives the browser a cookie that scripts may change.
func (c *call) setPreference(name, value string, age time.Duration) {
	http.SetCookie(c.w, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: int(age.Seconds()), Secure: door.Of(c.Request).Scheme == "https", SameSite: http.SameSiteLaxMode,
	})
}
