package queue

import (
	"context"
	"fmt"
	"time"

	"muster/internal/store"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// A Filter says which jobs to list: those that have ended, or those that have not. What else is zero limits nothing.
type Filter struct {
	Ended   bool
	State   State
	UserID  int64
	Handler string
	After   time.Time // that are due, or have ended, after it
	Before  time.Time // that are due, or have ended, at it or before
	Offset  int64
	Most    int64
	Oldest  bool // those that have waited longest first, rather than the newest
}

// at returns the column with the time of the jobs that the filter may find.
func (f Filter) at() string {
	if f.Ended {
		return "j.ended_at"
	}
	return "j.due_at"
}

// where returns the condition of the filter, and its arguments.
func (f Filter) where() (sql string, args []any) {
	sql = " WHERE " + f.at() + " IS NOT NULL"
	add := func(condition string, arg any) {
		args = append(args, arg)
		sql += fmt.Sprintf(" AND %s $%d", condition, len(args))
	}
	if f.State != "" {
		add("j.state =", string(f.State))
	}
	if f.UserID != 0 {
		add("j.user_id =", f.UserID)
	}
	if f.Handler != "" {
		add("j.handler =", f.Handler)
	}
	if !f.After.IsZero() {
		add(f.at()+" >", f.After.Unix())
	}
	if !f.Before.IsZero() {
		add(f.at()+" <=", f.Before.Unix())
	}
	return sql, args
}

// List returns jobs, the newest first unless the filter says otherwise.
func List(ctx context.Context, tx *store.Tx, f Filter) (found []Job, err error) {
	where, args := f.where()
	direction := "DESC"
	if f.Oldest {
		direction = "ASC"
	}
	args = append(args, f.Most, f.Offset)
	sql := fmt.Sprintf("SELECT %s FROM jobs j%s ORDER BY %s %s, j.id %[4]s LIMIT $%[5]d OFFSET $%[6]d", columns, where, f.at(),
		direction, len(args)-1, len(args))
	err = tx.Query(ctx, sql, args, func(r sqldb.Row) error {
		found = append(found, scan(r))
		return nil
	})
	return found, err
}

// Count returns how many jobs a filter finds.
func Count(ctx context.Context, tx *store.Tx, f Filter) (n int64, err error) {
	where, args := f.where()
	err = tx.One(ctx, "SELECT count(*) FROM jobs j"+where, args, func(r sqldb.Row) error {
		n = r.Int(0)
		return nil
	})
	return n, err
}

// A Number is how many jobs of a handler are in a state.
type Number struct {
	Handler string
	State   State
	Jobs    int64
}

// Numbers returns how many jobs wait, run or have failed, by handlers.
func Numbers(ctx context.Context, tx *store.Tx) (found []Number, err error) {
	err = tx.Query(ctx, `SELECT handler, state, count(*) FROM jobs WHERE state IN ('waiting', 'running', 'failed')
		GROUP BY handler, state ORDER BY handler, state`, nil,
		func(r sqldb.Row) error {
			found = append(found, Number{string(r.Bytes(0, nil)), State(r.Bytes(1, nil)), r.Int(2)})
			return nil
		})
	return found, err
}

// Late returns for how long the jobs have been due that no process has, by handlers: the one of each that waits longest.
func Late(ctx context.Context, tx *store.Tx, now time.Time) (map[string]time.Duration, error) {
	late := map[string]time.Duration{}
	err := tx.Query(ctx, "SELECT handler, min(due_at) FROM jobs WHERE due_at <= $1 GROUP BY handler",
		[]any{now.Unix()}, func(r sqldb.Row) error {
			late[string(r.Bytes(0, nil))] = now.Sub(mapping.TimeAt(r, 1))
			return nil
		})
	return late, err
}

// A Sum is what all unfinished jobs of a user come to.
type Sum struct {
	Running, Waiting int64
	Done, Total      int64 // steps of the running ones whose number is known
}

// SumOf returns what the unfinished jobs of a user come to.
func SumOf(ctx context.Context, tx *store.Tx, user int64) (s Sum, err error) {
	err = tx.Query(ctx, `SELECT state, count(*), CAST(sum(done) AS BIGINT), CAST(sum(total) AS BIGINT) FROM jobs
		WHERE user_id = $1 AND due_at IS NOT NULL GROUP BY state`, []any{user}, func(r sqldb.Row) error {
		if State(r.Bytes(0, nil)) == Running {
			s.Running, s.Done, s.Total = r.Int(1), r.Int(2), r.Int(3)
		} else {
			s.Waiting = r.Int(1)
		}
		return nil
	})
	return s, err
}
