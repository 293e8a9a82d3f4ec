package web

import (
	"errors"
	"net/http"

	"muster/internal/desk"
	"muster/internal/door"
)

// codePath is where the second step of signing in is made.
const codePath = "/signin/code"

// signInCodeRoutes are the paths of the second step of signing in.
func (w *Web) signInCodeRoutes() {
	w.route(codePath, open, verbs{"GET": (*call).askCode, "POST": (*call).takeCode})
}

// A codePage is what the page shows on which people give their code.
type codePage struct {
	To       string // where they want to go
	Recovery bool   // they have but a recovery code
	Fault    string
}

// askCode asks for the code of the second factor.
func (c *call) askCode() (*answer, error) {
	switch {
	case c.user != nil:
		return c.goTo("/")
	case !c.codeDue:
		return c.goTo("/signin")
	}
	return c.codePage(http.StatusOK, codePage{To: c.URL.Query().Get("to"), Recovery: c.URL.Query().Has("recovery")})
}

func (c *call) codePage(status int, data codePage) (*answer, error) {
	return &answer{status: status, template: "code", page: page{Title: c.t("Sign in"), Bare: "gate", Data: data}}, nil
}

// takeCode lets a person in whose password was right, and whose code is. The desk
// holds wrong codes of a user to a few.
func (c *call) takeCode() (*answer, error) {
	if !c.codeDue {
		return c.goTo("/signin")
	}
	secret, session, err := c.web.Desk.CompleteSignIn(c.Context(), c.cookieValue(c.cookie(sessionCookie)), c.form.Get("code"))
	if errors.Is(err, desk.ErrNoSession) {
		return c.goTo("/signin")
	}
	if text, refused := c.refusal(err); refused {
		if errors.Is(err, desk.ErrCode) {
			text = c.t("That code is not right, or it was used before.")
		}
		door.Of(c.Request).Refused = "wrong code"
		return c.codePage(http.StatusUnprocessableEntity, codePage{To: c.form.Get("to"), Recovery: c.form.Has("recovery"), Fault: text})
	}
	if err != nil {
		return nil, err
	}
	c.keepSession(secret, session)
	c.letIn(session)
	return c.goTo(ownPath(c.form.Get("to")))
}
