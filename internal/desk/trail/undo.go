// Package trail goes back along the audit trail: it takes back a change, returns a computer as it was, and verifies
// that
// nothing of the trail is missing or was altered. What is written to the trail is the desk's.
package trail

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// undoTime is how long a change can be taken back.
const undoTime = time.Hour

// maxUndo is how many changes can be taken back together.
const maxUndo = 500

// Undoable returns the ids of the audit records of the caller's latest changes
// of some records, as far as Undo can take them back; nil when one of these
// records was not changed by the caller last, or there are too many.
func Undoable(
	ctx context.Context, d *desk.Desk, who desk.Caller, k *kind.Schema, ids ...int64,
) (audits []int64, err error) {
	if len(ids) == 0 || len(ids) > maxUndo || desk.Limited(who.User) {
		return nil, nil
	}
	left := make(map[int64]bool, len(ids))
	for _, id := range ids {
		left[id] = true
	}
	found, err := changesOf(ctx, d, who, k, ids)
	for _, rec := range found {
		a := rec.(*inventory.Audit)
		if !left[a.RecordID.V] {
			continue // it is of a change before
		}
		delete(left, a.RecordID.V)
		if a, err = wholeAudit(ctx, d, who, a); err != nil {
			return nil, err
		}
		if _, err := before(ctx, d, who, k, a); err != nil {
			if _, refused := errors.AsType[*desk.Error](err); refused {
				err = nil
			}
			return nil, err
		}
		audits = append(audits, a.ID)
	}
	if err != nil || len(left) > 0 {
		return nil, err
	}
	slices.Sort(audits)
	return audits, nil
}

// changesOf returns the latest audit records of the caller's changes, among
// which are those of the records that they have just changed.
func changesOf(ctx context.Context, d *desk.Desk, who desk.Caller, k *kind.Schema, ids []int64) ([]any, error) {
	of := inventory.Audits.Schema
	q := &kind.Query{Sort: of.Field("id"), Desc: true, Page: 1, PerPage: 2*len(ids) - 1, Today: kind.Today(d.Now())}
	q.Conds = []kind.Cond{
		{Field: of.Field("record-type"), Any: []kind.Test{{Text: []string{k.Item}}}},
		{Field: of.Field("user"), Any: []kind.Test{desk.OnlyID(who.User.ID)}},
	}
	if len(ids) == 1 {
		q.Conds = append(q.Conds, kind.Cond{Field: of.Field("record-id"), Any: []kind.Test{desk.OnlyID(ids[0])}})
	}
	page, err := d.List(ctx, who, of, q)
	return page.Records, err
}

// undoable returns why the caller cannot take a change back, whatever the record
// is like now; nil when they can.
func undoable(d *desk.Desk, who desk.Caller, k *kind.Schema, a *inventory.Audit) error {
	switch {
	case k == nil || a.Action != inventory.Updated:
		return desk.Refuse(desk.Conflict, "only a change of a record can be undone")
	case a.User.ID != who.User.ID:
		return desk.Refuse(desk.Forbidden, "only who made a change can undo it")
	case d.Now().Sub(a.CreatedAt) > undoTime:
		return desk.Refuse(desk.Conflict, "this was changed too long ago to be undone: change the record instead")
	}
	editable := false
	for _, c := range a.Changes {
		f := k.Field(c.Field)
		if f == nil || f.Secret || f.Type == kind.List || f.Targets != nil {
			return notUndone(c.Field)
		}
		editable = editable || f.Editable()
	}
	if !editable {
		return desk.Refuse(desk.Conflict, "this change cannot be undone: change the record instead")
	}
	return nil
}

// notUndone is the refusal to take back a change of a field.
func notUndone(field string) error {
	return desk.Refuse(desk.Conflict, "a change of %s cannot be undone: change the record instead", message.Word(field))
}

