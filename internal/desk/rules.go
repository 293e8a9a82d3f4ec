package desk

import (
	"context"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// A work is the change of one record under way.
type work struct {
	*Desk
	tx   *store.Tx
	who  Caller
	kind *kind.Schema
	rec  any // as it will be, nil when it is deleted
	old  any // as it was, nil when it is new
	// under is the record that a new one is made below, nil for none.
	under *place
	// imported says that the values are a person's, whoever brings them.
	imported bool
	// dry says that the change is checked alone: nothing is stored, nor held.
	dry bool
	// later says that what follows elsewhere from the change is done with what
	// follows from others of the same record.
	later bool
}

// A rule is what the desk does with the records of a kind beyond what it does
// with all. A part that a kind does not need is nil.
type rule struct {
	// begin gives a new record what it has unless its document says otherwise.
	begin func(w *work, rec any)
	// complete sets what follows from the change, before the record is checked,
	// and returns what is wrong with it beyond what the declaration tells.
	complete func(ctx context.Context, w *work) (faults []message.Text, err error)
	// assign gives a new record that is in order what it gets but once.
	assign func(ctx context.Context, w *work) error
	// stored does what follows elsewhere from a change that was stored.
	stored func(ctx context.Context, w *work) error
	// leaving does what must be done before a record is deleted.
	leaving func(ctx context.Context, w *work) error
	// show sets what is read beside records that somebody will see.
	show func(ctx context.Context, v *view, recs []any) error
	// beside names the records that show has looked at for a record, nil for none
	// but what is below it and what its form embeds.
	beside func(rec any) []kind.Name
	// tell says in words what a new record is, nil for its kind and name.
	tell func(rec any) message.Text
	// include sets the collection that records include when somebody asks for it.
	include func(ctx context.Context, v *view, recs []any) error
}

// rules has a row for each kind with rules of its own.
var rules map[*kind.Schema]rule

func init() { // not at its declaration: the rules refer to it themselves
	rules = map[*kind.Schema]rule{
		inventory.Users.Schema:     {complete: completeUser, stored: userStored, leaving: leaveUser},
		inventory.Computers.Schema: {complete: completeComputer, assign: assignAssetID, stored: recountComputer, leaving: leaveComputer, include: includeSoftware},
		inventory.Softwares.Schema: {complete: completeSoftware, stored: matchSoftware, leaving: leaveSoftware},
		inventory.Contracts.Schema: {complete: completeContract, stored: countLicence, leaving: leaveContract},
		inventory.Tickets.Schema:   {begin: openTicket, complete: completeTicket, assign: numberTicket, leaving: leaveTicket, show: showTicket},
		inventory.Comments.Schema:  {begin: beginComment, stored: touchTicket, tell: tellComment},
		inventory.Risks.Schema:     {begin: beginRisk, complete: completeRisk},
		inventory.Solutions.Schema: {begin: beginSolution, assign: numberSolution},
		inventory.Audits.Schema:    {show: showAudits, beside: besideAudit},

		inventory.AgentClaims.Schema: {show: showClaims, beside: besideClaim},
	}
}

// begin gives a new record what it has unless its document says otherwise.
func (w *work) begin(rec any) {
	if begin := rules[w.kind].begin; begin != nil {
		begin(w, rec)
	}
}

// apply sets what the document says, if the user may, checks the result, and
// makes the vendors that it names.
func (w *work) apply(ctx context.Context, patch *kind.Patch) error {
	if err := w.prepare(ctx, patch); err != nil {
		return err
	}
	return w.makeVendors(ctx)
}

// prepare sets what the document says, if the user may, and checks the result. The
// document stays as it is: the change may be made again, and what it refers to be
// gone then.
func (w *work) prepare(ctx context.Context, patch *kind.Patch) error {
	patch, err := w.allowed(ctx, patch.Copy())
	if err != nil {
		return err
	}
	if err := patch.Resolve(w.resolver(ctx)); err != nil {
		return err
	}
	patch.Apply(w.rec)
	if w.old == nil {
		w.under.attach(w.rec)
		w.kind.SetDefaults(w.rec) // an empty value in the document is none
		w.begin(w.rec)
	}
	return w.check(ctx, patch.Check)
}

// allowed returns the part of a document that changes something, or a refusal
// when the user may not change that. What they send back of the record as they
// see it changes nothing, so that what they do not see of it stays.
func (w *work) allowed(ctx context.Context, patch *kind.Patch) (*kind.Patch, error) {
	if !limited(w.who.User) {
		return patch, nil
	}
	var was any
	if w.old == nil {
		was = w.kind.New()
		w.begin(was)
		w.kind.Settle(was, nil)
	} else {
		was = w.kind.Copy(w.old)
		if err := (&view{w.Desk, w.tx, w.who.User, true}).hideLinks(ctx, w.kind, []any{was}); err != nil {
			return nil, err
		}
	}
	patch = patch.Beyond(was)
	return patch, maySet(w.who.User, w.kind, patch, w.old == nil)
}

// check completes the record and tells what is wrong with it; faults tells it
// as far as the declaration goes.
func (w *work) check(ctx context.Context, faults func(rec, old any) []message.Text) error {
	var more []message.Text
	if complete := rules[w.kind].complete; complete != nil {
		var err error
		if more, err = complete(ctx, w); err != nil {
			return err
		}
	}
	w.kind.Settle(w.rec, w.old)
	if all := append(faults(w.rec, w.old), more...); len(all) > 0 {
		return &kind.Invalid{Faults: all}
	}
	return nil
}

// insert stores a checked new record and records it.
func (w *work) insert(ctx context.Context) error {
	if err := w.add(ctx); err != nil {
		return err
	}
	return w.finish(ctx, inventory.Created)
}

// add stores a checked new record.
func (w *work) add(ctx context.Context) error {
	if assign := rules[w.kind].assign; assign != nil {
		if err := assign(ctx, w); err != nil {
			return err
		}
	}
	if err := unique(ctx, w.tx, w.kind, w.rec, nil); err != nil {
		return err
	}
	return w.tx.Insert(ctx, w.kind, w.rec, w.now())
}

// replace stores the checked new state of a record and records the change, if
// there is one.
func (w *work) replace(ctx context.Context) error {
	if w.kind.Same(w.rec, w.old) {
		return nil
	}
	if err := w.put(ctx); err != nil {
		return err
	}
	return w.finish(ctx, inventory.Updated)
}

// put stores the checked new state of a record.
func (w *work) put(ctx context.Context) error {
	if err := unique(ctx, w.tx, w.kind, w.rec, w.old); err != nil {
		return err
	}
	return w.tx.Update(ctx, w.kind, w.rec, w.old, w.now())
}

// remove deletes a record that nothing refers to and records it.
func (w *work) remove(ctx context.Context) error {
	if leaving := rules[w.kind].leaving; leaving != nil {
		if err := leaving(ctx, w); err != nil {
			return err
		}
	}
	if err := w.referred(ctx); err != nil {
		return err
	}
	if err := w.unlink(ctx, nil); err != nil {
		return err
	}
	if err := w.tx.Delete(ctx, w.kind, w.old); err != nil {
		return err
	}
	return w.finish(ctx, inventory.Deleted)
}

// finish does what follows from a change, and records it.
func (w *work) finish(ctx context.Context, action string) error {
	if err := w.stored(ctx); err != nil {
		return err
	}
	return w.record(ctx, action)
}

// stored does what follows elsewhere from a change that was stored.
func (w *work) stored(ctx context.Context) error {
	if stored := rules[w.kind].stored; stored != nil && !w.later {
		return stored(ctx, w)
	}
	return nil
}
