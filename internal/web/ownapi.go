package web

import (
	"net/http"

	"muster/internal/pointing"
)

// An ownAPIPage is what the page of a person's access to the API shows.
type ownAPIPage struct {
	Tabs   []viewTab
	Curl   string
	Apart  bool // the API password cannot be the one for signing in
	Tokens []tokenRow
	Form   tokenForm
	Fault  string
}

// askOwnAPI shows how a person's programs come in.
func (c *call) askOwnAPI() (*answer, error) { return c.ownAPIPage(http.StatusOK, "", "") }

func (c *call) ownAPIPage(status int, fault, tokenFault string) (*answer, error) {
	tokens, factor, err := c.ownAccess()
	if err != nil {
		return nil, err
	}
	p := ownAPIPage{
		Tabs: c.profileTabs(ownAPIPath), Apart: factor, Tokens: tokens, Fault: fault,
		Form: c.tokenForm("/profile/api/tokens", false, tokenFault), Curl: c.curl("--digest --user " + pointing.ShellQuote(c.user.Email)),
	}
	return &answer{status: status, template: "ownapi", page: page{Title: c.t("API access"), Here: profilePath, Data: p}}, nil
}

// ownAccess returns a person's tokens, and whether they have a second factor.
func (c *call) ownAccess() ([]tokenRow, bool, error) {
	tokens, err := c.web.Desk.Tokens(c.Context(), c.who(), c.user.Email)
	if err != nil {
		return nil, false, err
	}
	factor, err := c.web.Desk.SecondFactor(c.Context(), c.who())
	if err != nil {
		return nil, false, err
	}
	return c.tokenRows(tokens), factor.On, nil
}

// makeAPIPassword gives a person a password for the API alone.
func (c *call) makeAPIPassword() (*answer, error) {
	password, err := c.web.Desk.MakeAPIPassword(c.Context(), c.who())
	if text, refused := c.refusal(err); refused {
		return c.ownAPIPage(http.StatusConflict, text, "")
	}
	if err != nil {
		return nil, err
	}
	return c.showOnce(profilePath, oncePage{
		Title: c.t("API password"), Back: ownAPIPath, Secrets: []string{password},
		About: c.t("Copy it now: it is shown this once. Programs give it with your email address; the one before is good for nothing any more, and your password for signing in stays as it is."),
		Lines: []onceLine{{"line-curl", c.t("Try it"), c.curl("--digest --user " + pointing.ShellQuote(c.user.Email+":"+password))}},
	})
}

// addOwnToken makes a token with a person's own rights.
func (c *call) addOwnToken() (*answer, error) {
	n, err := c.newToken(c.user.Email)
	if err != nil {
		return nil, err
	}
	secret, err := c.web.Desk.AddToken(c.Context(), c.who(), n)
	if text, refused := c.refusal(err); refused {
		return c.ownAPIPage(http.StatusUnprocessableEntity, "", text)
	}
	if err != nil {
		return nil, err
	}
	return c.showToken(profilePath, ownAPIPath, n, secret)
}

// askRevokeOwn asks before a person's own token is revoked.
func (c *call) askRevokeOwn() (*answer, error) {
	return c.askRevoke(profilePath, ownAPIPath+"/tokens", ownAPIPath)
}

// revokeOwn revokes a person's own token.
func (c *call) revokeOwn() (*answer, error) { return c.revoke(ownAPIPath) }
