package desk

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"muster/internal/digest"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// minPassword is the least length of a password in characters.
const minPassword = 12

// HashesAtOnce is how many sign-in passwords are verified at the same time: each takes
// 19 MiB, and all of them no more than half of the processors.
func HashesAtOnce() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// A HashCost is what it takes to make a hash of a sign-in password, and to guess
// one.
type HashCost struct {
	Time   uint32 // passes over the memory
	Memory uint32 // KiB
}

// defaultCost is what a server takes unless it is told otherwise.
var defaultCost = HashCost{Time: 2, Memory: 19 << 10}

// What all hashes of sign-in passwords have in common, sizes in bytes.
const (
	hashThreads = 1
	hashSize    = 32
	saltSize    = 16
)

// hash returns the argon2id hash of a sign-in password.
func (c HashCost) hash(password string) string {
	salt := make([]byte, saltSize)
	rand.Read(salt)
	return c.text(salt, argon2.IDKey([]byte(password), salt, c.Time, c.Memory, hashThreads, hashSize))
}

// nobodys returns what the password of an unknown user is compared with, so that the
// answer takes as long as that of a known one.
func (c HashCost) nobodys() string { return c.text(make([]byte, saltSize), make([]byte, hashSize)) }

// text returns a hash in the usual form, which names its parameters.
func (c HashCost) text(salt, hash []byte) string {
	text := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, c.Memory, c.Time, hashThreads, text(salt), text(hash))
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
	err = d.inTurn(ctx, func() { ok = verifyPassword(password, stored) })
	return ok, err
}

// inTurn does what makes a hash, once there is room for it.
func (d *Desk) inTurn(ctx context.Context, do func()) error {
	select {
	case d.hashing <- struct{}{}:
		defer func() { <-d.hashing }()
	case <-ctx.Done():
		return fmt.Errorf("%w: too many sign in at once: %w", store.ErrUnavailable, context.Cause(ctx))
	}
	do()
	return nil
}

// passwordWord is the name of the field in messages.
const passwordWord message.Word = "Password"

// passwordFaults tells what is wrong with a new password of a user, or with the way
// it came.
func (d *Desk) passwordFaults(who Caller, user *inventory.User, password string) (faults []message.Text) {
	if who.Exposed {
		faults = append(faults, message.Says("is accepted over HTTPS alone").Of(passwordWord))
	}
	if utf8.RuneCountInString(password) < minPassword {
		faults = append(faults, message.Says("is too short (minimum is %d characters)", minPassword).Of(passwordWord))
	} else if fault := d.guessFault(user, password); !fault.IsZero() {
		faults = append(faults, fault.Of(passwordWord))
	}
	return faults
}

// setPassword stores what verifies the new password of a user, of which the hash
// for signing in is given: it is that of the API too, unless they have a second
// factor. A program that has the API password needs no code, so then there is none
// until one is made. It revokes the user's tokens unless these are to be kept.
func (d *Desk) setPassword(ctx context.Context, tx *store.Tx, who Caller, user *inventory.User, hash string) error {
	c := store.Credentials{UserID: user.ID, SignIn: hash, API: store.APISame}
	on, err := hasSecondFactor(ctx, tx, user.ID)
	if err == nil && !on {
		c.Digest, err = d.apiPassword(user, user.Password)
	}
	if err != nil {
		return err
	}
	if err := tx.SetCredentials(ctx, c); err != nil || user.KeepTokens.V {
		return err
	}
	revoked, err := d.revokeAll(ctx, tx, who, user)
	user.TokensRevoked = kind.Some(revoked)
	return err
}

// apiPassword returns what verifies an API password, sealed.
func (d *Desk) apiPassword(user *inventory.User, password string) ([]byte, error) {
	secret, err := digest.NewSecret(user.Email, d.realm, password).MarshalBinary()
	if err != nil {
		return nil, err
	}
	return d.sealer.seal(secret, sealedFor(user.ID)), nil
}
