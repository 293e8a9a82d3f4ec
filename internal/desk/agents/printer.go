package agents

import (
	"context"
	"slices"
	"strings"

	"muster/internal/desk"
	"muster/internal/identity"
	"muster/internal/inventory"
	"muster/internal/report"
	"muster/internal/store"
)

// Settings that limit how many printers come to be by reports. A printer is new when it
// is not known, see printerMaker.knows; the computer has it among its own in any case.
var (
	agentPrinters = desk.NumberSetting(0, 100_000, 50, "agent-printers-per-day",
		"new printers a day that one computer may report, 0 for any number; what is beyond comes with later reports")
	agentTokenPrinters = desk.NumberSetting(0, 1_000_000, 500, "agent-token-printers-per-day",
		"new printers a day that agents with one token may report, 0 for any number, besides 2 for each computer that they reported before this day")
)

// newPrintersQuota is that of printers.
var newPrintersQuota = quota{
	computer: &agentPrinters, token: &agentTokenPrinters, each: func(*desk.Desk) int { return 2 },
	ofComputer: store.PrintersOfComputer, ofToken: store.PrintersOfToken,
}

// newPrinters is the new printers of a report.
type newPrinters struct {
	made    int
	leftOut bool // a limit leaves some out
}

// printersSection is the section of a report that has printers.
var printersSection = inventory.Computers.Field("printers").Name

// printersLeftOut reports whether a limit left printers of the agent's last report
// back: its sum of them is that of no report.
func (a *arrival) printersLeftOut() bool {
	sum, reported := a.oldSums[printersSection]
	return reported && sum == report.Sum{}
}

// markPrinters makes the next report bring the printers that a limit leaves out.
func (a *arrival) markPrinters(digests sums) sums {
	if a.printers.leftOut || a.printersLeftOut() && a.ofSoftwareAlone() {
		digests[printersSection], a.Sum = report.Sum{}, report.Sum{}
	} else if digests[printersSection] == (report.Sum{}) {
		delete(digests, printersSection)
	}
	return digests
}

// printerPrefix begins the key of a computer that has a printer at a port of its own.
const printerPrefix = "p:"

// makePrinters makes the printers that the computer has and had not before, unless
// they are known, as many as the report may. Printers that are programs are none.
func (a *arrival) makePrinters(ctx context.Context) error {
	m := printerMaker{a}
	fresh, err := m.unknown(ctx, m.fresh())
	if err != nil || len(fresh) == 0 {
		return err
	}
	n, err := a.allow(ctx, &newPrintersQuota, len(fresh), 0)
	if err != nil {
		return err
	}
	a.printers.leftOut = n < len(fresh)
	if n == 0 {
		return nil
	}
	if err := m.lock(ctx, fresh[:n]); err != nil {
		return err
	}
	for _, p := range fresh[:n] {
		if err := m.makeUnlessKnown(ctx, p); err != nil {
			return err
		}
	}
	if err := a.countOfToken(ctx, &newPrintersQuota, a.printers.made); err != nil {
		return err
	}
	return a.countOfComputer(ctx, &newPrintersQuota, a.printers.made)
}

// A printerMaker makes the new printers of an arrival.
type printerMaker struct{ *arrival }

// unknown returns those of some printers that are not known.
func (m printerMaker) unknown(ctx context.Context, all []identity.Printer) (unknown []identity.Printer, err error) {
	for _, p := range all {
		known, err := m.knows(ctx, p)
		if err != nil {
			return nil, err
		}
		if !known {
			unknown = append(unknown, p)
		}
	}
	return unknown, nil
}

// lock lets nobody else make some of the same printers.
func (m printerMaker) lock(ctx context.Context, all []identity.Printer) error {
	var keys []string
	for _, p := range all {
		keys = append(keys, "p:"+strings.ToLower(p.SerialNumber()), "p:"+p.Address(), "p:"+strings.ToLower(p.Name))
	}
	return m.Tx.LockKeys(ctx, keys)
}

// makeUnlessKnown makes a printer, unless it is known by now.
func (m printerMaker) makeUnlessKnown(ctx context.Context, p identity.Printer) error {
	known, err := m.knows(ctx, p)
	if err != nil || known {
		return err
	}
	m.printers.made++
	return m.make(ctx, p)
}

// fresh returns the printers that the computer has and had not before at
// the same port; all, when a limit left some of them out.
func (m printerMaker) fresh() (fresh []identity.Printer) {
	if m.ofSoftwareAlone() {
		return nil
	}
	var had []inventory.LocalPrinter
	if was, ok := m.Old.(*inventory.Computer); ok && !m.printersLeftOut() {
		had = was.Printers
	}
	for _, p := range m.Rec.(*inventory.Computer).Printers {
		known := slices.ContainsFunc(had,
			func(h inventory.LocalPrinter) bool { return strings.EqualFold(h.Name, p.Name) && h.Port == p.Port })
		one := identity.Printer{Name: p.Name, Driver: p.Driver, Port: p.Port, Serial: m.Report.PrinterSerials[p]}
		if p.Name != "" && !known && !one.Virtual() {
			fresh = append(fresh, one)
		}
	}
	return fresh
}

// knows reports whether a printer is known: by its serial number; else by
// its address in the network; else, at a port of the computer, as one of this
// computer; else by its name.
func (m printerMaker) knows(ctx context.Context, p identity.Printer) (bool, error) {
	serial, address := p.SerialNumber(), p.Address()
	switch {
	case serial != "":
		return m.has(ctx, "serial-number", serial)
	case address != "":
		known, err := m.has(ctx, "ip", address)
		if known || err != nil {
			return known, err
		}
		return m.has(ctx, "port", p.Port) // as those of earlier versions, which have no address
	case p.Local():
		keys, err := m.Tx.IdentityOf(ctx, m.computer)
		return slices.Contains(keys, localPrinter(p)), err
	}
	return m.has(ctx, "name", p.Name)
}

// has reports whether a printer has a value.
func (m printerMaker) has(ctx context.Context, field, value string) (bool, error) {
	k := inventory.Printers.Schema
	ids, err := m.Tx.Having(ctx, k, k.Field(field), value)
	return len(ids) > 0, err
}

// localPrinter is the key of a computer that has a printer at a port of its own.
func localPrinter(p identity.Printer) string { return printerPrefix + strings.ToLower(p.Name) }

// make makes a printer.
func (m printerMaker) make(ctx context.Context, p identity.Printer) error {
	k := inventory.Printers.Schema
	rec := &inventory.Printer{
		Name: p.Name, Driver: p.Driver, Port: p.Port, SerialNumber: p.SerialNumber(), IP: p.Address(),
	}
	made := &desk.Work{Desk: m.Desk, Tx: m.Tx, Who: m.Who, Kind: k, Rec: rec}
	k.SetDefaults(rec)
	if err := made.Check(ctx, k.Check); err != nil {
		return err
	}
	if err := made.Insert(ctx); err != nil || !p.Local() {
		return err
	}
	return m.Tx.SetIdentity(ctx, m.computer, nil, []string{localPrinter(p)})
}
