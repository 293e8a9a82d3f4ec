// Package agents takes in what programs on computers report: it knows agents by their tokens and keys, finds the
// computer that a report is of, changes what the report says, and keeps aside what waits for a technician. Splitting a
// computer is here too, since it takes back what a report has joined; package merge makes two computers one. The rules
// by which agents are heard are in package voice; records, rights and the audit trail are the desk's.
package agents

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"muster/internal/desk"
)

// A Service takes in reports, and answers what concerns agents. It works on the records of a desk.
type Service struct {
	desk      *desk.Desk
	tokens    tokenTable
	refusals  refusals
	reporting chan struct{} // has one for each report that is taken in on PostgreSQL
	alone     chan struct{} // has one while a report that makes much new software is taken in, and for a while after

	serving  atomic.Bool // what identifies computers is cleaned after changes of settings
	cleaning sync.Mutex  // lets one do that at a time
}

// Open returns the service on a desk, which closes what it does in the background.
func Open(ctx context.Context, d *desk.Desk) (*Service, error) {
	s := &Service{desk: d, reporting: make(chan struct{}, reportsAtOnce), alone: make(chan struct{}, 1)}
	if err := s.reloadTokens(ctx); err != nil {
		return nil, fmt.Errorf("load the agent tokens: %w", err)
	}
	d.Hooks().OnCatchUp(s.CatchUpTokens)
	d.Hooks().OnSetting(s.settingChanged)
	return s, nil
}

func init() {
	desk.Declare(
		&agentComputers, &agentComputersPerDay, &agentHours, &agentNames, &agentPrinters, &agentReports,
		&agentRestHours,
		&agentTokenComputer, &agentTokenNames, &agentTokenPrinters, &notMACs, &notSerials, &notUUIDs,
	)
}

// settingChanged cleans what identifies computers when another value is said to be shared by many.
func (s *Service) settingChanged(of *desk.Setting) {
	shares := of == &notMACs || of == &notSerials || of == &notUUIDs
	if shares && s.serving.Load() {
		s.CleanIdentities()
	}
}
