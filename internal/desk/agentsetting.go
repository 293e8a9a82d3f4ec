package desk

import "time"

// Settings of agents. The limits are for one node, which counts what comes to it.
var (
	agentComputers       = number{0, 1_000_000, 1000}.setting("agent-computers", "new computers a minute that agents with one token may report, 0 for any number")
	agentComputersPerDay = number{0, 1_000_000, 20_000}.setting("agent-computers-per-day", "new computers a day that agents with one token may report, 0 for any number")
	agentHours           = number{1, 720, 24}.setting("agent-hours", "hours after which agents that ask are told to report again")
	agentReports         = number{0, 1_000_000, 10}.setting("agent-reports", "reports a minute that are taken of one computer, 0 for any number")
	agentRestHours       = number{0, 720, 0}.setting("agent-rest-hours", "hours after its last report for which a computer that asks is told to send none, 0 to always ask for one")
)

// AgentReports returns how many reports a minute are taken of one computer, 0
// for any number.
func (d *Desk) AgentReports() int { return d.settings.value(&agentReports).(int) }

// AgentComputers returns how many new computers agents with one token may
// report, 0 for any number.
func (d *Desk) AgentComputers() (perMinute, perDay int) {
	return d.settings.value(&agentComputers).(int), d.settings.value(&agentComputersPerDay).(int)
}

// AgentHours returns after how many hours agents are told to report again.
func (d *Desk) AgentHours() int { return d.settings.value(&agentHours).(int) }

// AgentRest returns for how long after its last report a computer is told to
// send none, 0 for not at all.
func (d *Desk) AgentRest() time.Duration {
	return time.Duration(d.settings.value(&agentRestHours).(int)) * time.Hour
}
