package access

import (
	"context"
	"errors"
	"strconv"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// An access is a session or a token: what lets a person or a program in. Administrators
// see those of everybody, also administrators who may only read.

// List returns one page of the sessions that have not ended, or of the tokens, of
// all users. With no PerPage it returns all.
func (s *Service) List(
	ctx context.Context, who desk.Caller, k *kind.Schema, q *kind.Query,
) (page kind.Page, err error) {
	if !seesAccess(who) {
		return page, desk.Refuse(desk.Forbidden, "a %s may not see %s", message.Word(who.User.Role),
			message.Word(desk.RecordsOf(k)))
	}
	wanted := *q
	if q.ByID {
		wanted.PerPage++ // shows whether there is more
	}
	page.Position = kind.Position{Number: q.Page, PerPage: q.PerPage}
	err = s.desk.Store().View(ctx, func(tx *store.Tx) error {
		page.Records, page.Total, err = s.list(ctx, tx, k, &wanted)
		return err
	})
	if page.More = q.ByID && len(page.Records) > q.PerPage; page.More {
		page.Records = page.Records[:q.PerPage]
	}
	return page, err
}

// seesAccess reports whether a caller may see the sessions and tokens of others.
// Nobody is whoever gives commands.
func seesAccess(who desk.Caller) bool {
	return who.User == nil || who.User.Role == inventory.Administrator
}

// list reads sessions or tokens, and how many there are on all pages.
func (service *Service) list(
	ctx context.Context, tx *store.Tx, k *kind.Schema, q *kind.Query,
) (found []any, total int, err error) {
	if k == inventory.Tokens.Schema {
		tokens, total, err := tx.ListTokens(ctx, q)
		for _, t := range tokens {
			found = append(found, tokenRecord(t))
		}
		return found, total, err
	}
	now := service.desk.Now()
	sessions, total, err := tx.ListSessions(ctx, q, store.Alive{Now: now, Idle: now.Add(-sessionIdle)})
	for _, s := range sessions {
		found = append(found, sessionRecord(s))
	}
	return found, total, err
}

// recordHead returns the head of a record that never changes: its use is no change.
func recordHead(id int64, at time.Time) kind.Record {
	return kind.Record{ID: id, Version: 1, CreatedAt: at, UpdatedAt: at}
}

func sessionRecord(s store.OwnedSession) *inventory.Session {
	return &inventory.Session{
		Record: recordHead(s.ID, s.CreatedAt), User: s.User, Browser: s.Agent,
		Address: newSession(s.Session).UsedFrom(), SignedIn: s.Address,
		Stay: kind.Some(s.Stay), LastUsed: s.LastUsed, Expires: s.Expires,
	}
}

func tokenRecord(t store.OwnedToken) *inventory.Token {
	return &inventory.Token{
		Record: recordHead(t.ID, t.CreatedAt), User: t.User, Name: t.Name, ReadOnly: kind.Some(t.ReadOnly),
		Address: t.LastAddress, LastUsed: t.LastUsed, Expires: t.Expires,
	}
}

// Get returns a session that has not ended, or a token.
func (s *Service) Get(ctx context.Context, who desk.Caller, k *kind.Schema, id int64) (rec any, err error) {
	err = s.desk.Store().View(ctx, func(tx *store.Tx) error {
		rec, err = s.find(ctx, tx, who, k, id)
		return err
	})
	return rec, err
}

// find reads a session or token. For who may not see it there is none.
func (s *Service) find(ctx context.Context, tx *store.Tx, who desk.Caller, k *kind.Schema, id int64) (any, error) {
	if !seesAccess(who) {
		return nil, desk.NoSuch(k, id)
	}
	q := &kind.Query{Conds: []kind.Cond{{Field: k.Field("id"), Any: []kind.Test{desk.OnlyID(id)}}}}
	found, _, err := s.list(ctx, tx, k, q)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, desk.NoSuch(k, id)
	}
	return found[0], nil
}

// End ends a session or revokes a token, whosever it is, and returns what it was.
func (service *Service) End(ctx context.Context, who desk.Caller, t desk.Target) (rec any, err error) {
	if _, err := service.Get(ctx, who, t.Kind, t.ID); err != nil {
		return nil, service.desk.UnlessUsed(ctx, who, err)
	}
	err = service.desk.Updating(t.Kind)(ctx, func(tx *store.Tx) error {
		if err := endsAccess(ctx, service.desk, tx, &who, t.Kind); err != nil {
			return err
		}
		if rec, err = service.find(ctx, tx, who, t.Kind, t.ID); err != nil {
			return err
		}
		if err := t.Check(rec); err != nil {
			return err
		}
		if s, ok := rec.(*inventory.Session); ok {
			return service.endSession(ctx, tx, who, s)
		}
		return revoke(ctx, service.desk, tx, who, strconv.FormatInt(t.ID, 10))
	})
	return rec, err
}

// endsAccess refuses callers who may not end the sessions and tokens of others.
func endsAccess(ctx context.Context, d *desk.Desk, tx *store.Tx, who *desk.Caller, k *kind.Schema) error {
	if who.User == nil {
		return nil // a command
	}
	return d.LockRights(ctx, tx, who, desk.Deleting, k)
}

// endSession ends a session of a user, and notes who did.
func (service *Service) endSession(ctx context.Context, tx *store.Tx, who desk.Caller, s *inventory.Session) error {
	err := tx.RemoveSession(ctx, s.User.ID, s.ID)
	if errors.Is(err, store.ErrNotFound) {
		return desk.NoSuch(inventory.Sessions.Schema, s.ID)
	}
	if err != nil {
		return err
	}
	user, err := store.Get(ctx, tx, inventory.Users, s.User.ID)
	if err != nil {
		return err
	}
	return noteUser(ctx, service.desk, tx, who, user, message.New("Session from %s ended", s.Address))
}

// RevokeTokensOf ends all tokens of a user, and returns how many were good for
// something. Administrators alone may do that.
func (s *Service) RevokeTokensOf(ctx context.Context, who desk.Caller, email string) (revoked int64, err error) {
	err = s.desk.ChangeUsers(ctx, func(tx *store.Tx) error {
		if err := s.desk.Administers(ctx, tx, who, "a %s may not change user records"); err != nil {
			return err
		}
		user, err := desk.FindUser(ctx, tx, email)
		if err != nil {
			return err
		}
		revoked, err = revokeAll(ctx, s.desk, tx, who, user)
		return err
	})
	return revoked, err
}
