package agent

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"time"
)

// A Server is where reports go.
type Server struct {
	address  *url.URL // without user and password
	user     string
	password string
	roots    *x509.CertPool // nil for those of the system
}

// NewServer returns the server at an address, such as https://agent:TOKEN@assets.example.com/ocsinventory, whose
// certificate is checked by the authorities in a file, or by those of the system when no file is named. Without TLS the
// token and the report could be read on the way, so http is for this machine alone.
func NewServer(address, caFile string) (*Server, error) {
	u, err := url.Parse(address)
	if err != nil { // the error contains the address, and with it the token
		return nil, errors.New("the server's address is not valid; it must look like https://agent:TOKEN@assets.example.com/ocsinventory")
	}
	if u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, errors.New("the server's address must begin with https:// and the server's name")
	}
	if u.Scheme == "http" && !loopback(u.Hostname()) {
		return nil, errors.New("the server's address must begin with https://; with http, anybody on the way could read the token")
	}
	s := &Server{address: u}
	s.user = u.User.Username()
	s.password, _ = u.User.Password()
	u.User, u.Fragment = nil, ""
	if u.Path == "" || u.Path == "/" {
		u.Path = "/ocsinventory"
	}
	if caFile != "" {
		s.roots, err = authorities(caFile)
	}
	return s, err
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// authorities reads certificates.
func authorities(file string) (*x509.CertPool, error) {
	pool := x509.NewCertPool()
	text, err := os.ReadFile(file)
	if err == nil && !pool.AppendCertsFromPEM(text) {
		err = fmt.Errorf("there is none in %s", file)
	}
	if err != nil {
		return nil, fmt.Errorf("--ca must name a file with the certificate, in PEM, of the authority that signed the server's: %w", err)
	}
	return pool, nil
}

// String returns how the server is called in messages. The path is left out, since a token may be in it.
func (s *Server) String() string { return s.address.Scheme + "://" + s.address.Host }

// How long anything may take: to connect, and to send a message and get its answer.
const (
	connectTime = 30 * time.Second
	postTime    = 5 * time.Minute
)

// client returns a client that follows no redirect: another server would get the token and the report.
func (s *Server) client() *http.Client {
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         (&net.Dialer{Timeout: connectTime}).DialContext,
			TLSHandshakeTimeout: connectTime,
			TLSClientConfig:     &tls.Config{RootCAs: s.roots, MinVersion: tls.VersionTLS12},
		},
	}
}
