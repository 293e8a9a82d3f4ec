package desk

import (
	"context"
	"slices"
	"strings"

	"muster/internal/inventory"
)

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
