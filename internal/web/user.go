package web

import (
	"context"
	"net/http"
	"strconv"

	"muster/internal/desk"
	"muster/internal/inventory"
)

// userRoutes are what administrators do with the access of a user.
func (w *Web) userRoutes() {
	w.route("/users/{id}/password", admins, verbs{"POST": (*call).setUserPassword})
	w.route("/users/{id}/disable", admins, verbs{"GET": (*call).askDisable, "POST": (*call).disableUser})
	w.route("/users/{id}/enable", admins, verbs{"POST": (*call).enableUser})
	w.route("/users/{id}/second-factor/reset", admins, verbs{"GET": (*call).askResetFactor, "POST": (*call).resetFactor})
	w.route("/users/{id}/sessions/end", admins, verbs{"POST": (*call).signOutUser})
}

// A userPage is what the page of a user shows: the record, and how they come in.
type userPage struct {
	*recordPage
	Disabled bool
	Self     bool // it is who looks
	Access   *desk.UserAccess
	Since    *moment // when the second factor was turned on
	APIUsed  *moment // when a program last used the API password, nil for never
	Devices  []device
	Tokens   []tokenRow
	Fault    string // of a new password
}

// theUser returns the user of the path.
func (c *call) theUser() (*inventory.User, error) {
	id, err := c.id(inventory.Users.Schema)
	if err != nil {
		return nil, err
	}
	rec, err := c.web.Desk.Get(c.Context(), c.who(), inventory.Users.Schema, id)
	if err != nil {
		return nil, err
	}
	return rec.(*inventory.User), nil
}

// userPath returns the path of a user's page.
func userPath(user *inventory.User) string { return "/users/" + strconv.FormatInt(user.ID, 10) }

// showUser shows a user, and how they come in.
func (c *call) showUser() (*answer, error) {
	user, err := c.theUser()
	if err != nil {
		return nil, err
	}
	return c.userPage(user, http.StatusOK, "")
}

func (c *call) userPage(user *inventory.User, status int, fault string) (*answer, error) {
	s := sectionOf(inventory.Users.Schema)
	p := userPage{recordPage: s.newRecordPage(c, user), Disabled: user.Disabled.V, Self: user.ID == c.user.ID, Fault: fault}
	err := c.userAccess(&p, user)
	if err != nil {
		return nil, err
	}
	if p.Lists, err = s.related(c, user); err != nil {
		return nil, err
	}
	if p.Changes, err = c.changesOf(s.kind, user.ID); err != nil {
		return nil, err
	}
	if p.Steps, err = s.steps(c, user.ID); err != nil {
		return nil, err
	}
	return &answer{status: status, template: "user", page: page{Title: p.Name, Here: "/users", Data: p}}, nil
}

// userAccess tells on a page how a user comes in.
func (c *call) userAccess(p *userPage, user *inventory.User) (err error) {
	if p.Access, err = c.web.Desk.UserAccess(c.Context(), c.who(), user); err != nil {
		return err
	}
	p.Since, p.APIUsed, p.Devices = c.moment(p.Access.Factor.Since), c.moment(p.Access.APIUsed), c.devices(p.Access.Sessions)
	if !p.Change {
		return nil // of others' tokens those alone are told who may revoke them
	}
	tokens, err := c.web.Desk.Tokens(c.Context(), c.who(), user.Email)
	p.Tokens = c.tokenRows(tokens)
	return err
}

