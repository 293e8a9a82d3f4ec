package page

import (
	"net/http"
	"time"

	"muster/internal/front"
)

// PreferenceTime is how long a browser keeps what a person prefers.
const PreferenceTime = 365 * 24 * time.Hour

// Preferences are what a browser keeps of how pages look and behave: the values
// that each may have, the first when nothing was chosen. Scripts set them too.
var Preferences = map[string][]string{
	"theme":   {"system", "light", "dark"},
	"density": {"comfortable", "compact"},
	"nav":     {"open", "collapsed"},
	"keys":    {"on", "off"},
}

// SetPreference gives the browser a cookie that scripts may change.
func (c *Call) SetPreference(name, value string, age time.Duration) {
	http.SetCookie(c.Writer, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: int(age.Seconds()), Secure: front.Of(c.Request).Scheme == "https",
		SameSite: http.SameSiteLaxMode,
	})
}
