package server

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"muster/internal/desk"
	"muster/internal/desk/access"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// A SessionCommand lists or ends the sessions in which people are signed in to the web
// application.
type SessionCommand struct {
	Do    string   // list or end
	Which []string // ids of sessions
	Email string   // of the user whose sessions are meant, "" for all of list, and for those with the ids
}

// A SessionResult is the outcome of a SessionCommand.
type SessionResult struct {
	Sessions []*inventory.Session // that are there, or that were ended
}

// Session carries out a command about sessions, whether or not a server runs on the
// data folder.
func (p *Place) Session(ctx context.Context, cmd SessionCommand) (*SessionResult, error) {
	return do(ctx, p, cmd)
}

func (c SessionCommand) path() string { return "/sessions" }

func (c SessionCommand) first() bool { return false }

func (c SessionCommand) carryOut(ctx context.Context, h *installation) (res *SessionResult, err error) {
	switch {
	case c.Do == "list":
		return c.list(ctx, h.access)
	case c.Do != "end":
		return nil, fmt.Errorf("unknown command %q", c.Do)
	case (c.Email == "") == (len(c.Which) == 0):
		return nil, errors.New("which sessions? Give their ids, or --user for all of a user: muster session list shows them")
	case c.Email == "":
		return c.end(ctx, h.access)
	}
	if res, err = c.list(ctx, h.access); err != nil {
		return nil, err
	}
	return res, h.access.SignOutUser(ctx, origin, c.Email)
}

// list returns the sessions of all people, or of one.
func (c SessionCommand) list(ctx context.Context, s *access.Service) (*SessionResult, error) {
	k, q := inventory.Sessions, &kind.Query{}
	if c.Email != "" {
		q.Conds = []kind.Cond{{Field: k.Field("user"), Any: []kind.Test{{Text: []string{c.Email}}}}}
	}
	page, err := s.List(ctx, origin, k.Schema, q)
	if err != nil {
		return nil, err
	}
	res := &SessionResult{}
	for _, rec := range page.Records {
		res.Sessions = append(res.Sessions, rec.(*inventory.Session))
	}
	return res, nil
}

// end ends the sessions with the given ids.
func (c SessionCommand) end(ctx context.Context, s *access.Service) (*SessionResult, error) {
	res := &SessionResult{}
	for _, which := range c.Which {
		id, err := strconv.ParseInt(which, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not the id of a session: muster session list shows them", which)
		}
		rec, err := s.End(ctx, origin, desk.Target{Kind: inventory.Sessions.Schema, ID: id})
		if err != nil {
			return nil, fmt.Errorf("session %d, after %d others: %w", id, len(res.Sessions), err)
		}
		res.Sessions = append(res.Sessions, rec.(*inventory.Session))
	}
	return res, nil
}
