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

// tellAll writes one audit record of all changes.
func (a *arrival) tellAll(ctx context.Context, action, message string) error {
	record := &inventory.Audit{Action: action, Message: message}
	for _, change := range a.changes.Changes {
		record.Changes = append(record.Changes, inventory.AuditChange(change))
	}
	return a.write(ctx, a.tx, a.who, a.kind, a.rec, record)
}

// summary tells in few words what changed.
func summary(diff *kind.Diff) string {
	type count struct{ added, removed, changed int }
	counts, fields := map[string]*count{}, []string{}
	for _, c := range diff.Changes {
		n := counts[c.Field]
		if n == nil {
			n = &count{}
			counts[c.Field], fields = n, append(fields, c.Field)
		}
		switch {
		case c.From == "":
			n.added++
		case c.To == "":
			n.removed++
		default:
			n.changed++
		}
	}
	var parts []string
	for _, field := range fields {
		text, n := strings.ToLower(kind.Words(field)), counts[field]
		if f := inventory.Computers.Field(field); f == nil || f.Type == kind.List {
			var told []string
			for _, one := range []struct {
				n    int
				what string
			}{{n.added, "added"}, {n.removed, "removed"}, {n.changed, "changed"}} {
				if one.n > 0 {
					told = append(told, fmt.Sprintf("%d %s", one.n, one.what))
				}
			}
			text += " " + strings.Join(told, ", ")
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return "nothing new"
	}
	return strings.Join(parts, "; ")
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

// noteAddresses adds the changes of addresses and of the states of adapters to
// the computer's history.
func (a *arrival) noteAddresses(ctx context.Context, calm *inventory.Computer) error {
	var changes []kind.Change
	for _, c := range a.kind.Diff(a.old, calm).Changes {
		if c.Field != "drives" {
			changes = append(changes, c)
		}
	}
	return a.tx.AddAddresses(ctx, a.computer, changes, a.now())
}

// makePrinters makes the printers that the computer has and had not before, if
// there are none of their names.
func (a *arrival) makePrinters(ctx context.Context) error {
	var had []inventory.LocalPrinter
	if was, ok := a.old.(*inventory.Computer); ok {
		had = was.Printers
	}
	var names []string
	byName := map[string]*inventory.Printer{}
	for _, p := range a.rec.(*inventory.Computer).Printers {
		name := strings.ToLower(p.Name)
		known := slices.ContainsFunc(had, func(h inventory.LocalPrinter) bool { return strings.EqualFold(h.Name, p.Name) })
		if name == "" || known || byName[name] != nil {
			continue
		}
		names = append(names, "p:"+name)
		byName[name] = &inventory.Printer{Name: p.Name, Driver: p.Driver, Port: p.Port}
	}
	if err := a.tx.HoldKeys(ctx, names); err != nil {
		return err
	}
	for _, key := range names {
		if err := a.makePrinter(ctx, byName[strings.TrimPrefix(key, "p:")]); err != nil {
			return err
		}
	}
	return nil
}

// makePrinter makes a printer unless there is one of its name.
func (a *arrival) makePrinter(ctx context.Context, p *inventory.Printer) error {
	k := inventory.Printers.Schema
	same, err := a.tx.Having(ctx, k, k.Field("name"), p.Name)
	if len(same) > 0 || err != nil {
		return err
	}
	made := &work{Desk: a.Desk, tx: a.tx, who: a.who, kind: k, rec: p}
	k.SetDefaults(p)
	if err := made.check(ctx, k.Check); err != nil {
		return err
	}
	return made.insert(ctx)
}
