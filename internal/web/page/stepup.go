package page

import (
	"errors"
	"net/http"
	"net/url"

	"muster/internal/desk"
	"muster/internal/desk/access"
	"muster/internal/front"
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
	Asked  access.Proofs
	Action string // the path that the form before was posted to
	Kept   string // that form
	Back   string // the path of who changes their mind
	Fault  string
}

// handle runs a handler. When the desk wants the person to prove again that it is
// they, it asks for that, keeps the form meanwhile, and runs the handler afterwards.
func (c *Call) handle(do Handler) (*Answer, error) {
	if c.Session != nil && c.Form.Has(proofKept) {
		if a, err := takeProof(c); a != nil || err != nil {
			return a, err
		}
	}
	a, err := do(c)
	if asked, ok := errors.AsType[*desk.StepUp](err); ok && asked.Need == desk.NeedProof && c.Session != nil {
		return askProof(c, http.StatusForbidden, c.wayBack(), "")
	}
	return a, err
}

// askProof asks a person for what they sign in with.
func askProof(c *Call, status int, back, fault string) (*Answer, error) {
	asked, err := c.App.Access.Proofs(c.Context(), c.Who())
	if err != nil {
		return nil, err
	}
	at := c.URL.RequestURI()
	p := proofPage{
		Bare: c.Choosing || c.Enrolling, Email: c.User.Email, Asked: asked, Action: at, Back: back, Fault: fault,
		Kept: c.App.Access.KeepTyped(c.Session, at, c.Form.Encode()),
	}
	show := Page{Title: c.T("Confirm that it's you"), Data: p}
	if p.Bare {
		show.Bare = "gate"
	}
	return &Answer{Status: status, Template: "stepup", Page: show}, nil
}

// takeProof brings back the form that was kept, if the person has proved that it is
// they. Else it returns the page that asks for it.
func takeProof(c *Call) (*Answer, error) {
	proof, back := access.Proof{Password: c.Form.Get(proofPassword), Code: c.Form.Get(proofCode)},
		OwnPath(c.Form.Get(proofBack))
	typed, err := c.App.Access.Typed(c.Session, c.URL.RequestURI(), c.Form.Get(proofKept))
	if err != nil {
		return nil, err
	}
	if c.Form, err = url.ParseQuery(typed); err != nil {
		return nil, err // it is what was sealed
	}
	try := c.OwnTry()
	if err := c.MayTry(try); err != nil {
		return nil, err
	}
	s, err := c.App.Access.Confirm(c.Context(), c.Who(), proof)
	if errors.Is(err, access.ErrPassword) {
		front.Of(c.Request).Refused = "wrong password"
		return askProof(c, http.StatusUnprocessableEntity, back,
			c.T("This is not your password.")+c.TriesLeft(c.App.Guesses.Left(try)))
	}
	c.App.Guesses.Forgive(try)
	if text, refused := c.Refusal(err); refused {
		if errors.Is(err, access.ErrCode) {
			front.Of(c.Request).Refused, text = "wrong code", c.T("That code is not right, or has already been used.")
		}
		return askProof(c, http.StatusUnprocessableEntity, back, text)
	}
	if err != nil {
		return nil, err
	}
	c.Session = s
	return nil, nil
}
