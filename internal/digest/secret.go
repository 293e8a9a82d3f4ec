package digest

import (
	"crypto/md5"
	"crypto/sha256"
	"errors"
)

// forms is in how many encodings a password is kept: UTF-8, and ISO-8859-1 which some clients use.
const forms = 2

// A Secret verifies a user's password. It is H(name:realm:password) in each algorithm and in each form of the password:
// UTF-8, and ISO-8859-1 when the password fits in it. Otherwise the second form repeats the first, so that neither the
// time of a check nor the size of the stored secret tells the two kinds of password apart. The name is always UTF-8.
//
// Whoever has a Secret can sign in with it. The zero Secret verifies nothing.
type Secret struct {
	md5    [forms][md5.Size]byte
	sha256 [forms][sha256.Size]byte
}

// NewSecret returns the secret of a user. It must be called again when the name or the password changes.
func NewSecret(name, realm, password string) *Secret {
	s := new(Secret)
	for i, form := range [forms]string{password, latin1(password)} {
		text := []byte(name + ":" + realm + ":" + form)
		s.md5[i] = md5.Sum(text)
		s.sha256[i] = sha256.Sum256(text)
	}
	return s
}

// latin1 returns a text in ISO-8859-1, or as it is when it does not fit.
func latin1(s string) string {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xff {
			return s
		}
		b = append(b, byte(r))
	}
	return string(b)
}

// secretVersion is the first byte of a stored secret, and secretSize its length.
const (
	secretVersion = 1
	secretSize    = 1 + forms*(md5.Size+sha256.Size)
)

// MarshalBinary returns the secret for storage. It is as good as the password, so the caller must seal it.
func (s *Secret) MarshalBinary() ([]byte, error) {
	data := make([]byte, 0, secretSize)
	data = append(data, secretVersion)
	for i := range forms {
		data = append(data, s.md5[i][:]...)
		data = append(data, s.sha256[i][:]...)
	}
	return data, nil
}

// UnmarshalBinary reads what MarshalBinary wrote. On an error the secret is left as it was.
func (s *Secret) UnmarshalBinary(data []byte) error {
	if len(data) != secretSize || data[0] != secretVersion {
		return errors.New("digest: not a stored secret of a known version")
	}
	data = data[1:]
	for i := range forms {
		data = data[copy(s.md5[i][:], data):]
		data = data[copy(s.sha256[i][:], data):]
	}
	return nil
}

// hash returns H(name:realm:password) of one form.
func (s *Secret) hash(a algorithm, form int) []byte {
	if a == sha256Digest {
		return s.sha256[form][:]
	}
	return s.md5[form][:]
}
