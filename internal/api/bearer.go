package api

import (
	"errors"
	"net/http"
	"strings"

	"muster/internal/desk/access"
	"muster/internal/digest"
	"muster/internal/front"
)

// bearer returns what follows the scheme Bearer (RFC 6750) in the only
// Authorization field of a request.
func bearer(h http.Header) (secret string, ok bool) {
	fields := h["Authorization"]
	if len(fields) != 1 {
		return "", false
	}
	scheme, secret, _ := strings.Cut(fields[0], " ")
	return strings.TrimLeft(secret, " "), strings.EqualFold(scheme, "Bearer")
}

// authenticateToken finds out who makes a request with a bearer token, for
// scripts that cannot do digest. One that lets nobody in is answered like any
// other wrong credentials, and does not count: nobody guesses 260 bits. A token may
// come again and again, so no triple keeps a change from being repeated.
func (a *API) authenticateToken(w http.ResponseWriter, r *http.Request, secret string) error {
	v, fault := visitOf(r), "the token is wrong, was revoked or has ended, or its user is disabled"
	if !isToken(secret) {
		v.Login, v.Refused = digest.Malformed.String(), "the bearer token has a wrong form"
	} else {
		user, token, err := a.Access.Bearer(r.Context(), secret, front.Address(r))
		if err == nil {
			v.Login, v.user, v.token = digest.Verified.String(), user, token
			v.User, v.Token = user.Email, token.Name
			return nil
		}
		if errors.Is(err, access.ErrAgentToken) {
			fault = "this is an agent token, which can only report computers; muster token add makes one for the API"
		}
		v.Login, v.Refused = digest.Failed.String(), err.Error()
	}
	front.Discard(w, r)
	a.Digest.Challenge(w.Header(), r.UserAgent(), false)
	return front.Fault(http.StatusUnauthorized, "authentication failed: %s", fault)
}

// isToken reports whether a text has the form of a bearer token.
func isToken(secret string) bool {
	secret = strings.TrimRight(secret, "=")
	return secret != "" && strings.IndexFunc(secret, func(c rune) bool {
		return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			strings.ContainsRune("-._~+/", c))
	}) < 0
}

// reads reports whether a verb changes nothing.
func reads(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}
