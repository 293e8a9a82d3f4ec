package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
)

// ObserveTokenVariable is the variable with the token for metrics. There is no
// flag for it: every user of a machine can read command lines.
const ObserveTokenVariable = "MUSTER_OBSERVE_TOKEN"

// shortestToken is how many characters the token for metrics has at least:
// guesses are not counted, so it must be hopeless to try.
const shortestToken = 20

// observeToken returns the token for metrics, "" for none.
func (cfg *Config) observeToken() (string, error) {
	token, from := cfg.ObserveToken, ObserveTokenVariable
	if cfg.ObserveTokenFile != "" {
		if token != "" {
			return "", fmt.Errorf("%s and --observe-token-file both give a token: give one of them", from)
		}
		text, err := os.ReadFile(cfg.ObserveTokenFile)
		if err != nil {
			return "", fmt.Errorf("--observe-token-file: %w", err)
		}
		token, from = strings.TrimSpace(string(text)), "--observe-token-file: "+cfg.ObserveTokenFile
		if token == "" {
			return "", fmt.Errorf("%s is empty: it must have one line, which is the token", from)
		}
	}
	if token != "" && (len(token) < shortestToken || strings.ContainsFunc(token, unfitForToken)) {
		return "", fmt.Errorf("%s: the token must have at least %d letters, digits or signs of ASCII and no blanks, "+
			"such as what openssl rand -hex 32 prints", from, shortestToken)
	}
	return token, nil
}

// unfitForToken reports whether a header cannot carry a character as it is.
func unfitForToken(r rune) bool { return r <= ' ' || r > '~' }

// unobserved refuses a token for metrics that nobody serves, which would
// otherwise only show as a target that does not answer.
func (cfg *Config) unobserved() error {
	if cfg.ObserveToken != "" || cfg.ObserveTokenFile != "" {
		return errors.New("there is a token for metrics, but no address for them: give one with --observe, such as :9464")
	}
	return nil
}

// onlyWith refuses requests without the token. How long that takes says nothing
// about the token.
func (o *observer) onlyWith(token string, next http.Handler) http.Handler {
	want := sha256.Sum256([]byte(token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		got := sha256.Sum256([]byte(strings.TrimSpace(given)))
		if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			o.metrics.unobserved.Inc()
			w.Header().Set("WWW-Authenticate", `Bearer realm="metrics"`)
			http.Error(w, "send the token for metrics: Authorization: Bearer ...", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}
