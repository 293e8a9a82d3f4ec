// Package acme gets the server's certificate from an authority that speaks ACME (RFC 8555), such as Let's Encrypt, and
// renews it. It proves to the authority that the server has its names, by a challenge answered on the server's own
// port or on a plain one, stores what it gets, and puts it in front of the local certificate. What goes wrong is
// logged and tried again later; the server serves meanwhile.
package acme

import (
	"context"
	"crypto/tls"
	"errors"
	"io/fs"
	"log/slog"
	"sync"
	"time"

	rfc8555 "golang.org/x/crypto/acme"

	"muster/internal/cert"
)

// Times of the work. Failures are few an hour: Let's Encrypt refuses those who fail five times in one.
const (
	lookEvery   = 2 * time.Second
	orderTime   = 5 * time.Minute
	renewBefore = 30 * 24 * time.Hour // at the latest; a third of its life for a certificate that lives shorter
	restTime    = time.Hour           // after a certificate, whatever its dates are
)

var retryAfter = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour}

// Config says which certificate to get, and from whom.
type Config struct {
	Names     []string // DNS names; none for no certificate
	Email     string   // by which the authority reaches the administrator, "" for none
	Directory string   // address of the authority, "" for Let's Encrypt
	CAFile    string   // further authorities that the authority's own server may have its certificate of
	Plain     bool     // challenges are answered on port 80
	Address   string   // of the service, for those who ask for it on port 80
	Folder    string   // of what is kept, made when it is missing
	Now       func() time.Time
	Log       *slog.Logger
}

// A Manager gets and renews a certificate. Its methods are safe for concurrent use.
type Manager struct {
	Config
	source   *cert.Source
	retryNow chan struct{}
	answers  sync.Map // to open challenges: *tls.Certificate by name, string by path

	// Of the goroutine that runs.
	current  *tls.Certificate // nil until there is one
	next     time.Time        // nothing is tried before
	failures int              // in a row
}

// Open returns the manager of a source's public certificate, and takes a stored one into use. The Config has passed
// Check.
func Open(cfg Config, source *cert.Source) (*Manager, error) {
	m := &Manager{Config: cfg, source: source, retryNow: make(chan struct{}, 1)}
	stored, err := m.Stored()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m.Log.Warn("the stored certificate cannot be used; a new one will be requested", "error", err)
	}
	if err != nil {
		return m, nil
	}
	m.current = stored
	return m, source.Public(stored)
}

// Run gets a certificate whenever one is due, until ctx ends.
func (m *Manager) Run(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		m.renewIfDue(ctx)
		select {
		case <-ctx.Done():
		case <-tick.C:
		case <-m.retryNow:
			m.next = time.Time{}
		}
	}
}

// RetryNow makes a certificate that is due be tried for at once, as when an administrator has removed the reason for
// which it failed.
func (m *Manager) RetryNow() {
	select {
	case m.retryNow <- struct{}{}:
	default: // it is urged already
	}
}

// renewIfDue gets a certificate if one is due.
func (m *Manager) renewIfDue(ctx context.Context) {
	now := m.Now()
	if now.Before(m.next) || !m.due(now) {
		return
	}
	limited, cancel := context.WithTimeout(ctx, orderTime)
	defer cancel()
	got, err := m.order(limited)
	if ctx.Err() != nil {
		return
	}
	if err == nil {
		err = m.source.Public(&got.Certificate)
	}
	if err != nil {
		m.fail(err)
		return
	}
	m.current, m.failures, m.next = &got.Certificate, 0, now.Add(restTime)
	m.Log.Info("a new certificate is in use", "names", m.current.Leaf.DNSNames, "issuer", m.current.Leaf.Issuer.String(),
		"until", m.current.Leaf.NotAfter)
	if err := m.store(got.pem); err != nil {
		m.Log.Error("the new certificate cannot be stored; the next start has to request another", "error", err)
	}
}

// due reports whether a certificate is needed: there is none, it lacks a name, or its end is near.
func (m *Manager) due(now time.Time) bool {
	if m.current == nil {
		return true
	}
	leaf := m.current.Leaf
	for _, name := range m.Names {
		if leaf.VerifyHostname(name) != nil {
			return true
		}
	}
	before := min(leaf.NotAfter.Sub(leaf.NotBefore)/3, renewBefore)
	return now.After(leaf.NotAfter.Add(-before))
}

// fail logs why there is no certificate, and settles when to try again.
func (m *Manager) fail(err error) {
	wait := retryAfter[min(m.failures, len(retryAfter)-1)]
	if problem, ok := errors.AsType[*rfc8555.Error](err); ok {
		asked, _ := rfc8555.RateLimit(problem)
		wait = max(wait, asked)
	}
	m.failures++
	m.next = m.Now().Add(wait)
	if m.current != nil && m.Now().Before(m.current.Leaf.NotAfter) {
		m.Log.Warn("the certificate could not be renewed; the current one stays in use", "until", m.current.Leaf.NotAfter,
			"next_try", m.next, "error", err)
		return
	}
	m.Log.Error("there is no certificate yet; clients get the one from the local authority", "names", m.Names,
		"next_try", m.next, "error", err)
}
