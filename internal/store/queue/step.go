package queue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"muster/internal/store"
	"muster/internal/store/sqldb"
)

// A Step is what a job has noted of one thing that it does, such as what a record was before.
type Step struct {
	Number   int64 // unique in the job
	Mark     int64 // what became of it, as the handler counts
	Document []byte
}

// SetSteps stores steps of a job, also in the place of those that it has.
func SetSteps(ctx context.Context, tx *store.Tx, job int64, steps []Step) error {
	for _, s := range steps {
		err := tx.Exec(ctx, `INSERT INTO job_steps (job_id, number, mark, document) VALUES ($1, $2, $3, $4)
			ON CONFLICT (job_id, number) DO UPDATE SET mark = excluded.mark, document = excluded.document`,
			job, s.Number, s.Mark, string(s.Document))
		if err != nil {
			return err
		}
	}
	return nil
}

const stepsOf = "SELECT number, mark, document FROM job_steps WHERE job_id = $1"

// Steps returns at most so many steps of a job with numbers above one, in their order.
func Steps(ctx context.Context, tx *store.Tx, job, above int64, most int) ([]Step, error) {
	return steps(ctx, tx, stepsOf+" AND number > $2 ORDER BY number LIMIT $3", job, above, int64(most))
}

// StepsBack returns at most so many steps of a job with numbers below one, the last first.
func StepsBack(ctx context.Context, tx *store.Tx, job, below int64, most int) ([]Step, error) {
	return steps(ctx, tx, stepsOf+" AND number < $2 ORDER BY number DESC LIMIT $3", job, below, int64(most))
}

// Marked returns at most so many steps of a job with one of some marks, in their order, after some that are skipped.
func Marked(ctx context.Context, tx *store.Tx, job int64, marks []int64, skip, most int) ([]Step, error) {
	args, in := among(marks, job, int64(most), int64(skip))
	return steps(ctx, tx, stepsOf+in+" ORDER BY number LIMIT $2 OFFSET $3", args...)
}

// MarkedAbove is Marked of the steps with numbers above one.
func MarkedAbove(ctx context.Context, tx *store.Tx, job int64, marks []int64, above int64, most int) ([]Step, error) {
	args, in := among(marks, job, int64(most), above)
	return steps(ctx, tx, stepsOf+in+" AND number > $3 ORDER BY number LIMIT $2", args...)
}

// among returns the condition that a step has one of some marks, and its arguments after others.
func among(marks []int64, args ...any) ([]any, string) {
	sql := " AND mark IN (NULL"
	for _, mark := range marks {
		args = append(args, mark)
		sql += fmt.Sprintf(", $%d", len(args))
	}
	return args, sql + ")"
}

func steps(ctx context.Context, tx *store.Tx, sql string, args ...any) (found []Step, err error) {
	err = tx.Query(ctx, sql, args, func(r sqldb.Row) error {
		found = append(found, Step{r.Int(0), r.Int(1), r.Bytes(2, nil)})
		return nil
	})
	return found, err
}

// Marks returns how many steps of a job have each mark.
func Marks(ctx context.Context, tx *store.Tx, job int64) (map[int64]int, error) {
	found := map[int64]int{}
	err := tx.Query(ctx, "SELECT mark, count(*) FROM job_steps WHERE job_id = $1 GROUP BY mark", []any{job},
		func(r sqldb.Row) error {
			found[r.Int(0)] = int(r.Int(1))
			return nil
		})
	return found, err
}

// How much is removed in one transaction, so that none keeps others waiting for long.
const (
	clearSteps = 500
	clearParts = 32
)

// ClearSteps removes some steps of a job, and reports whether there are more.
func ClearSteps(ctx context.Context, tx *store.Tx, job int64) (more bool, err error) {
	return clearSome(ctx, tx, "job_steps", job, clearSteps)
}

// ClearFile removes some of the file of a job, and reports whether there is more.
func ClearFile(ctx context.Context, tx *store.Tx, job int64) (more bool, err error) {
	return clearSome(ctx, tx, "job_files", job, clearParts)
}

// clearSome removes the first rows of a job from a table.
func clearSome(ctx context.Context, tx *store.Tx, table string, job int64, most int) (more bool, err error) {
	below := int64(math.MaxInt64)
	err = tx.One(ctx, "SELECT number FROM "+table+" WHERE job_id = $1 ORDER BY number LIMIT 1 OFFSET $2",
		[]any{job, int64(most)}, func(r sqldb.Row) error {
			below, more = r.Int(0), true
			return nil
		})
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return false, err
	}
	return more, tx.Exec(ctx, "DELETE FROM "+table+" WHERE job_id = $1 AND number < $2", job, below)
}

// Orphan returns the least id above one of a job that was removed, and of which there are steps or a file; 0 for none.
func Orphan(ctx context.Context, tx *store.Tx, above int64) (id int64, err error) {
	for _, table := range []string{"job_steps", "job_files"} {
		err := tx.One(ctx, "SELECT min(job_id) FROM "+table+" t WHERE job_id > $1 AND NOT EXISTS (SELECT 1 FROM jobs WHERE id = t.job_id)",
			[]any{above}, func(r sqldb.Row) error {
				if !r.Null(0) && (id == 0 || r.Int(0) < id) {
					id = r.Int(0)
				}
				return nil
			})
		if err != nil {
			return 0, err
		}
	}
	return id, nil
}

// PartSize is how much of a file is in one row at most.
const PartSize = 256 << 10

// PutFile stores the file of a job that has none.
func PutFile(ctx context.Context, tx *store.Tx, job int64, content []byte) error {
	for number := int64(0); len(content) > 0; number++ {
		part := content[:min(len(content), PartSize)]
		content = content[len(part):]
		if err := PutPart(ctx, tx, job, number, part); err != nil {
			return err
		}
	}
	return nil
}

// PutPart stores the next part of the file of a job.
func PutPart(ctx context.Context, tx *store.Tx, job, number int64, part []byte) error {
	return tx.Exec(ctx, "INSERT INTO job_files (job_id, number, bytes) VALUES ($1, $2, $3)", job, number, part)
}

// File writes the file of a job. It returns store.ErrNotFound where there is none.
func File(ctx context.Context, s *store.Store, job int64, to io.Writer) error {
	for number := int64(0); ; number++ {
		var part []byte
		err := s.Read(ctx, func(tx *store.Tx) error {
			return tx.One(ctx, "SELECT bytes FROM job_files WHERE job_id = $1 AND number = $2", []any{job, number},
				func(r sqldb.Row) error {
					part = r.Bytes(0, nil)
					return nil
				})
		})
		if errors.Is(err, store.ErrNotFound) && number > 0 {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := to.Write(part); err != nil {
			return err
		}
	}
}
