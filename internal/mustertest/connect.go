package mustertest

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"testing"

	"github.com/icholy/digest"
)

// An Account is how a client reaches a server that runs in another process.
type Account struct {
	Base           string // address, without a slash at the end
	CA             string // file of the certificate authority to trust, "" for plain HTTP
	User, Password string // no user for a client that does not sign in
}

// Connect returns a client of a server that runs in another process.
func Connect(t testing.TB, a Account) *Client {
	t.Helper()
	transport := &http.Transport{DisableCompression: true}
	if a.CA != "" {
		transport.TLSClientConfig = &tls.Config{RootCAs: readRoots(t, a.CA)}
	}
	t.Cleanup(transport.CloseIdleConnections)
	c := &Client{HTTP: &http.Client{Transport: transport}, Base: a.Base, t: t}
	if a.User != "" {
		c.HTTP.Transport = &digest.Transport{Username: a.User, Password: a.Password, Transport: transport}
	}
	return c
}

func readRoots(t testing.TB, file string) *x509.CertPool {
	t.Helper()
	pem, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("read the authority's certificate: %v", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		t.Fatalf("%s holds no certificate", file)
	}
	return roots
}

// FreeAddress returns an address on which nobody listens. Its port is outside the range that systems assign to programs
// that ask for any port, so that no other test gets it before a program of this test listens there.
func FreeAddress(t testing.TB) string {
	t.Helper()
	const least, most = 20000, 32000
	for range 100 {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", least+rand.IntN(most-least)))
		if err != nil {
			continue
		}
		defer l.Close()
		return l.Addr().String()
	}
	t.Fatalf("found no free port between %d and %d", least, most)
	return ""
}
