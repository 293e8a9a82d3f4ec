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
	Server string        `placeholder:"URL" help:"Address to report to, https://agent:TOKEN@HOST/ocsinventory, as muster agent token add prints it. Better given as the variable: others on this computer see what is on a command line."`
	CA     string        `name:"ca" type:"path" placeholder:"FILE" help:"Certificate of the authority that signed the server's, in PEM; of a server that made its own, ca.pem in its data folder. By default the authorities that this computer trusts."`
	Every  time.Duration `placeholder:"DURATION" help:"Go on and report so much time apart, such as 24h. By default the computer is reported once."`
	Print  bool          `help:"Print what would be sent, and send nothing."`
	State  string        `default:"/var/lib/muster-agent" type:"path" placeholder:"DIR" help:"Folder in which the id is kept by which the server knows this computer again (${default})."`
}

// Run reports this computer.
func (c *agentRunCmd) Run() error {
	if runtime.GOOS != "linux" {
		return errors.New("muster agent run collects on Linux alone; on this system, let an agent of OCS Inventory or GLPI report to the server")
	}
	r := c.reporter()
	if c.Print {
		return printDocument(r)
	}
	if c.Server == "" {
		return errors.New("where to report? Give the address that muster agent token add printed as the variable MUSTER_SERVER, or with --server")
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
		return errors.New("stopped before the report was taken in")
	case isNotice:
		fmt.Println(notice)
		return nil
	case err != nil:
		return err
	}
	fmt.Printf("Reported %s to %s.\n", r.Machine.Name, r.Server)
	return nil
}

// reporter returns what reports this computer, but for the server.
func (c *agentRunCmd) reporter() *agent.Reporter {
	log := newLog(slog.LevelInfo)
	machine := collect.This(func(part string, reason error) {
		log.Warn("left out", "part", part, "reason", reason.Error())
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
