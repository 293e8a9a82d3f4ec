package web

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"muster/internal/desk"
	"muster/internal/door"
	"muster/internal/limit"
)

// cookie returns the name of the cookie with the session: a browser takes one
// whose name begins so from this very host alone, by HTTPS.
func (c *call) cookie(name string) string {
	if door.Of(c.Request).Scheme == "https" {
		return "__Host-" + name
	}
	return name
}

// setCookie gives the browser a cookie that no script reads; an age of 0 makes
// it end with the browser, a negative one at once.
func (c *call) setCookie(name, value string, age time.Duration) {
	http.SetCookie(c.w, &http.Cookie{
		Name: c.cookie(name), Value: value, Path: "/", MaxAge: int(age.Seconds()),
		Secure: door.Of(c.Request).Scheme == "https", HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

// cookieValue returns the value of a cookie, "" for none.
func (c *call) cookieValue(name string) string {
	if k, err := c.Cookie(name); err == nil {
		return k.Value
	}
	return ""
}

// sessionCookie is the cookie with the secret of a session.
const sessionCookie = "muster"

// recognise finds out who makes the request: nobody, if there is no session that
// holds.
func (c *call) recognise() error {
	secret := c.cookieValue(c.cookie(sessionCookie))
	if secret == "" {
		return nil
	}
	user, session, err := c.web.Desk.Session(c.Request.Context(), secret, door.Address(c.Request))
	c.codeDue, c.choosing, c.enrolling = errors.Is(err, desk.ErrCodeDue), errors.Is(err, desk.ErrPasswordDue), errors.Is(err, desk.ErrSetUpDue)
	if errors.Is(err, desk.ErrNoSession) || c.codeDue {
		return nil
	}
	if err != nil && !c.choosing && !c.enrolling {
		return err
	}
	c.user, c.session = user, session
	door.Of(c.Request).User = user.Email
	return nil
}

// toSignIn sends somebody to what they must do before they are let in, and back
// afterwards to the page that they wanted, or that they were on.
func (c *call) toSignIn() *answer {
	to := c.web.at("/signin")
	switch {
	case c.codeDue:
		to = c.web.at(codePath)
	case c.choosing:
		to = c.web.at(choosePath)
	case c.enrolling:
		to = c.web.at(factorPath)
	}
	if back := c.wayBack(); back != "/" {
		to += "?to=" + url.QueryEscape(back)
	}
	return &answer{status: http.StatusSeeOther, location: to}
}

// wayBack returns the path to come back to: that of a page itself, and of a form,
// which is not sent once more, that of the page that has it. Browsers tell which
// that is; "/" stands for any but ours.
func (c *call) wayBack() string {
	if c.Method == http.MethodGet {
		return c.URL.RequestURI()
	}
	from, err := url.Parse(c.Referer())
	if err != nil || from.Scheme != door.Of(c.Request).Scheme || from.Host != c.Host {
		return "/"
	}
	path, ours := strings.CutPrefix(from.RequestURI(), c.web.at("/"))
	if !ours {
		return "/"
	}
	return ownPath("/" + path)
}

// A signInPage is what the page shows on which people sign in.
type signInPage struct {
	Email string
	Stay  bool
	To    string // where they want to go
	Fault string
	Host  string // that they sign in to
}

// askSignIn shows the page on which people sign in.
func (c *call) askSignIn() (*answer, error) {
	if c.user != nil {
		return c.goTo("/")
	}
	return c.signInPage(http.StatusOK, signInPage{To: c.URL.Query().Get("to"), Stay: true})
}

func (c *call) signInPage(status int, data signInPage) (*answer, error) {
	data.Host = c.Host
	return &answer{status: status, template: "signin", page: page{Title: c.t("Sign in"), Bare: "gate", Data: data}}, nil
}

// signIn lets a person in who gives the right password.
func (c *call) signIn() (*answer, error) {
	data := signInPage{Email: strings.ToLower(strings.TrimSpace(c.form.Get("email"))), Stay: c.form.Get("stay") != "", To: c.form.Get("to")}
	try := c.try(data.Email)
	if err := c.mayTry(try); err != nil {
		return nil, err
	}
	secret, session, err := c.web.Desk.SignIn(c.Context(), desk.SignIn{
		Email: data.Email, Password: c.form.Get("password"), Stay: data.Stay, Agent: c.UserAgent(), Address: try.Address,
	})
	if errors.Is(err, desk.ErrSignIn) {
		door.Of(c.Request).Refused = "wrong sign-in"
		data.Fault = c.t("That address and password do not belong together.") + c.triesLeft(c.web.Guesses.Left(try))
		return c.signInPage(http.StatusUnprocessableEntity, data)
	}
	c.web.Guesses.Forgive(try)
	if err != nil {
		return nil, err
	}
	c.keepSession(secret, session)
	if session.CodeDue {
		return c.goTo(codePath + "?to=" + url.QueryEscape(ownPath(data.To)))
	}
	c.letIn(session)
	return c.goTo(ownPath(data.To))
}

// browserCookie is the cookie by which a browser is known in which somebody was let in.
const browserCookie = "muster-browser"

// letIn notes where a person was let in, so that nobody elsewhere shuts them out.
func (c *call) letIn(s *desk.Session) {
	c.web.Desk.LetIn(c.Context(), s.UserID, door.Address(c.Request))
	c.setCookie(browserCookie, c.web.Desk.BrowserMark(s.UserID), desk.LetInCounts)
}

// try returns what is counted of a password that is not right.
func (c *call) try(email string) limit.Try {
	address := door.Address(c.Request)
	t := limit.Try{User: email, Address: address, Known: sync.OnceValue(func() bool { return c.web.Desk.WasLetIn(c.Context(), email, address) })}
	if mark := c.cookieValue(c.cookie(browserCookie)); mark != "" && c.web.Desk.IsBrowserMark(mark, email) {
		t.Browser = mark
	}
	return t
}

// ownTry returns what is counted of a wrong password of a person who is signed in: by
// their session, so that nobody else uses it up.
func (c *call) ownTry() limit.Try {
	return limit.Try{User: c.user.Email, Address: door.Address(c.Request), Browser: "session " + strconv.FormatInt(c.session.ID, 10)}
}

// mayTry counts a password as wrong, until it is forgiven, or returns a refusal when too
// many were.
func (c *call) mayTry(t limit.Try) error {
	switch reason, wait := c.web.Guesses.Take(t); reason {
	case limit.OfAddress:
		return door.TooMany(wait, limitAddress, "too many failed sign-ins from this address")
	case limit.OfUser:
		return door.TooMany(wait, limitSignIns, "too many failed sign-ins of this user")
	case limit.OfPair:
		return door.TooMany(wait, limitSignIns, "too many failed sign-ins of this user from this address")
	}
	return nil
}

// keepSession gives the browser the secret of a session: one that stays for as
// long as it lasts, another until the browser ends.
func (c *call) keepSession(secret string, s *desk.Session) {
	var age time.Duration
	if s.Stay {
		age = s.Expires.Sub(c.web.Now())
	}
	c.setCookie(sessionCookie, secret, age)
}

// fewTries is from how many tries on people are told that a pause is near.
const fewTries = 3

// triesLeft tells how many more tries somebody has before a pause, when these
// are few.
func (c *call) triesLeft(n int) string {
	switch {
	case n < 0 || n > fewTries:
		return ""
	case n == 0:
		return " " + c.t("There is a pause now, of up to an hour.")
	}
	return " " + c.tn(n, "%s more try, then a pause.", "%s more tries, then a pause.")
}

// ownPath returns a path of the application that a form names, "/" when it is
// none: nobody is led elsewhere.
func ownPath(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n") {
		return "/"
	}
	return to
}

// signOut ends the session. The browser forgets what was said in it.
func (c *call) signOut() (*answer, error) {
	if secret := c.cookieValue(c.cookie(sessionCookie)); secret != "" {
		if err := c.web.Desk.SignOut(c.Context(), secret); err != nil {
			return nil, err
		}
	}
	c.setCookie(sessionCookie, "", -time.Second)
	c.setCookie(toastCookie, "", -time.Second)
	return c.goTo("/signin")
}
