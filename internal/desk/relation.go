package desk

import (
	"context"
	"errors"
	"slices"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
	"muster/internal/store/installs"
)

// A Relation is a list of records that belong to a record of another kind, its
// parent.
type Relation struct {
	Parent *kind.Schema
	Kind   *kind.Schema // of the records, as they are there
	Name   string       // in addresses, behind the parent's
	Single bool         // the records have addresses there too
	// narrow limits a list to the records of a parent.
	narrow func(q *kind.Query, parent any)
	// attach ties a new record to its parent; nil where none can be made.
	attach func(rec, parent any)
	// tie is how records come into the list and leave it without being made or
	// deleted; nil where they do not.
	tie *tie
}

// Creates reports whether records can be made in the list, or put into it.
func (r *Relation) Creates() bool { return r.attach != nil || r.tie != nil }

// Ties reports whether records can be put into the list and taken out of it.
func (r *Relation) Ties() bool { return r.tie != nil }

// relations are all lists that belong to records.
var relations = []*Relation{
	{
		Parent: inventory.Computers.Schema, Kind: inventory.Tickets.Schema, Name: "tickets", Single: true,
		narrow: linked(inventory.Tickets.Field("hardwares"), inventory.Computers.Schema),
		attach: func(rec, parent any) {
			t := rec.(*inventory.Ticket)
			t.Computers = withLink(inventory.Tickets.Field("hardwares"), t.Computers, inventory.Computers.Schema,
				parent)
		},
	},
	{
		Parent: inventory.Computers.Schema, Kind: inventory.Risks.Schema, Name: "risks", Single: true,
		narrow: linked(inventory.Risks.Field("affected-assets"), inventory.Computers.Schema),
		attach: func(rec, parent any) {
			r := rec.(*inventory.Risk)
			r.Assets = withLink(inventory.Risks.Field("affected-assets"), r.Assets, inventory.Computers.Schema, parent)
		},
	},
	{
		Parent: inventory.Computers.Schema, Kind: inventory.Audits.Schema, Name: "audits",
		narrow: func(q *kind.Query, parent any) {
			q.Ties = append(q.Ties,
				store.HistoryOf(inventory.Audits.Field("computers").Tie(inventory.Computers.Meta(parent).ID)))
		},
	},
	{
		Parent: inventory.Computers.Schema, Kind: inventory.Installations.Schema, Name: "softwares", Single: true,
		narrow: func(q *kind.Query, parent any) {
			q.Ties = append(q.Ties, installs.SoftwareOf(inventory.Computers.Meta(parent).ID))
		},
		tie: &tie{add: install, remove: uninstall, show: showInstallations},
	},
	{
		Parent: inventory.Softwares.Schema, Kind: inventory.Computers.Schema, Name: "hardwares",
		narrow: func(q *kind.Query, parent any) {
			q.Ties = append(q.Ties, installs.ComputersWith(inventory.Softwares.Meta(parent).ID))
		},
	},
	{
		Parent: inventory.Vendors.Schema, Kind: inventory.Contracts.Schema, Name: "contracts",
		narrow: func(q *kind.Query, parent any) {
			q.Conds = append(q.Conds, NamesID(inventory.Contracts.Field("vendor"), inventory.Vendors.Meta(parent).ID))
		},
	},
	{
		Parent: inventory.Contracts.Schema, Kind: inventory.Computers.Schema, Name: "hardwares",
		narrow: func(q *kind.Query, parent any) {
			q.Ties = append(q.Ties, store.LinkedBy(inventory.Contracts.Schema, inventory.Computers.Schema,
				inventory.Contracts.Meta(parent).ID))
		},
	},
	{
		Parent: inventory.Printers.Schema, Kind: inventory.Computers.Schema, Name: "hardwares",
		narrow: reporting,
	},
	{
		Parent: inventory.Tickets.Schema, Kind: inventory.Comments.Schema, Name: "comments", Single: true,
		narrow: func(q *kind.Query, parent any) {
			q.Conds = append(q.Conds, NamesID(inventory.Comments.Field("ticket"), inventory.Tickets.Meta(parent).ID))
		},
		attach: func(rec, parent any) {
			t := parent.(*inventory.Ticket)
			rec.(*inventory.Comment).Ticket = kind.Ref{ID: t.ID, Name: t.Name}
		},
	},
}

// Relations returns the lists that belong to records of a kind.
func Relations(parent *kind.Schema) (all []*Relation) {
	for _, r := range relations {
		if r.Parent == parent {
			all = append(all, r)
		}
	}
	return all
}

// RelationOf returns the list of a name that belongs to records of a kind. There
// must be one.
func RelationOf(parent *kind.Schema, name string) *Relation {
	return relations[slices.IndexFunc(relations,
		func(r *Relation) bool { return r.Parent == parent && r.Name == name })]
}

