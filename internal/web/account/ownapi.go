package account

import (
	"net/http"

	"muster/internal/agentsetup"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// An ownAPIPage is what the page of a person's access to the API shows.
type ownAPIPage struct {
	Tabs   []records.ViewTab
	Curl   string
	Apart  bool // the API password cannot be the one for signing in
	Tokens []TokenRow
	Form   TokenForm
	Fault  string
}

// AskOwnAPI shows how a person's programs come in.
func AskOwnAPI(c *page.Call) (*page.Answer, error) { return newOwnAPIPage(c, http.StatusOK, "", "") }

func newOwnAPIPage(c *page.Call, status int, fault, tokenFault string) (*page.Answer, error) {
	tokens, factor, err := ownAccess(c)
	if err != nil {
		return nil, err
	}
	p := ownAPIPage{
		Tabs: profileTabs(c, OwnAPIPath), Apart: factor, Tokens: tokens, Fault: fault,
		Form: NewTokenForm(c, "/profile/api/tokens", false, tokenFault),
		Curl: Curl(c, "--digest --user "+agentsetup.ShellQuote(c.User.Email)),
	}
	return &page.Answer{
		Status: status, Template: "ownapi", Page: page.Page{Title: c.T("API access"), Here: ProfilePath, Data: p},
	}, nil
}

// ownAccess returns a person's tokens, and whether they have a second factor.
func ownAccess(c *page.Call) ([]TokenRow, bool, error) {
	tokens, err := c.App.Access.Tokens(c.Context(), c.Who(), c.User.Email)
	if err != nil {
		return nil, false, err
	}
	factor, err := c.App.Access.SecondFactor(c.Context(), c.Who())
	if err != nil {
		return nil, false, err
	}
	return TokenRows(c, tokens), factor.On, nil
}

// MakeAPIPassword creates a separate password for the API.
func MakeAPIPassword(c *page.Call) (*page.Answer, error) {
	password, err := c.App.Access.MakeAPIPassword(c.Context(), c.Who())
	if text, refused := c.Refusal(err); refused {
		return newOwnAPIPage(c, http.StatusConflict, text, "")
	}
	if err != nil {
		return nil, err
	}
	return c.ShowOnce(ProfilePath, page.OncePage{
		Title: c.T("API password"), Back: OwnAPIPath, Secrets: []string{password},
		About: c.T("Copy it now: it is shown only once. Programs use it with your email address. The previous one no longer works; your sign-in password is unchanged."),
		Lines: []page.OnceLine{
			{ID: "line-curl", Where: c.T("Try it"), Text: Curl(c,
				"--digest --user "+agentsetup.ShellQuote(c.User.Email+":"+password))},
		},
	})
}

// AddOwnToken makes a token with a person's own rights.
func AddOwnToken(c *page.Call) (*page.Answer, error) {
	n, err := NewToken(c, c.User.Email)
	if err != nil {
		return nil, err
	}
	secret, err := c.App.Access.AddToken(c.Context(), c.Who(), n)
	if text, refused := c.Refusal(err); refused {
		return newOwnAPIPage(c, http.StatusUnprocessableEntity, "", text)
	}
	if err != nil {
		return nil, err
	}
	return ShowToken(c, ProfilePath, OwnAPIPath, n, secret)
}

// AskRevokeOwn asks before a person's own token is revoked.
func AskRevokeOwn(c *page.Call) (*page.Answer, error) {
	return AskRevoke(c, ProfilePath, OwnAPIPath+"/tokens", OwnAPIPath)
}

// RevokeOwn revokes a person's own token.
func RevokeOwn(c *page.Call) (*page.Answer, error) { return Revoke(c, OwnAPIPath) }
