package page

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/access"
	"muster/internal/front"
	"muster/internal/limit"
)

// CookieName returns the name of a cookie. Over HTTPS it has the prefix __Host-, with
// which browsers accept a cookie from this host only.
func (c *Call) CookieName(name string) string {
	if front.Of(c.Request).Scheme == "https" {
		return "__Host-" + name
	}
	return name
}

// SetCookie gives the browser a cookie that no script reads; an age of 0 makes
// it end with the browser, a negative one at once.
func (c *Call) SetCookie(name, value string, age time.Duration) {
	http.SetCookie(c.Writer, &http.Cookie{
		Name: c.CookieName(name), Value: value, Path: "/", MaxAge: int(age.Seconds()),
		Secure: front.Of(c.Request).Scheme == "https", HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

// CookieValue returns the value of a cookie, "" for none.
func (c *Call) CookieValue(name string) string {
	if k, err := c.Cookie(name); err == nil {
		return k.Value
	}
	return ""
}

// SessionCookie is the cookie with the secret of a session.
const SessionCookie = "muster"

// recognise finds out who makes the request: nobody, if it has no valid session.
func (c *Call) recognise() error {
	secret := c.CookieValue(c.CookieName(SessionCookie))
	if secret == "" {
		return nil
	}
	user, session, err := c.App.Access.Session(c.Request.Context(), secret, front.Address(c.Request))
	c.CodeDue, c.Choosing, c.Enrolling = errors.Is(err, access.ErrCodeDue), errors.Is(err, access.ErrPasswordDue),
		errors.Is(err, access.ErrSetUpDue)
	if errors.Is(err, access.ErrNoSession) || c.CodeDue {
		return nil
	}
	if err != nil && !c.Choosing && !c.Enrolling {
		return err
	}
	c.User, c.Session = user, session
	front.Of(c.Request).User = user.Email
	return nil
}

// toSignIn sends somebody to what they must do before they are let in, and back
// afterwards to the page that they wanted, or that they were on.
func (c *Call) toSignIn() *Answer {
	to := c.App.At("/signin")
	switch {
	case c.CodeDue:
		to = c.App.At(CodePath)
	case c.Choosing:
		to = c.App.At(ChoosePath)
	case c.Enrolling:
		to = c.App.At(FactorPath)
	}
	if back := c.wayBack(); back != "/" {
		to += "?to=" + url.QueryEscape(back)
	}
	return &Answer{Status: http.StatusSeeOther, location: to}
}

// wayBack returns the path to come back to: that of a page itself, and of a form,
// which is not sent once more, that of the page that has it, taken from the Referer
// header. It returns "/" for pages of other sites.
func (c *Call) wayBack() string {
	if c.Method == http.MethodGet {
		return c.URL.RequestURI()
	}
	from, err := url.Parse(c.Referer())
	if err != nil || from.Scheme != front.Of(c.Request).Scheme || from.Host != c.Host {
		return "/"
	}
	path, ours := strings.CutPrefix(from.RequestURI(), c.App.At("/"))
	if !ours {
		return "/"
	}
	return OwnPath("/" + path)
}

// A SignInPage is what the page shows on which people sign in.
type SignInPage struct {
	Email string
	Stay  bool
	To    string // where they want to go
	Fault string
	Host  string // that they sign in to
}

func (c *Call) SignInPage(status int, data SignInPage) (*Answer, error) {
	data.Host = c.Host
	return &Answer{Status: status, Template: "signin", Page: Page{Title: c.T("Sign in"), Bare: "gate", Data: data}}, nil
}

// browserCookie is the cookie by which a browser is known in which somebody was let in.
const browserCookie = "muster-browser"

// NoteAddress notes where a person was let in, so that nobody elsewhere shuts them out.
func (c *Call) NoteAddress(s *desk.Session) {
	c.App.Access.Addresses().Note(c.Context(), s.UserID, front.Address(c.Request))
	c.SetCookie(browserCookie, c.App.Access.Addresses().BrowserMark(s.UserID), access.KnownAddressFor)
}

// Try returns what is counted of a password that is not right.
func (c *Call) Try(email string) limit.Try {
	address := front.Address(c.Request)
	t := limit.Try{
		User: email, Address: address,
		Known: sync.OnceValue(func() bool { return c.App.Access.Addresses().Knows(c.Context(), email, address) }),
	}
	if mark := c.CookieValue(c.CookieName(browserCookie)); mark != "" && c.App.Access.Addresses().IsBrowserMark(mark, email) {
		t.Browser = mark
	}
	return t
}

// OwnTry returns what is counted of a wrong password of a person who is signed in: by
// their session, so that nobody else uses it up.
func (c *Call) OwnTry() limit.Try {
	return limit.Try{
		User: c.User.Email, Address: front.Address(c.Request),
		Browser: "session " + strconv.FormatInt(c.Session.ID, 10),
	}
}

// MayTry counts a password as wrong, until it is forgiven, or returns a refusal when too
// many were.
func (c *Call) MayTry(t limit.Try) error {
	switch reason, wait := c.App.Guesses.Take(t); reason {
	case limit.OfAddress:
		return front.TooMany(wait, limitAddress, "too many failed sign-ins from this address")
	case limit.OfUser:
		return front.TooMany(wait, limitSignIns, "too many failed sign-ins of this user")
	case limit.OfPair:
		return front.TooMany(wait, limitSignIns, "too many failed sign-ins of this user from this address")
	}
	return nil
}

// KeepSession gives the browser the secret of a session: one that stays for as
// long as it lasts, another until the browser ends.
func (c *Call) KeepSession(secret string, s *desk.Session) {
	var age time.Duration
	if s.Stay {
		age = s.Expires.Sub(c.App.Now())
	}
	c.SetCookie(SessionCookie, secret, age)
}

// fewTries is the number of tries left from which on people are warned of a pause.
const fewTries = 3

// TriesLeft returns a sentence about how many tries are left before a pause, or ""
// while there are many.
func (c *Call) TriesLeft(n int) string {
	switch {
	case n < 0 || n > fewTries:
		return ""
	case n == 0:
		return " " + c.T("Signing in is paused now, for up to an hour.")
	}
	return " " + c.TN(n, "%s more try before a pause.", "%s more tries before a pause.")
}

// OwnPath returns a path from a form if it is one of the application, else "/", so that
// nobody is redirected to another site.
func OwnPath(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") ||
		strings.ContainsAny(to, "\\\r\n") {
		return "/"
	}
	return to
}
