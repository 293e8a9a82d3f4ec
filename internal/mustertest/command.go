package mustertest

import (
	"context"

	"muster/internal/server"
)

// Tokens carries out a command about tokens on the running server.
func (s *Server) Tokens(cmd server.TokenCommand) *server.TokenResult {
	s.t.Helper()
	res, err := s.Token(context.Background(), cmd)
	if err != nil {
		s.t.Fatalf("token %s: %v", cmd.Do, err)
	}
	return res
}

// Settings carries out a command about settings on the running server.
func (s *Server) Settings(cmd server.SettingCommand) *server.SettingResult {
	s.t.Helper()
	res, err := s.Setting(context.Background(), cmd)
	if err != nil {
		s.t.Fatalf("setting %s: %v", cmd.Do, err)
	}
	return res
}

// Bearer returns a client with a new token of a user.
func (s *Server) Bearer(cmd server.TokenCommand) *Client {
	s.t.Helper()
	cmd.Do = "add"
	c := s.Anonymous()
	c.Token = s.Tokens(cmd).Secret
	return c
}
