// Package access lets people and programs in: signing in, sessions, passwords, the second factor, tokens, and the users
// that have these. Who may do what with records, and what a change asks of its caller, are the desk's; what agents
// report with belongs to package agents.
package access

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"muster/internal/argon"
	"muster/internal/desk"
)

// Config says how a service works.
type Config struct {
	HashCost argon.Cost // of sign-in passwords, zero for the usual
}

// A Service knows who may come in. It works on the users of a desk.
type Service struct {
	desk      *desk.Desk
	accounts  accounts
	passwords passwords
	codes     codes
	addresses Addresses
	users     Users
	renewing  sync.Map // has the ids of sessions whose last use is being stored
}

// Open returns the service on a desk, for which it keeps the passwords of users from then on.
func Open(ctx context.Context, d *desk.Desk, cfg Config) (*Service, error) {
	s := &Service{desk: d, codes: codes{d}}
	s.addresses.access, s.users.access = s, s
	s.passwords = passwords{d, cmp.Or(cfg.HashCost, argon.Default), make(chan struct{}, argon.AtOnce())}
	s.accounts = accounts{desk: d, passwords: &s.passwords}
	if err := s.accounts.reload(ctx); err != nil {
		return nil, fmt.Errorf("load the users: %w", err)
	}
	d.Hooks().OnCatchUp(s.accounts.catchUp)
	d.Hooks().OnUsers(s.accounts.reload)
	d.Hooks().KeepPasswords(desk.Passwords{Faults: s.passwords.faults, Store: s.storePassword})
	return s, nil
}

func init() { desk.Declare(&digestAlgorithms, &organisation, &secondFactor) }
