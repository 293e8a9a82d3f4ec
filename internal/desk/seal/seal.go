// Package seal encrypts what must not be readable in a database alone, under the server's key, and knows which key and
// which realm a database was made with. What is sealed, and for what purpose, its callers know.
package seal

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"

	"muster/internal/store"
)

// KeySize is the length of the server's key in bytes.
const KeySize = 32

// Names of values that belong to the whole database.
const (
	metaKeyCheck = "key-check"
	metaRealm    = "realm"
	metaNonceKey = "nonce-key"
)

// A Sealer encrypts with AES-256-GCM under the server's key, and authenticates the purpose with it.
type Sealer struct{ aead cipher.AEAD }

// New returns a sealer. A key of another size than KeySize is an error.
func New(key []byte) (*Sealer, error) {
	if len(key) != KeySize {
		return nil, fmt.Errorf("the server's key has %d bytes, want %d", len(key), KeySize)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	return &Sealer{aead}, err
}

// Seal encrypts a secret for a purpose.
func (s *Sealer) Seal(plain []byte, purpose string) []byte {
	return s.aead.Seal(nil, nil, plain, []byte(purpose))
}

// Open returns the secret that was sealed for a purpose, or an error for another purpose or key.
func (s *Sealer) Open(sealed []byte, purpose string) ([]byte, error) {
	return s.aead.Open(nil, nil, sealed, []byte(purpose))
}

// fits checks that a database was made with the sealer's key. A new one's error
// is ErrNotFound.
func (s *Sealer) fits(ctx context.Context, tx *store.Tx) error {
	check, err := tx.Meta(ctx, metaKeyCheck)
	if err != nil {
		return err
	}
	if _, err := s.Open(check, metaKeyCheck); err != nil {
		return errors.New("the server's key is not the one that the database was made with: " +
			"give the right key file with --key-file, or put it back as server.key in the data folder")
	}
	return nil
}

// CheckKey returns an error if a database was made with another key.
func CheckKey(ctx context.Context, tx *store.Tx, key []byte) error {
	s, err := New(key)
	if err != nil {
		return err
	}
	return s.fits(ctx, tx)
}

// Claim checks that the sealer's key and a realm are those of a database, and sets them in a new one.
func (s *Sealer) Claim(ctx context.Context, db *store.Store, realm string) error {
	return db.Update(ctx, func(tx *store.Tx) error {
		err := s.check(ctx, tx, realm)
		if errors.Is(err, store.ErrNotFound) {
			return s.prepare(ctx, tx, realm)
		}
		return err
	})
}

// check checks that the sealer's key and the realm are those of the database.
func (s *Sealer) check(ctx context.Context, tx *store.Tx, realm string) error {
	if err := s.fits(ctx, tx); err != nil {
		return err
	}
	made, err := tx.Meta(ctx, metaRealm)
	if err == nil && string(made) != realm {
		return fmt.Errorf("the database was made with the realm %q, which passwords depend on: start with --realm %q instead of %q",
			made, made, realm)
	}
	return err
}

// Check returns an error if key or realm are not those of a database. It changes nothing; for a database that no key
// has claimed yet the error is store.ErrNotFound.
func Check(ctx context.Context, db *store.Store, key []byte, realm string) error {
	s, err := New(key)
	if err != nil {
		return err
	}
	return db.View(ctx, func(tx *store.Tx) error { return s.check(ctx, tx, realm) })
}

// prepare stores in a new database which key and realm it is made with.
func (s *Sealer) prepare(ctx context.Context, tx *store.Tx, realm string) error {
	nonceKey := make([]byte, KeySize)
	rand.Read(nonceKey)
	for name, value := range map[string][]byte{
		metaKeyCheck: s.Seal(nil, metaKeyCheck),
		metaNonceKey: s.Seal(nonceKey, metaNonceKey),
		metaRealm:    []byte(realm),
	} {
		if err := tx.SetMeta(ctx, name, value); err != nil {
			return err
		}
	}
	return nil
}

// NonceKey returns the key that signs the nonces of digest authentication. Nodes that share a database share the key
// too; elsewhere it is new at each start, so that no nonce is accepted once the memory of its use is gone.
func (s *Sealer) NonceKey(ctx context.Context, db *store.Store) (key []byte, err error) {
	if !db.Shared() {
		key = make([]byte, KeySize)
		rand.Read(key)
		return key, nil
	}
	err = db.View(ctx, func(tx *store.Tx) error {
		sealed, err := tx.Meta(ctx, metaNonceKey)
		if err != nil {
			return err
		}
		key, err = s.Open(sealed, metaNonceKey)
		return err
	})
	return key, err
}

// IsNew reports whether a database has not been claimed by any key yet.
func IsNew(ctx context.Context, db *store.Store) (isNew bool, err error) {
	err = db.View(ctx, func(tx *store.Tx) error {
		isNew, err = IsUnclaimed(ctx, tx)
		return err
	})
	return isNew, err
}

// IsUnclaimed is IsNew within a transaction.
func IsUnclaimed(ctx context.Context, tx *store.Tx) (bool, error) {
	_, err := tx.Meta(ctx, metaKeyCheck)
	if errors.Is(err, store.ErrNotFound) {
		return true, nil
	}
	return false, err
}
