package store

import (
	"context"
	"time"

	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// A Session lets the browser that has its secret act as a user, until it ends.
type Session struct {
	ID, UserID int64
	Hash       []byte // of the secret
	Stay       bool   // for weeks, rather than for the day
	Due        bool   // only the password was checked so far
	CreatedAt  time.Time
	Expires    time.Time // when it ends in any case
	LastUsed   time.Time
	Agent      string // the browser's User-Agent
	Address    string // the address of the sign-in
	// LastAddress is the address of the last stored use, "" for none.
	LastAddress string
	// ConfirmedAt is when the user last confirmed their password in it, zero for never.
	ConfirmedAt time.Time
	// Printed reports, for a session that is looked up by its hash, that the user's password is the one that
	// the first start printed.
	Printed bool
}

const sessionColumns = "r.id, r.user_id, r.hash, r.stay, r.due, r.created_at, r.expires_at, r.last_used, r.agent, r.address, r.confirmed_at, r.last_address"

// isPrinted is selected after the columns of a session, of which there are sessionWidth.
const (
	isPrinted    = "(SELECT c.printed FROM credentials c WHERE c.user_id = r.user_id)"
	sessionWidth = 12
)

func scanSession(r sqldb.Row) Session {
	return Session{
		ID: r.Int(0), UserID: r.Int(1), Hash: r.Bytes(2, nil), Stay: r.Int(3) != 0, Due: r.Int(4) != 0,
		CreatedAt: mapping.TimeAt(r, 5), Expires: mapping.TimeAt(r, 6), LastUsed: mapping.TimeAt(r, 7),
		Agent: string(r.Bytes(8, nil)), Address: string(r.Bytes(9, nil)), ConfirmedAt: mapping.TimeAt(r, 10),
		LastAddress: string(r.Bytes(11, nil)),
	}
}

// Session returns the session with a hash, or ErrNotFound. It may have expired.
func (tx *Tx) Session(ctx context.Context, hash []byte) (s Session, err error) {
	err = tx.One(ctx, "SELECT "+sessionColumns+", "+isPrinted+" FROM sessions r WHERE r.hash = $1", []any{hash},
		func(r sqldb.Row) error {
			s = scanSession(r)
			s.Printed = r.Int(sessionWidth) != 0
			return nil
		})
	return s, err
}

// SessionShared returns ErrNotFound when there is no session with an id. Otherwise nobody can end it before the
// Update ends.
func (tx *Tx) SessionShared(ctx context.Context, id int64) error {
	return tx.One(ctx, "SELECT r.id FROM sessions r WHERE r.id = $1"+tx.Dialect().Share, []any{id},
		func(sqldb.Row) error { return nil })
}

// SessionsOf returns the sessions of a user, ordered by id. Some may have expired.
func (tx *Tx) SessionsOf(ctx context.Context, userID int64) (found []Session, err error) {
	sql := "SELECT " + sessionColumns + " FROM sessions r WHERE r.user_id = $1 ORDER BY r.id"
	err = tx.Query(ctx, sql, []any{userID}, func(r sqldb.Row) error {
		found = append(found, scanSession(r))
		return nil
	})
	return found, err
}

// AddSession stores a new session and sets its id. It also deletes some expired sessions: more than one, so
// that they do not pile up.
func (tx *Tx) AddSession(ctx context.Context, s *Session) error {
	err := tx.Exec(ctx, "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2"+
		tx.Dialect().Skip+")", s.CreatedAt.Unix(), int64(sweepSize))
	if err != nil {
		return err
	}
	return tx.One(ctx, `INSERT INTO sessions (user_id, hash, stay, due, created_at, expires_at, last_used, agent, address, confirmed_at, last_address)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id`,
		[]any{s.UserID, s.Hash, mapping.BoolArg(s.Stay), mapping.BoolArg(s.Due), s.CreatedAt.Unix(), s.Expires.Unix(),
			s.LastUsed.Unix(), s.Agent, s.Address, mapping.TimeArg(s.ConfirmedAt), mapping.TextArg(s.LastAddress)},
		func(r sqldb.Row) error {
			s.ID = r.Int(0)
			return nil
		})
}

// RemoveSession ends a session of a user, or returns ErrNotFound.
func (tx *Tx) RemoveSession(ctx context.Context, userID, id int64) error {
	return tx.One(ctx, "DELETE FROM sessions WHERE user_id = $1 AND id = $2 RETURNING id", []any{userID, id},
		func(sqldb.Row) error { return nil })
}

// RemoveSessionsOf ends all sessions of a user, except the one with the id besides.
func (tx *Tx) RemoveSessionsOf(ctx context.Context, userID, besides int64) error {
	return tx.Exec(ctx, "DELETE FROM sessions WHERE user_id = $1 AND id <> $2", userID, besides)
}

// UseSession stores that a session was used, and the address, unless a use since the given time is stored
// already, perhaps by another node.
func (tx *Tx) UseSession(ctx context.Context, id int64, address string, now, since time.Time) error {
	return tx.Exec(ctx, "UPDATE sessions SET last_used = $1, last_address = $2 WHERE id = $3 AND last_used <= $4",
		now.Unix(), mapping.TextArg(address), id, since.Unix())
}

// ConfirmSession stores that the user of a session has confirmed their password, or returns ErrNotFound.
func (tx *Tx) ConfirmSession(ctx context.Context, id int64, now time.Time) error {
	return tx.One(ctx, "UPDATE sessions SET confirmed_at = $1 WHERE id = $2 RETURNING id", []any{now.Unix(), id},
		func(sqldb.Row) error { return nil })
}
