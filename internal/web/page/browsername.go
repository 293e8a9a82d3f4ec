package page

import "strings"

// A sign is what a browser says of itself, and what people call it. The order
// matters: most claim to be others too.
type sign struct{ part, name string }

var (
	browserSigns = []sign{
		{"Edg/", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser/", "Samsung Internet"}, {"Firefox/", "Firefox"},
		{"FxiOS/", "Firefox"},
		{"CriOS/", "Chrome"}, {"Chromium/", "Chromium"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"},
	}
	systemSigns = []sign{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"Mac OS X", "macOS"},
		{"CrOS", "ChromeOS"}, {"Linux", "Linux"},
	}
)

// BrowserName returns what people call a browser, by what it says of itself.
func (c *Call) BrowserName(agent string) string {
	browser, system := known(browserSigns, agent), known(systemSigns, agent)
	switch {
	case browser != "" && system != "":
		return c.T("%s on %s", browser, system)
	case browser != "":
		return browser
	case agent == "":
		return c.T("Unknown browser")
	}
	return agent
}

func known(signs []sign, agent string) string {
	for _, s := range signs {
		if strings.Contains(agent, s.part) {
			return s.name
		}
	}
	return ""
}
