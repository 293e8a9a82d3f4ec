package main

type agentCmd struct {
	Token agentTokenCmd `cmd:"" help:"Add, list, change and revoke agent tokens, which let agents report computers."`
	Run   agentRunCmd   `cmd:"" help:"Report this computer to a server, once or regularly. Linux only."`
}
