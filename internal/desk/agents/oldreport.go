package agents

import (
	"time"

	"muster/internal/kind"
)

// clockTolerance is how far the time that an agent reports may be from ours: it
// reports that of its zone, without the zone.
const clockTolerance = 26 * time.Hour

// isOld reports whether the report was made long before the agent's last one. What
// the agent's clock was then is known from the last report that counted, unless it
// was wrong.
func (a *arrival) isOld() bool {
	if a.agent.ID == 0 || a.Report.At.IsZero() || !a.agent.Clock.Valid {
		return false
	}
	last := a.agent.ReportedAt.Add(time.Duration(a.agent.Clock.V) * time.Second)
	return a.Report.At.Before(last.Add(-clockTolerance))
}

// clock returns by how many seconds the agent's clock is before ours, null when it
// reports no time or a wrong one, or the report has waited for a technician.
func (a *arrival) clock() kind.Int {
	ahead := a.Report.At.Sub(a.Now())
	if a.accepted != nil || a.Report.At.IsZero() || ahead.Abs() > clockTolerance {
		return kind.Int{}
	}
	return kind.Some(int64(ahead / time.Second))
}
