package desk

import (
	"context"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// A Work is the change of one record under way.
type Work struct {
	*Desk
	Tx   *store.Tx
	Who  Caller
	Kind *kind.Schema
	Rec  any // as it will be, nil when it is deleted
	Old  any // as it was, nil when it is new
	// under is the record that a new one is made below, nil for none.
	under *place
	// imported says that the values are a person's, whoever brings them.
	Imported bool
	// dry says that the change is checked alone: nothing is stored, nor locked.
	Dry bool
	// later says that what follows elsewhere from the change is done with what
	// follows from others of the same record.
	Later bool
}

// A rule is what the desk does with the records of a kind beyond what it does
// with all. A part that a kind does not need is nil.
type rule struct {
	// begin gives a new record what it has unless its document says otherwise.
	begin func(w *Work, rec any)
	// complete sets what follows from the change, before the record is checked,
	// and returns what is wrong with it beyond what the declaration says.
	complete func(ctx context.Context, w *Work) (faults []message.Text, err error)
	// assign gives a new record that is in order what it gets but once.
	assign func(ctx context.Context, w *Work) error
	// stored does what follows elsewhere from a change that was stored.
	stored func(ctx context.Context, w *Work) error
	// leaving does what must be done before a record is deleted.
	leaving func(ctx context.Context, w *Work) error
	// show sets what is read beside records that somebody will see.
	show func(ctx context.Context, v *view, recs []any) error
	// beside names the records that show has looked at for a record, nil for none
	// but what is below it and what its form embeds.
	related func(rec any) []kind.Name
	// describe says in words what a new record is, nil for its kind and name.
	describe func(rec any) message.Text
	// include sets the collection that records include when somebody asks for it.
	include func(ctx context.Context, v *view, recs []any) error
}

// rules has a row for each kind with rules of its own.
var rules map[*kind.Schema]rule

func init() { // not at its declaration: the rules refer to it themselves
	rules = map[*kind.Schema]rule{
		inventory.Users.Schema: {complete: completeUser, stored: userStored, leaving: leaveUser},
		inventory.Computers.Schema: {complete: completeComputer, assign: assignAssetID, stored: recountComputer,
			leaving: leaveComputer, include: includeSoftware},
		inventory.Softwares.Schema: {complete: completeSoftware, stored: matchSoftware, leaving: leaveSoftware},
		inventory.Contracts.Schema: {complete: completeContract, stored: countLicence, leaving: leaveContract},
		inventory.Tickets.Schema: {
			begin: openTicket, complete: completeTicket, assign: numberTicket, leaving: leaveTicket, show: showTicket,
		},
		inventory.Comments.Schema:  {begin: beginComment, stored: touchTicket, describe: describeComment},
		inventory.Risks.Schema:     {begin: beginRisk, complete: completeRisk},
		inventory.Solutions.Schema: {begin: beginSolution, assign: numberSolution},
		inventory.Audits.Schema:    {show: showAudits, related: auditedRecord},

		inventory.AgentClaims.Schema: {show: showClaims, related: claimedComputer},
	}
}

// begin gives a new record what it has unless its document says otherwise.
func (w *Work) begin(rec any) {
	if begin := rules[w.Kind].begin; begin != nil {
		begin(w, rec)
	}
}

// Apply sets what the document says, if the user may, checks the result, and
// makes the vendors that it names.
func (w *Work) Apply(ctx context.Context, patch *kind.Patch) error {
	if err := w.Prepare(ctx, patch); err != nil {
		return err
	}
	return w.makeVendors(ctx)
}

// Prepare sets what the document says, if the user may, and checks the result. The
// document stays as it is: the change may be made again, and what it refers to be
// gone then.
func (w *Work) Prepare(ctx context.Context, patch *kind.Patch) error {
	patch, err := w.allowed(ctx, patch.Copy())
	if err != nil {
		return err
	}
	if err := patch.Resolve(w.resolver(ctx)); err != nil {
		return err
	}
	patch.Apply(w.Rec)
	if w.Old == nil {
		w.under.attach(w.Rec)
		w.Kind.SetDefaults(w.Rec) // an empty value in the document is none
		w.begin(w.Rec)
	}
	return w.Check(ctx, patch.Check)
}

// allowed returns the part of a document that changes something, or a refusal
// when the user may not change that. What they send back of the record as they
// see it changes nothing, so that what they do not see of it stays.
func (w *Work) allowed(ctx context.Context, patch *kind.Patch) (*kind.Patch, error) {
	if !Limited(w.Who.User) {
		return patch, nil
	}
	var was any
	if w.Old == nil {
		was = w.Kind.New()
		w.begin(was)
		w.Kind.Settle(was, nil)
	} else {
		was = w.Kind.Copy(w.Old)
		if err := (&view{w.Desk, w.Tx, w.Who.User, true}).hideLinks(ctx, w.Kind, []any{was}); err != nil {
			return nil, err
		}
	}
	patch = patch.Beyond(was)
	return patch, maySet(w.Who.User, w.Kind, patch, w.Old == nil)
}

// Check completes the record and returns what is wrong with it; faults finds it
// as far as the declaration goes.
func (w *Work) Check(ctx context.Context, faults func(rec, old any) []message.Text) error {
	var more []message.Text
	if complete := rules[w.Kind].complete; complete != nil {
		var err error
		if more, err = complete(ctx, w); err != nil {
			return err
		}
	}
	w.Kind.Settle(w.Rec, w.Old)
	if all := append(faults(w.Rec, w.Old), more...); len(all) > 0 {
		return &kind.Invalid{Faults: all}
	}
	return nil
}

// Insert stores a checked new record and records it.
func (w *Work) Insert(ctx context.Context) error {
	if err := w.StoreNew(ctx); err != nil {
		return err
	}
	return w.finish(ctx, inventory.Created)
}

// StoreNew stores a checked new record.
func (w *Work) StoreNew(ctx context.Context) error {
	if assign := rules[w.Kind].assign; assign != nil {
		if err := assign(ctx, w); err != nil {
			return err
		}
	}
	if err := Unique(ctx, w.Tx, w.Kind, w.Rec, nil); err != nil {
		return err
	}
	return w.Tx.Insert(ctx, w.Kind, w.Rec, w.now())
}

// Replace stores the checked new state of a record and records the change, if
// there is one.
func (w *Work) Replace(ctx context.Context) error {
	if w.Kind.Same(w.Rec, w.Old) {
		return nil
	}
	if err := w.StoreChanged(ctx); err != nil {
		return err
	}
	return w.finish(ctx, inventory.Updated)
}

// StoreChanged stores the checked new state of a record.
func (w *Work) StoreChanged(ctx context.Context) error {
	if err := Unique(ctx, w.Tx, w.Kind, w.Rec, w.Old); err != nil {
		return err
	}
	return w.Tx.Update(ctx, w.Kind, w.Rec, w.Old, w.now())
}

// Remove deletes a record that nothing refers to and records it.
func (w *Work) Remove(ctx context.Context) error {
	if leaving := rules[w.Kind].leaving; leaving != nil {
		if err := leaving(ctx, w); err != nil {
			return err
		}
	}
	if err := w.Referred(ctx); err != nil {
		return err
	}
	if err := w.Unlink(ctx, nil); err != nil {
		return err
	}
	if err := w.Tx.Delete(ctx, w.Kind, w.Old); err != nil {
		return err
	}
	return w.finish(ctx, inventory.Deleted)
}

// finish does what follows from a change, and records it.
func (w *Work) finish(ctx context.Context, action string) error {
	if err := w.Stored(ctx); err != nil {
		return err
	}
	return w.record(ctx, action)
}

// Stored does what follows elsewhere from a change that was stored.
func (w *Work) Stored(ctx context.Context) error {
	if stored := rules[w.Kind].stored; stored != nil && !w.Later {
		return stored(ctx, w)
	}
	return nil
}
