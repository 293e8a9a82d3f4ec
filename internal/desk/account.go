package desk

import (
	"context"
	"fmt"
	"sync"
	"time"

	"muster/internal/digest"
	"muster/internal/inventory"
	"muster/internal/store"
)

// usersCounter counts the changes of users, credentials and tokens, so that
// other nodes notice them.
const usersCounter = "users"

// LoginEvery is how often the time of a user's last login is renewed, and
// loginTime how long that may take.
const (
	LoginEvery = time.Hour
	LoginTime  = time.Second
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
	mu      sync.RWMutex
	byEmail map[string]*account
	tokens  map[TokenHash]*Token
	version int64 // of usersCounter when they were read
}

func (a *accounts) get(email string) *account {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.byEmail[email]
}

// Secret returns what verifies the password of a user, nil when there is no
// such user or they may not sign in.
func (d *Desk) Secret(email string) *digest.Secret {
	if a := d.accounts.get(email); a != nil && !a.user.Disabled.V {
		return a.secret
	}
	return nil
}

// Disabled reports whether there is a user who may not sign in any more.
func (d *Desk) Disabled(email string) bool {
	a := d.accounts.get(email)
	return a != nil && a.user.Disabled.V
}

// User returns a user who has proved their password, and notes their login.
func (d *Desk) User(ctx context.Context, email string) (*inventory.User, error) {
	a := d.accounts.get(email)
	if a == nil || a.user.Disabled.V {
		return nil, Refuse(NotFound, "there is no user %s", email)
	}
	now := d.now().UTC().Truncate(time.Second)
	d.noteLogin(ctx, a.user, now)
	d.noteAPIUse(ctx, a, now)
	return a.user, nil
}

// noteAPIUse renews the time of the last use of a user's API password as noteLogin does
// that of a login.
func (d *Desk) noteAPIUse(ctx context.Context, a *account, now time.Time) {
	if now.Sub(a.used) < LoginEvery || !d.accounts.useSecret(a.user.Email, now) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, LoginTime)
	defer cancel()
	err := d.store.Update(ctx, func(tx *store.Tx) error { return tx.UseCredentials(ctx, a.user.ID, now, now.Add(-LoginEvery)) })
	if err != nil {
		d.log.Warn("the use of an API password was not stored", "user", a.user.Email, "error", err)
	}
}

// useSecret renews the time of the last use of an API password in memory, and reports whether
// it was old.
func (a *accounts) useSecret(email string, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	known := a.byEmail[email]
	if known == nil || now.Sub(known.used) < LoginEvery {
		return false
	}
	a.byEmail[email] = &account{known.user, known.secret, now}
	return true
}

// noteLogin renews the time of a user's last login, if it is old: first in
// memory, so that of many requests one stores it. A failure is no reason to
// refuse the request.
func (d *Desk) noteLogin(ctx context.Context, user *inventory.User, now time.Time) {
	now = now.UTC().Truncate(time.Second)
	if now.Sub(user.LastLogin) < LoginEvery || !d.accounts.login(user.Email, now) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, LoginTime)
	defer cancel()
	err := d.store.Update(ctx, func(tx *store.Tx) error {
		return tx.SetTime(ctx, inventory.Users.Schema, user.ID, inventory.Users.Field("last-login"), now)
	})
	if err != nil {
		d.log.Warn("the time of a login was not stored", "user", user.Email, "error", err)
	}
}

// login renews the time of a user's last login in memory, and reports whether
// it was old.
func (a *accounts) login(email string, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	known := a.byEmail[email]
	if known == nil || now.Sub(known.user.LastLogin) < LoginEvery {
		return false
	}
	user := *known.user
	user.LastLogin = now
	a.byEmail[email] = &account{&user, known.secret, known.used}
	return true
}

// reload reads all users and their tokens.
func (d *Desk) reload(ctx context.Context) error {
	byEmail := map[string]*account{}
	var tokens map[TokenHash]*Token
	var version int64
	err := d.store.View(ctx, func(tx *store.Tx) (err error) {
		if version, err = tx.Counter(ctx, usersCounter); err != nil {
			return err
		}
		byID, err := d.secrets(ctx, tx)
		if err != nil {
			return err
		}
		users, err := allUsers(ctx, tx)
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
	d.accounts.mu.Lock()
	defer d.accounts.mu.Unlock()
	if version >= d.accounts.version { // else a later state was read meanwhile
		d.accounts.byEmail, d.accounts.tokens, d.accounts.version = byEmail, tokens, version
	}
	return nil
}

// secrets reads the digest secrets by the id of their user.
func (d *Desk) secrets(ctx context.Context, tx *store.Tx) (map[int64]*digest.Secret, error) {
	secrets := map[int64]*digest.Secret{}
	err := tx.Credentials(ctx, func(c store.Credentials) error {
		if len(c.Digest) == 0 {
			return nil // they sign in with a second factor, and have no API password
		}
		secret, err := d.digestSecret(c)
		secrets[c.UserID] = secret
		return err
	})
	return secrets, err
}

// digestSecret returns the digest secret that credentials have.
func (d *Desk) digestSecret(c store.Credentials) (*digest.Secret, error) {
	plain, err := d.sealer.open(c.Digest, sealedFor(c.UserID))
	if err != nil {
		return nil, fmt.Errorf("the password of user %d cannot be unsealed: %w", c.UserID, err)
	}
	secret := new(digest.Secret)
	return secret, secret.UnmarshalBinary(plain)
}

// sealedFor says to whom a sealed secret belongs.
func sealedFor(userID int64) string { return fmt.Sprintf("digest of user %d", userID) }

// allUsers reads all users in the order of their ids.
func allUsers(ctx context.Context, tx *store.Tx) ([]*inventory.User, error) {
	ids, err := tx.IDs(ctx, inventory.Users.Schema)
	if err != nil {
		return nil, err
	}
	recs, err := tx.Rows(ctx, inventory.Users.Schema, ids)
	users := make([]*inventory.User, len(recs))
	for i, rec := range recs {
		users[i] = rec.(*inventory.User)
	}
	return users, err
}

// catchUp reads the users again if there was a change.
func (d *Desk) catchUp(ctx context.Context) error {
	d.accounts.mu.RLock()
	known := d.accounts.version
	d.accounts.mu.RUnlock()
	if stale, err := d.Stale(ctx, usersCounter, known); err != nil || !stale {
		return err
	}
	return d.reload(ctx)
}
