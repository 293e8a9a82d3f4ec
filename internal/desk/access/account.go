package access

import (
	"context"
	"fmt"
	"sync"
	"time"

	"muster/internal/desk"
	"muster/internal/digest"
	"muster/internal/inventory"
	"muster/internal/store"
)

// An account is a user who may sign in, with the secret that proves it.
type account struct {
	user   *inventory.User
	secret *digest.Secret
	used   time.Time // when the secret last proved it, as far as this node knows
}

// accounts are all users in memory, so that a request of a known user reads no
// database to find out who it is.
type accounts struct {
	desk      *desk.Desk
	passwords *passwords

	mu      sync.RWMutex
	byEmail map[string]*account
	tokens  map[desk.TokenHash]*desk.Token
	version int64 // of usersCounter when they were read
}

func (a *accounts) get(email string) *account {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.byEmail[email]
}

// Secret returns what verifies the password of a user, nil when there is no
// such user or they may not sign in.
func (s *Service) Secret(email string) *digest.Secret {
	if a := s.accounts.get(email); a != nil && !a.user.Disabled.V {
		return a.secret
	}
	return nil
}

// Disabled reports whether there is a user who may not sign in any more.
func (s *Service) Disabled(email string) bool {
	a := s.accounts.get(email)
	return a != nil && a.user.Disabled.V
}

// User returns a user who has proved their password, and notes their login.
func (s *Service) User(ctx context.Context, email string) (*inventory.User, error) {
	a := s.accounts.get(email)
	if a == nil || a.user.Disabled.V {
		return nil, desk.Refuse(desk.NotFound, "there is no user %s", email)
	}
	now := s.desk.Now().UTC().Truncate(time.Second)
	s.accounts.noteLogin(ctx, a.user, now)
	s.accounts.noteAPIUse(ctx, a, now)
	return a.user, nil
}

// noteAPIUse renews the time of the last use of a user's API password as noteLogin does
// that of a login.
func (a *accounts) noteAPIUse(ctx context.Context, known *account, now time.Time) {
	if now.Sub(known.used) < desk.LoginEvery || !a.useSecret(known.user.Email, now) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, desk.LoginTime)
	defer cancel()
	err := a.desk.Store().Update(ctx, func(tx *store.Tx) error {
		return tx.UseCredentials(ctx, known.user.ID, now,
			now.Add(-desk.LoginEvery))
	})
	if err != nil {
		a.desk.Log().Warn("the use of an API password was not stored", "user", known.user.Email, "error", err)
	}
}

// useSecret renews the time of the last use of an API password in memory, and reports whether
// it was old.
func (a *accounts) useSecret(email string, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	known := a.byEmail[email]
	if known == nil || now.Sub(known.used) < desk.LoginEvery {
		return false
	}
	a.byEmail[email] = &account{known.user, known.secret, now}
	return true
}

// noteLogin renews the time of a user's last login, if it is old: first in
// memory, so that of many requests one stores it. A failure is no reason to
// refuse the request.
func (a *accounts) noteLogin(ctx context.Context, user *inventory.User, now time.Time) {
	now = now.UTC().Truncate(time.Second)
	if now.Sub(user.LastLogin) < desk.LoginEvery || !a.login(user.Email, now) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, desk.LoginTime)
	defer cancel()
	err := a.desk.Store().Update(ctx, func(tx *store.Tx) error {
		return tx.SetTime(ctx, inventory.Users.Schema, user.ID, inventory.Users.Field("last-login"), now)
	})
	if err != nil {
		a.desk.Log().Warn("the time of a login was not stored", "user", user.Email, "error", err)
	}
}

// login renews the time of a user's last login in memory, and reports whether
// it was old.
func (a *accounts) login(email string, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	known := a.byEmail[email]
	if known == nil || now.Sub(known.user.LastLogin) < desk.LoginEvery {
		return false
	}
	user := *known.user
	user.LastLogin = now
	a.byEmail[email] = &account{&user, known.secret, known.used}
	return true
}

// reload reads all users and their tokens.
func (a *accounts) reload(ctx context.Context) error {
	byEmail := map[string]*account{}
	var tokens map[desk.TokenHash]*desk.Token
	var version int64
	err := a.desk.Store().View(ctx, func(tx *store.Tx) (err error) {
		if version, err = tx.Counter(ctx, desk.UsersCounter); err != nil {
			return err
		}
		byID, err := a.secrets(ctx, tx)
		if err != nil {
			return err
		}
		users, err := desk.AllUsers(ctx, tx)
		for _, user := range users {
			byEmail[user.Email] = &account{user: user, secret: byID[user.ID]}
		}
		if err == nil {
			tokens, err = tokensOf(ctx, tx, users)
		}
		return err
	})
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if version >= a.version { // else a later state was read meanwhile
		a.byEmail, a.tokens, a.version = byEmail, tokens, version
	}
	return nil
}

// secrets reads the digest secrets by the id of their user.
func (a *accounts) secrets(ctx context.Context, tx *store.Tx) (map[int64]*digest.Secret, error) {
	secrets := map[int64]*digest.Secret{}
	err := tx.Credentials(ctx, func(c store.Credentials) error {
		if len(c.Digest) == 0 {
			return nil // they sign in with a second factor, and have no API password
		}
		secret, err := a.passwords.digestSecret(c)
		secrets[c.UserID] = secret
		return err
	})
	return secrets, err
}

// digestSecret returns the digest secret that credentials have.
func (p *passwords) digestSecret(c store.Credentials) (*digest.Secret, error) {
	plain, err := p.desk.Sealer().Open(c.Digest, sealedFor(c.UserID))
	if err != nil {
		return nil, fmt.Errorf("the password of user %d cannot be unsealed: %w", c.UserID, err)
	}
	secret := new(digest.Secret)
	return secret, secret.UnmarshalBinary(plain)
}

// sealedFor says to whom a sealed secret belongs.
func sealedFor(userID int64) string { return fmt.Sprintf("digest of user %d", userID) }

// catchUp reads the users again if there was a change.
func (a *accounts) catchUp(ctx context.Context) error {
	a.mu.RLock()
	known := a.version
	a.mu.RUnlock()
	if stale, err := desk.Stale(ctx, a.desk.Store(), desk.UsersCounter, known); err != nil || !stale {
		return err
	}
	return a.reload(ctx)
}
