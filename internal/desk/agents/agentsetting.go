package agents

import (
	"time"

	"muster/internal/desk"
)

// Settings of agents. The limits are for one node, which counts what comes to it.
var (
	agentComputers = desk.NumberSetting(0, 1_000_000, 1000, "agent-computers",
		"new computers a minute that agents with one token may report, 0 for any number")
	agentComputersPerDay = desk.NumberSetting(0, 1_000_000, 20_000, "agent-computers-per-day",
		"new computers a day that agents with one token may report, 0 for any number")
	agentHours = desk.NumberSetting(1, 720, 24, "agent-hours",
		"hours after which agents that ask are told to report again")
	agentReports = desk.NumberSetting(0, 1_000_000, 10, "agent-reports",
		"reports a minute that are taken of one computer, 0 for any number")
	agentRestHours = desk.NumberSetting(0, 720, 0, "agent-rest-hours",
		"hours after its last report for which a computer that asks is told to send none, 0 to always ask for one")
)

// AgentReports returns how many reports a minute are taken of one computer, 0
// for any number.
func (s *Service) AgentReports() int { return s.desk.Settings().Value(&agentReports).(int) }

// AgentComputers returns how many new computers agents with one token may
// report, 0 for any number.
func (s *Service) AgentComputers() (perMinute, perDay int) {
	return s.desk.Settings().Value(&agentComputers).(int), s.desk.Settings().Value(&agentComputersPerDay).(int)
}

// AgentHours returns after how many hours agents are asked to report again.
func (s *Service) AgentHours() int { return s.desk.Settings().Value(&agentHours).(int) }

// AgentRest returns for how long after its last report a computer is asked to
// send none, 0 for not at all.
func (s *Service) AgentRest() time.Duration {
	return time.Duration(s.desk.Settings().Value(&agentRestHours).(int)) * time.Hour
}
