package web

import (
	"errors"
	"net/http"
	"strconv"

	"muster/internal/desk"
	"muster/internal/inventory"
)

// Paths of a person's own pages.
const (
	profilePath = "/profile"
	ownAPIPath  = "/profile/api"
)

// factorPath is where a second factor is set up.
const factorPath = "/profile/second-factor"

// profileRoutes are the pages on which people take care of what is their own.
func (w *Web) profileRoutes() {
	w.route(profilePath, everyone, verbs{"GET": (*call).askProfile})
	w.route("/profile/password", everyone, verbs{"POST": (*call).changePassword})
	w.route("/profile/devices/{id}/end", everyone, verbs{"POST": (*call).endDevice})
	w.route("/profile/devices/end", everyone, verbs{"POST": (*call).endDevices})
	w.route(factorPath, enrolling, verbs{"GET": (*call).askFactor, "POST": (*call).beginFactor})
	w.route("/profile/second-factor/confirm", enrolling, verbs{"POST": (*call).confirmFactor})
	w.route("/profile/second-factor/codes", everyone, verbs{"POST": (*call).renewCodes})
	w.route("/profile/second-factor/end", everyone, verbs{"POST": (*call).endFactor})
	w.route(ownAPIPath, everyone, verbs{"GET": (*call).askOwnAPI})
	w.route("/profile/api/password", everyone, verbs{"POST": (*call).makeAPIPassword})
	w.route("/profile/api/tokens", everyone, verbs{"POST": (*call).addOwnToken})
	w.route("/profile/api/tokens/{id}/revoke", everyone, verbs{"GET": (*call).askRevokeOwn, "POST": (*call).revokeOwn})
}

// A profilePage is what a person's own page shows.
type profilePage struct {
	Tabs    []viewTab
	Facts   []fact
	Old     string // what is wrong with the present password
	New     string // what is wrong with the new one
	Tokens  []tokenRow
	Factor  bool    // they have a second factor
	Older   bool    // the API takes a password of before
	APIUsed *moment // when a program last used theirs, nil for never
	Devices []device
	Others  bool // there are devices but this one
}

// A device is a browser in which a person is signed in.
type device struct {
	ID       int64
	Name     string
	Address  string
	Current  bool
	LastUsed *moment
	Since    *moment
}

// profileTabs are the links between a person's own pages.
func (c *call) profileTabs(here string) []viewTab {
	tabs := []viewTab{
		{Title: c.t("Profile and password"), Href: profilePath}, {Title: c.t("Second factor"), Href: factorPath}, {Title: c.t("API access"), Href: ownAPIPath},
	}
	for i := range tabs {
		tabs[i].Current = tabs[i].Href == here
	}
	return tabs
}

// askProfile shows a person what is known of them, and where they are signed in.
func (c *call) askProfile() (*answer, error) { return c.profilePage(http.StatusOK, "", "") }

// profilePage shows it with what is wrong with a password: the present one, or
// the new one.
func (c *call) profilePage(status int, old, password string) (*answer, error) {
	sessions, err := c.web.Desk.Sessions(c.Context(), c.who())
	if err != nil {
		return nil, err
	}
	tokens, factor, err := c.ownAccess()
	if err != nil {
		return nil, err
	}
	api, err := c.web.Desk.APIPassword(c.Context(), c.who())
	if err != nil {
		return nil, err
	}
	p := profilePage{
		Tabs: c.profileTabs(profilePath), Old: old, New: password, Tokens: tokens, Factor: factor, Older: api.Older, APIUsed: c.moment(api.LastUsed),
		Devices: c.devices(sessions), Others: len(sessions) > 1,
	}
	for _, name := range []string{"name", "email", "role", "department", "site"} {
		p.Facts = append(p.Facts, c.fact(inventory.Users.Schema, inventory.Users.Field(name), c.user))
	}
	return &answer{status: status, template: "profile", page: page{Title: c.t("Profile"), Here: profilePath, Data: p}}, nil
}

// devices returns where somebody is signed in, the last used first.
func (c *call) devices(sessions []*desk.Session) (all []device) {
	for _, s := range sessions {
		one := device{
			ID: s.ID, Name: c.browserName(s.Agent), Address: s.UsedFrom(), LastUsed: c.moment(s.LastUsed), Since: c.moment(s.CreatedAt),
			Current: c.session != nil && c.session.ID == s.ID,
		}
		if one.Current {
			all = append([]device{one}, all...)
			continue
		}
		all = append(all, one)
	}
	return all
}

// changePassword sets another password for signing in.
func (c *call) changePassword() (*answer, error) {
	if c.form.Get("new") != c.form.Get("again") {
		return c.profilePage(http.StatusUnprocessableEntity, "", c.t("The two new passwords are not the same."))
	}
	try := c.ownTry()
	if err := c.mayTry(try); err != nil {
		return nil, err
	}
	done, err := c.web.Desk.SetOwnPassword(c.Context(), c.who(), desk.PasswordChange{
		Old: c.form.Get("old"), New: c.form.Get("new"), KeepTokens: c.form.Get("keep-tokens") == "true",
	})
	if errors.Is(err, desk.ErrPassword) {
		return c.profilePage(http.StatusUnprocessableEntity, c.t("This is not your present password."), "")
	}
	c.web.Guesses.Forgive(try)
	if text, refused := c.refusal(err); refused {
		return c.profilePage(http.StatusUnprocessableEntity, "", text)
	}
	if err != nil {
		return nil, err
	}
	c.keepSession(done.Session, c.session)
	c.say(c.t("Your password was changed, and you are signed out on all other devices.") + c.revoked(done))
	return c.goTo(profilePath)
}

// endDevice signs a person out on one device.
func (c *call) endDevice() (*answer, error) {
	id, err := strconv.ParseInt(c.PathValue("id"), 10, 64)
	if err != nil {
		return nil, c.web.missing(c.Request)
	}
	if err := c.web.Desk.EndSession(c.Context(), c.who(), id); err != nil {
		return nil, err
	}
	c.say(c.t("You are signed out on that device"))
	return c.goTo(profilePath)
}

// endDevices signs a person out on all devices but this one.
func (c *call) endDevices() (*answer, error) {
	if err := c.web.Desk.SignOutEverywhere(c.Context(), c.who(), c.session); err != nil {
		return nil, err
	}
	c.say(c.t("You are signed out on all other devices"))
	return c.goTo(profilePath)
}
