package agents

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"slices"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/agents/voice"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/report"
	"muster/internal/store"
	"muster/internal/store/installs"
)

// An arrival is a report that is being taken in. What is locked comes in this
// order: what identifies a new computer; licences, shared; new software by name;
// the computer; software by id.
type arrival struct {
	identification
	whole         *report.Report // all that it reports, also that of which another agent speaks
	alone         bool           // nobody else makes or changes much at the same time
	names         newNames       // of its new software
	printers      newPrinters    // of the computer
	left          []string       // sections that stay as they are, since the day had too many changes
	first         bool           // no agent has reported the computer before
	missing       []string       // sections that the report lacks, and that are kept
	oldSums       sums           // of the agent's last one that counted
	changedFields []*kind.Field  // that are reported otherwise than in that one
	changes       kind.Diff      // what is recorded
	waits         voice.Reason   // why it would wait for a technician
	verdict       voice.Verdict
	another       bool   // the agent is new to a computer that others have reported
	key           string // that the agent is given, "" for none
}

// take changes what the report says, once its computer is known.
func (a *arrival) take(ctx context.Context) (out Outcome, err error) {
	a.whole = a.Report
	var known []store.Agent
	if a.computer != 0 {
		if known, err = a.Tx.AgentsOf(ctx, a.computer); err != nil {
			return ReportUnchanged, err
		}
	}
	a.waits = a.claims(known)
	claimed := a.waits != voice.None && a.accepted == nil
	if err := a.Admit(a.computer, claimed); err != nil {
		return ReportUnchanged, err
	}
	if claimed {
		return ReportClaimed, a.keepClaim(ctx)
	}
	a.another = a.agent.ID == 0 && len(known) > 0
	a.hear(known)
	a.oldSums = readSums(a.agent.Digests)
	if a.accepted == nil && a.isOld() {
		return ReportOld, nil
	}
	a.keepMissing()
	a.changedFields = a.findChanged()
	if err := a.checkConcurrent(); err != nil {
		return ReportUnchanged, err
	}
	software, err := a.reportedSoftware(ctx)
	if err != nil {
		return ReportUnchanged, err
	}
	if a.computer == 0 {
		return ReportNew, a.create(ctx, software)
	}
	if a.Old, err = a.lockComputer(ctx); err != nil {
		return ReportUnchanged, err
	}
	if err := a.checkConcurrent(); err != nil {
		return ReportUnchanged, err
	}
	now, err := a.Tx.AgentsOf(ctx, a.computer)
	if err != nil {
		return ReportUnchanged, err
	}
	if a.outdated(known, now) {
		return ReportUnchanged, store.ErrAgain
	}
	a.first = len(known) == 0
	if err := a.change(ctx, software); err != nil {
		return ReportUnchanged, err
	}
	switch {
	case len(a.changes.Changes) > 0:
		return ReportChanged, nil
	case len(a.verdict.Speaks) == 0:
		return ReportBehind, nil
	}
	return ReportUnchanged, nil
}

// lockComputer lets nobody else change the computer. One that is gone meanwhile
// makes the report be taken in anew. Of one of which the report has nothing
// new but its software, what lists show is enough.
func (a *arrival) lockComputer(ctx context.Context) (any, error) {
	if err := installs.ShareLicences(ctx, a.Tx); err != nil {
		return nil, err
	}
	lock := a.Tx.GetLocked
	if a.ofSoftwareAlone() {
		lock = a.Tx.LockedRow
	}
	rec, err := lock(ctx, a.Kind, a.computer)
	if errors.Is(err, store.ErrNotFound) {
		return nil, store.ErrAgain
	}
	return rec, err
}

// outdated reports whether the agents of the computer, which were read before it was
// locked, or the one that reports, are not the same any more.
func (a *arrival) outdated(was, now []store.Agent) bool {
	same := func(one, other store.Agent) bool {
		one.ReportedAt, one.Address, other.ReportedAt, other.Address = time.Time{}, "", time.Time{}, ""
		return reflect.DeepEqual(one, other)
	}
	own := func(one store.Agent) bool { return one.ID == a.agent.ID && bytes.Equal(one.Digests, a.agent.Digests) }
	return !slices.EqualFunc(was, now, same) || a.agent.ID != 0 && !slices.ContainsFunc(now, own)
}

