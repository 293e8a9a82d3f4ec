package mustertest

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/access"
	"muster/internal/desk/agents"
	"muster/internal/desk/seal"
	"muster/internal/inventory"
	"muster/internal/store"
)

// A Node is a desk with a store of its own on a shared database.
type Node struct {
	*desk.Desk
	Access *access.Service
	Agents *agents.Service
	Store  *store.Store
}

func newNode(t *testing.T, database string) Node {
	t.Helper()
	s, err := store.Open(context.Background(), store.Config{Database: database, Kinds: inventory.All()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	d, err := desk.Open(context.Background(), desk.Config{
		Store: s, Key: make([]byte, seal.KeySize), Realm: "Muster", Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	service, err := agents.Open(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	return Node{d, OpenAccess(t, d), service, s}
}

// NewNodes returns the nodes of a new database, two if it can be shared.
func NewNodes(t *testing.T, db Database) []Node {
	t.Helper()
	database := db.New(t)
	nodes := []Node{newNode(t, database)}
	if nodes[0].Store.Shared() {
		nodes = append(nodes, newNode(t, database))
	}
	return nodes
}

// Administrator makes somebody who may change everything.
func (n Node) Administrator(t *testing.T) desk.Caller {
	t.Helper()
	user := inventory.Users.New()
	user.Email, user.Role = "ann@example.com", inventory.Administrator
	if _, err := n.Access.Users().Add(context.Background(), desk.Caller{Origin: "command"}, user, ""); err != nil {
		t.Fatal(err)
	}
	return desk.Caller{User: user, Origin: "api"}
}
