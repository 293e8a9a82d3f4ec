package store

import (
	"context"

	"muster/internal/store/sqldb"
)

// Settings calls each with the name and value of every setting that is set.
func (tx *Tx) Settings(ctx context.Context, each func(name, value string) error) error {
	return tx.Query(ctx, "SELECT name, value FROM settings ORDER BY name", nil, func(r sqldb.Row) error {
		return each(string(r.Bytes(0, nil)), string(r.Bytes(1, nil)))
	})
}

// SettingShared returns the value of a setting, or ErrNotFound when it was never set. Nobody can change it
// before the Update ends.
func (tx *Tx) SettingShared(ctx context.Context, name string) (value string, err error) {
	sql := "SELECT r.value FROM settings r WHERE r.name = $1" + tx.Dialect().Share
	err = tx.One(ctx, sql, []any{name}, func(r sqldb.Row) error {
		value = string(r.Bytes(0, nil))
		return nil
	})
	return value, err
}

// SetSetting sets a setting.
func (tx *Tx) SetSetting(ctx context.Context, name, value string) error {
	return tx.Exec(ctx, "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value", name, value)
}
