package access_test

import (
	"fmt"
	"testing"

	"muster/internal/desk"
	"muster/internal/desk/access"
	"muster/internal/desk/agents"
	"muster/internal/desk/merge"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
)

// TestAdministration: what concerns all is done by administrators and commands
// alone, whichever door they come through.
func TestAdministration(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		admin, tech, asker := o.user(t, "admin@example.com", inventory.Administrator),
			o.user(t, "tech@example.com", inventory.Technician), o.user(t, "asker@example.com", inventory.Requester)
		reader := o.user(t, "reader@example.com", inventory.Administrator)
		o.user(t, "ann@example.com", inventory.Technician)
		reader.User.ReadOnly = kind.Some(true)
		_, err := o.Update(ctx, admin, desk.Target{Kind: inventory.Users.Schema, ID: reader.User.ID},
			func() (*kind.Patch, error) {
				return inventory.Users.Decode([]byte("<user><read-only>true</read-only></user>"))
			})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for name, do := range map[string]func(who desk.Caller) error{
			"SetSetting": func(who desk.Caller) error {
				n++
				return o.Settings().Set(ctx, who, "page-size", fmt.Sprint(n))
			},
			"AddAgentToken": func(who desk.Caller) error {
				_, _, err := o.agents.AddToken(ctx, who, agents.NewToken{})
				return err
			},
			"RevokeAgentTokens": func(who desk.Caller) error {
				token, _, err := o.agents.AddToken(ctx, program, agents.NewToken{})
				if err != nil {
					t.Fatal(err)
				}
				return o.agents.RevokeTokens(ctx, who, []string{token.Name})
			},
			"AddUser": func(who desk.Caller) error {
				n++
				user := inventory.Users.New()
				user.Email = fmt.Sprintf("new%d@example.com", n)
				_, err := o.access.Users().Add(ctx, who, user, annPassword)
				return err
			},
			"SetPassword": func(who desk.Caller) error {
				_, err := o.access.Users().SetPassword(ctx, who, "ann@example.com", access.PasswordChange{New: annPassword})
				return err
			},
			"DisableUser": func(who desk.Caller) error { return o.access.Users().Disable(ctx, who, "ann@example.com") },
			"EnableUser":  func(who desk.Caller) error { return o.access.Users().Enable(ctx, who, "ann@example.com") },
			"NoDuplicate": func(who desk.Caller) error {
				err := merge.New(o.Desk, o.agents).NoDuplicate(ctx, who, 998, 999)
				if refused, ok := err.(*desk.Error); ok && refused.Code == desk.NotFound {
					return nil // there are no such computers, which those who may are told
				}
				return err
			},
			"SignOutUser": func(who desk.Caller) error { return o.access.SignOutUser(ctx, who, "ann@example.com") },
			"ResetSecondFactor": func(who desk.Caller) error {
				err := o.access.ResetSecondFactor(ctx, who, "ann@example.com")
				if refused, ok := err.(*desk.Error); ok && refused.Code == desk.Conflict {
					return nil // there is none, which those who may are told
				}
				return err
			},
		} {
			for _, who := range []desk.Caller{program, admin} {
				if err := do(who); err != nil {
					t.Errorf("%s by an administrator: %v", name, err)
				}
			}
			for _, who := range []desk.Caller{tech, asker} {
				wantRefused(t, name+" by a "+who.User.Role, do(who), desk.Forbidden, "a "+who.User.Role+" may not ")
			}
			wantRefused(t, name+" by who may only read", do(reader), desk.Forbidden, "may only read")
		}
		for who, want := range map[*desk.Caller]bool{
			&program: true, &admin: true, &reader: true, &tech: false, &asker: false,
		} {
			if tokens, err := o.agents.Tokens(ctx, *who); (err == nil && len(tokens) > 0) != want {
				t.Errorf("AgentTokens by %v: got %d, error %v, want them: %v", who.User, len(tokens), err, want)
			}
		}
	})
}

