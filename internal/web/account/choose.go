package account

import (
	"net/http"

	"muster/internal/agentsetup"
	"muster/internal/desk/access"
	"muster/internal/web/page"
)

// A choosePage is what the page shows on which somebody chooses a password.
type choosePage struct {
	Email  string // of the person, for managers of passwords
	To     string // where they want to go
	Tokens []TokenRow
	Fault  string
	// Command sets the password where no browser can, over plain HTTP; "" elsewhere.
	Command string
}

// AskChoose asks somebody for a password of their own.
func AskChoose(c *page.Call) (*page.Answer, error) {
	to := c.URL.Query().Get("to")
	if !c.Choosing {
		return c.GoTo(page.OwnPath(to))
	}
	return newChoosePage(c, http.StatusOK, to, "")
}

func newChoosePage(c *page.Call, status int, to, fault string) (*page.Answer, error) {
	tokens, _, err := ownAccess(c)
	if err != nil {
		return nil, err
	}
	p := choosePage{Email: c.User.Email, To: to, Tokens: tokens, Fault: fault}
	if c.Who().PlainHTTP {
		p.Command = "muster user passwd " + agentsetup.ShellQuote(c.User.Email)
	}
	return &page.Answer{Status: status, Template: "choose", Page: page.Page{
		Title: c.T("Choose your own password"), Bare: "gate", Data: p,
	}}, nil
}

// Choose sets the password that somebody has chosen, and leads them to where they wanted
// to go.
func Choose(c *page.Call) (*page.Answer, error) {
	to := c.Form.Get("to")
	if !c.Choosing { // it was done in another window
		c.Notify(c.T("A password of your own was chosen before"))
		return c.GoTo(page.OwnPath(to))
	}
	if c.Form.Get("new") != c.Form.Get("again") {
		return newChoosePage(c, http.StatusUnprocessableEntity, to, c.T("The two new passwords are not the same."))
	}
	done, err := c.App.Access.ChoosePassword(c.Context(), c.Who(),
		access.PasswordChange{New: c.Form.Get("new"), KeepTokens: c.Form.Get("keep-tokens") == "true"})
	if text, refused := c.Refusal(err); refused {
		return newChoosePage(c, http.StatusUnprocessableEntity, to, text)
	}
	if err != nil {
		return nil, err
	}
	c.KeepSession(done.Session, c.Session)
	c.Notify(c.T("This is your password from now on, for the API too.") + Revoked(c, done))
	return c.GoTo(page.OwnPath(to))
}
