package web

import (
	"errors"
	"net/http"
	"net/url"

	"muster/internal/desk"
	"muster/internal/door"
)

// Inputs of the page on which a person proves again that it is they. What they had
// posted before is sealed in the first.
const (
	proofKept     = "step-up"
	proofBack     = "step-up-back"
	proofPassword = "step-up-password"
	proofCode     = "step-up-code"
)

// A proofPage is what the page shows on which a person proves again that it is they.
type proofPage struct {
	Bare   bool   // there is nothing else that they may do
	Email  string // of the person, for managers of passwords
	Asked  desk.Proofs
	Action string // the path that the form before was posted to
	Kept   string // that form
	Back   string // the path of who changes their mind
	Fault  string
}

// handle runs a handler. When the desk wants the person to prove again that it is
// they, it asks for that, keeps the form meanwhile, and runs the handler afterwards.
func (c *call) handle(do handler) (*answer, error) {
	if c.session != nil && c.form.Has(proofKept) {
		if a, err := c.takeProof(); a != nil || err != nil {
			return a, err
		}
	}
	a, err := do(c)
	if asked, ok := errors.AsType[*desk.StepUp](err); ok && asked.Need == desk.NeedProof && c.session != nil {
		return c.askProof(http.StatusForbidden, c.wayBack(), "")
	}
	return a, err
}

// askProof asks a person for what they sign in with.
func (c *call) askProof(status int, back, fault string) (*answer, error) {
	asked, err := c.web.Desk.Proofs(c.Context(), c.who())
	if err != nil {
		return nil, err
	}
	at := c.URL.RequestURI()
	p := proofPage{
		Bare: c.choosing || c.enrolling, Email: c.user.Email, Asked: asked, Action: at, Back: back, Fault: fault,
		Kept: c.web.Desk.KeepTyped(c.session, at, c.form.Encode()),
	}
	show := page{Title: c.t("Confirm that it is you"), Data: p}
	if p.Bare {
		show.Bare = "gate"
	}
	return &answer{status: status, template: "stepup", page: show}, nil
}

// takeProof brings back the form that was kept, if the person has proved that it is
// they. Else it returns the page that asks for it.
func (c *call) takeProof() (*answer, error) {
	proof, back := desk.Proof{Password: c.form.Get(proofPassword), Code: c.form.Get(proofCode)}, ownPath(c.form.Get(proofBack))
	typed, err := c.web.Desk.Typed(c.session, c.URL.RequestURI(), c.form.Get(proofKept))
	if err != nil {
		return nil, err
	}
	if c.form, err = url.ParseQuery(typed); err != nil {
		return nil, err // it is what was sealed
	}
	try := c.ownTry()
	if err := c.mayTry(try); err != nil {
		return nil, err
	}
	s, err := c.web.Desk.Confirm(c.Context(), c.who(), proof)
	if errors.Is(err, desk.ErrPassword) {
		door.Of(c.Request).Refused = "wrong password"
		return c.askProof(http.StatusUnprocessableEntity, back, c.t("This is not your password.")+c.triesLeft(c.web.Guesses.Left(try)))
	}
	c.web.Guesses.Forgive(try)
	if text, refused := c.refusal(err); refused {
		if errors.Is(err, desk.ErrCode) {
			door.Of(c.Request).Refused, text = "wrong code", c.t("That code is not right, or it was used before.")
		}
		return c.askProof(http.StatusUnprocessableEntity, back, text)
	}
	if err != nil {
		return nil, err
	}
	c.session = s
	return nil, nil
}
