package desk

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"

	"muster/internal/store"
)

// hashesAtOnce is how many sign-in passwords are verified at the same time:
// each takes 19 MiB.
const hashesAtOnce = 4

// The cost of a hash of a sign-in password, and its sizes in bytes.
const (
	hashTime    = 2
	hashMemory  = 19 << 10 // KiB
	hashThreads = 1
	hashSize    = 32
	saltSize    = 16
)

// nobodysPassword is what the password of an unknown user is compared with, so
// that the answer takes as long as that of a known one.
var nobodysPassword = hashText(make([]byte, saltSize), make([]byte, hashSize))

// hashPassword returns the argon2id hash of a sign-in password.
func hashPassword(password string) string {
	salt := make([]byte, saltSize)
	rand.Read(salt)
	return hashText(salt, argon2.IDKey([]byte(password), salt, hashTime, hashMemory, hashThreads, hashSize))
}

// hashText returns a hash in the usual form, which names its parameters.
func hashText(salt, hash []byte) string {
	text := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, hashMemory, hashTime, hashThreads, text(salt), text(hash))
}

// verifyPassword reports whether a password is the one that a hash was made of,
// with whichever parameters. A text that is no such hash is nobody's.
func verifyPassword(password, stored string) bool {
	parts := strings.Split(stored, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return false
	}
	var memory, time uint32
	var threads uint8
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &time, &threads); err != nil || time == 0 || threads == 0 {
		return false
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return false
	}
	want, err := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil || len(want) == 0 {
		return false
	}
	got := argon2.IDKey([]byte(password), salt, time, memory, threads, uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1
}

// proves reports whether a password is the one that a hash was made of, once
// there is room for that.
func (d *Desk) proves(ctx context.Context, password, stored string) (ok bool, err error) {
	select {
	case d.hashing <- struct{}{}:
		defer func() { <-d.hashing }()
	case <-ctx.Done():
		return false, fmt.Errorf("%w: too many sign in at once: %w", store.ErrUnavailable, context.Cause(ctx))
	}
	return verifyPassword(password, stored), nil
}
