package desk

import (
	"context"
	"testing"

	"muster/internal/inventory"
	"muster/internal/store"
)

// TestTokensOfDeletedUser: the tokens of a user go with the user, and those of
// others stay.
func TestTokensOfDeletedUser(t *testing.T) {
	ctx, command := context.Background(), Caller{Origin: "command"}
	d := newDesk(t, nil)
	users := map[string]*inventory.User{}
	for _, email := range []string{"anna@example.com", "bert@example.com"} {
		user := inventory.Users.New()
		user.Email, user.Role = email, inventory.Administrator
		if _, err := d.AddUser(ctx, command, user, ""); err != nil {
			t.Fatal(err)
		}
		users[email] = user
		if _, err := d.AddToken(ctx, command, NewToken{Email: email, Name: "script"}); err != nil {
			t.Fatal(err)
		}
	}
	who := Caller{User: users["bert@example.com"], Origin: "api"}
	if _, err := d.Delete(ctx, who, Target{Kind: inventory.Users.Schema, ID: users["anna@example.com"].ID}); err != nil {
		t.Fatal(err)
	}
	var left []int64
	err := d.store.View(ctx, func(tx *store.Tx) error {
		return tx.Tokens(ctx, func(token store.Token) error {
			left = append(left, token.UserID)
			return nil
		})
	})
	if err != nil || len(left) != 1 || left[0] != who.User.ID {
		t.Errorf("got tokens of the users %v, error %v, want one of %d", left, err, who.User.ID)
	}
}
