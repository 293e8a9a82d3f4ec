package desk

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
	"muster/internal/store/installs"
)

// SetSoftware makes software all that a computer has installed, on behalf of a
// program that knows: what is new there is added, and made first if there is no
// such software; what is missing is removed; what the computer has already stays
// as it is. One audit record of the computer says it, none if nothing changed.
func (d *Desk) SetSoftware(ctx context.Context, who Caller, computer int64, softwares []inventory.Software) error {
	return d.store.Update(ctx, func(tx *store.Tx) error {
		w := &Work{Desk: d, Tx: tx, Who: who, Kind: inventory.Softwares.Schema}
		wanted, err := w.KnownSoftware(ctx, slices.Clone(softwares), nil)
		if err != nil {
			return err
		}
		c, err := w.lockComputer(ctx, computer)
		if err != nil {
			return err
		}
		if err := w.Tx.ForgetSums(ctx, computer, 0); err != nil { // so that agents report anew what they have
			return err
		}
		m, err := w.MoveTowards(ctx, computer, wanted, false)
		if err != nil {
			return err
		}
		return w.changeSoftware(ctx, c, m)
	})
}

// MoveTowards returns the move after which a computer that is locked has the wanted
// software. When an agent reports it, what a person has added stays.
func (w *Work) MoveTowards(ctx context.Context, computer int64, wanted *ProgramList,
	reported bool) (m Move, err error) {
	m.Reported = reported
	if wanted.Since != nil && len(wanted.Since) == 0 {
		return m, nil
	}
	have, err := installs.Of(ctx, w.Tx, []int64{computer}, wanted.Since)
	if err != nil {
		return m, err
	}
	had := map[int64]installs.Installation{}
	var gone []installs.Installation
	for _, i := range have {
		had[i.SoftwareID] = i
		if wanted.ByID[i.SoftwareID] == nil && (!reported || i.Reported) {
			gone = append(gone, i)
		}
	}
	if m.removed, err = w.SoftwareOf(ctx, gone); err != nil {
		return m, err
	}
	for _, s := range wanted.All {
		i, has := had[s.ID]
		switch is := m.installation(&inventory.Computer{Record: kind.Record{ID: computer}}, s); {
		case !has:
			m.Added = append(m.Added, s)
		case reported && (!i.Date.Equal(is.Date) || i.Path != is.Path):
			was := *s
			was.InstallDate, was.InstallPath = i.Date, i.Path
			m.Renewed = append(m.Renewed, Renewal{&was, s})
		case reported && !i.Reported:
			m.Claimed = append(m.Claimed, is)
		}
	}
	return m, nil
}

// SoftwareOf returns the software of installations, as they are.
func (w *Work) SoftwareOf(ctx context.Context, have []installs.Installation) (all []*inventory.Software, err error) {
	ids, at := make([]int64, len(have)), map[int64]installs.Installation{}
	for n, i := range have {
		ids[n], at[i.SoftwareID] = i.SoftwareID, i
	}
	recs, err := w.Tx.Rows(ctx, w.Kind, ids)
	for _, rec := range recs {
		s := rec.(*inventory.Software)
		s.InstallDate, s.InstallPath = at[s.ID].Date, at[s.ID].Path
		all = append(all, s)
	}
	return all, err
}

// A ProgramList is software that a computer shall have, by its id and in order.
type ProgramList struct {
	ByID     map[int64]*inventory.Software
	All      []*inventory.Software
	Reported []inventory.Software // as it was reported
	// leftOut is how much of it may not be made yet.
	LeftOut int
	// since are the ids of the software that has come and of that which may have
	// gone, if all other software is as it was; nil when that is not known.
	Since []int64
}

// KnownSoftware returns software with its ids, each once, and makes what there
// is none of yet. That is made in one order by everybody, so that two who make
// the same do not wait for each other. admit, if it is not nil, says how much of so
// much may be made; the rest is left out. What was reported becomes what is known.
func (w *Work) KnownSoftware(ctx context.Context, reported []inventory.Software, admit func(context.Context,
	int) (int, error)) (*ProgramList, error) {
	order := make([]*inventory.Software, len(reported)) // which are cheaper to move about than what they stand for
	for i := range reported {
		order[i] = &reported[i]
	}
	slices.SortStableFunc(order, func(a, b *inventory.Software) int {
		if c := inOrder(a.Name, b.Name); c != 0 {
			return c
		}
		return cmp.Or(inOrder(a.Version, b.Version), inOrder(a.Manufacturer, b.Manufacturer))
	})
	recs := make([]any, len(order))
	for i := range order {
		recs[i] = order[i]
	}
	if err := w.Tx.FindTogether(ctx, w.Kind, recs); err != nil {
		return nil, err
	}
	list := &ProgramList{ByID: make(map[int64]*inventory.Software, len(order)), Reported: reported}
	missing := slices.DeleteFunc(recs, func(rec any) bool { return w.Kind.Meta(rec).ID != 0 })
	if len(missing) > 0 && admit != nil {
		n, err := admit(ctx, len(missing))
		if err != nil {
			return nil, err
		}
		missing = missing[:n]
	}
	if len(missing) > 0 {
		if err := w.makeSoftware(ctx, missing); err != nil {
			return nil, err
		}
	}
	for _, s := range order {
		switch {
		case s.ID == 0:
			list.LeftOut++
		case list.ByID[s.ID] == nil:
			list.ByID[s.ID], list.All = s, append(list.All, s)
		}
	}
	return list, nil
}

// inOrder compares texts without regard to case, which is no difference.
func inOrder(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] >= utf8.RuneSelf || b[i] >= utf8.RuneSelf {
			return cmp.Compare(strings.ToLower(a), strings.ToLower(b))
		}
		if a[i] == b[i] {
			continue
		}
		if c := cmp.Compare(lower(a[i]), lower(b[i])); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// lower returns a letter of ASCII in lower case.
func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}

// makeSoftware stores software of which there is none yet, in this order, and
// records it. What the list itself has twice, in different case, is made once.
func (w *Work) makeSoftware(ctx context.Context, softwares []any) error {
	if err := installs.ShareLicences(ctx, w.Tx); err != nil {
		return err
	}
	for _, rec := range softwares {
		w.Kind.Settle(rec, nil)
		if faults := w.Kind.Check(rec, nil); len(faults) > 0 {
			return &kind.Invalid{Faults: faults}
		}
	}
	made, err := w.Tx.InsertTogether(ctx, w.Kind, softwares, w.now())
	if err != nil {
		return err
	}
	ids, audits := make([]int64, len(made)), make([]*inventory.Audit, len(made))
	for i, rec := range made {
		ids[i] = w.Kind.Meta(rec).ID
		audits[i] = (&Work{Desk: w.Desk, Kind: w.Kind, Rec: rec}).newAudit(inventory.Created)
	}
	if err := installs.MatchNew(ctx, w.Tx, ids...); err != nil {
		return err
	}
	return w.AppendAudits(ctx, w.Tx, w.Who, audits...)
}
