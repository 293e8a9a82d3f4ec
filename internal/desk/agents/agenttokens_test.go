package agents_test

import (
	"testing"

	"muster/internal/desk"
	"muster/internal/desk/agents"
	"muster/internal/mustertest"
)

// TestAgentTokensAtNodes adds and revokes at one node, and looks at all.
func TestAgentTokensAtNodes(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		nodes, command := mustertest.NewNodes(t, db), desk.Caller{Origin: "command"}
		first, last := nodes[0], nodes[len(nodes)-1]
		_, secret, err := first.Agents.AddToken(ctx, command, agents.NewToken{Name: "Lyon", Site: "Lyon"})
		if err != nil {
			t.Fatal(err)
		}
		known := func(n mustertest.Node) bool {
			token, err := n.Agents.Token(ctx, secret)
			return err == nil && token.Site == "Lyon"
		}
		if !known(first) {
			t.Error("the node at which it was added does not know it at once")
		}
		mustertest.Eventually(t, "a new agent token at the other node", func() bool { return known(last) })
		if err := last.Agents.RevokeTokens(ctx, command, []string{"lyon"}); err != nil {
			t.Fatal(err)
		}
		if known(last) {
			t.Error("the node at which it was revoked knows it")
		}
		mustertest.Eventually(t, "revoked at the other node", func() bool { return !known(first) })
	})
}
