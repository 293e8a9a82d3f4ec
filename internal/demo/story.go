package demo

import (
	"iter"
	"slices"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// past is how long the organisation has kept its records.
const past = 2 * 365 * 24 * time.Hour

// Office hours.
const (
	opens  = 8 * time.Hour
	closes = 18 * time.Hour
)

// A Step is one thing that somebody did, through one of the product's doors:
// new records of a kind, a change of one, or what a computer has installed.
type Step struct {
	At     time.Time
	By     *inventory.User // nil for the program itself
	Origin string          // as in audit records
	Kind   *kind.Schema
	// New returns the records that are made. It is called when all earlier steps
	// were taken, since records name others by the ids that these got.
	New func() []any
	// Of is a record of an earlier step that is changed, and Document says how;
	// both are for steps without New.
	Of       any
	Document func() string
	// Software is all that the computer Of has from then on, instead of a
	// Document.
	Software []inventory.Software
}

// A story is the organisation's past in the making.
type story struct {
	now       time.Time
	users     []*inventory.User // of whom the ids are known
	computers []*inventory.Computer
	owned     map[int64][]*inventory.Computer // by the ids of their owners
	vendors   []*inventory.Vendor
	assets    []*inventory.OtherAsset
	tickets   []*ticketLife
	steps     []Step
}

// Story returns all that happened in an organisation with n computers before
// now, in the order of time. Its users exist before: they are those of Users,
// with ids.
func Story(n int, users []*inventory.User, now time.Time) []Step {
	s := &story{now: now.UTC().Truncate(time.Second), users: users, owned: map[int64][]*inventory.Computer{}}
	s.buyComputers(n)
	s.meetVendors()
	s.buyAssets()
	s.setUpPrinters()
	s.openTickets(max(len(data().cases), n/4))
	s.findRisks()
	s.writeSolutions()
	s.listSoftware()
	s.installSoftware()
	s.signContracts()
	s.steps = slices.DeleteFunc(s.steps, func(step Step) bool { return step.At.After(s.now) })
	slices.SortStableFunc(s.steps, func(a, b Step) int { return a.At.Compare(b.At) })
	return s.steps
}

// ago returns the time so many days and minutes before now, in office hours.
func (s *story) ago(days, minutes int) time.Time {
	return s.office(s.now.Add(-time.Duration(days)*24*time.Hour - time.Duration(minutes)*time.Minute))
}

// begin is when the records begin.
func (s *story) begin() time.Time { return s.office(s.now.Add(-past)) }

// office moves a time of a day before today into the office hours of that week,
// from Monday to Friday. It is never on a later day for that, and what was
// earlier stays so.
func (s *story) office(t time.Time) time.Time {
	const day = 24 * time.Hour
	if !t.Before(s.now.Truncate(day)) {
		return t
	}
	monday := t.Truncate(7 * day) // the zero time is on one
	worked := t.Sub(monday) / 7 * 5
	morning := worked.Truncate(day)
	return monday.Add(morning + opens + (worked-morning)/24*((closes-opens)/time.Hour)).Truncate(time.Second)
}

// workday moves a time on a weekend to the Monday after.
func workday(t time.Time) time.Time {
	switch t.Weekday() {
	case time.Saturday:
		return t.AddDate(0, 0, 2)
	case time.Sunday:
		return t.AddDate(0, 0, 1)
	}
	return t
}

// day returns the date so many days from today.
func (s *story) day(days int) time.Time {
	y, m, d := s.now.Date()
	return time.Date(y, m, d+days, 0, 0, 0, 0, time.UTC)
}

// add notes that somebody made records.
func (s *story) add(at time.Time, by *inventory.User, k *kind.Schema, recs func() []any) {
	s.steps = append(s.steps, Step{At: at, By: by, Origin: door(by), Kind: k, New: recs})
}

// change notes that somebody changed a record.
func (s *story) change(at time.Time, by *inventory.User, k *kind.Schema, rec any, doc string) {
	s.steps = append(s.steps,
		Step{At: at, By: by, Origin: door(by), Kind: k, Of: rec, Document: func() string { return doc }})
}

// door is the one through which somebody comes: people use their browser.
func door(by *inventory.User) string {
	if by == nil {
		return "import"
	}
	return "web"
}

// Computers come delivery at a time; unpacking is what one of them takes.
const (
	delivery  = 10
	unpacking = 7 * time.Minute
)

// buyComputers makes the computers come in, some at a time.
func (s *story) buyComputers(n int) {
	var people []kind.Person
	for _, u := range s.users {
		people = append(people, u.Person())
	}
	lots := (n + delivery - 1) / delivery
	for i := range n {
		c, lot := Computer(i, people, s.now), i/delivery
		came := s.office(s.now.Add(-past / time.Duration(lots) * time.Duration(lots-lot)))
		c.CreatedAt = came.Add(time.Duration(i%delivery-delivery) * unpacking)
		if c.DetectedAt.Before(came) && !c.DetectedAt.IsZero() {
			c.DetectedAt = came // it has reported but once
		}
		s.computers = append(s.computers, c)
		s.owned[c.Owner.ID] = append(s.owned[c.Owner.ID], c)
	}
	for lot := range slices.Chunk(s.computers, delivery) {
		came := lot[0].CreatedAt.Add(delivery * unpacking)
		for run := range runs(lot) {
			s.welcome(came, run)
		}
	}
	s.describeComputers()
}

// runs returns the parts of a delivery that agents have reported and those that
// people have entered, in turn.
func runs(lot []*inventory.Computer) iter.Seq[[]*inventory.Computer] {
	return func(yield func([]*inventory.Computer) bool) {
		for first := 0; first < len(lot); {
			end := first + 1
			for end < len(lot) && lot[end].DetectedAt.IsZero() == lot[first].DetectedAt.IsZero() {
				end++
			}
			if !yield(lot[first:end]) {
				return
			}
			first = end
		}
	}
}

// welcome notes that computers were made by the first reports of their agents, or
// by somebody where there is no agent.
func (s *story) welcome(came time.Time, run []*inventory.Computer) {
	if run[0].DetectedAt.IsZero() {
		s.add(came, s.users[0], inventory.Computers.Schema, all(run))
		return
	}
	s.steps = append(s.steps, Step{At: came, Origin: "agent", Kind: inventory.Computers.Schema, New: all(run)})
}

// describeComputers notes that people have described some computers in their own
// words, which no report changes.
func (s *story) describeComputers() {
	words := data().ownWords
	for i, c := range s.computers {
		at := s.ago(4+i%90, 7*i%400)
		if i%12 == 5 && !c.DetectedAt.IsZero() && at.After(c.CreatedAt.Add(delivery*unpacking)) {
			doc := document(inventory.Computers.Item, "description", words[i/12%len(words)])
			s.change(at, s.users[i%technicians], inventory.Computers.Schema, c, doc)
		}
	}
}

// all returns records as a step makes them.
func all[T any](recs []*T) func() []any {
	return func() (out []any) {
		for _, rec := range recs {
			out = append(out, rec)
		}
		return out
	}
}

// link names a record that another is linked with, by the id that it has got.
func link[T any](k kind.Kind[T], rec *T) kind.Linked {
	return kind.Linked{Item: k.Item, ID: kind.Some(k.Meta(rec).ID), Name: k.Values(rec).Format(k.Field("name"))}
}

// ownedBy returns the computers of a user that were there at a time and are in
// use.
func (s *story) ownedBy(u *inventory.User, at time.Time) (own []*inventory.Computer) {
	for _, c := range s.owned[u.ID] {
		if c.CreatedAt.Add(delivery*unpacking).Before(at) && c.Status == inventory.Statuses[0] {
			own = append(own, c)
		}
	}
	return own
}
