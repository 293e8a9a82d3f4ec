package server

import (
	"context"
	"fmt"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/access"
)

// A TokenCommand adds, revokes or lists tokens.
type TokenCommand struct {
	Do       string   // add, revoke or list
	Email    string   // of the user; of list, "" for all
	Name     string   // of a new one
	ReadOnly bool     // of a new one
	Expires  string   // the last day of a new one, such as 2027-01-31, "" for no end
	Which    []string // ids or names of those that are revoked
}

// A TokenResult is the outcome of a TokenCommand.
type TokenResult struct {
	Secret string // of a new token; it is kept nowhere
	Tokens []*desk.Token
}

// Token carries out a command about tokens, whether or not a server runs on the
// data folder.
func (p *Place) Token(ctx context.Context, cmd TokenCommand) (*TokenResult, error) {
	return do(ctx, p, cmd)
}

// Token carries out a command about tokens on the running server.
func (s *Server) Token(ctx context.Context, cmd TokenCommand) (*TokenResult, error) {
	return cmd.carryOut(ctx, s.installation)
}

func (c TokenCommand) path() string { return "/tokens" }

func (c TokenCommand) first() bool { return false }

func (c TokenCommand) carryOut(ctx context.Context, h *installation) (res *TokenResult, err error) {
	res = &TokenResult{}
	switch c.Do {
	case "add":
		n := access.NewToken{Email: c.Email, Name: c.Name, ReadOnly: c.ReadOnly}
		if n.Expires, err = endOf(c.Expires); err == nil {
			res.Secret, err = h.access.AddToken(ctx, origin, n)
		}
	case "revoke":
		err = h.access.RevokeTokens(ctx, origin, c.Which)
	case "list":
		res.Tokens, err = h.access.Tokens(ctx, origin, c.Email)
	default:
		err = fmt.Errorf("unknown command %q", c.Do)
	}
	return res, err
}

// endOf returns the end of a day, zero for "".
func endOf(day string) (time.Time, error) {
	if day == "" {
		return time.Time{}, nil
	}
	begin, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is not a date such as 2027-01-31", day)
	}
	return begin.AddDate(0, 0, 1), nil
}
