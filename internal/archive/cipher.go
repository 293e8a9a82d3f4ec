package archive

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"filippo.io/age"
)

// A PublicKey is one that a backup can be encrypted to, so that nobody reads it without the other half.
type PublicKey struct{ recipient *age.X25519Recipient }

// String returns the key as people write it.
func (k PublicKey) String() string { return k.recipient.String() }

// ParsePublicKey reads a public key, such as age1….
func ParsePublicKey(text string) (PublicKey, error) {
	recipient, err := age.ParseX25519Recipient(text)
	if err != nil {
		return PublicKey{}, fmt.Errorf("%.80q is no public key for backups: one begins with age1, and muster backup-key makes it",
			text)
	}
	return PublicKey{recipient}, nil
}

// A PrivateKey reads what was encrypted to its public half.
type PrivateKey struct{ identity age.Identity }

// NewKey makes a pair of keys. The file has the private one, in the form of age, and names the public one.
func NewKey() (file []byte, public PublicKey, err error) {
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		return nil, public, err
	}
	public = PublicKey{identity.Recipient()}
	return fmt.Appendf(nil, "# Key for backups of Muster. Whoever has this file can read them.\n# public key: %s\n%s\n",
		public, identity), public, nil
}

// ParsePrivateKeys reads the private keys of a file, as NewKey and age-keygen write it.
func ParsePrivateKeys(file []byte) (keys []PrivateKey, err error) {
	identities, err := age.ParseIdentities(bytes.NewReader(file))
	if err != nil || len(identities) == 0 {
		return nil, errors.New("it has no private key for backups: such a line begins with AGE-SECRET-KEY-1")
	}
	for _, identity := range identities {
		keys = append(keys, PrivateKey{identity})
	}
	return keys, nil
}

// Encrypt runs write with a writer whose output is encrypted to public keys; without any, with the output itself.
func Encrypt(out io.Writer, to []PublicKey, write func(io.Writer) error) error {
	if len(to) == 0 {
		return write(out)
	}
	var recipients []age.Recipient
	for _, key := range to {
		recipients = append(recipients, key.recipient)
	}
	encrypted, err := age.Encrypt(out, recipients...)
	if err != nil {
		return err
	}
	if err := write(encrypted); err != nil {
		return err
	}
	return encrypted.Close()
}

// encryptedStart is how a file begins that is encrypted.
const encryptedStart = "age-encryption.org/"

// Errors of files that are encrypted.
var (
	ErrEncrypted = errors.New("the backup is encrypted")
	ErrWrongKey  = errors.New("the backup is encrypted to another key")
)

// Decrypt returns what is to be read of a file: itself if it is not encrypted, else what one of the keys decrypts.
// Without any it returns ErrEncrypted, with others than those that it was encrypted to ErrWrongKey.
func Decrypt(in io.Reader, keys []PrivateKey) (io.Reader, error) {
	whole := bufio.NewReaderSize(in, 1<<16)
	start, _ := whole.Peek(len(encryptedStart)) // a shorter file is not encrypted
	if !strings.HasPrefix(string(start), encryptedStart) {
		return whole, nil
	}
	if len(keys) == 0 {
		return nil, ErrEncrypted
	}
	var identities []age.Identity
	for _, key := range keys {
		identities = append(identities, key.identity)
	}
	plain, err := age.Decrypt(whole, identities...)
	if _, other := errors.AsType[*age.NoIdentityMatchError](err); other {
		return nil, ErrWrongKey
	}
	if err != nil {
		return nil, damaged("%v", err)
	}
	return plain, nil
}
