package intake

import (
	"net/http"

	"muster/internal/desk/agents"
	"muster/internal/digest"
	"muster/internal/front"
	"muster/internal/message"
)

// challenge is what agents understand, to the byte: one of them fails with anything behind the realm, another with
// anything beside it.
const challenge = `Basic realm="muster"`

// keyHeader has the key of Muster's own agent beside its token. Any other value says that the agent has no key
// yet and can keep one. In an answer it is the key that the agent is given.
const keyHeader = "Muster-Key"

// outcomeHeader is the header with the outcome of a report, for Muster's own agent.
const outcomeHeader = "Muster-Outcome"

// authenticate returns by what an agent comes in. Its token is that of the path, or the password of HTTP
// basic authentication, whatever the user's name; a key is good without a token. Wrong tokens are counted by
// address, as failed logins are, but apart from these, so that agents with an old token keep nobody from
// signing in; and a right one is always taken, so that they keep no other agents of their network from
// reporting.
func (in *Intake) authenticate(w http.ResponseWriter, r *http.Request, secret string) (by agents.Reporter, err error) {
	v, key := front.Of(r), r.Header.Get(keyHeader)
	by = agents.Reporter{Key: in.Agents.Key(key), Address: front.Address(r)}
	by.WantsKey = key != "" && by.Key == nil // also in place of one from another server
	if secret == "" {
		_, secret, _ = r.BasicAuth()
	}
	if secret == "" && by.Key == nil { // as the first request of some agents always is
		v.Login = digest.Missing.String()
		return by, refuse(w, r, message.New("this needs an agent token, "+
			"as the password of HTTP basic authentication or in the path; muster agent token add makes one"))
	}
	if by.Token, err = in.Agents.Token(r.Context(), secret); err == nil {
		v.Login, v.Token = digest.Verified.String(), by.Token.Name
		return by, nil
	}
	if by.Key != nil {
		v.Login = digest.Verified.String()
		return by, nil
	}
	v.Login, v.Refused = digest.Failed.String(), err.Error()
	if wait := in.failures.Take(front.Address(r), 15*in.LoginLimit); wait > 0 {
		front.Discard(w, r)
		return by, front.TooMany(wait, limitTokens, "too many wrong agent tokens from this address")
	}
	return by, refuse(w, r, message.New("the agent token is wrong or was revoked; "+
		"muster agent token add makes a new one"))
}

// refuse asks for credentials once the body is read: agents send it before they look at an answer.
func refuse(w http.ResponseWriter, r *http.Request, text message.Text) error {
	front.Discard(w, r)
	w.Header()["WWW-Authenticate"] = []string{challenge} // spelled so on the wire
	return &front.Error{Status: http.StatusUnauthorized, Faults: []message.Text{text}}
}
