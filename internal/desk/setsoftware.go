package desk

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"muster/internal/inventory"
	"muster/internal/store"
)

// SetSoftware makes software all that a computer has installed, on behalf of a
// program that knows: what is new there is added, and made first if there is no
// such software; what is missing is removed; what the computer has already stays
// as it is. One audit record of the computer tells it, none if nothing changed.
func (d *Desk) SetSoftware(ctx context.Context, who Caller, computer int64, softwares []inventory.Software) error {
	return d.store.Update(ctx, func(tx *store.Tx) error {
		w := &work{Desk: d, tx: tx, who: who, kind: inventory.Softwares.Schema}
		wanted, err := w.knownSoftware(ctx, softwares)
		if err != nil {
			return err
		}
		c, err := w.holdComputer(ctx, computer)
		if err != nil {
			return err
		}
		have, err := tx.Installations(ctx, []int64{computer}, nil)
		if err != nil {
			return err
		}
		removed, err := w.missing(ctx, have, wanted)
		if err != nil {
			return err
		}
		return w.changeSoftware(ctx, c, removed, wanted.without(have))
	})
}

// A programList is software by its id, in the order in which it was told.
type programList struct {
	byID map[int64]*inventory.Software
	all  []*inventory.Software
}

// without returns the software that is not among installations.
func (l *programList) without(have []store.Installation) []*inventory.Software {
	for _, i := range have {
		delete(l.byID, i.SoftwareID)
	}
	return slices.DeleteFunc(l.all, func(s *inventory.Software) bool { return l.byID[s.ID] == nil })
}

// missing returns the software of installations that is not in a list.
func (w *work) missing(ctx context.Context, have []store.Installation, wanted *programList) (removed []*inventory.Software, err error) {
	var ids []int64
	for _, i := range have {
		if wanted.byID[i.SoftwareID] == nil {
			ids = append(ids, i.SoftwareID)
		}
	}
	recs, err := w.tx.Rows(ctx, w.kind, ids)
	for _, rec := range recs {
		removed = append(removed, rec.(*inventory.Software))
	}
	return removed, err
}

// knownSoftware returns software with its ids, each once, and makes what there
// is none of yet. That is made in one order by everybody, so that two who make
// the same do not wait for each other.
func (w *work) knownSoftware(ctx context.Context, softwares []inventory.Software) (*programList, error) {
	sorted := slices.Clone(softwares)
	slices.SortFunc(sorted, func(a, b inventory.Software) int {
		return cmp.Or(inOrder(a.Name, b.Name), inOrder(a.Version, b.Version), inOrder(a.Manufacturer, b.Manufacturer))
	})
	recs := make([]any, len(sorted))
	for i := range sorted {
		recs[i] = &sorted[i]
	}
	if err := w.tx.FindTogether(ctx, w.kind, recs); err != nil {
		return nil, err
	}
	list := &programList{byID: map[int64]*inventory.Software{}}
	for i := range sorted {
		s := &sorted[i]
		if s.ID == 0 {
			if err := w.makeSoftware(ctx, s); err != nil {
				return nil, err
			}
		}
		if list.byID[s.ID] == nil {
			list.byID[s.ID], list.all = s, append(list.all, s)
		}
	}
	return list, nil
}

// inOrder compares texts without regard to case, which is no difference.
func inOrder(a, b string) int { return cmp.Compare(strings.ToLower(a), strings.ToLower(b)) }

// makeSoftware stores software, unless the list itself had it before in other
// case.
func (w *work) makeSoftware(ctx context.Context, s *inventory.Software) error {
	id, err := w.tx.TakenTogether(ctx, w.kind, s)
	if s.ID = id; id != 0 || err != nil {
		return err
	}
	made := &work{Desk: w.Desk, tx: w.tx, who: w.who, kind: w.kind, rec: s}
	if err := made.check(ctx, w.kind.Check); err != nil {
		return err
	}
	if id, err = w.orTaken(ctx, s, made.insert(ctx)); id != 0 {
		s.ID = id
	}
	return err
}
