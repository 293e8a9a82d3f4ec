package merge

import (
	"cmp"
	"context"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store/installs"
)

// mergeSoftware gives the older computer the software of the newer one, and
// returns what that changed. All of it is taken from the newer one first: so
// what is locked then is locked already.
func (m *merger) mergeSoftware(ctx context.Context) (diff kind.Diff, err error) {
	have, err := installs.Of(ctx, m.Tx, []int64{m.older.ID, m.newer.ID}, nil)
	if err != nil {
		return diff, err
	}
	had, gains := map[int64]installs.Installation{}, []installs.Installation{}
	var taken []int64
	for _, i := range have {
		if i.ComputerID == m.older.ID {
			had[i.SoftwareID] = i
			continue
		}
		gains, taken = append(gains, i), append(taken, i.SoftwareID)
	}
	if err := installs.Remove(ctx, m.Tx, m.newer.ID, !m.newer.Gone(), taken); err != nil {
		return diff, err
	}
	w := &desk.Work{Desk: m.Desk, Tx: m.Tx, Who: m.Who, Kind: inventory.Softwares.Schema}
	moves, err := m.moves(ctx, w, had, gains)
	if err != nil {
		return diff, err
	}
	for _, mv := range moves {
		diff.Changes = append(diff.Changes, mv.Diff().Changes...)
		if err := w.Move(ctx, m.older, mv); err != nil {
			return diff, err
		}
	}
	return diff, nil
}

// moves returns how the software of the older computer changes: what agents
// report, and what people do. It had some of what it gains already.
func (m *merger) moves(ctx context.Context, w *desk.Work, had map[int64]installs.Installation,
	gains []installs.Installation) (all [2]desk.Move, err error) {
	softwares, err := w.SoftwareOf(ctx, gains)
	gained := map[int64]installs.Installation{}
	for _, i := range gains {
		gained[i.SoftwareID] = i
	}
	told, typed := &all[0], &all[1]
	told.Reported = true
	for _, s := range softwares {
		was, both := had[s.ID]
		is := m.installed(was, gained[s.ID], both)
		mv := typed
		if is.Reported {
			mv = told
		}
		before := *s
		before.InstallDate, before.InstallPath = was.Date, was.Path
		s.InstallDate, s.InstallPath = is.Date, is.Path
		switch {
		case !both:
			mv.Added = append(mv.Added, s)
		case !is.Date.Equal(was.Date) || is.Path != was.Path:
			mv.Renewed = append(mv.Renewed, desk.Renewal{Was: &before, Is: s})
		case is.Reported != was.Reported:
			mv.Claimed = append(mv.Claimed, is)
		}
	}
	return all, err
}

// installed returns how the older computer has software that the newer one has,
// and perhaps it had itself: as the last report has it, else as it had it.
func (m *merger) installed(had, gained installs.Installation, both bool) installs.Installation {
	gained.ComputerID = m.older.ID
	if !both {
		return gained
	}
	is, other := had, gained
	if gained.Reported && (m.last == m.newer || !had.Reported) {
		is, other = gained, had
	}
	if is.Date.IsZero() {
		is.Date = other.Date
	}
	is.Path = cmp.Or(is.Path, other.Path)
	is.Reported = had.Reported || gained.Reported
	return is
}
