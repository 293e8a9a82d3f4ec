package access

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/message"
	"muster/internal/store"
)

// Of the codes that change with time so many may be wrong in a row; then none is
// looked at for a while. Who tries them has proved the password, so nobody else
// can lock a user out; and a recovery code is good all the same.
const (
	codeTries = 5
	codeRest  = 15 * time.Minute
)

// How many recovery codes a user gets, and how many characters each has: 80 bits,
// which nobody guesses, so that a plain hash is enough.
const (
	recoveryCodes = 10
	recoveryChars = 16
)

// ErrCode is the answer for a code that is wrong, or was used before.
var ErrCode = desk.Refuse(desk.Forbidden, "the code is not right, or it was used before")

// codes check the codes of second factors.
type codes struct{ desk *desk.Desk }

// check reports whether a code proves a user with a second factor, and uses
// it up. That it does not is stored too, so the transaction must not fail for it.
func (c *codes) check(ctx context.Context, tx *store.Tx, user *inventory.User, code string) (bool, error) {
	f, err := tx.LockedSecondFactor(ctx, user.ID)
	if errors.Is(err, store.ErrNotFound) || err == nil && f.ConfirmedAt.IsZero() {
		return false, desk.Refuse(desk.Conflict, "%s has no second factor now", user.Email)
	}
	if err != nil {
		return false, err
	}
	code = plainCode(code)
	if !isCode(code) {
		return c.checkRecovery(ctx, tx, user, code)
	}
	return c.checkTimed(ctx, tx, f, code)
}

// checkTimed is check of a code that changes with time.
func (c *codes) checkTimed(ctx context.Context, tx *store.Tx, f store.SecondFactor, code string) (bool, error) {
	now := c.desk.Now()
	if wait := codeRest - now.Sub(f.FailedAt); wait <= 0 {
		f.Failures = 0
	} else if f.Failures >= codeTries {
		return false, desk.Refuse(desk.Conflict,
			"there were too many wrong codes: wait for %d minutes, or use a recovery code",
			int(math.Ceil(wait.Minutes())))
	}
	secret, err := c.secret(f)
	if err != nil {
		return false, err
	}
	step := stepOf(secret, code, now, f.LastStep)
	if step == 0 {
		f.Failures, f.FailedAt = f.Failures+1, now
	} else {
		f.LastStep, f.Failures, f.FailedAt = step, 0, time.Time{}
	}
	return step != 0, tx.SetSecondFactor(ctx, f)
}

// checkRecovery is check of a recovery code.
func (c *codes) checkRecovery(ctx context.Context, tx *store.Tx, user *inventory.User, code string) (bool, error) {
	err := tx.UseRecoveryCode(ctx, user.ID, hashCode(code))
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	left, err := tx.RecoveryCodes(ctx, user.ID)
	if err != nil {
		return false, err
	}
	return true, noteUser(ctx, c.desk, tx, desk.Caller{User: user, Origin: "web"}, user,
		message.New("Recovery code used, %d left",
			left))
}

// addRecoveryCodes gives a user their recovery codes, which are kept nowhere.
func addRecoveryCodes(ctx context.Context, tx *store.Tx, userID int64) (codes []string, err error) {
	for range recoveryCodes {
		code := rand.Text()[:recoveryChars]
		if err := tx.AddRecoveryCode(ctx, userID, hashCode(code)); err != nil {
			return nil, err
		}
		codes = append(codes, strings.Join([]string{code[:4], code[4:8], code[8:12], code[12:]}, "-"))
	}
	return codes, nil
}

// hashCode returns what is kept of a recovery code. Digits that none has are
// taken for the letters that they look like.
func hashCode(code string) []byte {
	hash := desk.HashToken(strings.NewReplacer("0", "O", "1", "I", "8", "B").Replace(code))
	return hash[:]
}

// secret returns the secret of a user's codes.
func (c *codes) secret(f store.SecondFactor) ([]byte, error) {
	secret, err := c.desk.Sealer().Open(f.Secret, codeSealedFor(f.UserID))
	if err != nil {
		return nil, fmt.Errorf("the second factor of user %d cannot be unsealed: %w", f.UserID, err)
	}
	return secret, nil
}

// codeSealedFor says to whom the sealed secret of codes belongs.
func codeSealedFor(userID int64) string { return fmt.Sprintf("second factor of user %d", userID) }
