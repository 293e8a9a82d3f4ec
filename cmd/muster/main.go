// Command muster is an IT asset inventory and help desk. This package has its
// subcommands: their flags, and what they print. What they do belongs in package
// server, and in package agent for the agent.
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
	Serve     serveCmd     `cmd:"" help:"Start the server. The first start creates the data folder, the database, certificates and an administrator."`
	User      userCmd      `cmd:"" help:"Add, list and change users, whether or not the server is running."`
	Token     tokenCmd     `cmd:"" help:"Add, list and revoke tokens, which scripts use for the API instead of a password."`
	Session   sessionCmd   `cmd:"" help:"List who is signed in to the web application, and sign users out."`
	Agent     agentCmd     `cmd:"" help:"Manage agent tokens, or report this computer."`
	Claim     claimCmd     `cmd:"" help:"List, accept and refuse reports that wait because another agent reports the computer."`
	Computer  computerCmd  `cmd:"" help:"Merge and split computers, whether or not the server is running."`
	Import    importCmd    `cmd:"" help:"Import records from a CSV or XLSX file, whether or not the server is running."`
	Job       jobCmd       `cmd:"" help:"List, start, retry and stop jobs: what takes long, or happens by itself."`
	Setting   settingCmd   `cmd:"" help:"Show and change settings. Changes apply immediately, without a restart."`
	Audit     auditCmd     `cmd:"" help:"Verify the audit trail."`
	Doctor    doctorCmd    `cmd:"" help:"Check an installation, whether or not the server is running, and explain each finding. Without --fix it changes nothing."`
	Backup    backupCmd    `cmd:"" help:"Write a backup, whether or not the server is running."`
	BackupKey backupKeyCmd `cmd:"" name:"backup-key" help:"Make a pair of keys for encrypted backups: write the private key into a file, and print the public key, for backup --for."`
	Restore   restoreCmd   `cmd:"" help:"Replace the database with a backup, on SQLite or PostgreSQL, and keep the previous data. Stop the server first."`
	Rollback  rollbackCmd  `cmd:"" help:"Go back to the copy that was made before the last upgrade. Later changes are kept beside it, but no longer served. Stop the server first."`
	Version   versionCmd   `cmd:"" help:"Print the version."`

	Health     healthCmd     `cmd:"" help:"Check whether the server on this machine is ready. The exit status is 0 if it is, and 1 if not."`
	Completion completionCmd `cmd:"" help:"Print the script that lets a shell complete commands and flags."`
	Complete   completeCmd   `cmd:"" hidden:"" help:"Print the words that can complete a command line."`
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

// interruptible returns a context that ends when the user interrupts the process, or
// it gets SIGTERM.
func interruptible() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}

// place are the flags that say where an installation keeps its records.
type place struct {
	Data        string `default:"./muster-data" type:"path" placeholder:"DIR" help:"Folder for the database, keys and certificates (${default})."`
	Database    string `placeholder:"URL" help:"PostgreSQL address (postgres://…) or path of an SQLite file. Default: muster.db in the data folder. If the address has a password, use the variable or --database-file, since other users of this computer can read command lines."`
	AddressFile string `name:"database-file" type:"path" placeholder:"FILE" help:"File that contains the value of --database, on one line. Use it instead of --database."`
	KeyFile     string `type:"path" placeholder:"FILE" help:"File with the key that encrypts credentials in the database. Default: server.key in the data folder."`
	Realm       string `default:"Muster" help:"Realm of digest authentication. It cannot be changed once the database exists (${default})."`
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
