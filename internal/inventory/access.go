package inventory

import (
	"time"

	"muster/internal/kind"
)

// A Session is a browser in which a user has signed in, as administrators see it. It
// is stored apart from other records, with what only the desk knows of it.
type Session struct {
	kind.Record
	User     kind.Person
	Browser  string // as it calls itself
	Address  string // from which it was last used
	SignedIn string // the address from which the user signed in
	Stay     kind.Bool
	LastUsed time.Time
	Expires  time.Time
}

// Sessions is the kind of sessions. Signing in makes them.
var Sessions = kind.Define("session", "sessions", "Sessions List", func(s *Session, f *kind.Fields) {
	f.Given()
	f.Record(&s.Record)
	f.Person("user", &s.User).Filter()
	f.Text("user-agent", &s.Browser)
	f.Text("remote-address", &s.Address)
	f.Text("signed-in-from", &s.SignedIn)
	f.Bool("stay", &s.Stay)
	f.Time("last-used", &s.LastUsed)
	f.Time("expires-at", &s.Expires)
	f.Stamps(&s.Record)
})

// A Token lets a program act as a user, as administrators see it. It is stored as
// sessions are.
type Token struct {
	kind.Record
	User     kind.Person
	Name     string
	ReadOnly kind.Bool
	Address  string // from which it was last used
	LastUsed time.Time
	Expires  time.Time
}

// Tokens is the kind of tokens. The web application and the command make them.
var Tokens = kind.Define("token", "tokens", "Tokens List", func(t *Token, f *kind.Fields) {
	f.Given()
	f.Record(&t.Record)
	f.Text("name", &t.Name)
	f.Person("user", &t.User).Filter()
	f.Bool("read-only", &t.ReadOnly)
	f.Text("remote-address", &t.Address)
	f.Time("last-used", &t.LastUsed)
	f.Time("expires-at", &t.Expires)
	f.Stamps(&t.Record)
})

// Accesses returns the kinds by which people and programs have access, and which only administrators see and
// end. They have addresses, but no tables as other kinds do.
func Accesses() []*kind.Schema { return []*kind.Schema{Sessions.Schema, Tokens.Schema} }