// linked narrows a list to records that are linked to the parent.
func linked(f *kind.Field, target *kind.Schema) func(*kind.Query, any) {
	return func(q *kind.Query, parent any) {
		c := NamesID(f, target.Meta(parent).ID)
		c.Target = target
		q.Conds = append(q.Conds, c)
	}
}

// NamesID is the condition that a field names one record.
func NamesID(f *kind.Field, id int64) kind.Cond {
	return kind.Cond{Field: f, Any: []kind.Test{OnlyID(id)}}
}

// reporting narrows a list of computers to those that have a printer of the
// parent's name.
func reporting(q *kind.Query, parent any) {
	list := inventory.Computers.Field("printers")
	name := kind.Test{Text: []string{parent.(*inventory.Printer).Name}}
	q.Conds = append(q.Conds, kind.Cond{Field: list.Items.Field("name"), In: list, Any: []kind.Test{name}})
}

// A Place is a list of a relation: that of one parent.
type Place struct {
	*Relation
	ID int64 // of the parent
}

// A place is a Place whose parent was found.
type place struct {
	*Relation
	parent any
}

// find loads the parent of a place for a user.
func (p *Place) find(ctx context.Context, v *view) (*place, error) {
	if p == nil {
		return nil, nil
	}
	parent, err := v.Load(ctx, v.tx, v.user, p.Parent, p.ID)
	return &place{p.Relation, parent}, err
}

// attach ties a new record to the parent.
func (p *place) attach(rec any) {
	if p != nil {
		p.Relation.attach(rec, p.parent)
	}
}

// ListOf returns one page of the records in a place that the caller may see.
func (d *Desk) ListOf(ctx context.Context, who Caller, p Place, q *kind.Query) (page kind.Page, err error) {
	if err := d.Complete(ctx, p.Kind); err != nil {
		return page, err
	}
	err = d.store.View(ctx, func(tx *store.Tx) error {
		v := &view{d, tx, who.User, false}
		at, err := p.find(ctx, v)
		if err != nil {
			return err
		}
		narrowed := *q
		narrowed.Conds = q.Conds[:len(q.Conds):len(q.Conds)]
		at.narrow(&narrowed, at.parent)
		if page, err = v.list(ctx, p.Kind.Stored(), &narrowed); err != nil {
			return err
		}
		return at.show(ctx, v, page.Records)
	})
	return page, err
}

// GetOf returns one record in a place that the caller may see.
func (d *Desk) GetOf(ctx context.Context, who Caller, p Place, id int64) (rec any, err error) {
	if err := d.Complete(ctx, p.Kind); err != nil {
		return nil, err
	}
	err = d.store.View(ctx, func(tx *store.Tx) error {
		v := &view{d, tx, who.User, true}
		at, err := p.find(ctx, v)
		if err != nil {
			return err
		}
		rec, err = at.get(ctx, v, id)
		return err
	})
	return rec, err
}

// noSuch is the refusal for a record that is not in the place, wherever else it
// may be.
func (p *place) noSuch(id int64) error {
	return Refuse(NotFound, "there is no %s with the id %d that belongs to the %s %d",
		message.Word(p.Kind.Noun), id, message.Word(p.Parent.Noun), p.Parent.Meta(p.parent).ID)
}

// get loads a record in the place for a user.
func (p *place) get(ctx context.Context, v *view, id int64) (any, error) {
	k := p.Kind.Stored()
	q := &kind.Query{Page: 1, PerPage: 1, Conds: []kind.Cond{NamesID(k.Field("id"), id)}}
	p.narrow(q, p.parent)
	total, _, err := v.tx.Find(ctx, k, q)
	if err != nil {
		return nil, err
	}
	if total == 0 {
		return nil, p.noSuch(id)
	}
	rec, err := v.one(ctx, k, id)
	// hidden ones are refused as those that are not there
	if e, ok := errors.AsType[*Error](err); ok && e.Code == NotFound {
		return nil, p.noSuch(id)
	}
	if err != nil {
		return nil, err
	}
	return rec, p.show(ctx, v, []any{rec})
}

// show sets what records have in the place alone.
func (p *place) show(ctx context.Context, v *view, recs []any) error {
	if p == nil || p.tie == nil || len(recs) == 0 {
		return nil
	}
	return p.tie.show(ctx, v, p.parent, recs)
}

// OwnAudits are the audit records of a computer itself, also those that have gone to
// another one since.
var OwnAudits = Relation{
	Parent: inventory.Computers.Schema, Kind: inventory.Audits.Schema,
	narrow: func(q *kind.Query, parent any) {
		q.Ties = append(q.Ties, inventory.Audits.Field("computers").Tie(inventory.Computers.Meta(parent).ID))
	},
}
