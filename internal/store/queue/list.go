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

// RunningOf returns how many jobs of each handler a process has at a time.
func RunningOf(ctx context.Context, tx *store.Tx, now time.Time) (map[string]int, error) {
	found := map[string]int{}
	err := tx.Query(ctx, "SELECT handler, count(*) FROM jobs WHERE state = 'running' AND due_at > $1 GROUP BY handler",
		[]any{now.Unix()}, func(r sqldb.Row) error {
			found[string(r.Bytes(0, nil))] = int(r.Int(1))
			return nil
		})
	return found, err
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

// A Part is the jobs of one sort, as people look at them.
type Part string

// Parts of all jobs.
const (
	Current  Part = "current"  // that run, or are due
	Planned  Part = "planned"  // that wait for their time
	Troubled Part = "troubled" // that have failed, or wait for their next try
	Over     Part = "over"     // that are done or were stopped
)

// parts are the conditions of the parts and their orders; $1 is the time.
var parts = map[Part]struct{ where, order string }{
	Current:  {"(j.state = 'running' OR j.state = 'waiting' AND j.due_at <= $1)", "j.state, j.due_at, j.id"},
	Planned:  {"j.state = 'waiting' AND j.due_at > $1 AND j.tries = 0", "j.due_at, j.id"},
	Troubled: {"(j.state = 'failed' OR j.state = 'waiting' AND j.due_at > $1 AND j.tries > 0)", "j.id DESC"},
	Over:     {"j.state IN ('done', 'stopped') AND $1 > 0", "j.ended_at DESC, j.id DESC"},
}

// Whose says for whom jobs are done.
type Whose int64

// Whose jobs there are, besides those of the user with an id.
const (
	Anybodys Whose = 0
	Peoples  Whose = -1
	Nobodys  Whose = -2 // which happen by themselves
)

// where returns the condition of those whose jobs are meant, and its arguments after the first one.
func (w Whose) where(args ...any) (string, []any) {
	switch w {
	case Anybodys:
		return "", args
	case Peoples:
		return " AND j.user_id > 0", args
	case Nobodys:
		return " AND j.user_id = 0", args
	}
	return " AND j.user_id = $2", append(args, int64(w))
}

// ListPart returns a page of a part.
func ListPart(ctx context.Context, tx *store.Tx, p Part, whose Whose, now time.Time, offset, most int) (found []Job, err error) {
	of, args := whose.where(now.Unix())
	args = append(args, int64(most), int64(offset))
	sql := fmt.Sprintf("SELECT %s FROM jobs j WHERE %s%s ORDER BY %s LIMIT $%d OFFSET $%d", columns, parts[p].where, of,
		parts[p].order, len(args)-1, len(args))
	err = tx.Query(ctx, sql, args, func(r sqldb.Row) error {
		found = append(found, scan(r))
		return nil
	})
	return found, err
}

// CountPart returns how many jobs a part has.
func CountPart(ctx context.Context, tx *store.Tx, p Part, whose Whose, now time.Time) (n int, err error) {
	of, args := whose.where(now.Unix())
	err = tx.One(ctx, "SELECT count(*) FROM jobs j WHERE "+parts[p].where+of, args, func(r sqldb.Row) error {
		n = int(r.Int(0))
		return nil
	})
	return n, err
}

// Last returns the job of each handler that has ended last, by handlers.
func Last(ctx context.Context, tx *store.Tx, handlers []string) (map[string]Job, error) {
	args, in := []any{}, "NULL"
	for _, name := range handlers {
		args = append(args, name)
		in += fmt.Sprintf(", $%d", len(args))
	}
	last := map[string]Job{}
	err := tx.Query(ctx, "SELECT "+columns+" FROM jobs j WHERE j.id IN (SELECT max(id) FROM jobs WHERE handler IN ("+in+
		") AND ended_at IS NOT NULL GROUP BY handler)", args, func(r sqldb.Row) error {
		j := scan(r)
		last[j.Handler] = j
		return nil
	})
	return last, err
}

// A Sum is what all unfinished jobs of a user come to.
type Sum struct {
	Running, Waiting int64
	Done, Total      int64 // steps of the running ones whose number is known
}

// SumOf returns what the jobs of a user come to that run or are due, and the value of a name in the table meta, in one
// query: each page asks for it.
func SumOf(ctx context.Context, tx *store.Tx, user int64, now time.Time, meta string) (s Sum, value []byte, err error) {
	err = tx.One(ctx, `SELECT count(CASE state WHEN 'running' THEN 1 END), count(CASE state WHEN 'waiting' THEN 1 END),
		CAST(coalesce(sum(CASE WHEN state = 'running' AND total > 0 THEN done END), 0) AS BIGINT),
		CAST(coalesce(sum(CASE state WHEN 'running' THEN total END), 0) AS BIGINT), (SELECT value FROM meta WHERE name = $3)
		FROM jobs WHERE user_id = $1 AND due_at IS NOT NULL AND (state = 'running' OR due_at <= $2)`,
		[]any{user, now.Unix(), meta}, func(r sqldb.Row) error {
			s = Sum{Running: r.Int(0), Waiting: r.Int(1), Done: r.Int(2), Total: r.Int(3)}
			value = r.Bytes(4, nil)
			return nil
		})
	return s, value, err
}
