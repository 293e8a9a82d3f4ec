package agents

import (
	"context"
	"errors"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// answerReserve is how much of the time that a caller has stays for the answer what
// was done.
const answerReserve = 5 * time.Second

// A ClaimAnswer is what is said of some claims: that they are accepted, or refused.
type ClaimAnswer struct {
	Claims []desk.Target
	Accept bool
}

// Answered are claims of which something was said.
type Answered struct {
	Done   []*inventory.AgentClaim
	Faults []error // of those that could not be answered, an *Error or a *kind.Invalid each
	Left   int     // for which there was no time
}

// AnswerClaims accepts or refuses claims, one after another. One that cannot be answered
// keeps no other from it. What there is no time for is left, and is answered when the
// same is said again; with other errors, what was done before them stays done.
func (s *Service) AnswerClaims(ctx context.Context, who desk.Caller, a ClaimAnswer) (res Answered, err error) {
	say := s.RefuseClaim
	if a.Accept {
		say = s.AcceptClaim
	}
	for i, t := range a.Claims {
		if deadline, ok := ctx.Deadline(); i > 0 && ok && time.Until(deadline) < answerReserve {
			res.Left = len(a.Claims) - i
			return res, nil
		}
		claim, err := say(ctx, who, t)
		switch {
		case err == nil:
			res.Done = append(res.Done, claim)
		case isOfClaim(err):
			res.Faults = append(res.Faults, err)
		case i > 0 && errors.Is(err, store.ErrUnavailable):
			res.Left = len(a.Claims) - i
			return res, nil
		default:
			return res, err
		}
	}
	return res, nil
}

// isOfClaim reports whether an error is about one claim, and not about who answers it.
func isOfClaim(err error) bool {
	if e, ok := errors.AsType[*desk.Error](err); ok {
		return e.Code != desk.Forbidden
	}
	_, ok := errors.AsType[*kind.Invalid](err)
	return ok
}
