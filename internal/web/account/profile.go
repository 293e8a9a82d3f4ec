// Package account has the pages on which people manage their own access: sign-in,
// password, second factor, devices, tokens and preferences. What administrators do for
// others belongs in package admin.
package account

import (
	"errors"
	"net/http"
	"strconv"

	"muster/internal/desk"
	"muster/internal/desk/access"
	"muster/internal/inventory"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// Paths of a person's own pages.
const (
	ProfilePath = "/profile"
	OwnAPIPath  = "/profile/api"
)

// A profilePage is what a person's own page shows.
type profilePage struct {
	Tabs    []records.ViewTab
	Facts   []records.Fact
	Old     string // what is wrong with the present password
	New     string // what is wrong with the new one
	Tokens  []TokenRow
	Factor  bool         // they have a second factor
	Older   bool         // the API takes a password of before
	APIUsed *page.Moment // when a program last used theirs, nil for never
	Devices []Device
	Others  bool // there are devices but this one
}

// A Device is a browser in which a person is signed in.
type Device struct {
	ID       int64
	Name     string
	Address  string
	Current  bool
	LastUsed *page.Moment
	Since    *page.Moment
}

// profileTabs are the links between a person's own pages.
func profileTabs(c *page.Call, here string) []records.ViewTab {
	tabs := []records.ViewTab{
		{Title: c.T("Profile and password"), Href: ProfilePath}, {Title: c.T("Second factor"), Href: page.FactorPath},
		{Title: c.T("API access"), Href: OwnAPIPath},
	}
	for i := range tabs {
		tabs[i].Current = tabs[i].Href == here
	}
	return tabs
}

// AskProfile shows a person what is known of them, and where they are signed in.
func AskProfile(c *page.Call) (*page.Answer, error) { return newProfilePage(c, http.StatusOK, "", "") }

// newProfilePage shows it with what is wrong with a password: the present one, or
// the new one.
func newProfilePage(c *page.Call, status int, old, password string) (*page.Answer, error) {
	sessions, err := c.App.Access.Sessions(c.Context(), c.Who())
	if err != nil {
		return nil, err
	}
	tokens, factor, err := ownAccess(c)
	if err != nil {
		return nil, err
	}
	api, err := c.App.Access.APIPassword(c.Context(), c.Who())
	if err != nil {
		return nil, err
	}
	p := profilePage{
		Tabs: profileTabs(c, ProfilePath), Old: old, New: password, Tokens: tokens, Factor: factor, Older: api.Older,
		APIUsed: c.Moment(api.LastUsed),
		Devices: Devices(c, sessions), Others: len(sessions) > 1,
	}
	users := records.SectionOf(c.App, inventory.Users.Schema)
	for _, name := range []string{"name", "email", "role", "department", "site"} {
		p.Facts = append(p.Facts, users.NewFact(c, users.Kind.Field(name), c.User))
	}
	return &page.Answer{
		Status: status, Template: "profile", Page: page.Page{Title: c.T("Profile"), Here: ProfilePath, Data: p},
	}, nil
}

// Devices returns where somebody is signed in, the last used first.
func Devices(c *page.Call, sessions []*desk.Session) (all []Device) {
	for _, s := range sessions {
		one := Device{
			ID: s.ID, Name: c.BrowserName(s.Agent), Address: s.UsedFrom(), LastUsed: c.Moment(s.LastUsed),
			Since:   c.Moment(s.CreatedAt),
			Current: c.Session != nil && c.Session.ID == s.ID,
		}
		if one.Current {
			all = append([]Device{one}, all...)
			continue
		}
		all = append(all, one)
	}
	return all
}

// ChangePassword sets another password for signing in.
func ChangePassword(c *page.Call) (*page.Answer, error) {
	if c.Form.Get("new") != c.Form.Get("again") {
		return newProfilePage(c, http.StatusUnprocessableEntity, "", c.T("The two new passwords are not the same."))
	}
	try := c.OwnTry()
	if err := c.MayTry(try); err != nil {
		return nil, err
	}
	done, err := c.App.Access.SetOwnPassword(c.Context(), c.Who(), access.PasswordChange{
		Old: c.Form.Get("old"), New: c.Form.Get("new"), KeepTokens: c.Form.Get("keep-tokens") == "true",
	})
	if errors.Is(err, access.ErrPassword) {
		return newProfilePage(c, http.StatusUnprocessableEntity, c.T("This is not your current password."), "")
	}
	c.App.Guesses.Forgive(try)
	if text, refused := c.Refusal(err); refused {
		return newProfilePage(c, http.StatusUnprocessableEntity, "", text)
	}
	if err != nil {
		return nil, err
	}
	c.KeepSession(done.Session, c.Session)
	c.Notify(c.T("Your password was changed, and you are signed out on all other devices.") + Revoked(c, done))
	return c.GoTo(ProfilePath)
}

// EndDevice signs a person out on one device.
func EndDevice(c *page.Call) (*page.Answer, error) {
	id, err := strconv.ParseInt(c.PathValue("id"), 10, 64)
	if err != nil {
		return nil, c.App.Missing(c.Request)
	}
	if err := c.App.Access.EndSession(c.Context(), c.Who(), id); err != nil {
		return nil, err
	}
	c.Notify(c.T("You are signed out on that device"))
	return c.GoTo(ProfilePath)
}

// EndDevices signs a person out on all devices but this one.
func EndDevices(c *page.Call) (*page.Answer, error) {
	if err := c.App.Access.SignOutEverywhere(c.Context(), c.Who(), c.Session); err != nil {
		return nil, err
	}
	c.Notify(c.T("You are signed out on all other devices"))
	return c.GoTo(ProfilePath)
}

// Revoked says how many tokens ended with a password, "" for none.
func Revoked(c *page.Call, done access.PasswordChanged) string {
	if done.Revoked == 0 {
		return ""
	}
	return " " + c.TN(int(done.Revoked), "%s token was revoked.", "%s tokens were revoked.")
}
