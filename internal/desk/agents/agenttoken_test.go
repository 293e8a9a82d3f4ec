package agents

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/access"
	"muster/internal/desk/seal"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// open returns the service on a new desk, whose clock is now.
func open(t *testing.T, observe func(store.Transaction), now func() time.Time) *Service {
	t.Helper()
	st, err := store.Open(t.Context(),
		store.Config{Database: filepath.Join(t.TempDir(), "muster.db"), Kinds: inventory.All(), Observe: observe})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	d, err := desk.Open(t.Context(), desk.Config{
		Store: st, Key: make([]byte, seal.KeySize), Realm: "Muster", Now: now, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	s, err := Open(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// addAgentToken makes an agent token by a command.
func addAgentToken(t *testing.T, s *Service, n NewToken) (*Token, string) {
	t.Helper()
	token, secret, err := s.AddToken(context.Background(), desk.Caller{Origin: "command"}, n)
	if err != nil {
		t.Fatal(err)
	}
	return token, secret
}

// TestAgentToken: of the secret the hash alone is stored, and who has it is known
// until the token is revoked, also in the transaction of a report that is under
// way.
func TestAgentToken(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := open(t, nil, time.Now)
	_, other := addAgentToken(t, s, NewToken{})
	_, secret := addAgentToken(t, s, NewToken{Name: " Lyon ", Site: " Lyon ", Department: "Sales", Tag: "laptops"})
	if !regexp.MustCompile(`^muster_agent_[A-Z2-7]{26}$`).MatchString(secret) {
		t.Errorf("got the secret %s, want the prefix and 26 letters and digits, which are 130 bits", secret)
	}
	token, err := s.Token(ctx, secret)
	if err != nil || token.Name != "Lyon" || token.Site != "Lyon" || token.Department != "Sales" ||
		token.Tag != "laptops" {
		t.Fatalf("got %+v, error %v, want the one of Lyon", token, err)
	}
	var hash []byte
	err = s.desk.Store().View(ctx, func(tx *store.Tx) error {
		return tx.AgentTokens(ctx, func(t store.AgentToken) error { hash = t.Hash; return nil })
	})
	if want := sha256.Sum256([]byte(secret)); err != nil || string(hash) != string(want[:]) {
		t.Errorf("got the hash %x, error %v, want %x", hash, err, want)
	}
	check := func() error {
		return s.desk.Store().Update(ctx, func(tx *store.Tx) error { return s.checkToken(ctx, tx, token) })
	}
	if err := check(); err != nil {
		t.Errorf("before it is revoked: got %v, want that it holds", err)
	}
	if err := s.RevokeTokens(ctx, desk.Caller{Origin: "command"}, []string{"LYON"}); err != nil {
		t.Fatal(err)
	}
	if refusal, ok := errors.AsType[*desk.Error](check()); !ok || refusal.Code != desk.Forbidden ||
		refusal.Error() != "the agent token Lyon was revoked" {
		t.Errorf("after it was revoked: got %v, want a refusal", check())
	}
	for _, secret := range []string{secret, "", other + "x"} {
		if _, err := s.Token(ctx, secret); err == nil {
			t.Errorf("the agent token %q: got no error, want that it is unknown", secret)
		}
	}
	if _, err := s.Token(ctx, other); err != nil {
		t.Errorf("the other agent token: got %v, want that it is known", err)
	}
	users, err := access.Open(ctx, s.desk, access.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := users.Bearer(ctx, other, "192.0.2.1"); err == nil {
		t.Error("an agent token in place of a user's: got no error")
	}
}

// TestAgentTokenUse is noted at most hourly.
func TestAgentTokenUse(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	writes := 0
	var now time.Time
	s := open(t, func(tx store.Transaction) {
		if tx.Mode == store.Updating {
			writes++
		}
	}, func() time.Time { return now })
	_, secret := addAgentToken(t, s, NewToken{})
	begin := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		after  time.Duration
		writes int
		noted  time.Duration
	}{{0, 1, 0}, {59 * time.Minute, 0, 0}, {time.Hour, 1, time.Hour}, {time.Hour + time.Second, 0, time.Hour}} {
		now, writes = begin.Add(c.after), 0
		if _, err := s.Token(ctx, secret); err != nil {
			t.Fatal(err)
		}
		all, err := s.Tokens(ctx, desk.Caller{Origin: "command"})
		if err != nil || !all[0].LastUsed.Equal(begin.Add(c.noted)) || writes != c.writes {
			t.Errorf("after %v: got %d writes and the last use %v, error %v, want %d and %v", c.after, writes,
				all[0].LastUsed, err, c.writes, begin.Add(c.noted))
		}
	}
}

// TestAgentTokenNames are given to those who have none.
func TestAgentTokenNames(t *testing.T) {
	t.Parallel()
	s := open(t, nil, time.Now)
	addAgentToken(t, s, NewToken{Name: "AGENTS 2"})
	for _, want := range []string{"agents", "agents 3", "agents 4"} {
		if token, _ := addAgentToken(t, s, NewToken{}); token.Name != want {
			t.Errorf("got the name %s, want %s", token.Name, want)
		}
	}
}

// TestAgentTokenAudits checks that audit records say what was done, and nothing of the secret.
func TestAgentTokenAudits(t *testing.T) {
	t.Parallel()
	ctx, command := context.Background(), desk.Caller{Origin: "command"}
	s := open(t, nil, time.Now)
	addAgentToken(t, s, NewToken{})
	addAgentToken(t, s, NewToken{Name: "Lyon", Site: "Lyon", Tag: "laptops"})
	if err := s.RevokeTokens(ctx, command, []string{"1", "gone"}); err == nil {
		t.Error("one of two that is unknown: got no error")
	}
	if err := s.RevokeTokens(ctx, command, []string{"2", "agents"}); err != nil {
		t.Fatal(err)
	}
	admin := inventory.Users.New()
	admin.Role = inventory.Administrator
	page, err := s.desk.List(ctx, desk.Caller{User: admin}, inventory.Audits.Schema, &kind.Query{Page: 1, PerPage: 10})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, rec := range page.Records {
		a := rec.(*inventory.Audit)
		if a.RecordType != "agent-token" || a.Origin != "command" || len(a.Changes) > 2 {
			t.Errorf("got %+v, want that of a command about an agent token", a)
		}
		got = append(got, a.Action+": "+a.Message)
	}
	want := []string{
		"create: Agent token agents added", "create: Agent token Lyon added, site Lyon, tag laptops",
		"delete: Agent token Lyon revoked", "delete: Agent token agents revoked",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
