package desk_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
	"muster/internal/store/installs"
)

// How many agents report at once in TestMixedLoad, and how often each.
const busyAgents, busyReports = 8, 12

// TestMixedLoad lets agents report while people install software, set and
// release fields, change licences and the status of computers, merge and delete
// them, and while a licence is counted in steps again and again: every report is taken in, and every count is true
// afterwards.
func TestMixedLoad(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		who := o.Administrator(t)
		for i := range busyAgents {
			o.Deliver(t, busyMachine(i, 0).XML())
		}
		licence := inventory.Contracts.New()
		licence.Name, licence.Type, licence.Items = "l", inventory.SoftwareLicense,
			[]inventory.ContractItem{{Name: "p*"}}
		if err := o.Add(context.Background(), program, inventory.Contracts.Schema, []any{licence}); err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		for i := range busyAgents {
			group.Go(func() {
				for n := range busyReports {
					if _, err := o.Try(t, busyMachine(i, n).XML()); err != nil {
						t.Errorf("report %d of agent %d: %v", n, i, err)
					}
				}
			})
		}
		for p := range 3 {
			group.Go(func() { o.person(t, who, licence.ID, rand.New(rand.NewPCG(1, uint64(p)))) })
		}
		busy := make(chan struct{})
		var counting sync.WaitGroup
		counting.Go(func() { o.countInSteps(t, licence.ID, busy) })
		group.Wait()
		close(busy)
		counting.Wait()
		mustertest.CheckCounts(t, o.Store)
		o.printersOnce(t)
		if _, err := o.Store.Verify(context.Background(), inventory.Audits.Schema, store.Walk{}); err != nil {
			t.Errorf("the audit trail: %v", err)
		}
	})
}

// countInSteps counts a licence in steps, a computer at a time, again and again as long as others are busy, and once
// more.
func (o *office) countInSteps(t *testing.T, licence int64, busy <-chan struct{}) {
	ctx := context.Background()
	for last := false; !last; {
		select {
		case <-busy:
			last = true
		default:
		}
		err := o.Store.Update(ctx, func(tx *store.Tx) error { return beginSteps(ctx, tx, licence) })
		for step := (installs.Step{}); err == nil && !step.Done; {
			err = o.Store.Update(ctx, func(tx *store.Tx) (err error) {
				step, err = installs.StepLicence(ctx, tx, licence, 1, inventory.Gone)
				return err
			})
		}
		if err != nil {
			t.Errorf("count in steps: %v", err)
		}
	}
}

// beginSteps lets a licence be counted in steps: it is not among the first of its transaction.
func beginSteps(ctx context.Context, tx *store.Tx, licence int64) error {
	if err := installs.LockLicences(ctx, tx); err != nil {
		return err
	}
	c, err := store.Get(ctx, tx, inventory.Contracts, licence)
	if err != nil {
		return err
	}
	for counting := false; err == nil && !counting; {
		_, counting, err = installs.SetLicence(ctx, tx, licence, []installs.Item{{Name: c.Items[0].Name}}, inventory.Gone)
	}
	return err
}

// busyMachine is a computer whose parts and software change with each report.
func busyMachine(i, n int) machine {
	m := machine{
		Device: fmt.Sprint("busy-", i), Name: fmt.Sprint("pc", i, "-", n%3), Maker: "Dell Inc.",
		Serial: fmt.Sprint("ABC123", i),
		UUID:   fmt.Sprintf("%08d%s", i+1, uuid1[8:]), MAC: fmt.Sprintf("00:1B:21:AA:BB:%02d", i),
		IP: fmt.Sprint("10.0.0.", n+1),
	}
	for p := range 30 {
		m.More += programXML(fmt.Sprint("p", (p*(i+1)+n*7)%61), fmt.Sprint(n%2), "")
	}
	m.More += fmt.Sprintf("<PRINTERS><NAME>Printer %d</NAME></PRINTERS><PRINTERS><NAME>printer %d</NAME></PRINTERS>",
		n%5, (n+i)%5) +
		fmt.Sprintf("<HARDWARE><MEMORY>%d</MEMORY></HARDWARE>", 1000+n)
	return m
}

// person does what people do to computers, at random.
func (o *office) person(t *testing.T, who desk.Caller, licence int64, r *rand.Rand) {
	ctx, k := context.Background(), inventory.Computers.Schema
	for range 60 {
		id := 1 + r.Int64N(busyAgents+4)
		update := func(k *kind.Schema, id int64, document string) error {
			_, err := o.Update(ctx, who, desk.Target{Kind: k, ID: id},
				func() (*kind.Patch, error) { return k.Decode([]byte(document)) })
			return err
		}
		var err error
		switch r.IntN(8) {
		case 0, 1:
			err = o.installOn(ctx, who, id, fmt.Sprint("p", r.IntN(90)))
		case 2:
			err = update(k, id, fmt.Sprintf("<hardware><memory>%d</memory><name>mine</name></hardware>", r.IntN(9)+1))
		case 3:
			err = update(k, id, `<hardware><memory nil="true"/></hardware>`)
		case 4:
			err = update(k, id, "<hardware><status>"+inventory.Statuses[r.IntN(len(inventory.Statuses))]+
				"</status></hardware>")
		case 5:
			err = update(inventory.Contracts.Schema, licence,
				fmt.Sprintf("<contract><items><item><name>p%d*</name></item></items></contract>", r.IntN(7)))
		case 6:
			_, err = o.Merge(t, who, id, 1+r.Int64N(busyAgents))
		case 7:
			_, err = o.Delete(ctx, who, desk.Target{Kind: k, ID: id})
		}
		_, refused := errors.AsType[*desk.Error](err)
		if _, invalid := errors.AsType[*kind.Invalid](err); err != nil && !refused && !invalid {
			t.Errorf("a change by a person: %v", err)
		}
	}
}

// installOn notes software on a computer as a person.
func (o *office) installOn(ctx context.Context, who desk.Caller, computer int64, name string) error {
	k := inventory.Installations.Schema
	place := mustertest.PlaceOf("softwares", computer)
	_, _, err := o.Create(ctx, who, desk.New{Kind: k.Stored(), Under: &place, Document: func() (*kind.Patch, error) {
		return k.Decode([]byte("<software><name>" + name + "</name></software>"))
	}})
	return err
}

// printersOnce makes sure that no two printers have one name.
func (o *office) printersOnce(t *testing.T) {
	t.Helper()
	page, err := o.List(context.Background(), program, inventory.Printers.Schema, &kind.Query{Page: 1, PerPage: 100})
	if err != nil {
		t.Fatal(err)
	}
	if len(page.Records) != 5 {
		t.Errorf("got %d printers, want 5", len(page.Records))
	}
}
