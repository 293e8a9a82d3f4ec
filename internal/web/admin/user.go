package admin

import (
	"context"
	"net/http"
	"strconv"

	"muster/internal/desk"
	"muster/internal/desk/access"
	"muster/internal/inventory"
	"muster/internal/web/account"
	"muster/internal/web/activity"
	"muster/internal/web/lang"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// A userPage is what the page of a user shows: the record, and how they come in.
type userPage struct {
	*records.RecordPage
	Disabled bool
	Self     bool // it is who looks
	Access   *access.Summary
	Since    *page.Moment // when the second factor was turned on
	APIUsed  *page.Moment // when a program last used the API password, nil for never
	Devices  []account.Device
	Tokens   []account.TokenRow
	Fault    string // of a new password
}

// theUser returns the user of the path.
func theUser(c *page.Call) (*inventory.User, error) {
	id, err := c.ID(inventory.Users.Schema)
	if err != nil {
		return nil, err
	}
	rec, err := c.App.Desk.Get(c.Context(), c.Who(), inventory.Users.Schema, id)
	if err != nil {
		return nil, err
	}
	return rec.(*inventory.User), nil
}

// userPath returns the path of a user's page.
func userPath(user *inventory.User) string { return "/users/" + strconv.FormatInt(user.ID, 10) }

// ShowUser shows a user, and how they come in.
func ShowUser(c *page.Call) (*page.Answer, error) {
	user, err := theUser(c)
	if err != nil {
		return nil, err
	}
	return newUserPage(c, user, http.StatusOK, "")
}

func newUserPage(c *page.Call, user *inventory.User, status int, fault string) (*page.Answer, error) {
	s := records.SectionOf(c.App, inventory.Users.Schema)
	p := userPage{
		RecordPage: s.NewRecordPage(c, user), Disabled: user.Disabled.V, Self: user.ID == c.User.ID, Fault: fault,
	}
	err := userAccess(c, &p, user)
	if err != nil {
		return nil, err
	}
	if p.Lists, err = s.Related(c, user); err != nil {
		return nil, err
	}
	if p.Changes, err = activity.LatestOf(c, s.Kind, user.ID); err != nil {
		return nil, err
	}
	if p.Steps, err = s.Steps(c, user.ID); err != nil {
		return nil, err
	}
	return &page.Answer{Status: status, Template: "user", Page: page.Page{Title: p.Name, Here: "/users", Data: p}}, nil
}

// userAccess fills the page with the ways in which a user can sign in.
func userAccess(c *page.Call, p *userPage, user *inventory.User) (err error) {
	if p.Access, err = c.App.Access.Summary(c.Context(), c.Who(), user); err != nil {
		return err
	}
	p.Since, p.APIUsed, p.Devices = c.Moment(p.Access.Factor.Since), c.Moment(p.Access.APIUsed),
		account.Devices(c, p.Access.Sessions)
	if !p.Change {
		return nil // only those who may revoke a user's tokens see them
	}
	tokens, err := c.App.Access.Tokens(c.Context(), c.Who(), user.Email)
	p.Tokens = account.TokenRows(c, tokens)
	return err
}

// SetUserPassword gives a user a password: the one of the form, or one that is
// made up and shown once.
func SetUserPassword(c *page.Call) (*page.Answer, error) {
	user, err := theUser(c)
	if err != nil {
		return nil, err
	}
	given := c.Form.Get("password")
	done, err := c.App.Access.Users().SetPassword(c.Context(), c.Who(), user.Email,
		access.PasswordChange{New: given, KeepTokens: c.Form.Get("keep-tokens") == "true"})
	if text, refused := c.Refusal(err); refused {
		return newUserPage(c, user, http.StatusUnprocessableEntity, text)
	}
	if err != nil {
		return nil, err
	}
	if given != "" {
		c.Notify(c.T("%s has a new password, and is signed out", userName(user)) + account.Revoked(c, done))
		return c.GoTo(userPath(user))
	}
	return c.ShowOnce("/users", page.OncePage{
		Title: c.T("Password of %s", userName(user)), Back: userPath(user), Secrets: []string{done.Password},
		About: c.T("Pass it on in a safe way: it is shown only once. They can change it on their profile page.") +
			account.Revoked(c, done),
	})
}

// userName returns what a user is called.
func userName(user *inventory.User) string {
	if user.Name != "" {
		return user.Name
	}
	return user.Email
}

// AskDisable shows what disabling a user changes, and asks to confirm it.
func AskDisable(c *page.Call) (*page.Answer, error) {
	user, err := theUser(c)
	if err != nil {
		return nil, err
	}
	return disablePage(c, user, "")
}

func disablePage(c *page.Call, user *inventory.User, fault string) (*page.Answer, error) {
	return c.Confirm("/users", page.ConfirmPage{
		Title: c.T("Disable %s?", userName(user)), Do: c.T("Disable user"), Back: userPath(user),
		Action: userPath(user) + "/disable", Fault: fault,
		Texts: []string{
			c.T("They are signed out at once and cannot sign in; their tokens and API password are refused. Their tickets, assets and history are not changed. You can enable them again."),
		},
	})
}

// DisableUser ends all access of a user.
func DisableUser(c *page.Call) (*page.Answer, error) {
	return withUser(c, c.App.Access.Users().Disable, lang.Msg("%s is disabled"), disablePage)
}

// EnableUser gives a user their access back.
func EnableUser(c *page.Call) (*page.Answer, error) {
	return withUser(c, c.App.Access.Users().Enable, lang.Msg("%s is enabled again"), nil)
}

// AskResetFactor shows what resetting a second factor changes, and asks to confirm it.
func AskResetFactor(c *page.Call) (*page.Answer, error) {
	user, err := theUser(c)
	if err != nil {
		return nil, err
	}
	return resetPage(c, user, "")
}

func resetPage(c *page.Call, user *inventory.User, fault string) (*page.Answer, error) {
	return c.Confirm("/users", page.ConfirmPage{
		Title: c.T("Reset the second factor of %s?", userName(user)), Do: c.T("Reset second factor"),
		Back: userPath(user), Action: userPath(user) + "/second-factor/reset", Fault: fault,
		Texts: []string{
			c.T("Do this when they have lost their phone and their recovery codes, and you are sure who is asking. They are signed out, and sign in with only their password until they set it up again."),
		},
	})
}

// ResetFactor turns off the second factor of a user.
func ResetFactor(c *page.Call) (*page.Answer, error) {
	return withUser(c, c.App.Access.ResetSecondFactor, lang.Msg("The second factor of %s was reset"), resetPage)
}

// SignOutUser ends all sessions of a user.
func SignOutUser(c *page.Call) (*page.Answer, error) {
	return withUser(c, c.App.Access.SignOutUser, lang.Msg("%s is signed out on all devices"), nil)
}

// withUser does something with the user of the path, notifies that it was done, and
// redirects to their page. When it is refused, the page that asked to confirm it is
// shown again with the reason.
func withUser(c *page.Call, do func(context.Context, desk.Caller, string) error, done string, ask func(*page.Call,
	*inventory.User, string) (*page.Answer, error)) (*page.Answer, error) {
	user, err := theUser(c)
	if err != nil {
		return nil, err
	}
	err = do(c.Context(), c.Who(), user.Email)
	if text, refused := c.Refusal(err); refused && ask != nil {
		return ask(c, user, text)
	}
	if err != nil {
		return nil, err
	}
	c.Notify(c.T(done, userName(user)))
	return c.GoTo(userPath(user))
}
