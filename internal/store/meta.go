package store

import (
	"context"
	"fmt"
	"time"

	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// Meta returns a value that concerns the whole database, or ErrNotFound.
func (tx *Tx) Meta(ctx context.Context, name string) (value []byte, err error) {
	err = tx.One(ctx, "SELECT value FROM meta WHERE name = $1", []any{name}, func(r sqldb.Row) error {
		value = r.Bytes(0, nil)
		return nil
	})
	return value, err
}

// SetMeta sets a value that concerns the whole database.
func (tx *Tx) SetMeta(ctx context.Context, name string, value []byte) error {
	return tx.Exec(ctx, "INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value", name, value)
}

// Count increments a counter, which starts at 0, and returns its new value. On PostgreSQL transactions that
// increment the same one wait for each other.
func (tx *Tx) Count(ctx context.Context, name string) (value int64, err error) {
	err = tx.One(ctx, `INSERT INTO counters (name, value) VALUES ($1, 1)
		ON CONFLICT (name) DO UPDATE SET value = counters.value + 1 RETURNING value`, []any{name}, func(r sqldb.Row) error {
		value = r.Int(0)
		return nil
	})
	return value, err
}

// Counter returns the value of a counter.
func (tx *Tx) Counter(ctx context.Context, name string) (value int64, err error) {
	err = tx.Query(ctx, "SELECT value FROM counters WHERE name = $1", []any{name}, func(r sqldb.Row) error {
		value = r.Int(0)
		return nil
	})
	return value, err
}

// Credentials are a user's stored password hashes.
type Credentials struct {
	UserID int64
	Digest []byte // sealed digest hashes of the API password
	SignIn string // hash of the sign-in password
	API    APIPassword
	// Printed reports that the sign-in password is the one that the first start printed.
	Printed bool
	APIUsed time.Time // when the API password was last used, zero for never
}

// An APIPassword is the origin of a user's API password.
type APIPassword int64

// Origins of API passwords; an earlier version did not store them.
const (
	APIUnknown APIPassword = iota
	APISame                // it is the sign-in password
	APIMade                // it was made for the API
	APIOlder               // neither: an earlier version let people change the sign-in password alone
)

const credentialColumns = "c.user_id, c.digest, c.sign_in, coalesce(c.api, 0), coalesce(c.printed, 0), c.api_used"

func scanCredentials(r sqldb.Row) Credentials {
	return Credentials{r.Int(0), r.Bytes(1, nil), string(r.Bytes(2, nil)), APIPassword(r.Int(3)), r.Int(4) != 0,
		mapping.TimeAt(r, 5)}
}

// Credentials calls each with the credentials of every user.
func (tx *Tx) Credentials(ctx context.Context, each func(Credentials) error) error {
	return tx.Query(ctx, "SELECT "+credentialColumns+" FROM credentials c", nil,
		func(r sqldb.Row) error { return each(scanCredentials(r)) })
}

// CredentialsOf returns the credentials of a user, or ErrNotFound.
func (tx *Tx) CredentialsOf(ctx context.Context, userID int64) (Credentials, error) {
	return tx.credentials(ctx, "c.user_id = $1", userID)
}

// CredentialsNamed returns the credentials of the user with an address, in any case, or ErrNotFound. It makes
// one query, whether or not the user exists, so that the time does not reveal it.
func (tx *Tx) CredentialsNamed(ctx context.Context, email string) (Credentials, error) {
	return tx.credentials(ctx, "u.email_folded = $1", mapping.Fold(email))
}

// credentials returns the credentials that match a condition on one value.
func (tx *Tx) credentials(ctx context.Context, condition string, value any) (c Credentials, err error) {
	sql := "SELECT " + credentialColumns + " FROM " + mapping.PeopleTable +
		" u JOIN credentials c ON c.user_id = u.id WHERE " + condition
	err = tx.One(ctx, sql, []any{value}, func(r sqldb.Row) error {
		c = scanCredentials(r)
		return nil
	})
	return c, err
}

// SetCredentials stores the credentials of a user.
func (tx *Tx) SetCredentials(ctx context.Context, c Credentials) error {
	return tx.Exec(ctx, `INSERT INTO credentials (user_id, digest, sign_in, api, printed, api_used) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (user_id) DO UPDATE SET digest = excluded.digest, sign_in = excluded.sign_in, api = excluded.api, printed = excluded.printed, api_used = excluded.api_used`,
		c.UserID, c.Digest, c.SignIn, int64(c.API), mapping.BoolArg(c.Printed), mapping.TimeArg(c.APIUsed))
}

// UseCredentials stores that a user's API password was used, unless a use since a time is stored already.
func (tx *Tx) UseCredentials(ctx context.Context, userID int64, now, before time.Time) error {
	return tx.Exec(ctx, "UPDATE credentials SET api_used = $1 WHERE user_id = $2 AND (api_used IS NULL OR api_used < $3)", seconds(now).Unix(), userID, seconds(before).Unix())
}

// DeleteCredentials removes the credentials of a user.
func (tx *Tx) DeleteCredentials(ctx context.Context, userID int64) error {
	return tx.Exec(ctx, "DELETE FROM credentials WHERE user_id = $1", userID)
}

// People returns the ids of the users that match a person: the one with its id or e-mail address, or all with
// its name.
func (tx *Tx) People(ctx context.Context, p *kind.Person) (ids []int64, err error) {
	column, value := "name_folded", any(mapping.Fold(p.Name))
	switch {
	case p.ID != 0:
		column, value = "id", p.ID
	case p.Email != "":
		column, value = "email_folded", mapping.Fold(p.Email)
	}
	err = tx.Query(ctx, fmt.Sprintf("SELECT id FROM %s WHERE %s = $1 ORDER BY id LIMIT 3", mapping.PeopleTable,
		column), []any{value}, func(r sqldb.Row) error {
		ids = append(ids, r.Int(0))
		return nil
	})
	return ids, err
}

// IDs returns the ids of all records of a kind, sorted.
func (tx *Tx) IDs(ctx context.Context, k *kind.Schema) (ids []int64, err error) {
	err = tx.Query(ctx, "SELECT id FROM "+k.Path()+" ORDER BY id", nil, func(r sqldb.Row) error {
		ids = append(ids, r.Int(0))
		return nil
	})
	return ids, err
}

// Total returns the number of records of a kind.
func (tx *Tx) Total(ctx context.Context, k *kind.Schema) (n int64, err error) {
	err = tx.One(ctx, "SELECT count(*) FROM "+k.Path(), nil, func(r sqldb.Row) error {
		n = r.Int(0)
		return nil
	})
	return n, err
}

// Size returns the size of the database in bytes.
func (tx *Tx) Size(ctx context.Context) (bytes int64, err error) {
	err = tx.One(ctx, tx.Dialect().Size, nil, func(r sqldb.Row) error {
		bytes = r.Int(0)
		return nil
	})
	return bytes, err
}

// SetCounter sets a counter.
func (tx *Tx) SetCounter(ctx context.Context, name string, value int64) error {
	return tx.Exec(ctx, `INSERT INTO counters (name, value) VALUES ($1, $2)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
}
