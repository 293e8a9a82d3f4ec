package store

import (
	"context"

	"muster/internal/store/sqldb"
)

// What is counted per day: new software names and new printers, by computers and by agent tokens, and bytes of
// changes.
const (
	NamesOfComputer    = "computer"
	NamesOfToken       = "token"
	PrintersOfComputer = "computer printers"
	PrintersOfToken    = "token printers"
	ChangesOfComputer  = "computer changes"
)

// NewNames returns how many were new on a day for a computer or an agent token. Nobody else can change that
// before the transaction ends.
func (tx *Tx) NewNames(ctx context.Context, day int64, owner string, id int64) (n int64, err error) {
	err = tx.One(ctx, `INSERT INTO new_names (owner, id, day, names) VALUES ($1, $2, $3, 0)
		ON CONFLICT (owner, id, day) DO UPDATE SET names = new_names.names RETURNING names`, []any{owner, id, day}, func(r sqldb.Row) error {
		n = r.Int(0)
		return nil
	})
	return n, err
}

// AddNewNames counts further ones, and deletes the days before.
func (tx *Tx) AddNewNames(ctx context.Context, day int64, owner string, id, n int64) error {
	err := tx.Exec(ctx, "DELETE FROM new_names WHERE owner = $1 AND id = $2 AND day < $3", owner, id, day)
	if err != nil {
		return err
	}
	return tx.Exec(ctx, `INSERT INTO new_names (owner, id, day, names) VALUES ($1, $2, $3, $4)
		ON CONFLICT (owner, id, day) DO UPDATE SET names = new_names.names + excluded.names`, owner, id, day, n)
}

// ComputersOfToken returns how many computers that were first seen before a day agents report with a token, up
// to most.
func (tx *Tx) ComputersOfToken(ctx context.Context, token, day, most int64) (n int64, err error) {
	const sql = `SELECT count(*) FROM (
		SELECT hardware_id FROM (SELECT DISTINCT hardware_id FROM agents WHERE last_token = $1 AND created_at < $2 LIMIT $3) AS known
		UNION SELECT hardware_id FROM agents WHERE last_token IS NULL AND token_id = $1 AND created_at < $2) AS found`
	err = tx.One(ctx, sql, []any{token, day, most}, func(r sqldb.Row) error {
		n = min(r.Int(0), most)
		return nil
	})
	return n, err
}
