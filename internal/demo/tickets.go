package demo

import (
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/markup"
)

// A speaker is who says something under a ticket.
type speaker string

const (
	asker     speaker = "asker"
	helper    speaker = "helper"    // to whom the ticket is assigned
	colleague speaker = "colleague" // the other technician
)

// A line is one comment of a conversation.
type line struct {
	By      speaker `xml:"by,attr"`
	Private bool    `xml:"private,attr"`
	Text    string  `xml:",chardata"`
}

// A ticketCase is what a ticket is about, and how it went.
type ticketCase struct {
	Own         bool   `xml:"own,attr"`   // about the asker's computer
	Asset       string `xml:"asset,attr"` // type of another asset that it is about, "" for none
	Name        string `xml:"name"`
	Description string `xml:"description"`
	Category    string `xml:"category"`
	Subcategory string `xml:"subcategory"`
	Priority    string `xml:"priority"`
	Talk        []line `xml:"comment"`
	Resolution  string `xml:"resolution"`
}

// A fate is how far a ticket has come.
type fate uint8

const (
	isNew fate = iota
	isAssigned
	isAwaiting
	isOnHold
	isResolved
	isClosed
	isReopened
)

// openFates are those of the newer tickets, in turn.
var openFates = [...]fate{
	isAssigned, isResolved, isAwaiting, isNew, isOnHold, isReopened, isAssigned, isResolved, isNew,
}

// Ticket returns the i-th ticket, from 0, as it was opened, without id and
// stamps. Its requester is among people; without people it has none. There are
// as many different ones as cases, which come again and again.
func Ticket(i int, people []kind.Person) *inventory.Ticket {
	cases, t := data().cases, inventory.Tickets.New()
	c := &cases[i%len(cases)]
	t.Name, t.Description, t.Priority = c.Name, c.Description, c.Priority
	t.Category, t.Subcategory = c.Category, c.Subcategory
	if len(people) > 0 {
		t.Requester = people[scatter(uint64(i), 62)%uint64(len(people))]
	}
	if m := data().byEmail[t.Requester.Email]; m != nil {
		t.Site, t.Department = m.Site, m.Department
	}
	return t
}

// A ticketLife is a ticket with all that happens to it.
type ticketLife struct {
	*inventory.Ticket
	about  *ticketCase
	people map[speaker]*inventory.User
	opened time.Time
	last   time.Time // of what happened to it so far
}

// openTickets plays the help desk: n tickets, the older ones closed.
func (s *story) openTickets(n int) {
	askers, cases := s.askers(), data().cases
	for i := range n {
		left := float64(n-i) / float64(n)
		age := time.Duration(left * left * float64(400*24*time.Hour))
		l := &ticketLife{about: &cases[i%len(cases)], opened: s.office(s.now.Add(-age).Truncate(time.Second))}
		l.last = l.opened
		l.people = map[speaker]*inventory.User{
			asker: askers[i*7%len(askers)], helper: s.users[i%technicians], colleague: s.users[(i+1)%technicians],
		}
		l.Ticket = Ticket(i, []kind.Person{l.people[asker].Person()})
		s.tickets = append(s.tickets, l)
		s.open(l, i)
		s.play(l, fateOf(i, n))
	}
}

// askers are the members who write tickets, those with a computer first.
func (s *story) askers() (all []*inventory.User) {
	var without []*inventory.User
	for _, u := range s.users {
		switch {
		case u.Role != inventory.Requester || u.ReadOnly.V || u.Disabled.V:
		case len(s.ownedBy(u, s.ago(300, 0))) > 0:
			all = append(all, u)
		default:
			without = append(without, u)
		}
	}
	return append(all, without[:len(without)/2]...)
}

// fateOf says how far the i-th of n tickets has come. The last two were just
// opened.
func fateOf(i, n int) fate {
	switch {
	case i >= n-2:
		return isNew
	case i*2 < n:
		return isClosed
	}
	return openFates[i%len(openFates)]
}

