package api

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/digest"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// Limits of a request.
const (
	requestTime = 30 * time.Second
	maxTarget   = 6 << 10 // digest repeats it in a header, and headers are limited to 16 KB
	drainSize   = 64 << 20
	drainTime   = 5 * time.Second
)

// contextKey is what the doors leave in a request's context.
type contextKey struct{}

// A visit is what is known of a request: its number in the log, the form of
// the answer, and who makes it once that is known.
type visit struct {
	id           string
	scheme       string // by which the client reaches the server
	proxied      bool   // a trusted proxy told the scheme
	user         *inventory.User
	triple       *store.Triple // that proved who makes it
	token        *desk.Token   // or this
	refused      string        // why credentials were not accepted, for the log
	form         form
	unacceptable error  // no form that the client takes is served
	readOnly     bool   // the address is one for reading only
	route        string // "" until it is found
	login        string // how the credentials fared
	limit        string // that the request was over
	busy         bool   // there was no room for it
	watch        stopwatch
	database     store.Usage
}

// caller returns on whose behalf the desk acts for the request.
func (v *visit) caller() desk.Caller {
	return desk.Caller{User: v.user, Origin: "api", Triple: v.triple, Token: v.token, Exposed: v.scheme != "https"}
}

func visitOf(r *http.Request) *visit { return r.Context().Value(contextKey{}).(*visit) }

// ServeHTTP lets a request through the doors and logs it.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	v := &visit{id: requestID(), watch: stopwatch{since: start}}
	a.inFlight.Add(1)
	v.form, v.unacceptable = negotiate(r)
	v.readOnly = strings.HasSuffix(r.URL.Path, kind.JSON.Extension())
	r = r.WithContext(context.WithValue(r.Context(), contextKey{}, v))
	v.scheme, v.proxied = a.origin(r)
	out := &recorder{ResponseWriter: w}
	out.Header().Set("X-Request-Id", v.id)
	out.Header().Set("X-Content-Type-Options", "nosniff")
	defer a.finish(start, r, out)
	defer a.recover(out, r)
	a.enter(out, r)
}

// enter is the order of the doors.
func (a *API) enter(w *recorder, r *http.Request) {
	if check := strings.TrimPrefix(r.URL.Path, a.below); check == "/healthz" || check == "/readyz" {
		visitOf(r).route = check
		a.health(w, r, check)
		return
	}
	if a.gate.full() {
		discard(w, r)
		a.fail(w, r, a.gate.refuse())
		return
	}
	visitOf(r).watch.enter(authenticating)
	err := a.checkHost(r)
	if err == nil {
		a.secure(w.Header(), r)
		err = a.authenticate(w, r)
	}
	if err == nil {
		err = a.admit(r)
	}
	if err != nil {
		a.fail(w, r, err)
		return
	}
	a.serve(w, r)
}

// health answers those who watch the service: /healthz tells that the program
// runs, /readyz that it can answer requests.
func (a *API) health(w http.ResponseWriter, r *http.Request, check string) {
	status, text := http.StatusOK, "ok\n"
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		status, text = http.StatusMethodNotAllowed, "only GET and HEAD\n"
	case check == "/readyz":
		if err := a.Desk.Ready(r.Context()); err != nil {
			a.Log.Warn("not ready", "error", err)
			status, text = http.StatusServiceUnavailable, "the database is not available\n"
		} else if a.full.recent(a.Now()) {
			text = "ok, but a change has just found the disk of the database full\n"
		}
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text)) // the client may be gone
}

// checkHost refuses hosts that are not served: addresses in documents are made
// of the host.
func (a *API) checkHost(r *http.Request) error {
	if name, ok := hostName(r.Host); ok && a.servesHost(name) {
		return nil
	}
	return fault(http.StatusMisdirectedRequest, "the host %q is not served here; an administrator may allow it with --allow-host", r.Host)
}

// hostName returns the name or address in a Host header, in lower case. What
// could not be part of an address is not ok.
func hostName(host string) (name string, ok bool) {
	name, port, _ := strings.Cut(host, ":")
	if rest, bracket := strings.CutPrefix(host, "["); bracket {
		var closed bool
		name, port, closed = strings.Cut(rest, "]")
		ip, err := netip.ParseAddr(name)
		if !closed || err != nil || !ip.Is6() || ip.Zone() != "" || port != "" && port[0] != ':' {
			return "", false
		}
		port = strings.TrimPrefix(port, ":")
	}
	_, err := strconv.ParseUint(port, 10, 16)
	return strings.ToLower(name), port == "" || err == nil
}

// servesHost reports whether a host, without its port, is one of this server.
func (a *API) servesHost(name string) bool {
	if ip, err := netip.ParseAddr(name); name == "localhost" || err == nil && ip.IsLoopback() {
		return true
	}
	if a.BaseURL != nil && name == strings.ToLower(a.BaseURL.Hostname()) {
		return true
	}
	own := func(own string) bool { return matchesHost(own, name) }
	return slices.ContainsFunc(a.AllowHosts, own) || slices.ContainsFunc(a.Hosts(), own)
}

// matchesHost reports whether a name of a certificate covers the host.
func matchesHost(name, host string) bool {
	if suffix, ok := strings.CutPrefix(name, "*."); ok {
		_, rest, found := strings.Cut(host, ".")
		return found && strings.EqualFold(rest, suffix)
	}
	return strings.EqualFold(name, host)
}

