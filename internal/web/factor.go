package web

import (
	"errors"
	"net/http"

	"muster/internal/desk"
)

// A factorPage is what the page of a person's second factor shows, in each step
// of its setup.
type factorPage struct {
	Tabs     []viewTab
	Enrolled bool // they must have one before they can do anything else
	Factor   desk.SecondFactor
	Since    *moment
	Secret   string  // that the app is to have, "" before the setup begins
	Address  string  // the same for the app
	Code     *qrCode // of the address
	Recovery []string
	Fault    string
}

// askFactor shows whether a person has a second factor.
func (c *call) askFactor() (*answer, error) { return c.factorPage(http.StatusOK, factorPage{}) }

// factorPage shows a step; people who must have a second factor see nothing else.
func (c *call) factorPage(status int, p factorPage) (*answer, error) {
	var err error
	if p.Factor, err = c.web.Desk.SecondFactor(c.Context(), c.who()); err != nil {
		return nil, err
	}
	if p.Secret != "" {
		if p.Code, err = newQR(p.Address); err != nil {
			return nil, err
		}
	}
	p.Tabs, p.Since, p.Enrolled = c.profileTabs(factorPath), c.moment(p.Factor.Since), c.enrolling
	show := page{Title: c.t("Second factor"), Here: factorPath, Scripts: []string{"once.js"}, Data: p}
	if c.enrolling {
		show.Bare = "gate"
	}
	return &answer{status: status, template: "factor", page: show}, nil
}

// beginFactor gives a person a secret for the app that shows their codes.
func (c *call) beginFactor() (*answer, error) {
	secret, address, err := c.web.Desk.BeginSecondFactor(c.Context(), c.who())
	if text, refused := c.refusal(err); refused {
		return c.factorPage(http.StatusConflict, factorPage{Fault: text})
	}
	if err != nil {
		return nil, err
	}
	return c.factorPage(http.StatusOK, factorPage{Secret: secret, Address: address})
}

// confirmFactor turns the second factor on, once the app shows the right code.
// After a wrong one the same secret is shown again, which the form brings back:
// the server tells it once.
func (c *call) confirmFactor() (*answer, error) {
	recovery, err := c.web.Desk.ConfirmSecondFactor(c.Context(), c.who(), c.form.Get("code"))
	if text, refused := c.refusal(err); refused {
		again := factorPage{Fault: text}
		if errors.Is(err, desk.ErrCode) {
			again.Fault = c.t("That code is not right. Take the one that the app shows now; if it is refused too, look whether the clock of the device is right.")
			if address := c.form.Get("address"); len(address) <= maxFactorAddress {
				again.Secret, again.Address = c.form.Get("secret"), address
			}
		}
		return c.factorPage(http.StatusUnprocessableEntity, again)
	}
	if err != nil {
		return nil, err
	}
	return c.factorPage(http.StatusOK, factorPage{Recovery: recovery})
}

// maxFactorAddress is the longest address of a secret that a code can hold.
const maxFactorAddress = 1000

// endFactor turns the second factor off.
func (c *call) endFactor() (*answer, error) {
	err := c.web.Desk.EndSecondFactor(c.Context(), c.who())
	if text, refused := c.refusal(err); refused {
		return c.factorPage(http.StatusUnprocessableEntity, factorPage{Fault: text})
	}
	if err != nil {
		return nil, err
	}
	c.say(c.t("The second factor is off"))
	return c.goTo(factorPath)
}

// renewCodes makes new recovery codes in place of those that are left.
func (c *call) renewCodes() (*answer, error) {
	codes, err := c.web.Desk.RenewRecoveryCodes(c.Context(), c.who())
	if text, refused := c.refusal(err); refused {
		return c.factorPage(http.StatusUnprocessableEntity, factorPage{Fault: text})
	}
	if err != nil {
		return nil, err
	}
	return c.factorPage(http.StatusOK, factorPage{Recovery: codes})
}
