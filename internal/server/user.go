package server

import (
	"context"
	"fmt"

	"muster/internal/desk/access"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// A UserCommand changes or lists users.
type UserCommand struct {
	Do       string // add, passwd, disable, enable, reset-second-factor or list
	Email    string
	Role     string
	ReadOnly bool
	Password string // "" for a generated one
	// KeepTokens leaves the user's tokens as they are, of passwd.
	KeepTokens bool
}

// A UserResult is the outcome of a UserCommand.
type UserResult struct {
	Password string // that is valid now, of add and passwd
	Revoked  int64  // tokens, of passwd
	Users    []*inventory.User
}

// Do carries out a command about users, whether or not a server runs on the
// data folder.
func (p *Place) Do(ctx context.Context, cmd UserCommand) (*UserResult, error) {
	return do(ctx, p, cmd)
}

// Do carries out a command about users on the running server.
func (s *Server) Do(ctx context.Context, cmd UserCommand) (*UserResult, error) {
	return cmd.carryOut(ctx, s.installation)
}

func (c UserCommand) path() string { return "/users" }

// first is true for a new user: the first one makes the database.
func (c UserCommand) first() bool { return c.Do == "add" }

func (c UserCommand) carryOut(ctx context.Context, h *installation) (res *UserResult, err error) {
	res = &UserResult{}
	switch c.Do {
	case "add":
		user := inventory.Users.New()
		user.Email, user.Role, user.ReadOnly = c.Email, c.Role, kind.Some(c.ReadOnly)
		res.Password, err = h.access.Users().Add(ctx, origin, user, c.Password)
	case "passwd":
		var done access.PasswordChanged
		done, err = h.access.Users().SetPassword(ctx, origin, c.Email,
			access.PasswordChange{New: c.Password, KeepTokens: c.KeepTokens})
		res.Password, res.Revoked = done.Password, done.Revoked
	case "disable":
		err = h.access.Users().Disable(ctx, origin, c.Email)
	case "enable":
		err = h.access.Users().Enable(ctx, origin, c.Email)
	case "reset-second-factor":
		err = h.access.ResetSecondFactor(ctx, origin, c.Email)
	case "list":
		res.Users, err = h.access.Users().All(ctx)
	default:
		err = fmt.Errorf("unknown command %q", c.Do)
	}
	return res, err
}
