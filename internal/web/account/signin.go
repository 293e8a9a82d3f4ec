package account

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"muster/internal/desk/access"
	"muster/internal/front"
	"muster/internal/web/page"
)

// AskSignIn shows the page on which people sign in.
func AskSignIn(c *page.Call) (*page.Answer, error) {
	if c.User != nil {
		return c.GoTo("/")
	}
	return c.SignInPage(http.StatusOK, page.SignInPage{To: c.URL.Query().Get("to"), Stay: true})
}

// SignIn lets a person in who gives the right password.
func SignIn(c *page.Call) (*page.Answer, error) {
	data := page.SignInPage{
		Email: strings.ToLower(strings.TrimSpace(c.Form.Get("email"))), Stay: c.Form.Get("stay") != "",
		To: c.Form.Get("to"),
	}
	try := c.Try(data.Email)
	if err := c.MayTry(try); err != nil {
		return nil, err
	}
	secret, session, err := c.App.Access.SignIn(c.Context(), access.SignIn{
		Email: data.Email, Password: c.Form.Get("password"), Stay: data.Stay, Agent: c.UserAgent(),
		Address: try.Address,
	})
	if errors.Is(err, access.ErrSignIn) {
		front.Of(c.Request).Refused = "wrong sign-in"
		data.Fault = c.T("The email address or the password is not right.") + c.TriesLeft(c.App.Guesses.Left(try))
		return c.SignInPage(http.StatusUnprocessableEntity, data)
	}
	c.App.Guesses.Forgive(try)
	if err != nil {
		return nil, err
	}
	c.KeepSession(secret, session)
	if session.CodeDue {
		return c.GoTo(page.CodePath + "?to=" + url.QueryEscape(page.OwnPath(data.To)))
	}
	c.NoteAddress(session)
	return c.GoTo(page.OwnPath(data.To))
}

// SignOut ends the session. The browser forgets what was said in it.
func SignOut(c *page.Call) (*page.Answer, error) {
	if secret := c.CookieValue(c.CookieName(page.SessionCookie)); secret != "" {
		if err := c.App.Access.SignOut(c.Context(), secret); err != nil {
			return nil, err
		}
	}
	c.SetCookie(page.SessionCookie, "", -time.Second)
	c.SetCookie(page.ToastCookie, "", -time.Second)
	return c.GoTo("/signin")
}
