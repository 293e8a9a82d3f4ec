package server

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"muster/internal/archive"
	"muster/internal/atomicfile"
)

// MakeBackupKey writes a new private key for backups into a file that must not be there yet, and returns the public
// key.
func MakeBackupKey(file string) (public string, err error) {
	private, key, err := archive.NewKey()
	if err != nil {
		return "", err
	}
	err = atomicfile.Create(file, private, 0o600)
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("%s already exists: choose another name", file)
	}
	return key.String(), err
}

// PublicKeys reads the public keys that a backup is to be encrypted to.
func PublicKeys(texts []string) (keys []archive.PublicKey, err error) {
	for _, text := range texts {
		key, err := archive.ParsePublicKey(text)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// A Source is a backup that is to be read.
type Source struct {
	File string
	Key  string // file with the private key of one that is encrypted, "" for none
}

// open opens the file. What it returns reads it decrypted.
func (s Source) open() (plain io.Reader, file *os.File, err error) {
	keys, err := s.keys()
	if err != nil {
		return nil, nil, err
	}
	if file, err = os.Open(s.File); err != nil {
		return nil, nil, err
	}
	plain, err = archive.Decrypt(file, keys)
	switch {
	case errors.Is(err, archive.ErrEncrypted):
		err = fmt.Errorf("%s is encrypted: name the file with its key by --backup-key", s.File)
	case errors.Is(err, archive.ErrWrongKey):
		err = fmt.Errorf("%s is encrypted to another key than that of %s", s.File, s.Key)
	case err != nil:
		err = fmt.Errorf("%s: %w", s.File, err)
	}
	if err != nil {
		_ = file.Close()
	}
	return plain, file, err
}

// keys reads the private keys of a backup.
func (s Source) keys() ([]archive.PrivateKey, error) {
	if s.Key == "" {
		return nil, nil
	}
	text, err := os.ReadFile(s.Key)
	if err != nil {
		return nil, fmt.Errorf("--backup-key: %w", err)
	}
	keys, err := archive.ParsePrivateKeys(text)
	if err != nil {
		err = fmt.Errorf("--backup-key: %s: %w", s.Key, err)
	}
	return keys, err
}
