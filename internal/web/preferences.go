package web

import (
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

// askPreferences shows what a person can choose.
func (c *call) askPreferences() (*answer, error) {
	ask := func(name, title, hint string, labels ...string) preference {
		p := preference{Name: name, Title: title, Hint: hint}
		chosen := oneOf(c.cookieValue(name), preferences[name]...)
		for i, value := range preferences[name] {
			p.Options = append(p.Options, option{value, labels[i], value == chosen || i == 0 && chosen == ""})
		}
		return p
	}
	return c.show("preferences", page{Title: c.t("Preferences"), Here: "/preferences", Data: preferencePage{
		Zone: c.zone().String(), Staff: staff.admits(c.user), Choices: []preference{
			ask("theme", c.t("Theme"), "", c.t("As the system"), c.t("Light"), c.t("Dark")),
			ask("density", c.t("Rows of lists"), "", c.t("Comfortable"), c.t("Compact")),
			ask("nav", c.t("Navigation"), "", c.t("With words"), c.t("Icons alone")),
			ask("keys", c.t("Single keys"), c.t("Such as C for a new ticket. Off is better with speech input."), c.t("On"), c.t("Off")),
		},
	}})
}

// setPreferences keeps what a person has chosen, in the browser.
func (c *call) setPreferences() (*answer, error) {
	for name, values := range preferences {
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
