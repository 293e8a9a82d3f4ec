package account

import (
	"errors"
	"net/http"

	"muster/internal/desk/access"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// A factorPage is what the page of a person's second factor shows, in each step
// of its setup.
type factorPage struct {
	Tabs     []records.ViewTab
	Enrolled bool // they must have one before they can do anything else
	Factor   access.SecondFactor
	Since    *page.Moment
	Secret   string          // that the app is to have, "" before the setup begins
	Address  string          // the same for the app
	Code     *records.QrCode // of the address
	Recovery []string
	Fault    string
}

// AskFactor shows whether a person has a second factor.
func AskFactor(c *page.Call) (*page.Answer, error) {
	return newFactorPage(c, http.StatusOK, factorPage{})
}

// newFactorPage shows a step; people who must have a second factor see nothing else.
func newFactorPage(c *page.Call, status int, p factorPage) (*page.Answer, error) {
	var err error
	if p.Factor, err = c.App.Access.SecondFactor(c.Context(), c.Who()); err != nil {
		return nil, err
	}
	if p.Secret != "" {
		if p.Code, err = records.NewQR(p.Address); err != nil {
			return nil, err
		}
	}
	p.Tabs, p.Since, p.Enrolled = profileTabs(c, page.FactorPath), c.Moment(p.Factor.Since), c.Enrolling
	show := page.Page{Title: c.T("Second factor"), Here: page.FactorPath, Scripts: []string{"once.js"}, Data: p}
	if c.Enrolling {
		show.Bare = "gate"
	}
	return &page.Answer{Status: status, Template: "factor", Page: show}, nil
}

// BeginFactor gives a person a secret for the app that shows their codes.
func BeginFactor(c *page.Call) (*page.Answer, error) {
	secret, address, err := c.App.Access.BeginSecondFactor(c.Context(), c.Who())
	if text, refused := c.Refusal(err); refused {
		return newFactorPage(c, http.StatusConflict, factorPage{Fault: text})
	}
	if err != nil {
		return nil, err
	}
	return newFactorPage(c, http.StatusOK, factorPage{Secret: secret, Address: address})
}

// ConfirmFactor turns the second factor on, once the app shows the right code.
// After a wrong code the same secret is shown again. The form sends it back, since the
// server shows it only once.
func ConfirmFactor(c *page.Call) (*page.Answer, error) {
	recovery, err := c.App.Access.ConfirmSecondFactor(c.Context(), c.Who(), c.Form.Get("code"))
	if text, refused := c.Refusal(err); refused {
		again := factorPage{Fault: text}
		if errors.Is(err, access.ErrCode) {
			again.Fault = c.T("That code is not right. Enter the one that the app shows now; if that is refused too, check the clock of the device.")
			if address := c.Form.Get("address"); len(address) <= maxFactorAddress {
				again.Secret, again.Address = c.Form.Get("secret"), address
			}
		}
		return newFactorPage(c, http.StatusUnprocessableEntity, again)
	}
	if err != nil {
		return nil, err
	}
	return newFactorPage(c, http.StatusOK, factorPage{Recovery: recovery})
}

// maxFactorAddress is the longest address of a secret that fits into a QR code.
const maxFactorAddress = 1000

// EndFactor turns the second factor off.
func EndFactor(c *page.Call) (*page.Answer, error) {
	err := c.App.Access.EndSecondFactor(c.Context(), c.Who())
	if text, refused := c.Refusal(err); refused {
		return newFactorPage(c, http.StatusUnprocessableEntity, factorPage{Fault: text})
	}
	if err != nil {
		return nil, err
	}
	c.Notify(c.T("The second factor is off"))
	return c.GoTo(page.FactorPath)
}

// RenewCodes makes new recovery codes in place of those that are left.
func RenewCodes(c *page.Call) (*page.Answer, error) {
	codes, err := c.App.Access.RenewRecoveryCodes(c.Context(), c.Who())
	if text, refused := c.Refusal(err); refused {
		return newFactorPage(c, http.StatusUnprocessableEntity, factorPage{Fault: text})
	}
	if err != nil {
		return nil, err
	}
	return newFactorPage(c, http.StatusOK, factorPage{Recovery: codes})
}
