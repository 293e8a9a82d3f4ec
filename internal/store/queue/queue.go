// Package queue keeps jobs in the tables of a database: what is to be done later or for long, whatever becomes of the
// process that does it. A job is added in the transaction of the change that causes it, so that neither is without the
// other. What jobs do belongs in package desk/jobs and above.
package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"muster/internal/store"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// A State is how far a job is.
type State string

// States of jobs. The last three are ends.
const (
	// Draft is a job that waits for a person: nobody takes it before it is submitted.
	Draft   State = "draft"
	Waiting State = "waiting"
	Running State = "running"
	Done    State = "done"
	Failed  State = "failed"
	Stopped State = "stopped"
)

// Ended reports whether nothing more becomes of a job by itself.
func (s State) Ended() bool { return s == Done || s == Failed || s == Stopped }

// A Job is something to do.
type Job struct {
	ID      int64
	Handler string // what does it
	// Key is what no two jobs have at the same time, "" for none.
	Key string
	// Once says that the key stays taken after the job's end, until the job is removed.
	Once     bool
	State    State
	DueAt    time.Time // when it is to be begun; while it runs, when it is taken to be left alone
	Turn     int64     // counts who has taken it, so that one who has lost it changes nothing any more
	Tries    int64     // how often it was begun
	Node     string    // the process that has it, or had it last
	UserID   int64     // on whose behalf, 0 for nobody's
	Origin   string    // of its changes in the audit trail
	Payload  []byte    // what to do, as the handler reads it
	Note     []byte    // how far it is, as the handler writes it; nil at first
	Done     int64     // steps that are done
	Total    int64     // of so many, 0 where that is not known
	Fault    []byte    // why it failed, or is tried again; nil for nothing
	Stopping bool      // it is to be stopped
	Created  time.Time
	Started  time.Time // for the first time, zero before
	Ended    time.Time // zero before
}

const columns = "j.id, j.handler, j.key, j.once, j.state, j.due_at, j.turn, j.tries, j.node, j.user_id, j.origin, " +
	"j.payload, j.note, j.done, j.total, j.fault, j.stopping, j.created_at, j.started_at, j.ended_at"

// scan returns the job of a row that has its columns.
func scan(r sqldb.Row) Job {
	text := func(i int) string { return string(r.Bytes(i, nil)) }
	return Job{
		ID: r.Int(0), Handler: text(1), Key: text(2), Once: r.Int(3) != 0, State: State(text(4)),
		DueAt: mapping.TimeAt(r, 5), Turn: r.Int(6), Tries: r.Int(7), Node: text(8), UserID: r.Int(9), Origin: text(10),
		Payload: r.Bytes(11, nil), Note: r.Bytes(12, nil), Done: r.Int(13), Total: r.Int(14), Fault: r.Bytes(15, nil),
		Stopping: r.Int(16) != 0, Created: mapping.TimeAt(r, 17), Started: mapping.TimeAt(r, 18),
		Ended: mapping.TimeAt(r, 19),
	}
}

// ErrLost is returned for a job that another process has taken, or that was ended meanwhile.
var ErrLost = errors.New("another process has taken the job")

// Add stores a new job and sets its id. Where a job has its key already, that one's id is returned with false.
func Add(ctx context.Context, tx *store.Tx, j *Job) (added bool, err error) {
	j.State = Waiting
	err = tx.One(ctx, `INSERT INTO jobs (handler, key, once, busy, state, due_at, turn, tries, user_id, origin, payload, done, total,
		stopping, created_at) VALUES ($1, $2, $3, $2, $4, $5, 0, 0, $6, $7, $8, 0, $9, 0, $10)
		ON CONFLICT (busy) DO NOTHING RETURNING id`,
		[]any{j.Handler, mapping.TextArg(j.Key), mapping.BoolArg(j.Once), string(j.State), j.DueAt.Unix(), j.UserID, j.Origin,
			string(j.Payload), j.Total, j.Created.Unix()},
		func(r sqldb.Row) error {
			j.ID = r.Int(0)
			return nil
		})
	if !errors.Is(err, store.ErrNotFound) {
		return err == nil, err
	}
	err = tx.One(ctx, "SELECT id FROM jobs WHERE busy = $1", []any{j.Key}, func(r sqldb.Row) error {
		j.ID = r.Int(0)
		return nil
	})
	if errors.Is(err, store.ErrNotFound) {
		err = store.ErrAgain // it was there a moment ago
	}
	return false, err
}

