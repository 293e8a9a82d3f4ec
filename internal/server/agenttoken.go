package server

import (
	"context"
	"fmt"

	"muster/internal/desk"
)

// An AgentTokenCommand adds, changes, revokes or lists agent tokens.
type AgentTokenCommand struct {
	Do    string               // add, change, revoke or list
	New   desk.NewAgentToken   // of add
	Which []string             // ids or names of those that are changed or revoked
	Marks desk.AgentTokenMarks // of change
}

// An AgentTokenResult is the outcome of an AgentTokenCommand.
type AgentTokenResult struct {
	Secret string // of a new agent token; it is kept nowhere
	Tokens []*desk.AgentToken
}

// AgentToken carries out a command about agent tokens, whether or not a server
// runs on the data folder.
func (p *Place) AgentToken(ctx context.Context, cmd AgentTokenCommand) (*AgentTokenResult, error) {
	return do(ctx, p, cmd)
}

// AgentToken carries out a command about agent tokens on the running server.
func (s *Server) AgentToken(ctx context.Context, cmd AgentTokenCommand) (*AgentTokenResult, error) {
	return cmd.carryOut(ctx, s.house.desk)
}

func (c AgentTokenCommand) path() string { return "/agent-tokens" }

func (c AgentTokenCommand) first() bool { return false }

func (c AgentTokenCommand) carryOut(ctx context.Context, d *desk.Desk) (res *AgentTokenResult, err error) {
	res = &AgentTokenResult{}
	switch c.Do {
	case "add":
		var token *desk.AgentToken
		token, res.Secret, err = d.AddAgentToken(ctx, origin, c.New)
		res.Tokens = []*desk.AgentToken{token}
	case "change":
		for _, which := range c.Which {
			token, err := d.MarkAgentToken(ctx, origin, which, c.Marks)
			if err != nil {
				return nil, err
			}
			res.Tokens = append(res.Tokens, token)
		}
	case "revoke":
		err = d.RevokeAgentTokens(ctx, origin, c.Which)
	case "list":
		res.Tokens, err = d.AgentTokens(ctx, origin)
	default:
		err = fmt.Errorf("unknown command %q", c.Do)
	}
	return res, err
}