// create makes the computer.
func (a *arrival) create(ctx context.Context, software *desk.ProgramList) error {
	c := inventory.Computers.New()
	a.Rec, a.first = c, true
	from, to := a.Kind.Values(&a.Report.Computer), a.Kind.Values(c)
	for _, f := range a.Report.Fields {
		to.Set(f, from)
	}
	c.Name, c.Tag, c.ReportedManufacturer = a.Report.Computer.Name, a.Report.Computer.Tag,
		a.Report.Identity.Manufacturer
	a.By.Token.equip(c)
	if err := a.claimAssetID(ctx, c); err != nil {
		return err
	}
	if err := a.Check(ctx, a.Kind.Check); err != nil {
		return err
	}
	if err := a.StoreNew(ctx); err != nil {
		return err
	}
	a.computer, a.changes = c.ID, a.Kind.Diff(nil, c)
	return a.complete(ctx, software)
}

// claimAssetID gives the computer the asset id that its firmware has, unless
// another has it.
func (a *arrival) claimAssetID(ctx context.Context, c *inventory.Computer) error {
	asset := a.Report.Computer.AssetID
	if asset == "" {
		return nil
	}
	taken, err := a.Tx.Taken(ctx, a.Kind, a.Kind.Field("asset-id"), asset, 0)
	if taken == 0 {
		c.AssetID = asset
	}
	return err
}

// change changes the computer, which is locked.
func (a *arrival) change(ctx context.Context, software *desk.ProgramList) error {
	if a.ofSoftwareAlone() {
		a.Rec = a.Old
		return a.complete(ctx, software)
	}
	was, c := a.Old.(*inventory.Computer), a.Kind.Copy(a.Old).(*inventory.Computer)
	a.Rec = c
	if err := a.apply(ctx, c, was); err != nil {
		return err
	}
	if err := a.Check(ctx, a.Kind.Check); err != nil {
		return err
	}
	if !a.Kind.Same(c, was) {
		if err := a.renew(ctx, was, c); err != nil {
			return err
		}
	}
	return a.complete(ctx, software)
}

// renew stores what the report changes of the computer.
func (a *arrival) renew(ctx context.Context, was, c *inventory.Computer) error {
	d, err := a.withinBudget(ctx, was, c)
	if err != nil || a.Kind.Same(c, was) {
		return err
	}
	if err := a.StoreChanged(ctx); err != nil {
		return err
	}
	a.changes = d.changes
	return a.Tx.AddAddresses(ctx, a.computer, d.addresses, a.Now())
}

// apply sets what the report has otherwise than before. What a person has set
// stays; it is kept beside it what the agent reports of that.
func (a *arrival) apply(ctx context.Context, c, was *inventory.Computer) error {
	if a.first {
		desk.SetAll(c)
	}
	from, to := a.Kind.Values(&a.Report.Computer), a.Kind.Values(c)
	var set []*kind.Field
	for _, f := range a.differing(was) {
		if c.KeptFromReports(f) {
			set = append(set, f)
		} else {
			to.Set(f, from)
		}
		if f.Name == "bioses" {
			c.ReportedManufacturer = a.Report.Identity.Manufacturer
		}
	}
	return a.KeepReported(ctx, c.ID, set, &a.Report.Computer)
}

// findChanged returns the fields that the report has otherwise than the agent did
// before.
func (a *arrival) findChanged() (fields []*kind.Field) {
	for _, f := range a.Report.Fields {
		section := report.ComputerSection
		if f.Type == kind.List {
			section = f.Name
		}
		if !a.isUnchanged(section) {
			fields = append(fields, f)
		}
	}
	return fields
}

// ofSoftwareAlone reports whether the agent has reported all of the computer before,
// so that nothing of it changes but its software.
func (a *arrival) ofSoftwareAlone() bool { return a.agent.ID != 0 && len(a.changedFields) == 0 }

