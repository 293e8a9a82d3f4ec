package inventory

import "muster/internal/kind"

// Statuses of claims.
const (
	ClaimWaiting  = "Waiting"
	ClaimRefused  = "Refused"
	ClaimAccepted = "Accepted" // as it was last: accepted ones are not kept
)

// An AgentClaim is a report of a computer that waits for a technician, since another
// agent speaks for the computer: the last one of each computer and agent token.
type AgentClaim struct {
	kind.Record
	Status         string
	ComputerID     kind.Int
	ComputerName   string
	ComputerPath   string
	Token          string // the name of the agent token
	TokenID        kind.Int
	DeviceID       string
	AgentID        string // of a GLPI agent, from its request
	Program        string
	ProgramVersion string
	Address        string // from which it came
	Reason         string // why it waits
	Reports        kind.Int
	Changes        []AuditChange // some of what it would change
}

// AgentClaims is the kind of claims. The service makes them, and staff accept or
// refuse them.
var AgentClaims = kind.Define("agent-claim", "agent-claims", "Agent Claims List", func(c *AgentClaim, f *kind.Fields) {
	f.Given()
	f.Record(&c.Record)
	f.Text("status", &c.Status).OneOf(ClaimWaiting, ClaimRefused, ClaimAccepted).Filter()
	f.Int("hardware-id", &c.ComputerID).Filter()
	f.Text("hardware-name", &c.ComputerName)
	f.Address("hardware-href", &c.ComputerPath)
	f.Text("agent-token", &c.Token).Filter()
	f.Int("agent-token-id", &c.TokenID).Filter()
	f.Text("device-id", &c.DeviceID)
	f.Text("agent-id", &c.AgentID).Hidden()
	f.Text("program", &c.Program)
	f.Text("version", &c.ProgramVersion)
	f.Text("remote-address", &c.Address)
	f.Text("reason", &c.Reason)
	f.Int("reports", &c.Reports)
	kind.Many(f, "changes", "change", &c.Changes, (*AuditChange).fields).Unsearched()
	f.Stamps(&c.Record)
})
