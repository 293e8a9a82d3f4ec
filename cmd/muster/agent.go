package main

type agentCmd struct {
	Token agentTokenCmd `cmd:"" help:"Add, list and revoke agent tokens, with which agents report computers."`
	Run   agentRunCmd   `cmd:"" help:"Report this computer to a server, once or again and again. On Linux."`
}
