package server

import (
	"context"
	"fmt"

	"muster/internal/desk/agents"
)

// An AgentTokenCommand adds, changes, revokes or lists agent tokens.
type AgentTokenCommand struct {
	Do    string            // add, change, revoke or list
	New   agents.NewToken   // of add
	Which []string          // ids or names of those that are changed or revoked
	Marks agents.TokenMarks // of change
}

// An AgentTokenResult is the outcome of an AgentTokenCommand.
type AgentTokenResult struct {
	Secret string // of a new agent token; it is kept nowhere
	Tokens []*agents.Token
}

// AgentToken carries out a command about agent tokens, whether or not a server
// runs on the data folder.
func (p *Place) AgentToken(ctx context.Context, cmd AgentTokenCommand) (*AgentTokenResult, error) {
	return do(ctx, p, cmd)
}

// AgentToken carries out a command about agent tokens on the running server.
func (s *Server) AgentToken(ctx context.Context, cmd AgentTokenCommand) (*AgentTokenResult, error) {
	return cmd.carryOut(ctx, s.installation)
}

func (c AgentTokenCommand) path() string { return "/agent-tokens" }

func (c AgentTokenCommand) first() bool { return false }

func (c AgentTokenCommand) carryOut(ctx context.Context, h *installation) (res *AgentTokenResult, err error) {
	res = &AgentTokenResult{}
	switch c.Do {
	case "add":
		var token *agents.Token
		token, res.Secret, err = h.agents.AddToken(ctx, origin, c.New)
		res.Tokens = []*agents.Token{token}
	case "change":
		for _, which := range c.Which {
			token, err := h.agents.MarkToken(ctx, origin, which, c.Marks)
			if err != nil {
				return nil, err
			}
			res.Tokens = append(res.Tokens, token)
		}
	case "revoke":
		err = h.agents.RevokeTokens(ctx, origin, c.Which)
	case "list":
		res.Tokens, err = h.agents.Tokens(ctx, origin)
	default:
		err = fmt.Errorf("unknown command %q", c.Do)
	}
	return res, err
}