// AddDraft stores a new job that waits for a person, and sets its id.
func AddDraft(ctx context.Context, tx *store.Tx, j *Job) error {
	j.State = Draft
	return tx.One(ctx, `INSERT INTO jobs (handler, once, state, turn, tries, user_id, origin, payload, done, total, stopping,
		created_at) VALUES ($1, 0, $2, 0, 0, $3, $4, $5, 0, $6, 0, $7) RETURNING id`,
		[]any{j.Handler, string(j.State), j.UserID, j.Origin, string(j.Payload), j.Total, j.Created.Unix()},
		func(r sqldb.Row) error {
			j.ID = r.Int(0)
			return nil
		})
}

// Submit lets a job that waits for a person, or has ended, be done as a payload says, under a key that no other has. It
// reports whether there was such a job.
func Submit(ctx context.Context, tx *store.Tx, id int64, payload []byte, key string, now time.Time) (found bool, err error) {
	err = tx.One(ctx, `UPDATE jobs SET state = 'waiting', payload = $1, due_at = $2, tries = 0, done = 0, stopping = 0, fault = NULL,
		note = NULL, ended_at = NULL, key = $3, busy = $3 WHERE id = $4 AND state IN ('draft', 'failed', 'stopped') RETURNING id`,
		[]any{string(payload), now.Unix(), mapping.TextArg(key), id}, func(sqldb.Row) error { return nil })
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Redraft lets a job that is not under way wait for a person, with a payload. It reports whether there was such a job.
func Redraft(ctx context.Context, tx *store.Tx, id int64, payload []byte) (found bool, err error) {
	err = tx.One(ctx, `UPDATE jobs SET state = 'draft', payload = $1, fault = NULL, ended_at = NULL
		WHERE id = $2 AND state IN ('draft', 'failed', 'stopped') RETURNING id`, []any{string(payload), id},
		func(sqldb.Row) error { return nil })
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Park stores that a confirmed job waits for a person again.
func Park(ctx context.Context, tx *store.Tx, j *Job) error {
	j.State = Draft
	return tx.Exec(ctx, "UPDATE jobs SET state = 'draft', due_at = NULL, fault = NULL, busy = NULL WHERE id = $1", j.ID)
}

// A Kept is a job and how many bytes its file has.
type Kept struct {
	ID    int64
	State State
	Bytes int64
}

// Files returns the jobs of a handler on behalf of a user, the oldest first.
func Files(ctx context.Context, tx *store.Tx, handler string, user int64) (found []Kept, err error) {
	err = tx.Query(ctx, `SELECT j.id, j.state, CAST(coalesce(sum(length(f.bytes)), 0) AS BIGINT) FROM jobs j
		LEFT JOIN job_files f ON f.job_id = j.id WHERE j.handler = $1 AND j.user_id = $2 GROUP BY j.id, j.state ORDER BY j.id`,
		[]any{handler, user}, func(r sqldb.Row) error {
			found = append(found, Kept{r.Int(0), State(r.Bytes(1, nil)), r.Int(2)})
			return nil
		})
	return found, err
}

// Look returns the job with an id, or store.ErrNotFound.
func Look(ctx context.Context, tx *store.Tx, id int64) (j Job, err error) {
	err = tx.One(ctx, "SELECT "+columns+" FROM jobs j WHERE j.id = $1", []any{id}, func(r sqldb.Row) error {
		j = scan(r)
		return nil
	})
	return j, err
}

// Due reports whether a job waits for being taken at a time.
func Due(ctx context.Context, tx *store.Tx, now time.Time) (due bool, err error) {
	err = tx.One(ctx, "SELECT id FROM jobs WHERE due_at <= $1 LIMIT 1", []any{now.Unix()}, func(sqldb.Row) error {
		due = true
		return nil
	})
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return due, err
}

// A Taker is a process that takes jobs.
type Taker struct {
	Node  string
	Held  []string // handlers whose jobs it leaves
	Lease time.Duration
}

// Take gives the job that has been due for longest to a process, for the time of its lease, or returns
// store.ErrNotFound. A job whose lease has ended is due: the process that had it has died, or has lost the database.
func Take(ctx context.Context, tx *store.Tx, t Taker, now time.Time) (Job, error) {
	sql, args := "SELECT "+columns+" FROM jobs j WHERE j.due_at <= $1", []any{now.Unix()}
	for _, handler := range t.Held {
		args = append(args, handler)
		sql += fmt.Sprintf(" AND j.handler <> $%d", len(args))
	}
	sql += " ORDER BY j.due_at, j.id LIMIT 1" + tx.Dialect().Skip
	var j Job
	err := tx.One(ctx, sql, args, func(r sqldb.Row) error {
		j = scan(r)
		return nil
	})
	if err != nil {
		return j, err
	}
	return j, j.begin(ctx, tx, t, now)
}

// TakeOne gives a job that is due to a process, or returns store.ErrNotFound: another has it.
func TakeOne(ctx context.Context, tx *store.Tx, id int64, t Taker, now time.Time) (j Job, err error) {
	sql := "SELECT " + columns + " FROM jobs j WHERE j.id = $1 AND j.due_at <= $2" + tx.Dialect().Skip
	err = tx.One(ctx, sql, []any{id, now.Unix()}, func(r sqldb.Row) error {
		j = scan(r)
		return nil
	})
	if err != nil {
		return j, err
	}
	return j, j.begin(ctx, tx, t, now)
}

// TakeNew gives a job that was added in the same transaction to a process.
func TakeNew(ctx context.Context, tx *store.Tx, j *Job, t Taker, now time.Time) error {
	return j.begin(ctx, tx, t, now)
}

// begin stores that a process has taken the job.
func (j *Job) begin(ctx context.Context, tx *store.Tx, t Taker, now time.Time) error {
	j.State, j.Node, j.DueAt, j.Turn, j.Tries = Running, t.Node, now.Add(t.Lease), j.Turn+1, j.Tries+1
	if j.Started.IsZero() {
		j.Started = now
	}
	return tx.Exec(ctx, `UPDATE jobs SET state = $1, node = $2, due_at = $3, turn = $4, tries = $5, started_at = $6
		WHERE id = $7`, string(j.State), j.Node, j.DueAt.Unix(), j.Turn, j.Tries, j.Started.Unix(), j.ID)
}

// Confirm makes sure, until the transaction ends, that the process still has a job, and gives it a lease until a time;
// else it returns ErrLost. Whatever a job changes is changed in a transaction that confirms it, so that a process that
// was taken for dead changes nothing. It returns whether the job is to be stopped.
func Confirm(ctx context.Context, tx *store.Tx, j *Job, until time.Time) (stopping bool, err error) {
	err = tx.One(ctx, "UPDATE jobs SET due_at = $1 WHERE id = $2 AND turn = $3 AND state = $4 RETURNING stopping",
		[]any{until.Unix(), j.ID, j.Turn, string(Running)}, func(r sqldb.Row) error {
			stopping = r.Int(0) != 0
			return nil
		})
	if errors.Is(err, store.ErrNotFound) {
		err = ErrLost
	}
	return stopping, err
}

// Note stores how far a job is, and as which of its tries this one counts.
func Note(ctx context.Context, tx *store.Tx, j *Job) error {
	return tx.Exec(ctx, "UPDATE jobs SET note = $1, done = $2, total = $3, tries = $4 WHERE id = $5",
		mapping.TextArg(string(j.Note)), j.Done, j.Total, j.Tries, j.ID)
}

// End stores that a confirmed job has ended, in a state and with a fault, nil for none.
func End(ctx context.Context, tx *store.Tx, j *Job, state State, fault []byte, now time.Time) error {
	j.State, j.Fault, j.Ended, j.DueAt = state, fault, now, time.Time{}
	return tx.Exec(ctx, `UPDATE jobs SET state = $1, fault = $2, ended_at = $3, due_at = NULL,
		busy = CASE once WHEN 1 THEN busy END WHERE id = $4`, string(state), mapping.TextArg(string(fault)), now.Unix(), j.ID)
}

// Later stores that a confirmed job is to be begun again at a time, and why.
func Later(ctx context.Context, tx *store.Tx, j *Job, due time.Time, fault []byte) error {
	return tx.Exec(ctx, "UPDATE jobs SET state = $1, due_at = $2, fault = $3 WHERE id = $4", string(Waiting), due.Unix(),
		mapping.TextArg(string(fault)), j.ID)
}

// Release stores that a confirmed job may be begun again at once, as if it had not been: its process ends.
func Release(ctx context.Context, tx *store.Tx, j *Job, now time.Time) error {
	return tx.Exec(ctx, "UPDATE jobs SET state = $1, due_at = $2, tries = tries - 1 WHERE id = $3", string(Waiting),
		now.Unix(), j.ID)
}

// Inherit ends the leases of a process that has died, or without its name those of all but the heir.
func Inherit(ctx context.Context, tx *store.Tx, dead, heir string, now time.Time) error {
	return tx.Exec(ctx, "UPDATE jobs SET due_at = $1 WHERE state = 'running' AND node <> $2 AND (node = $3 OR $3 = '')",
		now.Unix(), heir, dead)
}

// Stop ends a job that waits, and lets one that runs end soon. It reports whether there was anything to stop.
func Stop(ctx context.Context, tx *store.Tx, id int64, now time.Time) (found bool, err error) {
	for _, sql := range []string{
		`UPDATE jobs SET state = 'stopped', ended_at = $2, due_at = NULL, busy = CASE once WHEN 1 THEN busy END
			WHERE id = $1 AND state = 'waiting' RETURNING id`,
		"UPDATE jobs SET stopping = 1, due_at = CASE WHEN due_at < $2 THEN $2 ELSE due_at END WHERE id = $1 AND state = 'running' RETURNING id",
	} {
		err := tx.One(ctx, sql, []any{id, now.Unix()}, func(sqldb.Row) error { return nil })
		if err == nil || !errors.Is(err, store.ErrNotFound) {
			return err == nil, err
		}
	}
	return false, nil
}

// GiveUp stores that nobody is to try a job again that has failed. It reports whether there was such a job.
func GiveUp(ctx context.Context, tx *store.Tx, id int64) (found bool, err error) {
	err = tx.One(ctx, "UPDATE jobs SET state = 'stopped' WHERE id = $1 AND state = 'failed' RETURNING id", []any{id},
		func(sqldb.Row) error { return nil })
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Retry lets a job that failed or was stopped be done at once, from where it was, or one that waits for its next try. It
// reports whether there was such a job, whose key no other has by now.
func Retry(ctx context.Context, tx *store.Tx, id int64, now time.Time) (found bool, err error) {
	err = tx.One(ctx, `UPDATE jobs SET state = 'waiting', due_at = $1, tries = 0, stopping = 0, ended_at = NULL, busy = key
		WHERE id = $2 AND state IN ('failed', 'stopped', 'waiting')
		AND NOT EXISTS (SELECT 1 FROM jobs o WHERE o.busy = jobs.key AND o.id <> jobs.id) RETURNING id`, []any{now.Unix(), id},
		func(sqldb.Row) error { return nil })
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Hand stores on whose behalf a job is done from now on, 0 for nobody's.
func Hand(ctx context.Context, tx *store.Tx, id, user int64) error {
	return tx.Exec(ctx, "UPDATE jobs SET user_id = $1 WHERE id = $2", user, id)
}

// SetPayload stores what else a job is to do.
func SetPayload(ctx context.Context, tx *store.Tx, id int64, payload []byte) error {
	return tx.Exec(ctx, "UPDATE jobs SET payload = $1 WHERE id = $2", string(payload), id)
}

// Old returns the ids above one of some jobs that have ended before a time, and of drafts that were begun before it; of one
// handler, or of all.
func Old(ctx context.Context, tx *store.Tx, handler string, before time.Time, above int64, most int) (ids []int64, err error) {
	err = tx.Query(ctx, `SELECT id FROM jobs WHERE (ended_at < $1 OR state = 'draft' AND created_at < $1)
		AND (handler = $2 OR $2 = '') AND id > $3 ORDER BY id LIMIT $4`,
		[]any{before.Unix(), handler, above, int64(most)}, func(r sqldb.Row) error {
			ids = append(ids, r.Int(0))
			return nil
		})
	return ids, err
}

// Idle reports whether nothing is done or waits to be done of a job: it is a draft, or has failed or was stopped. It does
// not begin before the transaction ends.
func Idle(ctx context.Context, tx *store.Tx, id int64) (idle bool, err error) {
	err = tx.Query(ctx, "UPDATE jobs SET state = state WHERE id = $1 AND state IN ('draft', 'failed', 'stopped') RETURNING id",
		[]any{id}, func(sqldb.Row) error { idle = true; return nil })
	return idle, err
}

// Remove deletes a job. Its steps and its file are orphans then, which are removed in parts.
func Remove(ctx context.Context, tx *store.Tx, id int64) error {
	return tx.Exec(ctx, "DELETE FROM jobs WHERE id = $1", id)
}

// RemoveEnded is Remove of a job that is a draft or has ended; it leaves others.
func RemoveEnded(ctx context.Context, tx *store.Tx, id int64) error {
	return tx.Exec(ctx, "DELETE FROM jobs WHERE id = $1 AND (state = 'draft' OR ended_at IS NOT NULL)", id)
}

// Move stores another time for a job that waits for being begun the first time.
func Move(ctx context.Context, tx *store.Tx, id int64, due time.Time) error {
	return tx.Exec(ctx, "UPDATE jobs SET due_at = $1 WHERE id = $2 AND state = 'waiting' AND tries = 0 AND due_at <> $1", due.Unix(), id)
}

// Unplan removes the jobs of a handler that wait for a time to come.
func Unplan(ctx context.Context, tx *store.Tx, handler string) error {
	return tx.Exec(ctx, "DELETE FROM jobs WHERE handler = $1 AND state = 'waiting' AND once = 1 AND tries = 0", handler)
}

// With returns the job that has a key, or store.ErrNotFound.
func With(ctx context.Context, tx *store.Tx, key string) (j Job, err error) {
	err = tx.One(ctx, "SELECT "+columns+" FROM jobs j WHERE j.busy = $1", []any{key}, func(r sqldb.Row) error {
		j = scan(r)
		return nil
	})
	return j, err
}

// Has reports whether a job has a key.
func Has(ctx context.Context, tx *store.Tx, key string) (bool, error) {
	_, err := With(ctx, tx, key)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
