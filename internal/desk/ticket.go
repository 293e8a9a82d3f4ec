package desk

import (
	"context"
	"slices"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// TicketCounter counts the numbers that people know tickets by.
const TicketCounter = "ticket-number"

// openTicket notes who opens a new ticket, and its origin.
func openTicket(w *Work, rec any) {
	t := rec.(*inventory.Ticket)
	if w.Who.User != nil {
		t.CreatedBy = w.Who.User.Person()
	}
	if t.Requester.ID == 0 {
		t.Requester = t.CreatedBy
	}
	if doors := inventory.Tickets.Field("origin").OneOf; slices.Contains(doors, w.Who.Origin) {
		t.Origin = w.Who.Origin
	}
}

// completeTicket applies the rules of a ticket's life.
func completeTicket(_ context.Context, w *Work) (faults []message.Text, err error) {
	t := w.Rec.(*inventory.Ticket)
	was, _ := w.Old.(*inventory.Ticket)
	if was == nil {
		was = inventory.Tickets.New()
	}
	if was.State == inventory.TicketClosed && t.State == inventory.TicketResolved {
		return []message.Text{message.Says("can't go from Closed to Resolved: " +
			"reopen the ticket first").Of("State")}, nil
	}
	if given := t.Assignee.ID != 0 && t.Assignee.ID != was.Assignee.ID; given && was.State == inventory.TicketNew &&
		t.State == inventory.TicketNew {
		t.State = inventory.TicketAssigned
	}
	if t.State == was.State {
		return nil, nil
	}
	switch now := w.now().UTC().Truncate(time.Second); {
	case t.State == inventory.TicketResolved:
		t.ResolvedAt = now
	case t.State == inventory.TicketClosed:
		t.ClosedAt = now
	default:
		t.ResolvedAt, t.ClosedAt = time.Time{}, time.Time{}
	}
	return nil, nil
}

// numberTicket gives a new ticket the next number. On PostgreSQL tickets that
// are opened at once wait for each other here, so that no number is lost.
func numberTicket(ctx context.Context, w *Work) error {
	n, err := w.Tx.Count(ctx, TicketCounter)
	w.Rec.(*inventory.Ticket).Number = kind.Some(n)
	return err
}

// leaveTicket deletes the comments of a ticket with it.
func leaveTicket(ctx context.Context, w *Work) error {
	return w.Tx.DeleteBelow(ctx, inventory.Comments.Schema, w.Kind.Meta(w.Old).ID)
}

// showTicket sets the comments of a single ticket that the user may see.
func showTicket(ctx context.Context, v *view, recs []any) error {
	if !v.single {
		return nil
	}
	for _, rec := range recs {
		t := rec.(*inventory.Ticket)
		said, err := saidIn(ctx, v.tx, v.user, Saying{Ticket: t.ID})
		if err != nil {
			return err
		}
		t.Comments, t.CommentsCount = said.Comments, kind.Some(int64(said.Earlier+len(said.Comments)))
	}
	return nil
}

// beginComment notes who writes a comment.
func beginComment(w *Work, rec any) {
	if w.Who.User != nil {
		rec.(*inventory.Comment).User = w.Who.User.Person()
	}
}

// touchTicket makes a public comment a change of its ticket. A private one
// leaves no trace that a requester could see. What a requester says is the input that
// a ticket has awaited, so that it is somebody's work again.
func touchTicket(ctx context.Context, w *Work) error {
	c, ok := w.Rec.(*inventory.Comment)
	if !ok || c.IsPrivate.V {
		return nil
	}
	old, err := store.Get(ctx, w.Tx, inventory.Tickets, c.Ticket.ID)
	if err != nil {
		return err
	}
	t := inventory.Tickets.Copy(old).(*inventory.Ticket)
	if old.State != inventory.TicketAwaiting || !Limited(w.Who.User) {
		return w.Tx.Update(ctx, inventory.Tickets.Schema, t, old, w.now())
	}
	t.State = inventory.TicketNew
	if t.Assignee.ID != 0 {
		t.State = inventory.TicketAssigned
	}
	return (&Work{Desk: w.Desk, Tx: w.Tx, Who: w.Who, Kind: inventory.Tickets.Schema, Rec: t, Old: old}).Replace(ctx)
}

// describeComment says under which ticket a comment was written.
func describeComment(rec any) message.Text {
	c := rec.(*inventory.Comment)
	if c.IsPrivate.V {
		return message.New("Private comment added to ticket %s", c.Ticket.Name)
	}
	return message.New("Comment added to ticket %s", c.Ticket.Name)
}
