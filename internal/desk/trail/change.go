package trail

import (
	"context"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// wholeAudit returns an audit record of a list with all of its changes. Lists leave
// some out where there are many, and cut long values.
func wholeAudit(ctx context.Context, d *desk.Desk, who desk.Caller, a *inventory.Audit) (*inventory.Audit, error) {
	if inventory.Audits.Counted.IsWhole(a) {
		return a, nil
	}
	rec, err := d.Get(ctx, who, inventory.Audits.Schema, a.ID)
	if err != nil {
		return nil, err
	}
	return rec.(*inventory.Audit), nil
}

// Changes returns one page of the changes of an audit record.
func Changes(ctx context.Context, d *desk.Desk, who desk.Caller, id int64, q *kind.Query) (page kind.Page, err error) {
	rec, err := d.Get(ctx, who, inventory.Audits.Schema, id)
	if err != nil {
		return page, err
	}
	all := rec.(*inventory.Audit).Changes
	page.Position = kind.Position{Number: q.Page, PerPage: q.PerPage, Total: len(all)}
	from := min((q.Page-1)*q.PerPage, len(all))
	for i := range all[from:min(from+q.PerPage, len(all))] {
		page.Records = append(page.Records, &all[from+i])
	}
	return page, nil
}
