package store

import (
	"context"
	"strings"
	"time"

	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// An OwnedSession is a session with its user.
type OwnedSession struct {
	Session
	User kind.Person
}

// An OwnedToken is a token with its user.
type OwnedToken struct {
	Token
	User kind.Person
}

// Alive selects sessions that have not ended: those that expire after Now, and that stay signed in or were used
// after Idle.
type Alive struct{ Now, Idle time.Time }

// ListSessions returns one page of the sessions that have not ended, of users who may sign in, and the number
// on all pages. Without a PerPage it returns all.
func (tx *Tx) ListSessions(ctx context.Context, q *kind.Query,
	alive Alive) (found []OwnedSession, total int, err error) {
	w := tx.owned(q)
	w.Add("r.due = 0")
	w.Add("r.expires_at > " + w.Param(alive.Now.Unix()))
	w.Add("(r.stay <> 0 OR r.last_used > " + w.Param(alive.Idle.Unix()) + ")")
	total, err = tx.listOwned(ctx, w, q, "sessions", sessionColumns, func(user kind.Person, r sqldb.Row) {
		found = append(found, OwnedSession{scanSession(r), user})
	})
	return found, total, err
}

// ListTokens returns one page of the tokens, and the number on all pages. Without a PerPage it returns all.
func (tx *Tx) ListTokens(ctx context.Context, q *kind.Query) (found []OwnedToken, total int, err error) {
	total, err = tx.listOwned(ctx, tx.owned(q), q, "tokens", tokenColumns, func(user kind.Person, r sqldb.Row) {
		found = append(found, OwnedToken{scanToken(r), user})
	})
	return found, total, err
}

// owned returns the conditions of a query for sessions or tokens.
func (tx *Tx) owned(q *kind.Query) *mapping.Where {
	w := &mapping.Where{Dialect: tx.Dialect()}
	for i := range q.Conds {
		w.Add(w.Cond(&q.Conds[i]))
	}
	return w
}

// listOwned reads one page of a table whose rows belong to users. The users' columns follow the table's own.
func (tx *Tx) listOwned(ctx context.Context, w *mapping.Where, q *kind.Query, table, columns string,
	each func(kind.Person, sqldb.Row)) (total int, err error) {
	from := " FROM " + table + " r JOIN " + mapping.PeopleTable + " u ON u.id = r.user_id"
	err = tx.One(ctx, "SELECT count(*)"+from+w.Text(), w.Args, func(r sqldb.Row) error {
		total = int(r.Int(0))
		return nil
	})
	if err != nil {
		return 0, err
	}
	if q.ByID {
		w.Add("r.id > " + w.Param(q.After))
	}
	sql := "SELECT " + columns + ", u.id, u.email, u.name" + from + w.Text() + " ORDER BY " + w.Order(q)
	if q.PerPage > 0 {
		sql += " LIMIT " + w.Param(int64(q.PerPage)) + " OFFSET " + w.Param(int64(q.Page-1)*int64(q.PerPage))
	}
	user := strings.Count(columns, ",") + 1
	return total, tx.Query(ctx, sql, w.Args, func(r sqldb.Row) error {
		each(kind.Person{ID: r.Int(user), Email: string(r.Bytes(user+1, nil)), Name: string(r.Bytes(user+2, nil))}, r)
		return nil
	})
}
