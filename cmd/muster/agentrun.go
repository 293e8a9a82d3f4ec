package main

import (
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"time"

	"muster/internal/agent"
	"muster/internal/collect"
)

// leastPause is how often a computer may be reported.
const leastPause = time.Minute

type agentRunCmd struct {
	Server string        `placeholder:"URL" help:"Address to report to, https://agent:TOKEN@HOST/ocsinventory, as printed by muster agent token add. It is better to set the variable, since other users of this computer can read command lines."`
	CA     string        `name:"ca" type:"path" placeholder:"FILE" help:"Certificate, in PEM, of the authority that signed the server's certificate. For a server with its own local authority this is ca.pem from its data folder. Default: the authorities that this computer trusts."`
	Every  time.Duration `placeholder:"DURATION" help:"Keep running, and report at this interval, such as 24h. Default: report once."`
	Print  bool          `help:"Print the report instead of sending it."`
	State  string        `default:"/var/lib/muster-agent" type:"path" placeholder:"DIR" help:"Folder for the id by which the server recognises this computer (${default})."`
}

// Run reports this computer.
func (c *agentRunCmd) Run() error {
	if runtime.GOOS != "linux" {
		return errors.New("muster agent run works only on Linux; on this system, use an agent of OCS Inventory or GLPI")
	}
	r := c.reporter()
	if c.Print {
		return printDocument(r)
	}
	if c.Server == "" {
		return errors.New("no server is given: set the variable MUSTER_SERVER to the address that muster agent token add printed, or use --server")
	}
	if c.Every != 0 && c.Every < leastPause {
		return fmt.Errorf("--every must be %s or more", leastPause)
	}
	var err error
	if r.Server, err = agent.NewServer(c.Server, c.CA); err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	if c.Every != 0 {
		return r.Repeat(ctx, c.Every)
	}
	err = r.Report(ctx)
	notice, isNotice := errors.AsType[agent.Notice](err)
	switch {
	case ctx.Err() != nil:
		return errors.New("stopped before the server accepted the report")
	case isNotice:
		fmt.Println(notice)
		return nil
	case err != nil:
		return err
	}
	fmt.Printf("Reported %s to %s.\n", r.Machine.Name, r.Server)
	return nil
}

// reporter returns the reporter of this computer, without a server.
func (c *agentRunCmd) reporter() *agent.Reporter {
	log := newLog(slog.LevelInfo)
	machine := collect.This(func(part string, reason error) {
		log.Warn("a part of the report was left out", "part", part, "reason", reason.Error())
	})
	return &agent.Reporter{
		Machine: machine, State: c.State, Client: "Muster-Agent_v" + strings.TrimPrefix(version, "v"), Log: log,
		Now: time.Now, Wait: agent.Wait, Random: rand.Float64,
	}
}

// printDocument prints what would be sent.
func printDocument(r *agent.Reporter) error {
	ctx, stop := interruptible()
	defer stop()
	text, err := r.Document(ctx)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(text)
	return err
}
