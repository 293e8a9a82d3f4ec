package store

import (
	"context"
	"time"

	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// A Token lets whoever has its secret act as a user. Its name is unique among the user's tokens, whatever the
// case.
type Token struct {
	ID, UserID int64
	Name       string
	Hash       []byte // of the secret
	ReadOnly   bool
	CreatedAt  time.Time
	Expires    time.Time // when it ends, zero for never
	LastUsed   time.Time // zero for never
	// LastAddress is the address of the last stored use, "" for none.
	LastAddress string
}

const tokenColumns = "r.id, r.user_id, r.name, r.hash, r.read_only, r.created_at, r.expires_at, r.last_used, r.last_address"

func scanToken(r sqldb.Row) Token {
	return Token{
		ID: r.Int(0), UserID: r.Int(1), Name: string(r.Bytes(2, nil)), Hash: r.Bytes(3, nil), ReadOnly: r.Int(4) != 0,
		CreatedAt: mapping.TimeAt(r, 5), Expires: mapping.TimeAt(r, 6), LastUsed: mapping.TimeAt(r, 7),
		LastAddress: string(r.Bytes(8, nil)),
	}
}

// Tokens calls each with every token, ordered by id.
func (tx *Tx) Tokens(ctx context.Context, each func(Token) error) error {
	return tx.Query(ctx, "SELECT "+tokenColumns+" FROM tokens r ORDER BY r.id", nil,
		func(r sqldb.Row) error { return each(scanToken(r)) })
}

// TokenShared returns a token, or ErrNotFound. Nobody can remove it before the Update ends.
func (tx *Tx) TokenShared(ctx context.Context, id int64) (t Token, err error) {
	sql := "SELECT " + tokenColumns + " FROM tokens r WHERE r.id = $1" + tx.Dialect().Share
	err = tx.One(ctx, sql, []any{id}, func(r sqldb.Row) error {
		t = scanToken(r)
		return nil
	})
	return t, err
}

// AddToken stores a new token and sets its id.
func (tx *Tx) AddToken(ctx context.Context, t *Token) error {
	return tx.One(ctx, `INSERT INTO tokens (user_id, name, name_folded, hash, read_only, created_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
		[]any{t.UserID, t.Name, mapping.Fold(t.Name), t.Hash, mapping.BoolArg(t.ReadOnly), t.CreatedAt.Unix(),
			mapping.TimeArg(t.Expires)}, func(r sqldb.Row) error {
			t.ID = r.Int(0)
			return nil
		})
}

// TokensNamed returns the tokens with a name, in any case.
func (tx *Tx) TokensNamed(ctx context.Context, name string) (found []Token, err error) {
	sql := "SELECT " + tokenColumns + " FROM tokens r WHERE r.name_folded = $1 ORDER BY r.id"
	err = tx.Query(ctx, sql, []any{mapping.Fold(name)}, func(r sqldb.Row) error {
		found = append(found, scanToken(r))
		return nil
	})
	return found, err
}

// TokensOf returns the tokens of a user, ordered by id.
func (tx *Tx) TokensOf(ctx context.Context, userID int64) (found []Token, err error) {
	sql := "SELECT " + tokenColumns + " FROM tokens r WHERE r.user_id = $1 ORDER BY r.id"
	err = tx.Query(ctx, sql, []any{userID}, func(r sqldb.Row) error {
		found = append(found, scanToken(r))
		return nil
	})
	return found, err
}

// RemoveToken removes a token.
func (tx *Tx) RemoveToken(ctx context.Context, id int64) error {
	return tx.Exec(ctx, "DELETE FROM tokens WHERE id = $1", id)
}

// RemoveTokensOf removes all tokens of a user, who is about to be deleted.
func (tx *Tx) RemoveTokensOf(ctx context.Context, userID int64) error {
	return tx.Exec(ctx, "DELETE FROM tokens WHERE user_id = $1", userID)
}

// UseToken stores that a token was used, and the address, unless a use since the given time is stored already,
// perhaps by another node.
func (tx *Tx) UseToken(ctx context.Context, id int64, address string, now, since time.Time) error {
	return tx.Exec(ctx, "UPDATE tokens SET last_used = $1, last_address = $2 WHERE id = $3 AND coalesce(last_used, 0) <= $4",
		now.Unix(), mapping.TextArg(address), id, since.Unix())
}
