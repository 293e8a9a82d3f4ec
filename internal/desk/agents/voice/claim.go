package voice

import (
	"slices"
	"time"
)

// A Reason says why a report waits for a technician, None that it does not.
type Reason string

// The reasons.
const (
	None       Reason = ""
	NoKey      Reason = "the computer reports with a key, and this report has none"
	OwnToken   Reason = "the computer has an agent token of its own, and this report came with another"
	OtherToken Reason = "the computer reports with another agent token"
)

// A Report is one of a known computer that came with a token.
type Report struct {
	Agent   Agent // that sent it
	Token   Token
	Others  []Agent // of the same computer
	Bound   []int64 // the tokens of this computer alone
	Revoked func(token int64) bool
	Now     time.Time
}

// Claims returns why the report waits: what it reports may be of the computer, or of
// somebody who only has a token.
func (r *Report) Claims() Reason {
	switch {
	case slices.Contains(r.Bound, r.Token.ID):
		return None
	case len(r.Bound) > 0 && !r.Agent.Accepted:
		return OwnToken
	case r.keyed() && !r.Agent.Accepted:
		return NoKey
	case r.Agent.ID != 0 && !r.knownFits(), r.Agent.ID == 0 && !r.newFits():
		return OtherToken
	}
	return None
}

// keyed reports whether an agent of the computer has a key.
func (r *Report) keyed() bool {
	return r.Agent.HasKey || slices.ContainsFunc(r.Others, func(other Agent) bool { return other.HasKey })
}

// knownFits reports whether a known agent may come with the token: with the one it
// had, or with one in its place.
func (r *Report) knownFits() bool {
	was := r.Agent.Token
	return was == 0 || r.Token.replaces(was) || r.Revoked(was)
}

// newFits reports whether an agent that was not seen before may speak for the
// computer: one with the token of its last report, or when that is long ago.
func (r *Report) newFits() bool {
	var last Agent
	for _, other := range r.Others {
		if other.ReportedAt.After(last.ReportedAt) {
			last = other
		}
	}
	return last.Token == 0 || r.Now.Sub(last.ReportedAt) > Recent || r.Token.brings(last.Token)
}
