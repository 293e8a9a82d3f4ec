package desk

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"

	"muster/internal/store"
)

// KeySize is the length of the server's key.
const KeySize = 32

// Names of values that belong to the whole database.
const (
	metaKeyCheck = "key-check"
	metaRealm    = "realm"
	metaNonceKey = "nonce-key"
)

// A sealer encrypts what must not be readable in the database alone:
// AES-256-GCM under the server's key, with what it belongs to authenticated.
type sealer struct{ aead cipher.AEAD }

func newSealer(key []byte) (*sealer, error) {
	if len(key) != KeySize {
		return nil, fmt.Errorf("the server's key has %d bytes, want %d", len(key), KeySize)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	return &sealer{aead}, err
}

func (s *sealer) seal(plain []byte, belongs string) []byte {
	return s.aead.Seal(nil, nil, plain, []byte(belongs))
}

func (s *sealer) open(sealed []byte, belongs string) ([]byte, error) {
	return s.aead.Open(nil, nil, sealed, []byte(belongs))
}

// fits checks that a database was made with the sealer's key. A new one's error
// is ErrNotFound.
func (s *sealer) fits(ctx context.Context, tx *store.Tx) error {
	check, err := tx.Meta(ctx, metaKeyCheck)
	if err != nil {
		return err
	}
	if _, err := s.open(check, metaKeyCheck); err != nil {
		return errors.New("the server's key is not the one that the database was made with: " +
			"give the right key file with --key-file, or put it back as server.key in the data folder")
	}
	return nil
}

// CheckKey returns an error if a database was made with another key.
func CheckKey(ctx context.Context, tx *store.Tx, key []byte) error {
	s, err := newSealer(key)
	if err != nil {
		return err
	}
	return s.fits(ctx, tx)
}

// claim checks that key and realm are those of the database, and sets them in
// a new one.
func (d *Desk) claim(ctx context.Context) error {
	return d.store.Update(ctx, func(tx *store.Tx) error {
		err := check(ctx, tx, d.sealer, d.realm)
		if errors.Is(err, store.ErrNotFound) {
			return d.found(ctx, tx)
		}
		return err
	})
}

// check checks that the sealer's key and the realm are those of the database.
func check(ctx context.Context, tx *store.Tx, s *sealer, realm string) error {
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

// Check tells whether key and realm are those of a database, without changing
// it; one that no key has claimed yet is store.ErrNotFound.
func Check(ctx context.Context, s *store.Store, key []byte, realm string) error {
	seal, err := newSealer(key)
	if err != nil {
		return err
	}
	return s.View(ctx, func(tx *store.Tx) error { return check(ctx, tx, seal, realm) })
}

// found prepares a new database.
func (d *Desk) found(ctx context.Context, tx *store.Tx) error {
	nonceKey := make([]byte, KeySize)
	rand.Read(nonceKey)
	for name, value := range map[string][]byte{
		metaKeyCheck: d.sealer.seal(nil, metaKeyCheck),
		metaNonceKey: d.sealer.seal(nonceKey, metaNonceKey),
		metaRealm:    []byte(d.realm),
	} {
		if err := tx.SetMeta(ctx, name, value); err != nil {
			return err
		}
	}
	return nil
}

// NonceKey returns the key that signs the nonces of digest authentication. On
// a database that several nodes share they share the key too; else it is new
// at each start, so that no nonce outlives the memory of its use.
func (d *Desk) NonceKey(ctx context.Context) (key []byte, err error) {
	if !d.store.Shared() {
		key = make([]byte, KeySize)
		rand.Read(key)
		return key, nil
	}
	err = d.store.View(ctx, func(tx *store.Tx) error {
		sealed, err := tx.Meta(ctx, metaNonceKey)
		if err != nil {
			return err
		}
		key, err = d.sealer.open(sealed, metaNonceKey)
		return err
	})
	return key, err
}

// IsNew reports whether a database has not been claimed by any key yet.
func IsNew(ctx context.Context, s *store.Store) (isNew bool, err error) {
	err = s.View(ctx, func(tx *store.Tx) error {
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

// Seal seals a secret as what it is for.
func (d *Desk) Seal(plain []byte, purpose string) []byte { return d.sealer.seal(plain, purpose) }

// Unseal returns the secret that was sealed for a purpose.
func (d *Desk) Unseal(sealed []byte, purpose string) ([]byte, error) {
	return d.sealer.open(sealed, purpose)
}
