package doctor

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io/fs"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"time"
)

// How long before its end a certificate is worth a word: an own one must be
// ordered, an authority made known to all clients.
const (
	day           = 24 * time.Hour
	leafSoon      = 21 * day
	authoritySoon = 90 * day
)

// certificate looks at what the server shows to clients.
func (e *examiner) certificate() {
	switch {
	case e.PlainHTTP:
		e.ok("certificate", "The server speaks plain HTTP (--plain-http), so it has no certificate.")
	case e.CertFile != "":
		e.ownCertificate()
	case len(e.ACME.Names) > 0:
		e.acmeCertificate()
	default:
		e.localCertificate()
	}
}

// ownCertificate looks at a certificate that the administrator provides.
func (e *examiner) ownCertificate() {
	const check = "certificate"
	pair, err := tls.LoadX509KeyPair(e.CertFile, e.CertKey)
	if err != nil {
		e.problem(check, "Give the certificate with its chain, in PEM, as --cert-file and the private key that it was made for as --cert-key.",
			"The certificate %s with the key %s cannot be used: %v.", e.CertFile, e.CertKey, err)
		return
	}
	renew := "Get a new one and put it in its place; a running server takes it into use by itself."
	if e.valid(check, e.CertFile, pair.Leaf, leafSoon, renew) {
		e.ok(check, "The certificate %s is valid until %s.", e.CertFile, pair.Leaf.NotAfter.Format(time.DateOnly))
	}
	if name := e.wanted(); name != "" && pair.Leaf.VerifyHostname(name) != nil {
		e.problem(check, "Get a certificate that carries the name, or give the --base-url that clients use.",
			"The certificate %s is not for %s, so clients will not accept it.", e.CertFile, name)
	}
	e.inUse(pair.Leaf)
}

// acmeCertificate looks at the certificate that the server gets by ACME. Until
// there is one, clients are shown the local one.
func (e *examiner) acmeCertificate() {
	const check = "certificate"
	const look = "Look into the server's log, which says why the authority did not issue one and when the server tries again."
	settings := e.ACME
	if err := settings.Check(); err != nil {
		e.problem(check, "Start the server with settings that it can use.", "The settings of ACME are wrong: %v.", err)
		return
	}
	settings.Folder = filepath.Join(e.Data, "acme")
	stored, err := settings.Stored()
	if errors.Is(err, fs.ErrNotExist) {
		e.warn(check, look, "There is no certificate of %s yet; clients are shown that of the local authority.",
			settings.Directory)
		e.localCertificate()
		return
	}
	if err != nil {
		e.warn(check, look, "The certificate that was stored last cannot be used, so the server requests another: %v.", err)
		return
	}
	// it is renewed when a third is left, or 30 days
	soon := min(leafSoon, stored.Leaf.NotAfter.Sub(stored.Leaf.NotBefore)/4)
	if e.valid(check, "The certificate of "+settings.Directory, stored.Leaf, soon, look) {
		e.ok(check, "The certificate of %s is valid until %s and is renewed by itself.", settings.Directory,
			stored.Leaf.NotAfter.Format(time.DateOnly))
	}
	for _, name := range settings.Names {
		if stored.Leaf.VerifyHostname(name) != nil {
			e.warn(check, look, "The certificate of %s is not for %s yet.", settings.Directory, name)
		}
	}
}

