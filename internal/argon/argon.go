// Package argon makes and verifies the hashes of sign-in passwords: argon2id in its usual text form, which names its
// parameters. Whose password it is, and when it is asked for, belongs to package access.
package argon

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/crypto/argon2"
)

// AtOnce is how many sign-in passwords are verified at the same time: each takes
// 19 MiB, and all of them no more than half of the processors.
func AtOnce() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// A Cost is what it takes to make a hash of a sign-in password, and to guess
// one.
type Cost struct {
	Time   uint32 // passes over the memory
	Memory uint32 // KiB
}

// Default is the cost that a server uses unless configured otherwise.
var Default = Cost{Time: 2, Memory: 19 << 10}

// What all hashes of sign-in passwords have in common, sizes in bytes.
const (
	hashThreads = 1
	hashSize    = 32
	saltSize    = 16
)

// Hash returns the argon2id hash of a sign-in password.
func (c Cost) Hash(password string) string {
	salt := make([]byte, saltSize)
	rand.Read(salt)
	return c.encode(salt, argon2.IDKey([]byte(password), salt, c.Time, c.Memory, hashThreads, hashSize))
}

// Dummy returns what the password of an unknown user is compared with, so that the
// answer takes as long as that of a known one.
func (c Cost) Dummy() string { return c.encode(make([]byte, saltSize), make([]byte, hashSize)) }

// encode returns a hash in the usual form, which names its parameters.
func (c Cost) encode(salt, hash []byte) string {
	text := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, c.Memory, c.Time, hashThreads, text(salt),
		text(hash))
}

// Verify reports whether a password is the one that a hash was made of,
// with whichever parameters. A text that is no such hash is nobody's.
func Verify(password, stored string) bool {
	parts := strings.Split(stored, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return false
	}
	var memory, time uint32
	var threads uint8
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &time,
		&threads); err != nil || time == 0 || threads == 0 {
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
