package api_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/crypto/argon2"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/store"
)

// TestStoredCredentials looks at what the database stores of a password: the
// digest hashes sealed, so that they cannot be used, and an argon2id hash; a new
// password replaces both.
func TestStoredCredentials(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		const email, first, second = "anna@example.com", "the first password", "the second password"
		s.User(server.UserCommand{Do: "add", Email: email, Role: inventory.Technician, Password: first})
		before := credentialsOf(t, s, 2)
		s.User(server.UserCommand{Do: "passwd", Email: email, Password: second})
		after := credentialsOf(t, s, 2)
		for password, stored := range map[string]store.Credentials{first: before, second: after} {
			for _, algorithm := range []string{"MD5", "SHA-256"} {
				l := login{email, password, algorithm}
				digits := l.hash(email + ":Muster:" + password)
				raw, err := hex.DecodeString(digits)
				if err != nil {
					t.Fatal(err)
				}
				if bytes.Contains(stored.Digest, raw) || bytes.Contains(stored.Digest, []byte(digits)) {
					t.Errorf("%s of %q: got it in the database as it is, want it sealed", algorithm, password)
				}
			}
			equal(t, "the sign-in hash is of "+password, isArgon2id(t, stored.SignIn, password), true)
		}
		equal(t, "the new sign-in hash is of the old password", isArgon2id(t, after.SignIn, first), false)
	})
}

// credentialsOf reads what is stored of a user's password.
func credentialsOf(t *testing.T, s *mustertest.Server, user int64) (found store.Credentials) {
	t.Helper()
	ctx := context.Background()
	err := s.Store().View(ctx, func(tx *store.Tx) error {
		return tx.Credentials(ctx, func(c store.Credentials) error {
			if c.UserID == user {
				found = c
			}
			return nil
		})
	})
	if err != nil || found.UserID == 0 {
		t.Fatalf("the credentials of user %d: got %v, error %v", user, found, err)
	}
	return found
}

// isArgon2id reports whether a hash in the usual form is that of a password.
func isArgon2id(t *testing.T, hash, password string) bool {
	t.Helper()
	parts := strings.Split(hash, "$")
	var memory, time uint32
	var threads uint8
	if len(parts) != 6 || parts[1] != "argon2id" {
		t.Fatalf("got the hash %q, want one of argon2id", hash)
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &time, &threads); err != nil {
		t.Fatalf("the parameters of %q: %v", hash, err)
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		t.Fatalf("the salt of %q: %v", hash, err)
	}
	want := argon2.IDKey([]byte(password), salt, time, memory, threads, 32)
	return parts[5] == base64.RawStdEncoding.EncodeToString(want)
}
