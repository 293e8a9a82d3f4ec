package web

import (
	"net/http"

	"muster/internal/desk"
	"muster/internal/pointing"
)

// choosePath is where somebody chooses a password who has signed in with the one that
// the first start printed.
const choosePath = "/password"

// A choosePage is what the page shows on which somebody chooses a password.
type choosePage struct {
	Email  string // of the person, for managers of passwords
	To     string // where they want to go
	Tokens []tokenRow
	Fault  string
	// Command sets the password where no browser can, over plain HTTP; "" elsewhere.
	Command string
}

// askChoose asks somebody for a password of their own.
func (c *call) askChoose() (*answer, error) {
	to := c.URL.Query().Get("to")
	if !c.choosing {
		return c.goTo(ownPath(to))
	}
	return c.choosePage(http.StatusOK, to, "")
}

func (c *call) choosePage(status int, to, fault string) (*answer, error) {
	tokens, _, err := c.ownAccess()
	if err != nil {
		return nil, err
	}
	p := choosePage{Email: c.user.Email, To: to, Tokens: tokens, Fault: fault}
	if c.who().Exposed {
		p.Command = "muster user passwd " + pointing.ShellQuote(c.user.Email)
	}
	return &answer{status: status, template: "choose", page: page{Title: c.t("Choose a password of your own"), Bare: "gate", Data: p}}, nil
}

// choose sets the password that somebody has chosen, and leads them to where they wanted
// to go.
func (c *call) choose() (*answer, error) {
	to := c.form.Get("to")
	if !c.choosing { // it was done in another window
		c.say(c.t("A password of your own was chosen before"))
		return c.goTo(ownPath(to))
	}
	if c.form.Get("new") != c.form.Get("again") {
		return c.choosePage(http.StatusUnprocessableEntity, to, c.t("The two new passwords are not the same."))
	}
	done, err := c.web.Desk.ChoosePassword(c.Context(), c.who(), desk.PasswordChange{New: c.form.Get("new"), KeepTokens: c.form.Get("keep-tokens") == "true"})
	if text, refused := c.refusal(err); refused {
		return c.choosePage(http.StatusUnprocessableEntity, to, text)
	}
	if err != nil {
		return nil, err
	}
	c.keepSession(done.Session, c.session)
	c.say(c.t("This is your password from now on, for the API too.") + c.revoked(done))
	return c.goTo(ownPath(to))
}
