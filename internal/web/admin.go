package web

import (
	"errors"
	"net/http"

	"muster/internal/desk"
	"muster/internal/inventory"
)

// tokensPath is where administrators deal with all tokens.
const tokensPath = "/tokens"

// tokenRoutes are the pages of all tokens.
func (w *Web) tokenRoutes() {
	w.route(tokensPath, admins, verbs{"GET": (*call).askTokens, "POST": (*call).addToken})
	w.route("/tokens/{id}/revoke", admins, verbs{"GET": (*call).askRevokeToken, "POST": (*call).revokeToken})
}

// A tokensPage is what the page of all tokens shows.
type tokensPage struct {
	*accessView
	Tokens []tokenRow
	Form   *tokenForm // nil for who may make none
}

// askTokens shows all tokens.
func (c *call) askTokens() (*answer, error) { return c.tokensPage(http.StatusOK, "") }

func (c *call) tokensPage(status int, fault string) (*answer, error) {
	v, found, elsewhere, err := c.accesses(inventory.Tokens.Schema, tokensPath)
	if elsewhere != nil || err != nil {
		return elsewhere, err
	}
	p := tokensPage{accessView: v, Tokens: c.allTokenRows(found)}
	if !c.user.ReadOnly.V {
		form := c.tokenForm(tokensPath, true, fault)
		p.Form = &form
	}
	return &answer{status: status, template: "alltokens", page: page{Title: c.t("Tokens"), Here: sessionsPath, Data: p}}, nil
}

// addToken makes a token with the rights of a user.
func (c *call) addToken() (*answer, error) {
	n, err := c.newToken(c.form.Get("user"))
	if err != nil {
		return nil, err
	}
	secret, err := c.web.Desk.AddToken(c.Context(), c.who(), n)
	if e, ok := errors.AsType[*desk.Error](err); ok && e.Code == desk.NotFound { // the user, whom the form names
		return c.tokensPage(http.StatusUnprocessableEntity, c.fault(e.Text))
	}
	if text, refused := c.refusal(err); refused {
		return c.tokensPage(http.StatusUnprocessableEntity, text)
	}
	if err != nil {
		return nil, err
	}
	return c.showToken(sessionsPath, tokensPath, n, secret)
}

// askRevokeToken asks before a token is revoked.
func (c *call) askRevokeToken() (*answer, error) {
	return c.askRevoke(sessionsPath, tokensPath, tokensPath)
}

// revokeToken revokes a token.
func (c *call) revokeToken() (*answer, error) { return c.revoke(tokensPath) }
