// Command muster is an IT asset inventory and help desk.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"reflect"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"muster/internal/desk"
	"muster/internal/server"
)

// cli is the command line. Every flag can also be given as a variable
// MUSTER_NAME.
type cli struct {
	Serve    serveCmd    `cmd:"" help:"Serve the API. Makes a data folder, a database, certificates and an administrator when there are none."`
	User     userCmd     `cmd:"" help:"Add, list and change users, whether or not the server runs."`
	Token    tokenCmd    `cmd:"" help:"Add, list and revoke tokens, with which programs use the API instead of a password."`
	Session  sessionCmd  `cmd:"" help:"List who is signed in to the web application, and sign people out."`
	Agent    agentCmd    `cmd:"" help:"Let agents report computers."`
	Claim    claimCmd    `cmd:"" help:"Answer reports that wait, since another agent speaks for the computer."`
	Computer computerCmd `cmd:"" help:"Merge computers, whether or not the server runs."`
	Import   importCmd   `cmd:"" help:"Import records from a CSV or XLSX file, whether or not the server runs."`
	Setting  settingCmd  `cmd:"" help:"Show and change settings that hold at once, without a restart."`
	Audit    auditCmd    `cmd:"" help:"Verify the audit trail and its end."`
	Doctor   doctorCmd   `cmd:"" help:"Examine an installation, whether or not the server runs, and explain each finding. Changes nothing."`
	Backup   backupCmd   `cmd:"" help:"Write a backup, whether or not the server runs."`
	Restore  restoreCmd  `cmd:"" help:"Put a backup in the place of the database, on SQLite or PostgreSQL, and keep what was there. The server must be stopped."`
	Rollback rollbackCmd `cmd:"" help:"Go back to the copy that was made before the last upgrade. What was changed since then is no longer served, but kept beside it. The server must be stopped."`
	Version  versionCmd  `cmd:"" help:"Print the version."`

	Health     healthCmd     `cmd:"" help:"Tell by the exit status whether the server on this machine is ready."`
	Completion completionCmd `cmd:"" help:"Print the script with which a shell completes commands and flags."`
	Complete   completeCmd   `cmd:"" hidden:"" help:"Print what fits as the last word of a command line."`
	Man        manCmd        `cmd:"" hidden:"" help:"Print the manual page."`
}

func main() {
	conceal(os.Args)
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "muster:", err)
		os.Exit(statusOf(err))
	}
}

// A status is an error with an exit status of its own.
type status struct {
	code int
	error
}

// statusOf returns the exit status of an error.
func statusOf(err error) int {
	if s, ok := errors.AsType[*status](err); ok {
		return s.code
	}
	return 1
}

func run(args []string) error {
	var c cli
	parser, err := kong.New(&c,
		kong.Name("muster"),
		kong.Description("Muster is an IT asset inventory and help desk that you run yourself. Start with: muster serve"),
		kong.DefaultEnvars("MUSTER"),
		kong.TypeMapper(reflect.TypeFor[time.Duration](), kong.MapperFunc(readDuration)),
		kong.Vars{"settings": strings.Join(desk.SettingNames(), ",")},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	ctx, err := parser.Parse(args)
	if err != nil {
		return err
	}
	if c, ok := ctx.Selected().Target.Addr().Interface().(placed); ok {
		if err := c.readAddress(); err != nil {
			return err
		}
	}
	return ctx.Run()
}

// readDuration reads a flag that is a length of time.
func readDuration(ctx *kong.DecodeContext, target reflect.Value) error {
	var text string
	if err := ctx.Scan.PopValueInto("time", &text); err != nil {
		return err
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return fmt.Errorf("must be a time such as 24h, 90m or 500ms, not %q", text)
	}
	target.Set(reflect.ValueOf(d))
	return nil
}

// interruptible returns a context that ends when the user interrupts, or the
// process is told to end.
func interruptible() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}

// place are the flags that say where an installation keeps its records.
type place struct {
	Data        string `default:"./muster-data" type:"path" placeholder:"DIR" help:"Folder of the database, keys and certificates (${default})."`
	Database    string `placeholder:"URL" help:"PostgreSQL address, postgres://…, or path of an SQLite file. By default the SQLite file muster.db in the data folder. An address with a password is better given as the variable, or in a file: others on this computer see what is on a command line."`
	AddressFile string `name:"database-file" type:"path" placeholder:"FILE" help:"File whose one line is what --database would say, which it stands for."`
	KeyFile     string `type:"path" placeholder:"FILE" help:"Key that seals credentials in the database. By default server.key in the data folder."`
	Realm       string `default:"Muster" help:"Realm of digest authentication; fixed once a database is made (${default})."`
}

func (p *place) place(log *slog.Logger) server.Place {
	return server.Place{Data: p.Data, Database: p.Database, KeyFile: p.KeyFile, Realm: p.Realm, Version: version,
		Now: time.Now, Log: log}
}

// newLog returns the log: for people on a terminal, for machines otherwise.
func newLog(level slog.Level) *slog.Logger {
	options := &slog.HandlerOptions{Level: level}
	if term.IsTerminal(int(os.Stderr.Fd())) {
		return slog.New(slog.NewTextHandler(os.Stderr, options))
	}
	return slog.New(slog.NewJSONHandler(os.Stderr, options))
}