// Undo takes back what the caller has changed of one record, which the audit
// record of that says: it sets the fields to what they were, as any other
// change. That is refused when the record was changed since.
func Undo(ctx context.Context, d *desk.Desk, who desk.Caller, audit int64) (k *kind.Schema, rec any, err error) {
	read, err := d.Get(ctx, who, inventory.Audits.Schema, audit)
	if err != nil {
		return nil, nil, err
	}
	a := read.(*inventory.Audit)
	k = inventory.Find(a.RecordType)
	form, err := before(ctx, d, who, k, a)
	if err != nil {
		return k, nil, err
	}
	now, err := d.Get(ctx, who, k, a.RecordID.V)
	if err != nil {
		return k, nil, err
	}
	if err := isLatest(ctx, d, who, k, a, now); err != nil {
		return k, nil, err
	}
	version := k.Meta(now).Version
	unchanged := desk.Target{Kind: k, ID: a.RecordID.V, If: func(v int64) bool { return v == version }}
	rec, err = d.Update(ctx, who, unchanged, func() (*kind.Patch, error) { return k.ReadForm(form), nil })
	return k, rec, err
}

// before returns the form that sets a record to what it was before a change, or
// why the caller cannot take that back.
func before(
	ctx context.Context, d *desk.Desk, who desk.Caller, k *kind.Schema, a *inventory.Audit,
) (url.Values, error) {
	if err := undoable(d, who, k, a); err != nil {
		return nil, err
	}
	form, told := url.Values{}, false
	for _, c := range a.Changes {
		form.Set(c.Field, c.From)
		told = told || k == inventory.Computers.Schema && desk.IsReported(k.Field(c.Field))
	}
	if !told {
		return form, nil
	}
	return form, releaseSet(ctx, d, who, a, form)
}

// isLatest refuses a change after which the record was changed once more. The
// record is read before the trail: what changes it later, changes its version.
func isLatest(ctx context.Context, d *desk.Desk, who desk.Caller, k *kind.Schema, a *inventory.Audit, now any) error {
	of := inventory.Audits.Schema
	q := &kind.Query{Sort: of.Field("id"), Desc: true, Page: 1, PerPage: 1, Today: kind.Today(d.Now()),
		Conds: []kind.Cond{
			{Field: of.Field("record-type"), Any: []kind.Test{{Text: []string{k.Item}}}},
			{Field: of.Field("record-id"), Any: []kind.Test{desk.OnlyID(a.RecordID.V)}},
		}}
	page, err := d.List(ctx, who, of, q)
	if err != nil {
		return err
	}
	same := len(page.Records) == 1 && of.Meta(page.Records[0]).ID == a.ID
	for _, c := range a.Changes {
		same = same && k.Values(now).Format(k.Field(c.Field)) == c.To
	}
	if !same {
		return desk.Refuse(desk.Changed, "the %s %s was changed since, so that nothing was undone",
			message.Word(k.Noun), a.RecordName)
	}
	return nil
}

// releaseSet empties in a form, by which a change of a computer is taken back,
// what had the agent's value before: so it is released, where to set that value would
// keep it from reports. Whether a person had set the same before is not recorded. It
// refuses a field of reports that had something else before: a person had set it, or
// the agent has reported another value since.
func releaseSet(ctx context.Context, d *desk.Desk, who desk.Caller, a *inventory.Audit, form url.Values) error {
	k := inventory.Computers.Schema
	return d.Store().View(ctx, func(tx *store.Tx) error {
		rec, err := d.Load(ctx, tx, who.User, k, a.RecordID.V)
		if err != nil {
			return err
		}
		is := rec.(*inventory.Computer)
		kept, err := (&desk.Work{Desk: d, Tx: tx, Kind: k}).Reported(ctx, a.RecordID.V)
		if err != nil {
			return err
		}
		for _, change := range a.Changes {
			f := k.Field(change.Field)
			told, ofBIOS := is.FromBIOS(f)
			if !ofBIOS {
				told = k.Values(kept).Format(f)
			}
			switch {
			case !desk.Releasable(is, f): // it was released, or is none of theirs
			case change.From == told:
				form.Set(f.Name, "")
			case !ofBIOS:
				return notUndone(f.Name)
			}
		}
		return nil
	})
}
