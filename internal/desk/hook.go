package desk

import (
	"context"
	"errors"
	"sync"

	"muster/internal/inventory"
	"muster/internal/message"
	"muster/internal/store"
)

// Hooks are what packages above the desk do when something happens in it.
type Hooks struct {
	mu      sync.RWMutex
	catchUp []func(context.Context) error
	setting []func(*Setting)
	users   []func(context.Context) error

	passwords *Passwords // nil when nobody keeps them
}

// Hooks returns what packages above the desk have it call.
func (d *Desk) Hooks() *Hooks { return &d.hooks }

// Passwords are how a package above the desk keeps the passwords that records of users bring.
type Passwords struct {
	// Faults returns what is wrong with a new password of a user, or with the way it came.
	Faults func(who Caller, user *inventory.User, password string) []message.Text
	// Store stores what verifies the new password that a user has, in the transaction of the change.
	Store func(ctx context.Context, tx *store.Tx, who Caller, user *inventory.User) error
}

// KeepPasswords lets p keep the passwords of users. Until then a user with a password is refused.
func (h *Hooks) KeepPasswords(p Passwords) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.passwords = &p
}

// keeper returns who keeps passwords.
func (h *Hooks) keeper() (*Passwords, error) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.passwords == nil {
		return nil, errors.New("nobody keeps passwords here")
	}
	return h.passwords, nil
}

// OnCatchUp lets f read again what it has in memory, whenever the desk looks for what others have changed.
func (h *Hooks) OnCatchUp(f func(context.Context) error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.catchUp = append(h.catchUp, f)
}

// OnSetting calls f after a setting was changed by this desk.
func (h *Hooks) OnSetting(f func(*Setting)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.setting = append(h.setting, f)
}

// OnUsers lets f read users again, after this desk has changed some of them, or how they come in.
func (h *Hooks) OnUsers(f func(context.Context) error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.users = append(h.users, f)
}

// usersChanged lets packages above the desk read users again.
func (h *Hooks) usersChanged(ctx context.Context) (err error) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, f := range h.users {
		err = errors.Join(err, f(ctx))
	}
	return err
}

// catchUpAll lets packages above the desk catch up.
func (h *Hooks) catchUpAll(ctx context.Context) (err error) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, f := range h.catchUp {
		err = errors.Join(err, f(ctx))
	}
	return err
}

// settingChanged notifies packages above the desk.
func (h *Hooks) settingChanged(s *Setting) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, f := range h.setting {
		f(s)
	}
}
