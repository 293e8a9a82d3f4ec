package agents

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// FindComputer returns the computer that people call so, as ComputerCalled finds
// it, if the caller may see it.
func (s *Service) FindComputer(ctx context.Context, who desk.Caller, which string) (c *inventory.Computer, err error) {
	err = s.desk.Store().View(ctx, func(tx *store.Tx) error {
		id, err := s.ComputerCalled(ctx, tx, strings.TrimSpace(which))
		if err != nil {
			return err
		}
		rec, err := s.desk.LoadShown(ctx, tx, who.User, inventory.Computers.Schema, id)
		if err == nil {
			c = rec.(*inventory.Computer)
		}
		return err
	})
	return c, err
}

// ComputerCalled returns the computer that has an id or an asset id, or else the
// only one that has a name. A number that is the id of one and the asset id of
// another is refused.
func (s *Service) ComputerCalled(ctx context.Context, tx *store.Tx, which string) (int64, error) {
	if !desk.IsLine(which) {
		return 0, noComputer(which)
	}
	k := inventory.Computers.Schema
	named, err := tx.Taken(ctx, k, k.Field("asset-id"), which, 0)
	if err != nil {
		return 0, err
	}
	id, err := strconv.ParseInt(which, 10, 64)
	if err != nil && named == 0 {
		return findCalled(ctx, tx, which)
	}
	rows, err := tx.Rows(ctx, k, []int64{id})
	switch {
	case err != nil:
		return 0, err
	case len(rows) == 0 && named == 0:
		return 0, s.desk.NoSuch(ctx, tx, nil, k, id)
	case len(rows) == 0:
		return named, nil
	case named != 0 && named != id:
		return 0, desk.Refuse(desk.Conflict,
			"%s is the id of one computer, which has the asset id %s, and the asset id of another, which has the id %d: give that of the one that you mean",
			which, rows[0].(*inventory.Computer).AssetID, named)
	}
	return id, nil
}

// mostCalled is how many ids of computers that share a name a refusal lists.
const mostCalled = 10

// findCalled returns the only computer that has a name, in any case. Names are
// not unique, and what is merged stays so: it does not guess.
func findCalled(ctx context.Context, tx *store.Tx, name string) (int64, error) {
	k := inventory.Computers.Schema
	called := kind.Cond{Field: k.Field("name"), Any: []kind.Test{{Text: []string{name}}}}
	total, ids, err := tx.Find(ctx, k, &kind.Query{Page: 1, PerPage: mostCalled, Conds: []kind.Cond{called}})
	switch {
	case err != nil:
		return 0, err
	case total == 0:
		return 0, noComputer(name)
	case total == 1:
		return ids[0], nil
	}
	list := strings.Trim(strings.ReplaceAll(fmt.Sprint(ids), " ", ", "), "[]")
	if total > len(ids) {
		list += " and more"
	}
	return 0, desk.Refuse(desk.Conflict,
		"%d computers are called %q, those with the ids %s: give the id of the one that you mean", total, name, list)
}

func noComputer(which string) error {
	return desk.Refuse(desk.NotFound,
		"there is no computer with the id, asset id or name %q: GET /hardwares.xml?q=… finds ids by other words", which)
}
