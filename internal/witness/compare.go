package witness

import (
	"context"
	"errors"
	"fmt"
	"time"

	"muster/internal/inventory"
	"muster/internal/message"
	"muster/internal/store"
)

// Remedy says what to do about an error that is a *Disagreement or an
// *Untrusted, "" about others.
func Remedy(err error) string {
	const search = "Else keep copies of the database, of the data folder and of backups, and find out who has changed it."
	if _, ok := errors.AsType[*Disagreement](err); ok {
		return "If the database went back to an earlier state with your knowledge, as in a failover that lost changes or a restore on another node, " +
			"accept that with: muster audit accept. " + search
	}
	if _, ok := errors.AsType[*Untrusted](err); ok {
		return "If the file was damaged with your knowledge, or the server's key is another one than before, accept that with: muster audit accept. " + search
	}
	return ""
}

// A Disagreement is a trail that is not the one that the node saw.
type Disagreement struct{ Text message.Text }

// Error says what is different.
func (d *Disagreement) Error() string { return d.Text.String() }

// Message returns the text for people.
func (d *Disagreement) Message() message.Text { return d.Text }

// A comparison is a statement beside the trail.
type comparison struct {
	saw    Mark       // the newest
	there  []bool     // of each mark, whether it is in the trail
	agreed Mark       // the newest that is, zero for none
	end    store.Mark // of the trail
}

// compare searches the trail for the marks of a statement. A nil statement has none.
func compare(ctx context.Context, st *store.Store, s *Statement) (c comparison, err error) {
	if s == nil {
		s = &Statement{Marks: []Mark{{}}}
	}
	c.saw = s.newest()
	err = st.View(ctx, func(tx *store.Tx) error {
		c.there, c.end, err = tx.Marked(ctx, inventory.Audits.Schema, s.stored())
		return err
	})
	if err != nil {
		return c, fmt.Errorf("compare with the audit trail: %w", err)
	}
	for i, mark := range s.Marks {
		if c.there[i] {
			c.agreed = mark
		}
	}
	return c, nil
}

// fits reports whether the newest mark is in the trail.
func (c *comparison) fits() bool { return c.there[len(c.there)-1] }

// disagreement returns how the trail is not the one that the node saw, nil when
// it is.
func (c *comparison) disagreement() *Disagreement {
	missing := c.saw.Count - c.end.Count
	switch {
	case c.fits():
		return nil
	case missing > 0:
		return &Disagreement{c.isShorter(missing)}
	case c.agreed.Count > 0:
		return &Disagreement{c.goesOn(c.saw.Count - c.agreed.Count)}
	default:
		return &Disagreement{message.New("the audit trail was written anew: "+
			"record number %d is not the one that this node saw until %s",
			c.saw.Count, stamp(c.saw.At))}
	}
}

// isShorter says that records at the end of the trail are missing.
func (c *comparison) isShorter(missing int64) message.Text {
	if missing == 1 {
		return message.New("1 record that this node saw is missing from the audit trail: "+
			"it saw %d until %s, and there are %d",
			c.saw.Count, stamp(c.saw.At), c.end.Count)
	}
	return message.New("%d records that this node saw are missing from the audit trail: "+
		"it saw %d until %s, and there are %d",
		missing, c.saw.Count, stamp(c.saw.At), c.end.Count)
}

// goesOn says that the trail has others in the place of records at its end.
func (c *comparison) goesOn(missing int64) message.Text {
	if missing == 1 {
		return message.New("up to 1 record that this node saw is missing from the audit trail: "+
			"it is as this node saw it "+
			"until record number %d, and then goes on with others than it saw until %s",
			c.agreed.Count, stamp(c.saw.At))
	}
	return message.New("up to %d records that this node saw are missing from the audit trail: "+
		"it is as this node saw it "+
		"until record number %d, and then goes on with others than it saw until %s",
		missing, c.agreed.Count, stamp(c.saw.At))
}

// stamp returns a time as people and programs read it.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
