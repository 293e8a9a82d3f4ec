package account

import (
	"errors"
	"net/http"

	"muster/internal/desk/access"
	"muster/internal/front"
	"muster/internal/web/page"
)

// A codePage is what the page shows on which people give their code.
type codePage struct {
	To       string // where they want to go
	Recovery bool   // they have but a recovery code
	Fault    string
}

// AskCode asks for the code of the second factor.
func AskCode(c *page.Call) (*page.Answer, error) {
	switch {
	case c.User != nil:
		return c.GoTo("/")
	case !c.CodeDue:
		return c.GoTo("/signin")
	}
	return newCodePage(c, http.StatusOK, codePage{To: c.URL.Query().Get("to"), Recovery: c.URL.Query().Has("recovery")})
}

func newCodePage(c *page.Call, status int, data codePage) (*page.Answer, error) {
	return &page.Answer{
		Status: status, Template: "code", Page: page.Page{Title: c.T("Sign in"), Bare: "gate", Data: data},
	}, nil
}

// TakeCode signs a person in whose password was right if the code is right too. The
// desk limits the wrong codes of a user.
func TakeCode(c *page.Call) (*page.Answer, error) {
	if !c.CodeDue {
		return c.GoTo("/signin")
	}
	secret, session, err := c.App.Access.CompleteSignIn(c.Context(), c.CookieValue(c.CookieName(page.SessionCookie)),
		c.Form.Get("code"))
	if errors.Is(err, access.ErrNoSession) {
		return c.GoTo("/signin")
	}
	if text, refused := c.Refusal(err); refused {
		if errors.Is(err, access.ErrCode) {
			text = c.T("That code is not right, or has already been used.")
		}
		front.Of(c.Request).Refused = "wrong code"
		return newCodePage(c, http.StatusUnprocessableEntity,
			codePage{To: c.Form.Get("to"), Recovery: c.Form.Has("recovery"), Fault: text})
	}
	if err != nil {
		return nil, err
	}
	c.KeepSession(secret, session)
	c.NoteAddress(session)
	return c.GoTo(page.OwnPath(c.Form.Get("to")))
}
