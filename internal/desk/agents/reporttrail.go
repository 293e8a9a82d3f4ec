package agents

import (
	"context"
	"slices"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
)

// maxRecords is up to how many changes of one report have an audit record each.
const maxRecords = 50

// auditChanges writes the audit records of a report: one for each change, or one for all
// of a computer's first report and of one with many changes.
func (a *arrival) auditChanges(ctx context.Context) error {
	diff, name := &a.changes, a.Rec.(*inventory.Computer).Name
	if a.another {
		if err := a.auditAgent(ctx); err != nil {
			return err
		}
	}
	switch {
	case a.Old == nil:
		doubts, err := a.newComputerMessage(ctx)
		if err != nil {
			return err
		}
		return a.auditAll(ctx, inventory.Created, doubts)
	case a.first:
		return a.auditAll(ctx, inventory.Reported, message.New("First report of %s: %s", name, summary(diff)))
	case len(diff.Changes) > maxRecords:
		return a.auditAll(ctx, inventory.Reported, message.New("Report with %d changes: %s",
			len(diff.Changes), summary(diff)))
	}
	audits := make([]*inventory.Audit, len(diff.Changes))
	for i, change := range diff.Changes {
		audits[i] = desk.Concerning(a.Kind, a.Rec, &inventory.Audit{
			Action: inventory.Reported, Message: diff.Sentences[i], Changes: []inventory.AuditChange{
				inventory.AuditChange(change),
			},
		})
	}
	return a.AppendAudits(ctx, a.Tx, a.Who, audits...)
}

// auditAgent records that an agent speaks for the computer which did not before.
func (a *arrival) auditAgent(ctx context.Context) error {
	text := message.New("Reported by a new agent, %s (%s)", agentName(a.agent.Program, a.agent.Version),
		a.agent.DeviceID)
	return a.WriteAudit(ctx, a.Tx, a.Who, a.Kind, a.Rec, desk.NewAudit(inventory.Reported, text))
}

// auditAll writes one audit record of all changes.
func (a *arrival) auditAll(ctx context.Context, action string, text message.Text) error {
	record := desk.NewAudit(action, text)
	record.Changes = make([]inventory.AuditChange, len(a.changes.Changes))
	for i, change := range a.changes.Changes {
		record.Changes[i] = inventory.AuditChange(change)
	}
	return a.WriteAudit(ctx, a.Tx, a.Who, a.Kind, a.Rec, record)
}

// summary says in few words what changed: which fields, and of collections how
// many items.
func summary(diff *kind.Diff) message.Text {
	var tallies []message.Text
	for _, t := range kind.Tallies(diff.Changes) {
		f := inventory.Computers.Field(t.Field)
		tallies = append(tallies, inventory.ToldTally(t, f == nil || f.Type == kind.List))
	}
	if tallies == nil {
		return message.New("nothing new")
	}
	return message.Joined(tallies, "; ")
}

// withoutVolatile returns a computer as it was, but with the addresses and states of
// adapters and the free space of drives that it has now: what changes all the
// time, and is no news.
func withoutVolatile(was, is *inventory.Computer) *inventory.Computer {
	calm := *was
	calm.IP = is.IP
	calm.Networks, calm.Drives = slices.Clone(was.Networks), slices.Clone(was.Drives)
	for i := range calm.Networks {
		n := &calm.Networks[i]
		same := func(now inventory.Network) bool {
			return now.MAC == n.MAC && now.Description == n.Description
		}
		if j := slices.IndexFunc(is.Networks, same); j >= 0 {
			n.IP, n.Gateway, n.DHCP, n.Status = is.Networks[j].IP, is.Networks[j].Gateway, is.Networks[j].DHCP,
				is.Networks[j].Status
		}
	}
	for i := range calm.Drives {
		d := &calm.Drives[i]
		if j := slices.IndexFunc(is.Drives, func(now inventory.Drive) bool { return now.Name == d.Name }); j >= 0 {
			d.FreeSpace = is.Drives[j].FreeSpace
		}
	}
	return &calm
}

// addressChanges returns the changes of addresses and of the states of adapters, which
// the computer's history has.
func addressChanges(diff kind.Diff) (changes []kind.Change) {
	for _, c := range diff.Changes {
		if c.Field != "drives" {
			changes = append(changes, c)
		}
	}
	return changes
}
