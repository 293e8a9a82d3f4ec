package front

import (
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"net/netip"
	"regexp"
	"strings"

	"muster/internal/store"
)

// contextKey is what the front leaves in a request's context.
type contextKey struct{}

// An Info is what is known of a request: its number in the log, how it came,
// and what its application finds out.
type Info struct {
	ID      string
	Scheme  string // by which the client reaches the server
	Proxied bool   // a trusted proxy forwarded the scheme
	Own     any    // what the application keeps

	Route    string // "" until it is found
	Login    string // how the credentials fared
	User     string // who makes it, "" until that is known
	Token    string // the name of the token that let it in, if one did
	Refused  string // why credentials were not accepted, for the log
	Outcome  string // what became of it, for the log
	Lasting  bool   // it takes as long as the client likes, and is never slow
	Database store.Usage

	app   App
	limit string // that the request was over
	quiet bool   // it is logged elsewhere
	watch stopwatch
}

// Of returns what is known of a request.
func Of(r *http.Request) *Info { return r.Context().Value(contextKey{}).(*Info) }

// Begin ends the present stage of the request and begins the next.
func (v *Info) Begin(next Stage) { v.watch.begin(next) }

// Address returns the client's address, of IPv6 the network.
func Address(r *http.Request) string {
	ap, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	if ap.Addr().Is4() {
		return r.RemoteAddr[:strings.LastIndexByte(r.RemoteAddr, ':')] // which has only one spelling
	}
	from := network(ap.Addr())
	if from.Addr().Is6() {
		return from.String()
	}
	return from.Addr().String()
}

// network returns what is one client to us: an address, of IPv6 the network, of which
// one client has all addresses.
func network(address netip.Addr) netip.Prefix {
	address = address.Unmap()
	bits := address.BitLen()
	if address.Is6() {
		bits = 64
	}
	return netip.PrefixFrom(address.WithZone(""), bits).Masked()
}

// secret is what the log must not show of a request's target: below the agents'
// paths there are tokens, also when one is mistyped or comes to another application.
var secret = regexp.MustCompile(`(?is)((?:(?:/|%2f)(?:ocsinventory|inventory|inventory\.php))(?:(?:/|%2f)t)?|(?:/|%2f)t)(?:/|%2f).*`)

// target returns the target of a request as the log may show it: a path with a
// token without it, and as it is understood, however it was spelled.
func target(r *http.Request) string {
	sent := r.URL.RequestURI()
	if !perhapsSecret(sent) && !perhapsSecret(r.URL.Path) {
		return sent
	}
	if secret.MatchString(r.URL.Path) {
		sent = r.URL.Path
	}
	return secret.ReplaceAllString(sent, "$1/…")
}

// perhapsSecret reports whether secret could match, which is found out for far
// less: nearly no target has a piece that begins like those of agents' paths.
func perhapsSecret(target string) bool {
	for i := range len(target) {
		piece, ok := cutSlash(target[i:])
		if !ok || piece == "" {
			continue
		}
		switch piece[0] | 0x20 { // in lower case
		case 'o', 'i':
			return true
		case 't':
			if _, ok := cutSlash(piece[1:]); ok {
				return true
			}
		}
	}
	return false
}

// cutSlash returns what follows the slash at the beginning of a target, however
// that is spelled; not ok when there is none.
func cutSlash(target string) (rest string, ok bool) {
	switch {
	case strings.HasPrefix(target, "/"):
		return target[1:], true
	case strings.HasPrefix(target, "%2f"), strings.HasPrefix(target, "%2F"):
		return target[3:], true
	}
	return "", false
}

// requestID returns a random number for the log and the client.
func requestID() string {
	var b [8]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// A recorder notes what was answered.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// WriteHeader notes the status.
func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write counts the bytes.
func (w *recorder) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// Unwrap gives http.ResponseController the connection.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }
