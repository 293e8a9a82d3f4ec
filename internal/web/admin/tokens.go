package admin

import (
	"errors"
	"net/http"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/web/account"
	"muster/internal/web/page"
)

// TokensPath is where administrators deal with all tokens.
const TokensPath = "/tokens"

// A tokensPage is what the page of all tokens shows.
type tokensPage struct {
	*accessView
	Tokens []account.TokenRow
	Form   *account.TokenForm // nil for users who may not create any
}

// AskTokens shows all tokens.
func AskTokens(c *page.Call) (*page.Answer, error) { return newTokensPage(c, http.StatusOK, "") }

func newTokensPage(c *page.Call, status int, fault string) (*page.Answer, error) {
	v, found, elsewhere, err := accesses(c, inventory.Tokens.Schema, TokensPath)
	if elsewhere != nil || err != nil {
		return elsewhere, err
	}
	p := tokensPage{accessView: v, Tokens: allTokenRows(c, found)}
	if !c.User.ReadOnly.V {
		form := account.NewTokenForm(c, TokensPath, true, fault)
		p.Form = &form
	}
	return &page.Answer{
		Status: status, Template: "alltokens", Page: page.Page{Title: c.T("Tokens"), Here: SessionsPath, Data: p},
	}, nil
}

// AddToken makes a token with the rights of a user.
func AddToken(c *page.Call) (*page.Answer, error) {
	n, err := account.NewToken(c, c.Form.Get("user"))
	if err != nil {
		return nil, err
	}
	secret, err := c.App.Access.AddToken(c.Context(), c.Who(), n)
	if e, ok := errors.AsType[*desk.Error](err); ok && e.Code == desk.NotFound { // the user named in the form
		return newTokensPage(c, http.StatusUnprocessableEntity, c.Fault(e.Text))
	}
	if text, refused := c.Refusal(err); refused {
		return newTokensPage(c, http.StatusUnprocessableEntity, text)
	}
	if err != nil {
		return nil, err
	}
	return account.ShowToken(c, SessionsPath, TokensPath, n, secret)
}

// AskRevokeToken asks before a token is revoked.
func AskRevokeToken(c *page.Call) (*page.Answer, error) {
	return account.AskRevoke(c, SessionsPath, TokensPath, TokensPath)
}

// RevokeToken revokes a token.
func RevokeToken(c *page.Call) (*page.Answer, error) { return account.Revoke(c, TokensPath) }
