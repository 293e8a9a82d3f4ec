package merge

import (
	"context"
	"errors"
	"slices"
	"strings"

	"muster/internal/desk"
	"muster/internal/desk/agents"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// perhapsTwo is how an audit record begins that says that a computer may be two.
const perhapsTwo = "Perhaps two computers: "

// A Joined is a computer that may be two.
type Joined struct {
	Computer *inventory.Computer
	Why      *inventory.Audit // the record that says so
}

// PerhapsTwo returns computers that may be two, those with the highest ids first and
// at most a hundred, unless somebody has said since that they are one.
func (s *Service) PerhapsTwo(ctx context.Context, who desk.Caller) (all []Joined, err error) {
	var ids []int64
	err = s.desk.Store().Read(ctx, func(tx *store.Tx) error {
		found, err := tx.Identified(ctx, []string{agents.JoinedKey})
		ids = found[agents.JoinedKey]
		return err
	})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	slices.Reverse(ids)
	ids = ids[:min(len(ids), maxDuplicateAudits)]
	why, err := s.whyPerhapsTwo(ctx, who, ids)
	if err != nil {
		return nil, err
	}
	reporting, err := s.agents.AgentsOf(ctx, who, ids)
	if err != nil {
		return nil, err
	}
	err = s.desk.Each(ctx, who, inventory.Computers.Schema, ids, func(recs []any) error {
		for _, rec := range recs {
			c := rec.(*inventory.Computer)
			if a := why[c.ID]; a != nil && len(reporting[c.ID]) > 1 { // with one agent it is not, or was split
				all = append(all, Joined{c, a})
			}
		}
		return nil
	})
	return all, err
}

// whyPerhapsTwo returns the latest record of each of some computers that says that it
// may be two. It reads the latest kind.ReadAtOnce of all these computers together: where
// they have more, PerhapsTwo leaves out those whose records are older.
func (s *Service) whyPerhapsTwo(ctx context.Context, who desk.Caller, ids []int64) (map[int64]*inventory.Audit, error) {
	of := kind.Cond{Field: inventory.Audits.Field("record-id")}
	for _, id := range ids {
		of.Any = append(of.Any, kind.Test{Range: true, Min: id, Max: id})
	}
	said, err := s.auditsWith(ctx, who, "perhaps two computers", 0, kind.ReadAtOnce, of)
	why := map[int64]*inventory.Audit{}
	for _, a := range said {
		if id := a.RecordID.V; why[id] == nil && strings.HasPrefix(formatOf(a), perhapsTwo) {
			why[id] = a
		}
	}
	return why, err
}

// IsOne notes of a computer that may be two that it is one. Administrators alone
// may do that.
func (s *Service) IsOne(ctx context.Context, who desk.Caller, computer int64) error {
	return s.desk.Store().Update(ctx, func(tx *store.Tx) error {
		if err := s.desk.Administers(ctx, tx, who, "a %s may not confirm that a computer is one"); err != nil {
			return err
		}
		c, err := store.Get(ctx, tx, inventory.Computers, computer)
		if errors.Is(err, store.ErrNotFound) {
			return desk.NoSuch(inventory.Computers.Schema, computer)
		}
		if err != nil {
			return err
		}
		if err := tx.SetIdentity(ctx, computer, []string{agents.JoinedKey}, nil); err != nil {
			return err
		}
		return s.desk.WriteAudit(ctx, tx, who, inventory.Computers.Schema, c,
			desk.NewAudit(inventory.Updated, message.New("Is one computer after all")))
	})
}
