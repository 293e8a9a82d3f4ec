package acme

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"muster/internal/atomicfile"
)

// What is kept belongs to one authority and has its address in its name: another's certificate, such as that of a
// test authority, must not be taken for it.
func (c *Config) path(ending string) string {
	authority := strings.TrimPrefix(c.Directory, "https://")
	return filepath.Join(c.Folder, strange.ReplaceAllString(authority, "_")+ending)
}

var strange = regexp.MustCompile(`[^a-zA-Z0-9.-]`)

// Stored returns the certificate that was stored last; the error is fs.ErrNotExist if none was. The Config has passed
// Check.
func (c *Config) Stored() (*tls.Certificate, error) {
	file := c.path(".pem")
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(text, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &pair, nil
}

// store keeps a certificate and its key, in one file: there is never one without the other.
func (m *Manager) store(text []byte) error {
	return atomicfile.Replace(m.path(".pem"), text, 0o600)
}

// accountKey returns the key by which the authority knows this server; it is made when there is none.
func (m *Manager) accountKey() (crypto.Signer, error) {
	if err := atomicfile.Folder(m.Folder); err != nil {
		return nil, err
	}
	file := m.path(".account.key")
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return makeKey(file)
	}
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("%s is damaged; remove it to have a new account made", file)
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	signer, ok := key.(crypto.Signer)
	if err != nil || !ok {
		return nil, fmt.Errorf("%s is damaged; remove it to have a new account made", file)
	}
	return signer, nil
}

// makeKey stores a new key before anybody knows it.
func makeKey(file string) (crypto.Signer, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	return key, atomicfile.Create(file, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600)
}
