package mustertest

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"muster/internal/desk"
	"muster/internal/desk/access"
	"muster/internal/desk/agents"
	"muster/internal/desk/merge"
	"muster/internal/desk/seal"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/report"
	"muster/internal/store"
)

// program makes what an office needs.
var program = desk.Caller{Origin: "import"}

// An Office is a desk with a clock of its own, and an agent token.
type Office struct {
	*desk.Desk
	Access *access.Service
	Agents *agents.Service
	Store  *store.Store
	Token  *agents.Token
	Clock  *Clock
}

// OpenOffice opens an office on a new database.
func OpenOffice(t *testing.T, db Database) *Office {
	t.Helper()
	return OpenOfficeAt(t, db.Made(t))
}

// OpenOfficeAt opens an office on the database of an address.
func OpenOfficeAt(t *testing.T, address string) *Office {
	t.Helper()
	ctx := context.Background()
	s, err := store.Open(ctx, store.Config{Database: address, Kinds: inventory.All()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	o := &Office{Store: s, Clock: NewClock()}
	o.Restart(t)
	o.Token, _, err = o.Agents.AddToken(ctx, program,
		agents.NewToken{Name: "agents", Site: "Berlin", Department: "IT", Tag: "rolled-out"})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// Restart opens the desk and its agents anew.
func (o *Office) Restart(t *testing.T) {
	t.Helper()
	var err error
	o.Desk = o.NewDesk(t)
	o.Access = OpenAccess(t, o.Desk)
	if o.Agents, err = agents.Open(context.Background(), o.Desk); err != nil {
		t.Fatal(err)
	}
}

// NewDesk returns a further desk of the office, which knows nothing of what the
// others have in memory.
func (o *Office) NewDesk(t *testing.T) *desk.Desk {
	t.Helper()
	d, err := desk.Open(context.Background(), desk.Config{
		Store: o.Store, Key: make([]byte, seal.KeySize), Realm: "Muster", Now: o.Clock.Now,
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// OpenAccess returns what lets people in on a desk.
func OpenAccess(t *testing.T, d *desk.Desk) *access.Service {
	t.Helper()
	s, err := access.Open(context.Background(), d, access.Config{HashCost: CheapHash})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// User makes a user with a role.
func (o *Office) User(t *testing.T, email, role string) desk.Caller {
	t.Helper()
	user := inventory.Users.New()
	user.Email, user.Role = email, role
	if _, err := o.Access.Users().Add(context.Background(), program, user, "correct horse battery"); err != nil {
		t.Fatal(err)
	}
	return desk.Caller{User: user, Origin: "web", ByPassword: true}
}

// Administrator returns a person who may do everything.
func (o *Office) Administrator(t *testing.T) desk.Caller {
	t.Helper()
	ctx := context.Background()
	if _, err := o.Access.Users().FirstAdministrator(ctx, "admin@localhost"); err != nil {
		t.Fatal(err)
	}
	user, err := o.Access.User(ctx, "admin@localhost")
	if err != nil {
		t.Fatal(err)
	}
	return desk.Caller{User: user, Origin: "api", ByPassword: true}
}

// Deliver takes in a report and returns what it led to.
func (o *Office) Deliver(t *testing.T, document string) agents.Outcome {
	t.Helper()
	out, err := o.Try(t, document)
	if err != nil {
		t.Fatalf("%v, of the report %s", err, document)
	}
	return out
}

// Try is Deliver of a report that may be refused.
func (o *Office) Try(t *testing.T, document string) (agents.Outcome, error) {
	t.Helper()
	got, err := o.TryBy(t, agents.Reporter{Token: o.Token, Address: "192.0.2.1"}, document)
	return got.Outcome, err
}

// TryBy is Try of a report that comes in by what a test says.
func (o *Office) TryBy(t *testing.T, by agents.Reporter, document string) (agents.Receipt, error) {
	t.Helper()
	body, err := report.Open([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	admit := func(int64, bool) error { return nil }
	scan, ok, err := body.Scan()
	if err != nil {
		t.Fatal(err)
	}
	if ok {
		if again, err := o.Agents.Again(context.Background(), scan, by, admit); again || err != nil {
			return agents.Receipt{}, err
		}
	}
	m, err := body.Read(report.Source{})
	if err != nil || m.Report == nil {
		t.Fatalf("got the action %v, %v, of the report %s", m.Action, err, document)
	}
	return o.Agents.Report(context.Background(), agents.Delivery{By: by, Report: m.Report, Sum: scan.Sum, Admit: admit})
}

// Computers returns all computers, whole, in the order of their ids.
func (o *Office) Computers(t *testing.T) (all []*inventory.Computer) {
	t.Helper()
	ctx, k := context.Background(), inventory.Computers.Schema
	page, err := o.List(ctx, program, k, &kind.Query{Page: 1, PerPage: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range page.Records {
		whole, err := o.Get(ctx, program, k, rec.(*inventory.Computer).ID)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, whole.(*inventory.Computer))
	}
	return all
}

// Audits returns the audit records about computers, in their order.
func (o *Office) Audits(t *testing.T) []*inventory.Audit {
	t.Helper()
	return o.AuditsOf(t, inventory.Computers.Item)
}

// AuditsOf returns the audit records about one sort of records, in their order.
func (o *Office) AuditsOf(t *testing.T, item string) (all []*inventory.Audit) {
	t.Helper()
	page, err := o.List(context.Background(), program, inventory.Audits.Schema, &kind.Query{Page: 1, PerPage: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range page.Records {
		if a := rec.(*inventory.Audit); a.RecordType == item {
			// a list has some of many changes
			whole, err := o.Get(context.Background(), program, inventory.Audits.Schema, a.ID)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, whole.(*inventory.Audit))
		}
	}
	return all
}

// History returns what the audit records of a computer say.
func (o *Office) History(t *testing.T, id int64) (all []string) {
	t.Helper()
	for _, rec := range o.Below(t, "audits", id) {
		a := rec.(*inventory.Audit)
		all = append(all, a.Action+": "+a.Message)
	}
	return all
}

// Software returns what a computer has, with where it is.
func (o *Office) Software(t *testing.T, id int64) (all []string) {
	t.Helper()
	for _, rec := range o.Below(t, "softwares", id) {
		s := rec.(*inventory.Software)
		all = append(all, strings.TrimSpace(s.Name+" "+s.InstallPath))
	}
	return all
}

// Below returns the list of a computer that has a name.
func (o *Office) Below(t *testing.T, name string, id int64) []any {
	t.Helper()
	page, err := o.ListOf(context.Background(), program, PlaceOf(name, id), &kind.Query{Page: 1, PerPage: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if page.Total != len(page.Records) {
		t.Errorf("the %s of computer %d: got a total of %d and %d of them", name, id, page.Total, len(page.Records))
	}
	return page.Records
}

// Set changes a computer as a person.
func (o *Office) Set(t *testing.T, who desk.Caller, id int64, fields string) {
	t.Helper()
	k := inventory.Computers.Schema
	_, err := o.Update(context.Background(), who, desk.Target{Kind: k, ID: id}, func() (*kind.Patch, error) {
		return k.Decode([]byte("<hardware>" + fields + "</hardware>"))
	})
	if err != nil {
		t.Fatalf("%v, of %s", err, fields)
	}
}

// Addresses returns the history of a computer's addresses.
func (o *Office) Addresses(t *testing.T, computer int64) (lines []string) {
	t.Helper()
	ctx := context.Background()
	err := o.Store.View(ctx, func(tx *store.Tx) error {
		all, err := tx.Addresses(ctx, computer)
		for _, a := range all {
			lines = append(lines, fmt.Sprintf("%s: %s -> %s", a.Field, a.From, a.To))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// Merge makes two computers one, and returns it.
func (o *Office) Merge(t *testing.T, who desk.Caller, target, other int64) (*inventory.Computer, error) {
	t.Helper()
	rec, _, err := merge.New(o.Desk, o.Agents).Merge(context.Background(), who, merge.Merging{
		Target: desk.Target{Kind: inventory.Computers.Schema, ID: target},
		Document: func() (*kind.Patch, error) {
			return inventory.Mergings.Decode(fmt.Appendf(nil, "<hardware><id>%d</id></hardware>", other))
		},
	})
	if err != nil {
		return nil, err
	}
	return rec.(*inventory.Computer), nil
}

// PlaceOf is the list of a computer that has a name.
func PlaceOf(name string, id int64) desk.Place {
	return desk.Place{Relation: desk.RelationOf(inventory.Computers.Schema, name), ID: id}
}

// CheckCounts checks the counts of software that the store keeps against a recount.
func CheckCounts(t *testing.T, s *store.Store) {
	t.Helper()
	ctx := context.Background()
	err := s.View(ctx, func(tx *store.Tx) error {
		differences, err := desk.Recount(ctx, tx)
		if len(differences) > 0 {
			t.Errorf("a recount: %s", strings.Join(differences, "; "))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
