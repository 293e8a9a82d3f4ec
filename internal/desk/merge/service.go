// Package merge makes two computers one, and knows which may be one, or two after all: those that reports have
// doubted and about which nobody has decided since. Which agents are of which computer is known by package agents.
package merge

import (
	"muster/internal/desk"
	"muster/internal/desk/agents"
)

// A Service merges computers of a desk.
type Service struct {
	desk   *desk.Desk
	agents *agents.Service
}

// New returns the service on a desk and its agents.
func New(d *desk.Desk, a *agents.Service) *Service { return &Service{d, a} }
