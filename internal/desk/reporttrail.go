package desk

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// maxRecords is up to how many changes of one report have an audit record each.
const maxRecords = 50

// tell writes the audit records of a report: one for each change, or one for all
// of a computer's first report and of one with many changes.
func (a *arrival) tell(ctx context.Context) error {
	diff, name := &a.changes, a.rec.(*inventory.Computer).Name
	if a.another {
		if err := a.tellAgent(ctx); err != nil {
			return err
		}
	}
	switch {
	case a.old == nil:
		doubts, err := a.doubtful(ctx)
		if err != nil {
			return err
		}
		return a.tellAll(ctx, inventory.Created, "Computer "+name+" created by its first report"+doubts)
	case a.first:
		return a.tellAll(ctx, inventory.Reported, "First report of "+name+": "+summary(diff))
	case len(diff.Changes) > maxRecords:
		return a.tellAll(ctx, inventory.Reported, fmt.Sprintf("Report with %d changes: %s", len(diff.Changes), summary(diff)))
	}
	audits := make([]*inventory.Audit, len(diff.Changes))
	for i, change := range diff.Changes {
		audits[i] = concerning(a.kind, a.rec, &inventory.Audit{
			Action: inventory.Reported, Message: diff.Sentences[i], Changes: []inventory.AuditChange{inventory.AuditChange(change)},
		})
	}
	return a.append(ctx, a.tx, a.who, audits...)
}

// tellAgent records that an agent speaks for the computer which did not before.
func (a *arrival) tellAgent(ctx context.Context) error {
	message := fmt.Sprintf("Reported by a new agent, %s (%s)", agentName(a.agent.Program, a.agent.Version), a.agent.DeviceID)
	return a.write(ctx, a.tx, a.who, a.kind, a.rec, &inventory.Audit{Action: inventory.Reported, Message: message})
}

// tellAll writes one audit record of all changes.
func (a *arrival) tellAll(ctx context.Context, action, message string) error {
	record := &inventory.Audit{Action: action, Message: message, Changes: make([]inventory.AuditChange, len(a.changes.Changes))}
	for i, change := range a.changes.Changes {
		record.Changes[i] = inventory.AuditChange(change)
	}
	return a.write(ctx, a.tx, a.who, a.kind, a.rec, record)
}

// summary tells in few words what changed: which fields, and of collections how
// many items.
func summary(diff *kind.Diff) string {
	var told []string
	for _, t := range kind.Tallies(diff.Changes) {
		one := strings.ToLower(kind.Words(t.Field))
		if f := inventory.Computers.Field(t.Field); f == nil || f.Type == kind.List {
			one += " " + items(t)
		}
		told = append(told, one)
	}
	if told == nil {
		return "nothing new"
	}
	return strings.Join(told, "; ")
}

// items tells what became of how many items of a collection.
func items(t *kind.Tally) string {
	var parts []string
	for _, one := range []struct {
		n    int
		what string
	}{{t.Added, "added"}, {t.Removed, "removed"}, {t.Changed, "changed"}} {
		if one.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", one.n, one.what))
		}
	}
	return strings.Join(parts, ", ")
}

// calmed returns a computer as it was, but with the addresses and states of
// adapters and the free space of drives that it has now: what changes all the
// time, and is no news.
func calmed(was, is *inventory.Computer) *inventory.Computer {
	calm := *was
	calm.IP = is.IP
	calm.Networks, calm.Drives = slices.Clone(was.Networks), slices.Clone(was.Drives)
	for i := range calm.Networks {
		n := &calm.Networks[i]
		same := func(now inventory.Network) bool {
			return now.MAC == n.MAC && now.Description == n.Description
		}
		if j := slices.IndexFunc(is.Networks, same); j >= 0 {
			n.IP, n.Gateway, n.DHCP, n.Status = is.Networks[j].IP, is.Networks[j].Gateway, is.Networks[j].DHCP, is.Networks[j].Status
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