// differing returns the fields that the report has otherwise than the agent
// did before, and otherwise than the computer has them.
func (a *arrival) differing(was *inventory.Computer) []*kind.Field {
	fields := slices.Clone(a.changedFields)
	stored := newSums((&report.Report{Computer: *was, Fields: fields, Partial: true}).Digests())
	return slices.DeleteFunc(fields, func(f *kind.Field) bool {
		return f.Type == kind.List && stored[f.Name] == a.newSums[f.Name] && !was.KeptFromReports(f)
	})
}

// complete does what follows from the computer's new state, and records it.
func (a *arrival) complete(ctx context.Context, software *desk.ProgramList) error {
	if err := a.install(ctx, software); err != nil {
		return err
	}
	if err := a.countOfComputer(ctx, &newSoftwareQuota, a.names.made); err != nil {
		return err
	}
	if err := a.makePrinters(ctx); err != nil {
		return err
	}
	if err := a.noteAgent(ctx); err != nil {
		return err
	}
	if err := a.Stored(ctx); err != nil {
		return err
	}
	return a.auditChanges(ctx)
}

// ofSoftware returns the work on software in the same transaction.
func (a *arrival) ofSoftware() *desk.Work {
	return &desk.Work{Desk: a.Desk, Tx: a.Tx, Who: a.Who, Kind: inventory.Softwares.Schema}
}

// install makes software all that agents report of the computer; nil changes
// nothing.
func (a *arrival) install(ctx context.Context, software *desk.ProgramList) error {
	if software == nil {
		return nil
	}
	w := a.ofSoftware()
	m, err := w.MoveTowards(ctx, a.computer, software, true)
	if err != nil {
		return err
	}
	diff := m.Diff()
	a.changes.Changes = append(a.changes.Changes, diff.Changes...)
	a.changes.Sentences = append(a.changes.Sentences, diff.Sentences...)
	return w.Move(ctx, a.Rec.(*inventory.Computer), m)
}

// noteAgent stores what is known of the agent now, what identifies the computer,
// and what every report renews.
func (a *arrival) noteAgent(ctx context.Context) error {
	id := &a.Report.Identity
	a.agent.ComputerID, a.agent.AgentID, a.agent.Program, a.agent.Version = a.computer, id.AgentID, id.Program,
		id.ProgramVersion
	a.agent.Digests, a.agent.Clock = a.forgetPartial(a.keepSums(a.oldSums.renewed(a.newSums, a.Report))).bytes(),
		a.clock()
	// else the next one reports whether they are gone
	if a.agent.Sum = nil; a.Sum != (report.Sum{}) && len(a.verdict.Unheard) == 0 && len(a.missing) == 0 {
		a.agent.Sum = a.Sum[:]
	}
	if err := a.noteVoices(ctx); err != nil {
		return err
	}
	if err := a.settleClaims(ctx); err != nil {
		return err
	}
	if err := a.noteKey(ctx); err != nil {
		return err
	}
	if a.notAlone {
		a.agent.UUID = uuidWithComputer(a.agent.UUID, a.computer)
	}
	if err := a.keepReport(ctx); err != nil {
		return err
	}
	write := a.Tx.SetAgent
	if a.agent.LastToken = a.By.Token.ID; a.agent.ID == 0 {
		a.agent.TokenID, a.agent.CreatedAt = a.By.Token.ID, a.Now()
		write = a.Tx.AddAgent
	}
	if err := write(ctx, &a.agent); err != nil {
		return err
	}
	a.Who.Report.Agent = a.agent.ID
	if err := a.noteIdentity(ctx); err != nil {
		return err
	}
	seen := renewal{
		agent: a.agent.ID, computer: a.computer, address: a.By.Address,
		drives: slices.Contains(a.Report.Fields, a.Kind.Field("drives")),
	}
	seen.free, seen.software, seen.leftOut = inventory.FreeSpaces(a.Report.Computer.Drives), a.names.reported,
		a.names.leftOut
	return a.agents.detected(ctx, a.Tx, seen)
}