// setUserPassword gives a user a password: the one of the form, or one that is
// made up and shown once.
func (c *call) setUserPassword() (*answer, error) {
	user, err := c.theUser()
	if err != nil {
		return nil, err
	}
	given := c.form.Get("password")
	done, err := c.web.Desk.SetPassword(c.Context(), c.who(), user.Email, desk.PasswordChange{New: given, KeepTokens: c.form.Get("keep-tokens") == "true"})
	if text, refused := c.refusal(err); refused {
		return c.userPage(user, http.StatusUnprocessableEntity, text)
	}
	if err != nil {
		return nil, err
	}
	if given != "" {
		c.say(c.t("%s has a new password, and is signed out", userName(user)) + c.revoked(done))
		return c.goTo(userPath(user))
	}
	return c.showOnce("/users", oncePage{
		Title: c.t("Password of %s", userName(user)), Back: userPath(user), Secrets: []string{done.Password},
		About: c.t("Give it to them on a safe way: it is shown this once. They can change it on their profile page.") + c.revoked(done),
	})
}

// revoked says how many tokens ended with a password, "" for none.
func (c *call) revoked(done desk.PasswordChanged) string {
	if done.Revoked == 0 {
		return ""
	}
	return " " + c.tn(int(done.Revoked), "%s token was revoked.", "%s tokens were revoked.")
}

// userName returns what a user is called.
func userName(user *inventory.User) string {
	if user.Name != "" {
		return user.Name
	}
	return user.Email
}

// askDisable tells what becomes of a user who is disabled.
func (c *call) askDisable() (*answer, error) {
	user, err := c.theUser()
	if err != nil {
		return nil, err
	}
	return c.disablePage(user, "")
}

func (c *call) disablePage(user *inventory.User, fault string) (*answer, error) {
	return c.confirm("/users", confirmPage{
		Title: c.t("Disable %s?", userName(user)), Do: c.t("Disable user"), Back: userPath(user), Action: userPath(user) + "/disable", Fault: fault,
		Texts: []string{c.t("They are signed out at once and cannot sign in; their tokens and API password are refused. Their tickets, assets and history stay as they are. You can enable them again.")},
	})
}

// disableUser ends all access of a user.
func (c *call) disableUser() (*answer, error) {
	return c.withUser(c.web.Desk.DisableUser, msg("%s is disabled"), (*call).disablePage)
}

// enableUser gives a user their access back.
func (c *call) enableUser() (*answer, error) {
	return c.withUser(c.web.Desk.EnableUser, msg("%s is enabled again"), nil)
}

// askResetFactor tells what becomes of a user whose second factor is reset.
func (c *call) askResetFactor() (*answer, error) {
	user, err := c.theUser()
	if err != nil {
		return nil, err
	}
	return c.resetPage(user, "")
}

func (c *call) resetPage(user *inventory.User, fault string) (*answer, error) {
	return c.confirm("/users", confirmPage{
		Title: c.t("Reset the second factor of %s?", userName(user)), Do: c.t("Reset second factor"), Back: userPath(user), Action: userPath(user) + "/second-factor/reset", Fault: fault,
		Texts: []string{c.t("Do this when they have lost their phone and their recovery codes, and you are sure that it is they who ask. They are signed out, and sign in with the password alone until they set it up again.")},
	})
}

// resetFactor turns off the second factor of a user.
func (c *call) resetFactor() (*answer, error) {
	return c.withUser(c.web.Desk.ResetSecondFactor, msg("The second factor of %s was reset"), (*call).resetPage)
}

// signOutUser ends all sessions of a user.
func (c *call) signOutUser() (*answer, error) {
	return c.withUser(c.web.Desk.SignOutUser, msg("%s is signed out on all devices"), nil)
}

// withUser does something with the user of the path, tells that it was done, and
// leads back to their page. When it is refused, a page that asked before is shown
// again with the reason.
func (c *call) withUser(do func(context.Context, desk.Caller, string) error, done string, ask func(*call, *inventory.User, string) (*answer, error)) (*answer, error) {
	user, err := c.theUser()
	if err != nil {
		return nil, err
	}
	err = do(c.Context(), c.who(), user.Email)
	if text, refused := c.refusal(err); refused && ask != nil {
		return ask(c, user, text)
	}
	if err != nil {
		return nil, err
	}
	c.say(c.t(done, userName(user)))
	return c.goTo(userPath(user))
}
