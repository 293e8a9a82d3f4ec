package access

import (
	"context"
	"testing"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/store"
)

// TestTokensOfDeletedUser: the tokens of a user go with the user, and those of
// others stay.
func TestTokensOfDeletedUser(t *testing.T) {
	t.Parallel()
	ctx, command := context.Background(), desk.Caller{Origin: "command"}
	s := open(t, nil)
	users := map[string]*inventory.User{}
	for _, email := range []string{"anna@example.com", "bert@example.com"} {
		user := inventory.Users.New()
		user.Email, user.Role = email, inventory.Administrator
		if _, err := s.Users().Add(ctx, command, user, ""); err != nil {
			t.Fatal(err)
		}
		users[email] = user
		if _, err := s.AddToken(ctx, command, NewToken{Email: email, Name: "script"}); err != nil {
			t.Fatal(err)
		}
	}
	who := desk.Caller{User: users["bert@example.com"], Origin: "api"}
	if _, err := s.desk.Delete(ctx, who,
		desk.Target{Kind: inventory.Users.Schema, ID: users["anna@example.com"].ID}); err != nil {
		t.Fatal(err)
	}
	var left []int64
	err := s.desk.Store().View(ctx, func(tx *store.Tx) error {
		return tx.Tokens(ctx, func(token store.Token) error {
			left = append(left, token.UserID)
			return nil
		})
	})
	if err != nil || len(left) != 1 || left[0] != who.User.ID {
		t.Errorf("got tokens of the users %v, error %v, want one of %d", left, err, who.User.ID)
	}
}

// TestTokensLikeNumbers: a name that looks much like an id is one all the same.
func TestTokensLikeNumbers(t *testing.T) {
	t.Parallel()
	ctx, command := context.Background(), desk.Caller{Origin: "command"}
	s := open(t, nil)
	user := inventory.Users.New()
	user.Email = "anna@example.com"
	if _, err := s.Users().Add(ctx, command, user, ""); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"first", "+1", "-1"} {
		if _, err := s.AddToken(ctx, command, NewToken{Email: user.Email, Name: name}); err != nil {
			t.Fatalf("add %s: %v", name, err)
		}
	}
	if err := s.RevokeTokens(ctx, command, []string{"+1", "-1"}); err != nil {
		t.Errorf("revoke +1 and -1: %v", err)
	}
	left, err := s.Tokens(ctx, command, "")
	if err != nil || len(left) != 1 || left[0].Name != "first" {
		t.Errorf("got %d tokens, error %v, want the first one", len(left), err)
	}
	for _, which := range []string{"7", "99999999999999999999", ""} {
		if err := s.RevokeTokens(ctx, command, []string{which}); err == nil {
			t.Errorf("revoke %q: got no error, want that there is none", which)
		}
	}
}
