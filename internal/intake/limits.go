package intake

import (
	"slices"
	"time"

	"muster/internal/desk/agents"
	"muster/internal/front"
)

// Limits that refuse a message, as reports name them.
const (
	limitTokens    = "agent_tokens_of_address"
	limitReports   = "reports_of_computer"
	limitComputers = "computers_of_token"
	limitAll       = "reports_of_all"
)

// Limits are the names of all limits in reports.
var Limits = []string{limitTokens, limitReports, limitComputers, limitAll}

// An admission applies the limits of computer and token to one report. The report is counted once, even if the desk
// asks again because a transaction is retried.
type admission struct {
	in      *Intake
	token   *agents.Token
	counted []counted
}

// A counted is a computer of which a report was counted, as its own or as one that waits.
type counted struct {
	computer int64
	waits    bool
}

func (in *Intake) admission(token *agents.Token) *admission {
	return &admission{in: in, token: token}
}

// ask returns an error when a computer has reported too often, or when there were too many new ones, as 0 is.
// Reports that wait are counted by their token: they keep none of the computer's own out.
func (a *admission) ask(computer int64, waits bool) (err error) {
	one := counted{computer, waits}
	switch {
	case a.in.Unlimited || slices.Contains(a.counted, one):
		return nil
	case waits:
		err = a.in.admitClaim(claimant{a.token.ID, computer}, a.token.Name)
	case computer == 0:
		err = a.in.admitNew(a.token)
	default:
		err = a.in.admitKnown(computer)
	}
	if err == nil {
		a.counted = append(a.counted, one)
	}
	return err
}

// admitKnown counts a report of a computer.
func (in *Intake) admitKnown(computer int64) error {
	limit := in.Agents.AgentReports()
	return over(in.reports.Take(computer, limit), limitReports,
		"this computer has sent %d reports in a minute: no more are taken before it is over", limit)
}

// A claimant is who reports a computer with a token that is not its own.
type claimant struct{ token, computer int64 }

// admitClaim counts a report that waits.
func (in *Intake) admitClaim(by claimant, token string) error {
	limit := in.Agents.AgentReports()
	return over(in.claims.Take(by, limit), limitReports,
		"the agent token %s has sent %d reports of this computer in a minute, "+
			"which wait to be accepted: no more are taken before it is over", token, limit)
}

// admitNew counts a new computer of a token.
func (in *Intake) admitNew(token *agents.Token) error {
	perMinute, perDay := in.Agents.AgentComputers()
	if wait := in.minutes.Take(token.ID, perMinute); wait > 0 {
		return over(wait, limitComputers, "the agent token %s has brought %d new computers in a minute: "+
			"an administrator can allow more with muster setting set %s", token.Name, perMinute, "agent-computers")
	}
	wait := in.days.Take(token.ID, perDay)
	return over(wait, limitComputers, "the agent token %s has brought %d new computers in a day: "+
		"an administrator can allow more with muster setting set %s", token.Name, perDay, "agent-computers-per-day")
}

// over returns the error of a limit, nil when nobody has to wait.
func over(wait time.Duration, limit, format string, args ...any) error {
	if wait <= 0 {
		return nil
	}
	return front.TooMany(wait, limit, format, args...)
}
