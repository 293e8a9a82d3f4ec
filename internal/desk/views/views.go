// Package views keeps the lists that people have given a name, for themselves or for all who see the list's section.
package views

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// A View is a list that a user has given a name, for themselves or for all
// who see its section.
type View struct {
	ID      int64
	Section string
	Name    string
	Query   string // as in addresses
	Shared  bool
	Own     bool // the caller saved it, and may change it
	Removes bool // the caller may remove it
}

// Limits of saved views.
const (
	maxViewName  = 60
	maxViewQuery = 4000
	maxViews     = 30 // of one section that one user may save
)

// List returns the saved views of a section that the caller sees: their own
// first, then those that others share, each by name.
func List(ctx context.Context, d *desk.Desk, who desk.Caller, section string) (views []View, err error) {
	var stored []store.SavedView
	err = d.Store().Read(ctx, func(tx *store.Tx) error {
		stored, err = tx.SavedViews(ctx, who.User.ID, section)
		return err
	})
	for _, v := range stored {
		views = append(views, newView(v, who.User))
	}
	slices.SortStableFunc(views, func(a, b View) int {
		if a.Own != b.Own {
			if a.Own {
				return -1
			}
			return 1
		}
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return views, err
}

// newView returns a view as a user sees it.
func newView(v store.SavedView, user *inventory.User) View {
	own := v.UserID == user.ID
	return View{v.ID, v.Section, v.Name, v.Query, v.Shared, own, own ||
		v.Shared && user.Role == inventory.Administrator && !user.ReadOnly.V}
}

// Save stores a new view of the caller, or changes one of theirs that has an id.
func Save(ctx context.Context, d *desk.Desk, who desk.Caller, v View) (id int64, err error) {
	v.Name = strings.TrimSpace(v.Name)
	if err := v.check(who.User); err != nil {
		return 0, err
	}
	stored := store.SavedView{ID: v.ID, UserID: who.User.ID, Section: v.Section, Name: v.Name, Query: v.Query,
		Shared: v.Shared, CreatedAt: d.Now()}
	err = d.Store().Update(ctx, func(tx *store.Tx) error {
		if v.ID != 0 {
			if _, err := ownView(ctx, tx, who, v.ID, false); err != nil {
				return err
			}
			return tx.SetSavedView(ctx, stored)
		}
		all, err := tx.SavedViews(ctx, who.User.ID, v.Section)
		if err != nil {
			return err
		}
		if n := len(slices.DeleteFunc(all,
			func(one store.SavedView) bool { return one.UserID != who.User.ID })); n >= maxViews {
			return desk.Refuse(desk.Conflict, "you have saved %d views of this list: remove one first", n)
		}
		return tx.AddSavedView(ctx, &stored)
	})
	return stored.ID, err
}

// check returns what is wrong with a view.
func (v *View) check(user *inventory.User) error {
	var faults []message.Text
	switch {
	case v.Name == "":
		faults = append(faults, message.Says("can't be blank").Of("Name"))
	case utf8.RuneCountInString(v.Name) > maxViewName:
		faults = append(faults, message.Says("is too long (maximum is %d characters)", maxViewName).Of("Name"))
	case !desk.IsLine(v.Name):
		faults = append(faults, message.Says("must be text of one line in UTF-8").Of("Name"))
	}
	if len(v.Query) > maxViewQuery {
		faults = append(faults, message.New("Query is too long: use fewer filters"))
	}
	if faults != nil {
		return &kind.Invalid{Faults: faults}
	}
	if v.Shared && user.ReadOnly.V {
		return desk.Refuse(desk.Forbidden, "the user %s may only read, and so shares no views", user.Email)
	}
	return nil
}

// Remove removes a view of the caller, or as an administrator one that somebody
// shares.
func Remove(ctx context.Context, d *desk.Desk, who desk.Caller, id int64) error {
	return d.Store().Update(ctx, func(tx *store.Tx) error {
		if _, err := ownView(ctx, tx, who, id, true); err != nil {
			return err
		}
		return tx.RemoveSavedView(ctx, id)
	})
}

// ownView returns a view that the caller may change, or remove.
func ownView(ctx context.Context, tx *store.Tx, who desk.Caller, id int64, remove bool) (View, error) {
	stored, err := tx.SavedView(ctx, id)
	v := newView(stored, who.User)
	switch {
	case errors.Is(err, store.ErrNotFound) || err == nil && !v.Own && !v.Shared:
		return v, desk.Refuse(desk.NotFound, "there is no saved view with the id %d", id)
	case err != nil:
		return v, err
	case !v.Own && !(remove && v.Removes):
		return v, desk.Refuse(desk.Forbidden, "the view %s is somebody else's", v.Name)
	}
	return v, nil
}