// localCertificate looks at the local authority and what it has issued. The
// server repairs the latter by itself.
func (e *examiner) localCertificate() {
	const check = "certificate"
	const again = "Put them back from a backup; or remove ca.pem and ca.key to have a new authority made, which all clients must then trust."
	caFile, leafFile := filepath.Join(e.Data, "ca.pem"), filepath.Join(e.Data, "tls.pem")
	ca, err := tls.LoadX509KeyPair(caFile, filepath.Join(e.Data, "ca.key"))
	if absent(caFile) && absent(filepath.Join(e.Data, "ca.key")) {
		e.ok(check, "There is no local authority yet; the first start of the server makes it.")
		return
	}
	if err != nil {
		e.problem(check, again, "The local authority, ca.pem and ca.key in %s, cannot be used: %v.", e.Data, err)
		return
	}
	fine := e.valid("authority", caFile, ca.Leaf, authoritySoon,
		"Plan its replacement: remove ca.pem and ca.key, start the server, and have all clients trust the new ca.pem.")
	if fine {
		e.ok("authority", "The local authority %s is valid until %s.", caFile, ca.Leaf.NotAfter.Format(time.DateOnly))
	}
	const start = "Start the server, or start it again: it makes a new one by itself."
	leaf, err := tls.LoadX509KeyPair(leafFile, filepath.Join(e.Data, "tls.key"))
	if err != nil {
		e.warn(check, start, "The certificate %s cannot be used: %v.", leafFile, err)
		return
	}
	name := e.wanted()
	switch now := e.Now(); {
	case leaf.Leaf.CheckSignatureFrom(ca.Leaf) != nil:
		e.warn(check, start, "The certificate %s is not one of the local authority.", leafFile)
	case now.After(leaf.Leaf.NotAfter) || now.Before(leaf.Leaf.NotBefore):
		e.warn(check, start, "The certificate %s is valid from %s to %s, and not now.", leafFile,
			leaf.Leaf.NotBefore.Format(time.DateOnly), leaf.Leaf.NotAfter.Format(time.DateOnly))
	case name != "" && leaf.Leaf.VerifyHostname(name) != nil:
		e.warn(check, start, "The certificate %s is not for %s.", leafFile, name)
	default:
		e.ok(check, "The certificate %s is valid until %s and is renewed by itself.", leafFile,
			leaf.Leaf.NotAfter.Format(time.DateOnly))
	}
	e.inUse(leaf.Leaf)
}

// valid looks at the time of a certificate and reports whether there is nothing
// to say about it.
func (e *examiner) valid(check, file string, c *x509.Certificate, soon time.Duration, renew string) bool {
	now, left := e.Now(), c.NotAfter.Sub(e.Now())
	switch {
	case now.Before(c.NotBefore):
		e.problem(check, "Set the clock of this machine, or wait.", "%s is valid only from %s on, and it is %s now.",
			file, c.NotBefore.Format(time.DateTime), now.Format(time.DateTime))
	case left < 0:
		e.problem(check, renew, "%s ended on %s.", file, c.NotAfter.Format(time.DateOnly))
	case left < soon:
		e.warn(check, renew, "%s ends on %s, in %d days.", file, c.NotAfter.Format(time.DateOnly), int(left/day))
	default:
		return true
	}
	return false
}

// inUse compares the certificate in the file with the one that the server
// shows.
func (e *examiner) inUse(stored *x509.Certificate) {
	if e.served == nil || !e.running {
		return
	}
	if !e.served.Equal(stored) {
		e.warn("certificate", "Send the server SIGHUP, or start it again; its log says what is wrong with the one in the file.",
			"The server uses another certificate than the one in the file, valid until %s.",
			e.served.NotAfter.Format(time.DateOnly))
	}
}

// wanted returns the name that clients use for the server, "" when it is not
// known.
func (e *examiner) wanted() string {
	if u, err := url.Parse(e.BaseURL); err == nil && u.Hostname() != "" {
		return u.Hostname()
	}
	host, _, err := net.SplitHostPort(e.Listen)
	if ip, ipErr := netip.ParseAddr(host); err != nil || ipErr == nil && (ip.IsUnspecified() || ip.IsLoopback()) ||
		host == "localhost" {
		return ""
	}
	return host
}

// absent reports whether a file does not exist.
func absent(file string) bool {
	_, err := os.Lstat(file)
	return errors.Is(err, fs.ErrNotExist)
}
