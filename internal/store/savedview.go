package store

import (
	"context"
	"time"

	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// A SavedView is a list that a user has saved under a name.
type SavedView struct {
	ID, UserID int64
	Section    string // of the web application that shows it
	Name       string
	Query      string // as in the address of the page
	Shared     bool   // everybody who may see the section sees it
	CreatedAt  time.Time
}

const savedViewColumns = "id, user_id, section, name, query, shared, created_at"

func scanSavedView(r sqldb.Row) SavedView {
	text := func(i int) string { return string(r.Bytes(i, nil)) }
	return SavedView{r.Int(0), r.Int(1), text(2), text(3), text(4), r.Int(5) != 0, mapping.TimeAt(r, 6)}
}

// SavedViews returns the views of a section that a user has saved or that others share, ordered by id.
func (tx *Tx) SavedViews(ctx context.Context, userID int64, section string) (found []SavedView, err error) {
	sql := "SELECT " + savedViewColumns +
		" FROM saved_views WHERE section = $1 AND (user_id = $2 OR shared = 1) ORDER BY id"
	err = tx.Query(ctx, sql, []any{section, userID}, func(r sqldb.Row) error {
		found = append(found, scanSavedView(r))
		return nil
	})
	return found, err
}

// SavedView returns the view with an id, or ErrNotFound.
func (tx *Tx) SavedView(ctx context.Context, id int64) (v SavedView, err error) {
	err = tx.One(ctx, "SELECT "+savedViewColumns+" FROM saved_views WHERE id = $1", []any{id}, func(r sqldb.Row) error {
		v = scanSavedView(r)
		return nil
	})
	return v, err
}

// AddSavedView stores a new view and sets its id.
func (tx *Tx) AddSavedView(ctx context.Context, v *SavedView) error {
	return tx.One(ctx, "INSERT INTO saved_views (user_id, section, name, query, shared, created_at) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
		[]any{v.UserID, v.Section, v.Name, v.Query, mapping.BoolArg(v.Shared), v.CreatedAt.Unix()},
		func(r sqldb.Row) error {
			v.ID = r.Int(0)
			return nil
		})
}

// SetSavedView changes the name, the query and the sharing of a view.
func (tx *Tx) SetSavedView(ctx context.Context, v SavedView) error {
	return tx.Exec(ctx, "UPDATE saved_views SET name = $1, query = $2, shared = $3 WHERE id = $4", v.Name, v.Query,
		mapping.BoolArg(v.Shared), v.ID)
}

// RemoveSavedView removes a view.
func (tx *Tx) RemoveSavedView(ctx context.Context, id int64) error {
	return tx.Exec(ctx, "DELETE FROM saved_views WHERE id = $1", id)
}

// RemoveSavedViewsOf removes the views of a user that are not shared.
func (tx *Tx) RemoveSavedViewsOf(ctx context.Context, userID int64) error {
	return tx.Exec(ctx, "DELETE FROM saved_views WHERE user_id = $1 AND shared = 0", userID)
}
