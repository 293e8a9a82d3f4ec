package access

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"sync"
	"time"

	"muster/internal/desk"
	"muster/internal/store"
)

// Where people were let in: for how long that counts, how often it is stored, how many
// addresses of each are kept, and how many are remembered.
const (
	KnownAddressFor    = 30 * 24 * time.Hour
	noteAddressEvery   = 24 * time.Hour
	maxKnownAddresses  = 50
	maxCachedAddresses = 50_000
)

// Addresses know from where users were let in, and in which browsers.
type Addresses struct {
	access *Service
	noted  notedAddresses
}

// Addresses returns from where users were let in.
func (s *Service) Addresses() *Addresses { return &s.addresses }

// notedAddresses remember when users were last noted as let in from addresses.
type notedAddresses struct {
	mu sync.RWMutex
	at map[userAddress]time.Time
}

// A userAddress is a user at an address.
type userAddress struct {
	userID  int64
	address string
}

func (l *notedAddresses) get(key userAddress) time.Time {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.at[key]
}

// set remembers a time, and reports whether another had not done so just now.
func (l *notedAddresses) set(key userAddress, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.at[key]) < noteAddressEvery {
		return false
	}
	if l.at == nil || len(l.at) >= maxCachedAddresses {
		l.at = map[userAddress]time.Time{} // they are all stored
	}
	l.at[key] = now
	return true
}

// correct remembers what is stored instead, the zero time for nothing.
func (l *notedAddresses) correct(key userAddress, stored time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at[key] = stored
}

// Note notes that a user was let in from an address.
func (a *Addresses) Note(ctx context.Context, userID int64, address string) {
	key, now := userAddress{userID, address}, a.access.desk.Now()
	if now.Sub(a.noted.get(key)) < noteAddressEvery || !a.noted.set(key, now) {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), desk.LoginTime)
	defer cancel()
	err := a.access.desk.Store().Update(ctx, func(tx *store.Tx) error {
		last, err := tx.KnownAddress(ctx, userID, address)
		if err != nil {
			return err
		}
		if now.Sub(last) < noteAddressEvery { // another node has noted it
			a.noted.correct(key, last)
			return nil
		}
		return tx.AddKnownAddress(ctx, userID, address, now, maxKnownAddresses)
	})
	if err != nil {
		a.noted.correct(key, time.Time{})
		a.access.desk.Log().Warn("where a user was let in was not stored", "user-id", userID, "error", err)
	}
}

// Knows reports whether the user with an address for mail was let in from a network
// address lately. It reads the same for a name that nobody has, so that the time it
// takes does not reveal who is a user.
func (a *Addresses) Knows(ctx context.Context, email, address string) bool {
	var userID int64
	if known := a.access.accounts.get(email); known != nil {
		userID = known.user.ID
	}
	var at time.Time
	err := a.access.desk.Store().Read(ctx, func(tx *store.Tx) (err error) {
		at, err = tx.KnownAddress(ctx, userID, address)
		return err
	})
	if err != nil {
		a.access.desk.Log().Warn("where a user was let in is not known", "user", email, "error", err)
	}
	return at.After(a.access.desk.Now().Add(-KnownAddressFor))
}

// browserMark is what the mark of a browser is sealed as.
const browserMark = "browser of a user"

// BrowserMark returns a mark for a browser in which a user was let in: whoever has it
// may try passwords of that user though others have tried too many.
func (a *Addresses) BrowserMark(userID int64) string {
	plain := binary.BigEndian.AppendUint64(nil, uint64(userID))
	plain = binary.BigEndian.AppendUint64(plain, uint64(a.access.desk.Now().Unix()))
	return base64.RawURLEncoding.EncodeToString(a.access.desk.Sealer().Seal(plain, browserMark))
}

// IsBrowserMark reports whether a text is a mark for a user that still counts.
func (a *Addresses) IsBrowserMark(mark, email string) bool {
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(mark)
	if err != nil {
		return false
	}
	plain, err := a.access.desk.Sealer().Open(sealed, browserMark)
	known := a.access.accounts.get(email)
	if err != nil || len(plain) != 16 || known == nil {
		return false
	}
	at := time.Unix(int64(binary.BigEndian.Uint64(plain[8:])), 0)
	return int64(binary.BigEndian.Uint64(plain)) == known.user.ID && a.access.desk.Now().Sub(at) < KnownAddressFor
}
