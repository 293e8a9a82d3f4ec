package desk

import (
	"context"
	"slices"
	"strings"

	"muster/internal/identity"
	"muster/internal/inventory"
)

// byPrinter begins the key of a computer that has a printer at a port of its own.
const byPrinter = "p:"

// makePrinters makes the printers that the computer has and had not before, unless
// they are known. Printers that are programs are none.
func (a *arrival) makePrinters(ctx context.Context) error {
	fresh := a.freshPrinters()
	var keys []string
	for _, p := range fresh {
		keys = append(keys, "p:"+strings.ToLower(p.SerialNumber()), "p:"+p.Address(), "p:"+strings.ToLower(p.Name))
	}
	if err := a.tx.HoldKeys(ctx, keys); err != nil {
		return err
	}
	for _, p := range fresh {
		known, err := a.knowsPrinter(ctx, p)
		if err != nil {
			return err
		}
		if !known {
			err = a.makePrinter(ctx, p)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// freshPrinters returns the printers that the computer has and had not before at
// the same port.
func (a *arrival) freshPrinters() (fresh []identity.Printer) {
	var had []inventory.LocalPrinter
	if was, ok := a.old.(*inventory.Computer); ok {
		had = was.Printers
	}
	for _, p := range a.rec.(*inventory.Computer).Printers {
		known := slices.ContainsFunc(had, func(h inventory.LocalPrinter) bool { return strings.EqualFold(h.Name, p.Name) && h.Port == p.Port })
		one := identity.Printer{Name: p.Name, Driver: p.Driver, Port: p.Port, Serial: a.Report.PrinterSerials[p]}
		if p.Name != "" && !known && !one.Virtual() {
			fresh = append(fresh, one)
		}
	}
	return fresh
}

// knowsPrinter reports whether a printer is known: by its serial number; else by
// its address in the network; else, at a port of the computer, as one of this
// computer; else by its name.
func (a *arrival) knowsPrinter(ctx context.Context, p identity.Printer) (bool, error) {
	serial, address := p.SerialNumber(), p.Address()
	switch {
	case serial != "":
		return a.hasPrinter(ctx, "serial-number", serial)
	case address != "":
		known, err := a.hasPrinter(ctx, "ip", address)
		if known || err != nil {
			return known, err
		}
		return a.hasPrinter(ctx, "port", p.Port) // as those of earlier versions, which have no address
	case p.Local():
		keys, err := a.tx.IdentityOf(ctx, a.computer)
		return slices.Contains(keys, localPrinter(p)), err
	}
	return a.hasPrinter(ctx, "name", p.Name)
}

// hasPrinter reports whether a printer has a value.
func (a *arrival) hasPrinter(ctx context.Context, field, value string) (bool, error) {
	k := inventory.Printers.Schema
	ids, err := a.tx.Having(ctx, k, k.Field(field), value)
	return len(ids) > 0, err
}

// localPrinter is the key of a computer that has a printer at a port of its own.
func localPrinter(p identity.Printer) string { return byPrinter + strings.ToLower(p.Name) }

// makePrinter makes a printer.
func (a *arrival) makePrinter(ctx context.Context, p identity.Printer) error {
	k := inventory.Printers.Schema
	rec := &inventory.Printer{Name: p.Name, Driver: p.Driver, Port: p.Port, SerialNumber: p.SerialNumber(), IP: p.Address()}
	made := &work{Desk: a.Desk, tx: a.tx, who: a.who, kind: k, rec: rec}
	k.SetDefaults(rec)
	if err := made.check(ctx, k.Check); err != nil {
		return err
	}
	if err := made.insert(ctx); err != nil || !p.Local() {
		return err
	}
	return a.tx.SetIdentity(ctx, a.computer, nil, []string{localPrinter(p)})
}
