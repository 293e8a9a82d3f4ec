package witness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"muster/internal/store"
)

// An Accepted is what an administrator has accepted.
type Accepted struct {
	What string // how the trail is not the one that the node saw
	Kept string // where the former file is
	Head string // of the trail
}

// Accept takes the trail as it is. The former file is kept under a name that ends
// with stamp, and the trail gets a record of what was accepted. Where the file
// and the trail fit each other it is an error.
func (k *Keeper) Accept(ctx context.Context, stamp string) (*Accepted, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.Complete(ctx); err != nil {
		return nil, err
	}
	s, what, end, err := k.disagreed(ctx)
	if err != nil {
		return nil, err
	}
	out := &Accepted{What: what.Error()}
	if out.Kept, err = k.SetAside(stamp); err != nil {
		return nil, fmt.Errorf("keep the old file: %w", err)
	}
	s.addNote(fmt.Sprintf("Audit trail accepted on %s as it is, at the head %s: %s", k.Node, end.Head, what))
	if err := k.Write(s); err != nil {
		return nil, err
	}
	err = k.advance(ctx, s, nil)
	k.log(err)
	if err != nil {
		return nil, err
	}
	out.Head = s.Head().String()
	return out, nil
}

// addNote adds to what is not in the trail yet.
func (s *Statement) addNote(text string) {
	if s.Note != "" {
		text = s.Note + ". " + text
	}
	s.Note = text
}

// disagreed returns what is wrong with the file or the trail, and the new statement if that is accepted.
func (k *Keeper) disagreed(ctx context.Context) (s *Statement, what error, end store.Mark, err error) {
	s, err = k.Read()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, end, fmt.Errorf("there is nothing to accept: there is no %s, and the next start of the server writes it", k.Path)
	}
	if untrusted, ok := errors.AsType[*Untrusted](err); ok {
		c, err := compare(ctx, k.Store, nil)
		return k.fresh(c.end, ""), untrusted, c.end, err
	}
	if err != nil {
		return nil, nil, end, err
	}
	c, err := compare(ctx, k.Store, s)
	if err != nil {
		return nil, nil, end, err
	}
	d := c.disagreement()
	if d == nil {
		return nil, nil, end, fmt.Errorf("there is nothing to accept: the audit trail matches %s",
			k.Path)
	}
	return s.without(c, Mark{c.end, k.Now()}), d, c.end, nil
}

// without returns the statement without the marks that the trail does not have
// any more.
func (s *Statement) without(c comparison, end Mark) *Statement {
	kept := &Statement{Database: s.Database, Note: s.Note}
	for i, mark := range s.Marks {
		if c.there[i] {
			kept.Marks = append(kept.Marks, mark)
		}
	}
	kept.see(end)
	return kept
}