// authenticate finds out who makes the request.
func (a *API) authenticate(w http.ResponseWriter, r *http.Request) error {
	address := addressOf(r)
	if wait := a.failures.blocked("", address); wait > 0 {
		return tooMany(wait, limitAddress, "too many failed logins from this address")
	}
	if secret, ok := bearer(r.Header); ok {
		return a.authenticateToken(w, r, secret)
	}
	res := a.Digest.Authenticate(r)
	visitOf(r).login = res.Outcome.String()
	if wait := a.failures.blocked(res.Name, address); res.Name != "" && wait > 0 {
		return tooMany(wait, limitLogins, "too many failed logins of this user from this address")
	}
	if res.Outcome == digest.Verified {
		a.Digest.Inform(w.Header(), res)
		user, err := a.Desk.User(r.Context(), res.Name)
		key := res.Key()
		visitOf(r).user, visitOf(r).triple = user, &store.Triple{Key: key[:], Expires: res.Expires}
		if _, gone := errors.AsType[*desk.Error](err); !gone {
			return err
		}
	}
	if res.Outcome != digest.Missing { // as every first request is
		visitOf(r).refused = res.Reason
	}
	if res.Outcome == digest.Failed {
		a.failures.add(res.Name, address)
		if a.Desk.Disabled(res.Name) { // which the client is not told
			visitOf(r).refused = "disabled user"
		}
	}
	discard(w, r)
	return a.challenge(w, r, res.Outcome == digest.Stale)
}

// challenge asks for credentials: stale ones were right, and clients try again
// by themselves.
func (a *API) challenge(w http.ResponseWriter, r *http.Request, stale bool) error {
	w.Header().Del("Authentication-Info")
	a.Digest.Challenge(w.Header(), r.UserAgent(), stale)
	return fault(http.StatusUnauthorized, "authentication failed: give the user name and password of a Muster user by HTTP digest authentication")
}

// addressOf returns the client's address, of IPv6 the network.
func addressOf(r *http.Request) string {
	ap, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	ip := ap.Addr().Unmap()
	if ip.Is6() {
		if network, err := ip.Prefix(64); err == nil {
			return network.String()
		}
	}
	return ip.String()
}

// admit holds known users to the limits, and keeps other sites' pages from
// using a browser's credentials.
func (a *API) admit(r *http.Request) error {
	if wait := a.requests.take(visitOf(r).user.Email); wait > 0 {
		return tooMany(wait, limitRequests, "too many requests of this user")
	}
	if len(r.RequestURI) > maxTarget {
		return fault(http.StatusRequestURITooLong, "the address is longer than %d bytes", maxTarget)
	}
	if err := a.origins.Check(r); err != nil {
		return fault(http.StatusForbidden, "a page of another site may not change records")
	}
	if token := visitOf(r).token; token != nil && !reads(r.Method) {
		return token.MayChange()
	}
	return nil
}

// Limits that refuse a request, as reports name them.
const (
	limitAddress  = "logins_of_address"
	limitLogins   = "logins_of_user"
	limitRequests = "requests_of_user"
	limitRoom     = "requests_of_all"
)

// Limits are the names of all limits in reports.
var Limits = []string{limitAddress, limitLogins, limitRequests, limitRoom}

func tooMany(wait time.Duration, limit, text string) error {
	return &httpError{status: http.StatusTooManyRequests, faults: []string{text}, retryAfter: wait, limit: limit}
}

// discard drains the body of a request that is refused. A client that waits for
// 100 Continue sends none.
func discard(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Expect") == "" {
		drain(w, r)
	}
}

// drain reads and discards the rest of the body, so that the client sees the
// answer instead of a broken connection. After a body that did not end in time
// nothing more can be read, so that net/http does not wait for the rest.
func drain(w http.ResponseWriter, r *http.Request) {
	if r.Body == http.NoBody {
		return
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(drainTime)) // without it the server's own holds
	if _, err := io.CopyN(io.Discard, r.Body, drainSize); err == io.EOF {
		_ = control.SetReadDeadline(time.Time{})
	}
}

// recover turns a panic into an answer without internals.
func (a *API) recover(w *recorder, r *http.Request) {
	p := recover()
	if p == nil {
		return
	}
	if p != http.ErrAbortHandler {
		a.Log.Error("panic", "id", visitOf(r).id, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	}
	if w.status != 0 { // a part of the answer is gone: the client must not take it for the whole
		panic(http.ErrAbortHandler)
	}
	a.answerError(w, r, &httpError{status: http.StatusInternalServerError, faults: []string{internal(r)}})
}

// log writes the request's line.
func (a *API) log(took time.Duration, r *http.Request, w *recorder) {
	v := visitOf(r)
	attrs := []slog.Attr{
		slog.String("id", v.id), slog.String("method", r.Method), slog.String("path", r.URL.RequestURI()),
		slog.Int("status", w.status), slog.Int64("bytes", w.bytes), ms("ms", took),
		slog.String("from", r.RemoteAddr),
	}
	if v.user != nil {
		attrs = append(attrs, slog.String("user", v.user.Email))
	}
	if v.token != nil {
		attrs = append(attrs, slog.String("token", v.token.Name))
	}
	if v.refused != "" {
		attrs = append(attrs, slog.String("refused", v.refused))
	}
	level := slog.LevelInfo
	if v.busy { // of which the gate tells, but not of each
		level = slog.LevelDebug
	}
	a.Log.LogAttrs(r.Context(), level, "request", attrs...)
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
