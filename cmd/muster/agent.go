package main

type agentCmd struct {
	Token agentTokenCmd `cmd:"" help:"Add, list and revoke agent tokens, with which agents report computers."`
}