// open notes how a ticket was opened: by the asker, by electronic mail, or by a
// technician on the telephone.
func (s *story) open(l *ticketLife, i int) {
	by, origin := l.people[asker], "web"
	switch i % 5 {
	case 2:
		origin = "import" // of what came by mail
		l.Origin = "email"
	case 4:
		by = l.people[helper]
		l.Tag = "By telephone"
	}
	s.steps = append(s.steps,
		Step{At: l.opened, By: by, Origin: origin, Kind: inventory.Tickets.Schema, New: func() []any {
			if own := s.ownedBy(l.people[asker], l.opened); l.about.Own && len(own) > 0 {
				l.Computers = []kind.Linked{link(inventory.Computers, own[0])}
			}
			if a := s.assetOf(l.about.Asset, l.people[asker]); a != nil {
				l.OtherAssets = []kind.Linked{link(inventory.OtherAssets, a)}
			}
			return []any{l.Ticket}
		}})
}

// assetOf returns an asset of a type that is a user's, or of their site.
func (s *story) assetOf(sort string, u *inventory.User) *inventory.OtherAsset {
	for _, a := range s.assets {
		if a.AssetType == sort && a.ID != 0 && (a.Owner.ID == u.ID || a.Site == u.Site) {
			return a
		}
	}
	return nil
}

// dueIn is how long tickets may take, by priority.
var dueIn = map[string]time.Duration{
	"Critical": 4 * time.Hour, "High": 24 * time.Hour, "Medium": 7 * 24 * time.Hour, "Low": 21 * 24 * time.Hour,
}

// play notes what happened to a ticket after it was opened.
func (s *story) play(l *ticketLife, f fate) {
	if f == isNew {
		return
	}
	due := dueIn[l.about.Priority]
	assign := []string{"assignee", l.people[helper].Email}
	if due > 0 {
		assign = append(assign, "due-at", workday(l.opened.Add(due)).Format(time.RFC3339))
	}
	s.update(l, helper, assign...)
	talk := l.about.Talk
	if f == isAssigned || f == isAwaiting {
		talk = talk[:(len(talk)+1)/2]
	}
	for _, say := range talk {
		s.say(l, say)
	}
	switch f {
	case isAwaiting:
		s.say(l, line{helper, false, "I need an answer from you before I can go on. Please write here, or call me."})
		s.update(l, helper, "state", inventory.TicketAwaiting)
	case isOnHold:
		s.say(l, line{helper, true, "Waiting for the supplier, nothing to do until then."})
		s.update(l, helper, "state", inventory.TicketOnHold)
	case isResolved, isClosed, isReopened:
		s.update(l, helper, "state", inventory.TicketResolved, "resolution", l.about.Resolution)
	}
	switch f {
	case isClosed:
		l.last = l.last.Add(26 * time.Hour)
		s.update(l, asker, "state", inventory.TicketClosed)
	case isReopened:
		l.last = l.last.Add(20 * time.Hour)
		s.say(l, line{asker, false, "It is back this morning, exactly as before. Could you look again?"})
		s.update(l, asker, "state", inventory.TicketNew)
	}
}

// later lets some office time pass in the life of a ticket.
func (l *ticketLife) later() time.Time {
	l.last = l.last.Add(time.Duration(17+len(l.about.Name)*3%90) * time.Minute)
	if l.last.Sub(l.last.Truncate(24*time.Hour)) >= closes {
		l.last = l.last.Add(24*time.Hour - closes + opens)
	}
	l.last = workday(l.last)
	return l.last
}

// update notes a change of the ticket: names of fields, each with its value.
func (s *story) update(l *ticketLife, by speaker, fields ...string) {
	s.change(l.later(), l.people[by], inventory.Tickets.Schema, l.Ticket, document(inventory.Tickets.Item, fields...))
}

// say notes a comment.
func (s *story) say(l *ticketLife, say line) {
	s.add(l.later(), l.people[say.By], inventory.Comments.Schema, func() []any {
		c := inventory.Comments.New()
		c.Body, c.IsPrivate.V = say.Text, say.Private
		c.Ticket = kind.Ref{ID: l.ID, Name: l.Name}
		return []any{c}
	})
}

// document returns a document with the given fields, each a name and a value.
func document(item string, fields ...string) string {
	b := []byte("<" + item + ">")
	for i := 0; i+1 < len(fields); i += 2 {
		b = append(b, "<"+fields[i]+">"...)
		b = markup.AppendText(b, fields[i+1])
		b = append(b, "</"+fields[i]+">"...)
	}
	return string(b) + "</" + item + ">"
}
