package cert

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const (
	day            = 24 * time.Hour
	authorityYears = 10
	leafLife       = 397 * day // what browsers accept from any authority
	renewBefore    = 30 * day
	clockSkew      = time.Hour // by which a client's clock may lag behind ours
)

// newAuthority is what people can do when the authority is of no use any more.
const newAuthority = "or remove ca.pem and ca.key to have a new authority made, which clients must be told to trust"

// errReissue is returned when the folder has no certificate that can be used further.
var errReissue = errors.New("no usable certificate is stored")

// An issuer issues the server's certificates, signed by the authority in dir.
type issuer struct {
	dir       string
	dnsNames  []string
	addresses []net.IP
	authority *tls.Certificate
	now       func() time.Time
}

// openIssuer reads the authority in dir, or makes it when there is none yet.
func openIssuer(dir string, names []string, now func() time.Time) (*issuer, error) {
	i := &issuer{dir: dir, now: now}
	var err error
	if i.dnsNames, i.addresses, err = sortNames(names); err != nil {
		return nil, err
	}
	certFile, keyFile := i.path("ca.pem"), i.path("ca.key")
	if absent(certFile) && absent(keyFile) {
		i.authority, err = i.createAuthority()
	} else if i.authority, err = readPair(certFile, keyFile); broken(err) {
		err = fmt.Errorf("%w; restore it from a backup, %s", err, newAuthority)
	}
	if err != nil {
		return nil, fmt.Errorf("local authority: %w", err)
	}
	return i, i.checkAuthority()
}

// createAuthority makes and stores the authority of a new installation.
func (i *issuer) createAuthority() (*tls.Certificate, error) {
	template := &x509.Certificate{
		Subject:               pkix.Name{CommonName: authorityName()},
		NotBefore:             i.now().UTC().Add(-clockSkew),
		NotAfter:              i.now().UTC().AddDate(authorityYears, 0, 0),
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
		BasicConstraintsValid: true,
		IsCA:                  true,
		MaxPathLenZero:        true,
	}
	made, err := newPair(template, nil)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(i.dir, 0o700); err != nil {
		return nil, err
	}
	return &made.Certificate, made.write(i.path("ca.pem"), i.path("ca.key"))
}

// checkAuthority returns an error unless clients can accept what the authority signs.
func (i *issuer) checkAuthority() error {
	ca, file := i.authority.Leaf, i.path("ca.pem")
	if !ca.IsCA {
		return fmt.Errorf("local authority: %s is not the certificate of an authority", file)
	}
	if now := i.now(); now.Before(ca.NotBefore) || now.After(ca.NotAfter) {
		return fmt.Errorf("local authority: %s is valid from %s to %s and it is %s now: set the clock, %s",
			file, ca.NotBefore.Format(time.DateOnly), ca.NotAfter.Format(time.DateOnly), now.Format(time.DateOnly),
			newAuthority)
	}
	return nil
}

// stored returns the certificate in the folder, or errReissue when it is absent, damaged or not usable.
func (i *issuer) stored() (*tls.Certificate, error) {
	leaf, err := readPair(i.path("tls.pem"), i.path("tls.key"))
	if broken(err) {
		return nil, errReissue
	}
	if err != nil {
		return nil, err
	}
	if !i.usable(leaf.Leaf) {
		return nil, errReissue
	}
	return leaf, nil
}

// usable reports whether a stored certificate is the authority's, valid now, and has all names.
func (i *issuer) usable(leaf *x509.Certificate) bool {
	if leaf.CheckSignatureFrom(i.authority.Leaf) != nil || i.now().Before(leaf.NotBefore) || i.due(leaf) {
		return false
	}
	lacks := func(name string) bool { return leaf.VerifyHostname(name) != nil }
	return !slices.ContainsFunc(i.dnsNames, lacks) &&
		!slices.ContainsFunc(i.addresses, func(ip net.IP) bool { return lacks(ip.String()) })
}

// due reports whether a certificate should be renewed: when its end is near, unless that is the authority's own
// end, since the next one would last no longer.
func (i *issuer) due(leaf *x509.Certificate) bool {
	return i.now().After(leaf.NotAfter.Add(-renewBefore)) && leaf.NotAfter.Before(i.authority.Leaf.NotAfter)
}

// issue makes a certificate for the names. It never outlives the authority.
func (i *issuer) issue() (*pair, error) {
	start := i.now().UTC().Add(-clockSkew)
	end := start.Add(leafLife)
	if last := i.authority.Leaf.NotAfter; end.After(last) {
		end = last
	}
	return newPair(&x509.Certificate{
		Subject:               pkix.Name{CommonName: "Muster server"},
		DNSNames:              i.dnsNames,
		IPAddresses:           i.addresses,
		NotBefore:             start,
		NotAfter:              end,
		KeyUsage:              x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
	}, i.authority)
}

// store writes an issued certificate into the folder.
func (i *issuer) store(leaf *pair) error {
	return leaf.write(i.path("tls.pem"), i.path("tls.key"))
}

// issueAndStore makes a certificate for the names and writes it into the folder.
func (i *issuer) issueAndStore() (*tls.Certificate, error) {
	leaf, err := i.issue()
	if err != nil {
		return nil, fmt.Errorf("issue certificate: %w", err)
	}
	return &leaf.Certificate, i.store(leaf)
}

func (i *issuer) path(name string) string { return filepath.Join(i.dir, name) }

// newPair makes a P-256 key and a certificate for it from template, signed by parent or, without one, by itself.
func newPair(template *x509.Certificate, parent *tls.Certificate) (*pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	public, err := key.PublicKey.Bytes()
	if err != nil {
		return nil, err
	}
	id := sha256.Sum256(public)
	template.SubjectKeyId = id[:20] // RFC 7093, method 1
	if parent == nil {
		parent = &tls.Certificate{Leaf: template, PrivateKey: key}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent.Leaf, &key.PublicKey, parent.PrivateKey)
	if err != nil {
		return nil, err
	}
	return encode(der, key)
}

// authorityName returns a name by which people can distinguish authorities in a browser's list. X.509 limits a
// common name to 64 characters.
func authorityName() string {
	name := "Muster local authority"
	if host, err := os.Hostname(); err == nil && validDNS(host) {
		name += " " + host
	}
	return name[:min(len(name), 64)]
}
