package acme

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/mail"
	"net/url"
	"os"
	"strings"
	"time"

	rfc8555 "golang.org/x/crypto/acme"

	"muster/internal/cert"
)

// requestTime is how long the authority may take to answer.
const requestTime = 30 * time.Second

// Check normalises the settings and returns an error for wrong ones.
func (c *Config) Check() error {
	names := make([]string, len(c.Names))
	for i, name := range c.Names {
		normal, ok := cert.DNSName(name)
		if !ok || normal == "localhost" || strings.HasSuffix(normal, ".localhost") {
			return fmt.Errorf("--acme %q must be a DNS name that leads to this server, like assets.example.com", name)
		}
		names[i] = normal
	}
	c.Names = names
	if c.Directory == "" {
		c.Directory = rfc8555.LetsEncryptURL
	}
	u, err := url.Parse(c.Directory)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" {
		return fmt.Errorf("--acme-directory %q must be an address like %s", c.Directory, rfc8555.LetsEncryptURL)
	}
	if a, err := mail.ParseAddress(c.Email); c.Email != "" && (err != nil || a.Address != c.Email) {
		return fmt.Errorf("--acme-email %q must be an e-mail address", c.Email)
	}
	_, err = c.roots()
	return err
}

// roots returns the authorities that the ACME server's own certificate may be of, nil for those of the machine.
func (c *Config) roots() (*x509.CertPool, error) {
	if c.CAFile == "" {
		return nil, nil
	}
	pem, err := os.ReadFile(c.CAFile)
	if err != nil {
		return nil, fmt.Errorf("read --acme-ca: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool() // as on a machine without any
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("--acme-ca %s contains no certificate in PEM", c.CAFile)
	}
	return pool, nil
}

// client returns a client of the authority. A new one is made for each order, so that it knows nothing that the
// authority may have forgotten.
func (m *Manager) client() (*rfc8555.Client, error) {
	key, err := m.accountKey()
	if err != nil {
		return nil, err
	}
	roots, err := m.roots()
	if err != nil {
		return nil, err
	}
	return &rfc8555.Client{
		Key: key, DirectoryURL: m.Directory, UserAgent: "muster",
		HTTPClient: &http.Client{Timeout: requestTime, Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, TLSClientConfig: &tls.Config{RootCAs: roots}, DisableKeepAlives: true,
		}},
		RetryBackoff: backoff,
	}, nil
}

// backoff lets a request that the authority could not serve be repeated a few times; the order as a whole is tried
// again later, and so is what the authority had enough of.
func backoff(n int, _ *http.Request, r *http.Response) time.Duration {
	if n > 5 || r.StatusCode == http.StatusTooManyRequests {
		return 0
	}
	return time.Duration(n) * 200 * time.Millisecond
}
