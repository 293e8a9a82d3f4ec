package access

import (
	"context"
	"fmt"
	"unicode/utf8"

	"muster/internal/argon"
	"muster/internal/desk"
	"muster/internal/digest"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// minPassword is the least length of a password in characters.
const minPassword = 12

// passwords check, hash and seal passwords.
type passwords struct {
	desk    *desk.Desk
	cost    argon.Cost
	hashing chan struct{} // has one for each sign-in password that is verified
}

// proves reports whether a password is the one that a hash was made of, once
// there is room for that.
func (p *passwords) proves(ctx context.Context, password, stored string) (ok bool, err error) {
	err = p.inTurn(ctx, func() { ok = argon.Verify(password, stored) })
	return ok, err
}

// errManySignIn is the error of a password that had to wait for too long.
var errManySignIn error = &message.Error{
	Text: message.New("too many people sign in at the same time: try again shortly"), Cause: store.ErrUnavailable,
}

// inTurn does what makes a hash, once there is room for it.
func (p *passwords) inTurn(ctx context.Context, do func()) error {
	select {
	case p.hashing <- struct{}{}:
		defer func() { <-p.hashing }()
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", errManySignIn, context.Cause(ctx))
	}
	do()
	return nil
}

// passwordWord is the name of the field in messages.
const passwordWord message.Word = "Password"

// faults returns what is wrong with a new password of a user, or with the way
// it came.
func (p *passwords) faults(who desk.Caller, user *inventory.User, password string) (faults []message.Text) {
	if who.PlainHTTP {
		faults = append(faults, message.Says("is accepted over HTTPS alone").Of(passwordWord))
	}
	if utf8.RuneCountInString(password) < minPassword {
		faults = append(faults, message.Says("is too short (minimum is %d characters)", minPassword).Of(passwordWord))
	} else if fault := p.guessFault(user, password); !fault.IsZero() {
		faults = append(faults, fault.Of(passwordWord))
	}
	return faults
}

// storePassword stores the password that a record of a user brings.
func (s *Service) storePassword(ctx context.Context, tx *store.Tx, who desk.Caller, user *inventory.User) error {
	return s.setPassword(ctx, tx, who, user, s.passwords.cost.Hash(user.Password))
}

// setPassword stores what verifies the new password of a user, of which the hash
// for signing in is given: it is that of the API too, unless they have a second
// factor. A program that has the API password needs no code, so then there is none
// until one is made. It revokes the user's tokens unless these are to be kept.
func (s *Service) setPassword(
	ctx context.Context, tx *store.Tx, who desk.Caller, user *inventory.User, hash string,
) error {
	c := store.Credentials{UserID: user.ID, SignIn: hash, API: store.APISame}
	on, err := desk.HasSecondFactor(ctx, tx, user.ID)
	if err == nil && !on {
		c.Digest, err = s.passwords.apiPassword(user, user.Password)
	}
	if err != nil {
		return err
	}
	if err := tx.SetCredentials(ctx, c); err != nil || user.KeepTokens.V {
		return err
	}
	revoked, err := revokeAll(ctx, s.desk, tx, who, user)
	user.TokensRevoked = kind.Some(revoked)
	return err
}

// apiPassword returns what verifies an API password, sealed.
func (p *passwords) apiPassword(user *inventory.User, password string) ([]byte, error) {
	secret, err := digest.NewSecret(user.Email, p.desk.Realm(), password).MarshalBinary()
	if err != nil {
		return nil, err
	}
	return p.desk.Sealer().Seal(secret, sealedFor(user.ID)), nil
}
