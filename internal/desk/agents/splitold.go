package agents

import (
	"context"
	"slices"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/report"
	"muster/internal/store"
)

// restore makes the old computer what its other agents report, where it showed what the
// agent reported that has gone; and records it.
func (s *splitter) restore(ctx context.Context) error {
	c := s.Kind.Copy(s.from).(*inventory.Computer)
	s.stays = c
	heir := s.lastOfRest()
	w := &desk.Work{Desk: s.Desk, Tx: s.Tx, Who: s.Who, Kind: s.Kind, Rec: c, Old: s.from}
	c.DetectedAt = heir.ReportedAt
	if err := s.restoreFields(ctx, w, heir); err != nil {
		return err
	}
	software, err := s.restoreSoftware(ctx, heir)
	if err != nil {
		return err
	}
	if err := s.Tx.SetApart(ctx, s.Kind, c, s.Kind.Field("detected-at"), s.Kind.Field("free-spaces")); err != nil {
		return err
	}
	if err := s.giveVoice(ctx, heir); err != nil {
		return err
	}
	if err := w.Stored(ctx); err != nil {
		return err
	}
	diff := s.Kind.Diff(s.from, c)
	diff.Changes = append(diff.Changes, software.Changes...)
	return s.audit(ctx, w, diff)
}

// audit writes the audit records of both computers.
func (s *splitter) audit(ctx context.Context, old *desk.Work, lost kind.Diff) error {
	agent, device, c := agentName(s.agent.Program, s.agent.Version), s.agent.DeviceID, s.made()
	made := s.AuditAs(inventory.Created, message.New("Computer %s split off computer %d (%s), with the agent %s (%s)",
		c.Name, s.from.ID, s.stays.Name, agent, device), s.gains)
	left := message.New("Agent %s (%s) split off as computer %d (%s)", agent, device, c.ID, c.Name)
	return s.AppendAudits(ctx, s.Tx, s.by, made, old.AuditAs(inventory.Split, left, lost))
}

// lastOfRest returns the agent that reported last of those that stay.
func (s *splitter) lastOfRest() *store.Agent {
	heir := &s.rest[0]
	for i := range s.rest {
		if s.rest[i].ReportedAt.After(heir.ReportedAt) {
			heir = &s.rest[i]
		}
	}
	return heir
}

// left returns the sections for which nobody speaks any more.
func (s *splitter) left() []string {
	spoken := s.agent.Speaks
	if spoken == nil {
		spoken = reportSections()
	}
	return slices.DeleteFunc(slices.Clone(spoken), func(section string) bool {
		return slices.ContainsFunc(s.rest,
			func(other store.Agent) bool { return slices.Contains(other.Speaks, section) })
	})
}

// restoreFields sets what an agent reported last of sections for which nobody speaks any
// more, but for what a person has set.
func (s *splitter) restoreFields(ctx context.Context, w *desk.Work, heir *store.Agent) error {
	kept := readKept(heir.Kept)
	if kept == nil {
		return nil // its next report counts whole
	}
	left, a := s.left(), &arrival{identification: identification{
		agents: s.agents, Work: w, Delivery: Delivery{Report: &report.Report{Computer: *kept.Computer, Partial: true}},
	}}
	a.Report.Identity.Manufacturer = kept.Maker
	for _, name := range kept.Reported {
		if f := s.Kind.Field(name); f != nil && slices.Contains(left, sectionOf(f)) {
			a.changedFields = append(a.changedFields, f)
		}
	}
	a.Report.Fields = a.changedFields
	a.newSums = newSums(a.Report.Digests())
	c := w.Rec.(*inventory.Computer)
	if err := a.apply(ctx, c, s.from); err != nil {
		return err
	}
	if slices.Contains(left, "drives") {
		c.SetFreeSpaces(inventory.FreeSpaces(kept.Computer.Drives))
	}
	if err := w.Check(ctx, s.Kind.Check); err != nil {
		return err
	}
	if s.Kind.Same(c, s.from) {
		return nil
	}
	return w.StoreChanged(ctx)
}

// restoreSoftware makes the software of the old computer what an agent reported last, if
// nobody else speaks for it.
func (s *splitter) restoreSoftware(ctx context.Context, heir *store.Agent) (diff kind.Diff, err error) {
	if !slices.Contains(s.left(), report.SoftwareSection) {
		return diff, nil
	}
	w := &desk.Work{Desk: s.Desk, Tx: s.Tx, Who: s.Who, Kind: inventory.Softwares.Schema}
	list, err := s.programs(ctx, w, heir)
	if list == nil || err != nil {
		return diff, err
	}
	m, err := w.MoveTowards(ctx, s.from.ID, list, true)
	if err != nil {
		return diff, err
	}
	return m.Diff(), w.Move(ctx, s.from, m)
}

// giveVoice lets an agent speak for what the one spoke for that has gone. The next
// report of each agent counts whole.
func (s *splitter) giveVoice(ctx context.Context, heir *store.Agent) error {
	if heir.Speaks != nil {
		if err := s.Tx.SetSpeaks(ctx, heir.ID, append(slices.Clone(heir.Speaks), s.left()...)); err != nil {
			return err
		}
	}
	return s.Tx.ForgetSums(ctx, s.from.ID, 0)
}
