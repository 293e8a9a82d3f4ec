package desk

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"sync"
	"time"

	"muster/internal/store"
)

// Where people were let in: for how long that counts, how often it is stored, how many
// addresses of each are kept, and how many are remembered.
const (
	LetInCounts = 30 * 24 * time.Hour
	letInEvery  = 24 * time.Hour
	letInKept   = 50
	letInCached = 50_000
)

// letIns remember when users were last noted as let in from addresses.
type letIns struct {
	mu sync.RWMutex
	at map[letIn]time.Time
}

// A letIn is a user at an address.
type letIn struct {
	userID  int64
	address string
}

func (l *letIns) get(key letIn) time.Time {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.at[key]
}

// set remembers a time, and reports whether another had not done so just now.
func (l *letIns) set(key letIn, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.at[key]) < letInEvery {
		return false
	}
	if l.at == nil || len(l.at) >= letInCached {
		l.at = map[letIn]time.Time{} // they are all stored
	}
	l.at[key] = now
	return true
}

// correct remembers what is stored instead, the zero time for nothing.
func (l *letIns) correct(key letIn, stored time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at[key] = stored
}

// LetIn notes that a user was let in from an address.
func (d *Desk) LetIn(ctx context.Context, userID int64, address string) {
	key, now := letIn{userID, address}, d.now()
	if now.Sub(d.letIns.get(key)) < letInEvery || !d.letIns.set(key, now) {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), LoginTime)
	defer cancel()
	err := d.store.Update(ctx, func(tx *store.Tx) error {
		last, err := tx.LetIn(ctx, userID, address)
		if err != nil {
			return err
		}
		if now.Sub(last) < letInEvery { // another node has noted it
			d.letIns.correct(key, last)
			return nil
		}
		return tx.AddLetIn(ctx, userID, address, now, letInKept)
	})
	if err != nil {
		d.letIns.correct(key, time.Time{})
		d.log.Warn("where a user was let in was not stored", "user-id", userID, "error", err)
	}
}

// WasLetIn reports whether the user with an address for mail was let in from a network
// address lately. It reads the same for a name that nobody has, so that the time it
// takes does not tell who is a user.
func (d *Desk) WasLetIn(ctx context.Context, email, address string) bool {
	var userID int64
	if known := d.accounts.get(email); known != nil {
		userID = known.user.ID
	}
	var at time.Time
	err := d.store.Read(ctx, func(tx *store.Tx) (err error) {
		at, err = tx.LetIn(ctx, userID, address)
		return err
	})
	if err != nil {
		d.log.Warn("where a user was let in is not known", "user", email, "error", err)
	}
	return at.After(d.now().Add(-LetInCounts))
}

// browserMark is what the mark of a browser is sealed as.
const browserMark = "browser of a user"

// BrowserMark returns a mark for a browser in which a user was let in: whoever has it
// may try passwords of that user though others have tried too many.
func (d *Desk) BrowserMark(userID int64) string {
	plain := binary.BigEndian.AppendUint64(nil, uint64(userID))
	plain = binary.BigEndian.AppendUint64(plain, uint64(d.now().Unix()))
	return base64.RawURLEncoding.EncodeToString(d.sealer.seal(plain, browserMark))
}

// IsBrowserMark reports whether a text is a mark for a user that still counts.
func (d *Desk) IsBrowserMark(mark, email string) bool {
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(mark)
	if err != nil {
		return false
	}
	plain, err := d.sealer.open(sealed, browserMark)
	known := d.accounts.get(email)
	if err != nil || len(plain) != 16 || known == nil {
		return false
	}
	at := time.Unix(int64(binary.BigEndian.Uint64(plain[8:])), 0)
	return int64(binary.BigEndian.Uint64(plain)) == known.user.ID && d.now().Sub(at) < LetInCounts
}
