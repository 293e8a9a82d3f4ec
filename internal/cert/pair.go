package cert

import (
	"crypto/ecdsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"muster/internal/atomicfile"
)

// errDamaged is returned when the files have no certificate with its key.
var errDamaged = errors.New("damaged or not a pair")

// A pair is a new certificate with its key, also in the form in which they are stored.
type pair struct {
	tls.Certificate
	certPEM, keyPEM []byte
}

// encode turns a certificate and its key into a pair.
func encode(der []byte, key *ecdsa.PrivateKey) (*pair, error) {
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	p := &pair{
		certPEM: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		keyPEM:  pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}),
	}
	p.Certificate, err = tls.X509KeyPair(p.certPEM, p.keyPEM)
	return p, err
}

// write stores the pair, the key first: a certificate in its place has its key beside it.
func (p *pair) write(certFile, keyFile string) error {
	if err := atomicfile.Replace(keyFile, p.keyPEM, 0o600); err != nil {
		return err
	}
	return atomicfile.Replace(certFile, p.certPEM, 0o644)
}

// readPair reads a certificate and its key. The error names the file; it is errDamaged when the files were read
// and make no pair.
func readPair(certFile, keyFile string) (*tls.Certificate, error) {
	certPEM, err := os.ReadFile(certFile)
	if err != nil {
		return nil, fmt.Errorf("read certificate: %w", err)
	}
	keyPEM, err := os.ReadFile(keyFile)
	if err != nil {
		return nil, fmt.Errorf("read key of %s: %w", certFile, err)
	}
	read, err := tls.X509KeyPair(certPEM, keyPEM)
	if err != nil {
		return nil, fmt.Errorf("certificate %s with key %s: %w: %w", certFile, keyFile, errDamaged, err)
	}
	return &read, nil
}

// broken reports whether an error of readPair means that a file is missing or damaged, rather than unreadable.
func broken(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, errDamaged)
}

// absent reports whether there is no such file, not even an unreadable one.
func absent(file string) bool {
	_, err := os.Lstat(file)
	return errors.Is(err, fs.ErrNotExist)
}