// TestFormerAdministrator: what counts is what a user may do now, and that their
// session has not ended.
func TestFormerAdministrator(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		o.user(t, "other@example.com", inventory.Administrator)
		admin := o.user(t, "admin@example.com", inventory.Administrator)
		secret, session := o.signIn(t, admin, false)
		inSession := admin
		inSession.Session = session
		if err := o.Settings().Set(ctx, inSession, "page-size", "7"); err != nil {
			t.Errorf("in a session: %v", err)
		}
		if err := o.access.SignOut(ctx, secret); err != nil {
			t.Fatal(err)
		}
		wantRefused(t, "a session that has ended", o.Settings().Set(ctx, inSession, "page-size", "8"), desk.Forbidden,
			"sign in again")
		_, err := o.Update(ctx, inSession, desk.Target{Kind: inventory.Users.Schema, ID: admin.User.ID},
			func() (*kind.Patch, error) {
				return inventory.Users.Decode([]byte("<user><phone>7</phone></user>"))
			})
		wantRefused(t, "a change in a session that has ended", err, desk.Forbidden, "sign in again")
		if err := o.access.Users().Disable(ctx, program, "admin@example.com"); err != nil {
			t.Fatal(err)
		}
		wantRefused(t, "a disabled user", o.Settings().Set(ctx, admin, "page-size", "8"), desk.Forbidden, "is disabled")
		_, err = o.access.AddToken(ctx, admin, access.NewToken{Email: "admin@example.com", Name: "t"})
		wantRefused(t, "a token of a disabled user", err, desk.Forbidden, "is disabled")
	})
}

// TestOwnTokens: who is no administrator deals with tokens of their own, and is
// not shown others.
func TestOwnTokens(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		admin := o.user(t, "admin@example.com", inventory.Administrator)
		for _, role := range []string{inventory.Technician, inventory.Requester} {
			email := role + "@example.com"
			own := o.user(t, email, role)
			for _, of := range []string{"admin@example.com", email} {
				if _, err := o.access.AddToken(ctx, admin, access.NewToken{Email: of, Name: "of " + role}); err != nil {
					t.Fatal(err)
				}
			}
			for _, of := range []string{"admin@example.com", "nobody@example.com", ""} {
				_, err := o.access.AddToken(ctx, own, access.NewToken{Email: of, Name: "stolen"})
				wantRefused(t, "add for "+of, err, desk.Forbidden, "only manage their own tokens")
				if of != "" {
					_, err = o.access.Tokens(ctx, own, of)
					wantRefused(t, "list of "+of, err, desk.Forbidden, "only manage their own tokens")
				}
			}
			if _, err := o.access.AddToken(ctx, own, access.NewToken{Email: email, Name: "second"}); err != nil {
				t.Errorf("add: %v", err)
			}
			mine, err := o.access.Tokens(ctx, own, "")
			if err != nil || len(mine) != 2 || mine[0].Email != email || mine[1].Email != email {
				t.Fatalf("list: got %v, error %v, want two", mine, err)
			}
			all, err := o.access.Tokens(ctx, admin, "")
			if err != nil || len(all) <= len(mine) {
				t.Fatalf("list of an administrator: got %d, error %v", len(all), err)
			}
			wantRefused(t, "revoke by id", o.access.RevokeTokens(ctx, own, []string{fmt.Sprint(all[0].ID)}),
				desk.NotFound, "there is no token with the id")
			wantRefused(t, "revoke by name", o.access.RevokeTokens(ctx, own, []string{"agents"}), desk.NotFound,
				email+" has no token agents")
			if err := o.access.RevokeTokens(ctx, own, []string{"OF " + role, fmt.Sprint(mine[1].ID)}); err != nil {
				t.Errorf("revoke: %v", err)
			}
			if left, err := o.access.Tokens(ctx, admin, "admin@example.com"); err != nil || len(left) == 0 {
				t.Errorf("the administrator's: got %d, error %v", len(left), err)
			}
		}
	})
}
