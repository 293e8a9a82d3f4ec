package acme

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"time"

	rfc8555 "golang.org/x/crypto/acme"
)

// issued is a certificate with its key, also in the form in which both are stored.
type issued struct {
	tls.Certificate
	pem []byte
}

// order gets a certificate for the names.
func (m *Manager) order(ctx context.Context) (*issued, error) {
	client, err := m.client()
	if err != nil {
		return nil, err
	}
	if err := m.register(ctx, client); err != nil {
		return nil, fmt.Errorf("register with %s: %w", m.Directory, err)
	}
	order, err := client.AuthorizeOrder(ctx, rfc8555.DomainIDs(m.Names...))
	if err != nil {
		return nil, fmt.Errorf("order a certificate of %s: %w", m.Directory, err)
	}
	for _, address := range order.AuthzURLs {
		if err := m.prove(ctx, client, address); err != nil {
			return nil, err
		}
	}
	if order, err = client.WaitOrder(ctx, order.URI); err != nil {
		return nil, fmt.Errorf("wait for %s: %w", m.Directory, err)
	}
	return m.finish(ctx, client, order)
}

// register makes the account known to the authority, or its new e-mail address. Who gives --acme agrees to the terms
// of service, as its explanation says.
func (m *Manager) register(ctx context.Context, client *rfc8555.Client) error {
	account := &rfc8555.Account{}
	if m.Email != "" {
		account.Contact = []string{"mailto:" + m.Email}
	}
	_, err := client.Register(ctx, account, func(terms string) bool {
		m.Log.Info("agreeing to the authority's terms of service", "terms", terms)
		return true
	})
	if !errors.Is(err, rfc8555.ErrAccountAlreadyExists) {
		return err
	}
	if m.Email == "" {
		return nil
	}
	known, err := client.GetReg(ctx, "")
	if err == nil && !slices.Equal(known.Contact, account.Contact) {
		known.Contact = account.Contact
		_, err = client.UpdateReg(ctx, known)
	}
	return err
}

// prove shows the authority that the server has a name.
func (m *Manager) prove(ctx context.Context, client *rfc8555.Client, address string) error {
	authorization, err := client.GetAuthorization(ctx, address)
	if err != nil {
		return fmt.Errorf("ask %s for a challenge: %w", m.Directory, err)
	}
	if authorization.Status == rfc8555.StatusValid { // by an earlier order
		return nil
	}
	name := authorization.Identifier.Value
	withdraw, err := m.answer(ctx, client, authorization)
	if err != nil {
		return fmt.Errorf("answer the challenge for %s: %w", name, err)
	}
	defer withdraw()
	if _, err := client.WaitAuthorization(ctx, address); err != nil {
		return fmt.Errorf("the authority could not check that %s leads here (%s): %w", name, m.hint(), err)
	}
	return nil
}

// hint says what is necessary so that the authority can check a name.
func (m *Manager) hint() string {
	if m.Plain {
		return "the name must resolve to this machine, and its port 80 lead to --acme-http"
	}
	return "the name must resolve to this machine, and its port 443 lead to --listen"
}

// finish has the certificate issued, for a new key.
func (m *Manager) finish(ctx context.Context, client *rfc8555.Client, order *rfc8555.Order) (*issued, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	request, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{DNSNames: m.Names}, key)
	if err != nil {
		return nil, err
	}
	chain, _, err := client.CreateCertFromOrder(ctx, order, request, true)
	if err != nil {
		return nil, fmt.Errorf("have %s issue the certificate: %w", m.Directory, err)
	}
	got, err := encode(key, chain)
	if err != nil {
		return nil, fmt.Errorf("certificate of %s: %w", m.Directory, err)
	}
	return got, m.check(got.Leaf)
}

// encode puts the key and the chain into one file's text.
func encode(key *ecdsa.PrivateKey, chain [][]byte) (*issued, error) {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	text.Write(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	for _, c := range chain {
		text.Write(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c}))
	}
	got := &issued{pem: text.Bytes()}
	got.Certificate, err = tls.X509KeyPair(got.pem, got.pem)
	return got, err
}

// check returns an error unless clients can accept a new certificate.
func (m *Manager) check(leaf *x509.Certificate) error {
	for _, name := range m.Names {
		if err := leaf.VerifyHostname(name); err != nil {
			return fmt.Errorf("certificate of %s: %w", m.Directory, err)
		}
	}
	if now := m.Now(); now.After(leaf.NotAfter) {
		return fmt.Errorf("the certificate of %s ends at %s and it is %s now: set the clock",
			m.Directory, leaf.NotAfter.Format(time.RFC3339), now.Format(time.RFC3339))
	}
	return nil
}
