package queue

import (
	"context"
	"errors"
	"io"

	"muster/internal/store"
	"muster/internal/store/sqldb"
)

// A Step is what a job has noted of one thing that it did, such as what a record was before.
type Step struct {
	Number   int64 // unique in the job
	Document []byte
}

// AddSteps stores steps of a job.
func AddSteps(ctx context.Context, tx *store.Tx, job int64, steps []Step) error {
	for _, s := range steps {
		err := tx.Exec(ctx, "INSERT INTO job_steps (job_id, number, document) VALUES ($1, $2, $3)", job, s.Number,
			string(s.Document))
		if err != nil {
			return err
		}
	}
	return nil
}

// Steps returns at most so many steps of a job with numbers above one, in their order.
func Steps(ctx context.Context, tx *store.Tx, job, above int64, most int) ([]Step, error) {
	return steps(ctx, tx, "SELECT number, document FROM job_steps WHERE job_id = $1 AND number > $2 ORDER BY number LIMIT $3",
		job, above, most)
}

// StepsBack returns at most so many steps of a job with numbers below one, the last first.
func StepsBack(ctx context.Context, tx *store.Tx, job, below int64, most int) ([]Step, error) {
	return steps(ctx, tx, "SELECT number, document FROM job_steps WHERE job_id = $1 AND number < $2 ORDER BY number DESC LIMIT $3",
		job, below, most)
}

func steps(ctx context.Context, tx *store.Tx, sql string, job, bound int64, most int) (found []Step, err error) {
	err = tx.Query(ctx, sql, []any{job, bound, int64(most)}, func(r sqldb.Row) error {
		found = append(found, Step{r.Int(0), r.Bytes(1, nil)})
		return nil
	})
	return found, err
}

// partSize is how much of a file is in one row.
const partSize = 256 << 10

// PutFile stores the file of a job that has none.
func PutFile(ctx context.Context, tx *store.Tx, job int64, content []byte) error {
	for number := int64(0); len(content) > 0; number++ {
		part := content[:min(len(content), partSize)]
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

// ClearFile removes the file of a job.
func ClearFile(ctx context.Context, tx *store.Tx, job int64) error {
	return tx.Exec(ctx, "DELETE FROM job_files WHERE job_id = $1", job)
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
