package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"golang.org/x/term"

	"muster/internal/archive"
	"muster/internal/atomicfile"
	"muster/internal/server"
)

// outcome returns the error of a command in words for whoever has interrupted
// it.
func outcome(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("interrupted, nothing was changed: %w", err)
	}
	return err
}

type backupCmd struct {
	File        string   `arg:"" help:"File to write, or - for standard output."`
	Force       bool     `help:"Replace the file if it already exists."`
	WithoutKeys bool     `help:"Leave out the keys of the server and of the certificate authority. No server starts on such a backup without the server's key, so keep the key elsewhere. The records can be read without it."`
	For         []string `placeholder:"KEY" help:"Public key to encrypt the backup to, such as age1…, which muster backup-key makes. Can be repeated: each of the keys reads it."`
	place
}

// Run writes a backup.
func (c *backupCmd) Run() error {
	ctx, stop := interruptible()
	defer stop()
	where, bar := c.place.place(newLog(slog.LevelWarn)), newBar("backup")
	keys, err := server.PublicKeys(c.For)
	if err != nil {
		return fmt.Errorf("--for: %w", err)
	}
	var head archive.Head
	write := func(w io.Writer) (err error) {
		head, err = where.Backup(ctx, w, server.Backup{WithoutKeys: c.WithoutKeys, For: keys, Progress: bar.show})
		return err
	}
	if c.File == "-" && term.IsTerminal(int(os.Stdout.Fd())) {
		return errors.New("a backup cannot be printed on a terminal: name a file, or pipe it to another program")
	}
	if c.File == "-" {
		defer bar.end()
		return outcome(ctx, write(os.Stdout))
	}
	if info, err := os.Stat(c.File); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file: choose another name, or use - for standard output", c.File)
	} else if err == nil && !c.Force {
		return fmt.Errorf("%s already exists: choose another name, or replace it with --force", c.File)
	}
	err = atomicfile.ReplaceBy(c.File, write, 0o600)
	bar.end()
	if err != nil {
		return outcome(ctx, err)
	}
	return c.said(head)
}

// said prints what was written.
func (c *backupCmd) said(head archive.Head) error {
	info, err := os.Stat(c.File)
	if err != nil {
		return err
	}
	fmt.Printf("Wrote %s, %d bytes, %d rows.\n", c.File, info.Size(), head.Rows)
	if len(c.For) > 0 {
		fmt.Println("It is encrypted: keep the private key elsewhere, since nobody reads the file without it.")
	} else if !c.WithoutKeys {
		fmt.Println("It holds the server's keys: keep it as safe as the server itself.")
	}
	return nil
}

type backupKeyCmd struct {
	File string `arg:"" type:"path" help:"File to write, for its owner only. It must not exist yet."`
}

// Run makes a pair of keys for backups.
func (c *backupKeyCmd) Run() error {
	public, err := server.MakeBackupKey(c.File)
	if err != nil {
		return err
	}
	fmt.Println(public)
	fmt.Fprintf(os.Stderr, "This is the public key. %s has the private one: keep it away from the server, in two places.\n",
		c.File)
	return nil
}

type restoreCmd struct {
	File  string `arg:"" type:"existingfile" help:"File written by muster backup."`
	Check bool   `xor:"mode" help:"Verify the file and show what it contains, without restoring it."`
	Drill bool   `xor:"mode" help:"Prove that the file can be restored, without replacing anything: load it into a throw-away database in the data folder, and compare every row. The server may be running."`
	backupKey
	place
}

// backupKey is the flag of what reads a backup.
type backupKey struct {
	BackupKey string `type:"path" placeholder:"FILE" help:"File with the private key of an encrypted backup, as written by muster backup-key."`
}

// Run restores a backup.
func (c *restoreCmd) Run() error {
	ctx, stop := interruptible()
	defer stop()
	if c.Check {
		return check(ctx, c.source())
	}
	if c.Drill {
		return c.drill(ctx)
	}
	where, bar := c.place.place(newLog(slog.LevelWarn)), newBar("restore")
	r, err := where.Restore(ctx, c.source(), bar.show)
	bar.end()
	if err != nil {
		return outcome(ctx, err)
	}
	report(r)
	return nil
}

// source returns the backup that is to be read.
func (c *restoreCmd) source() server.Source { return server.Source{File: c.File, Key: c.BackupKey} }

// check verifies a backup.
func check(ctx context.Context, from server.Source) error {
	bar := newBar("check")
	contents, err := server.Verify(ctx, from, bar.show)
	bar.end()
	if err != nil {
		return outcome(ctx, err)
	}
	var names []string
	for _, f := range contents.Files {
		names = append(names, f.Name)
	}
	if len(names) == 0 {
		names = []string{"no keys"}
	}
	fmt.Printf("%s is whole: %d rows and %s, as of %s, written by muster %s.\n", from.File, contents.Head.Rows,
		strings.Join(names, ", "), contents.Head.Made.Format(time.RFC3339), contents.Head.Version)
	return nil
}

// drill proves that a backup can be restored.
func (c *restoreCmd) drill(ctx context.Context) error {
	where, bar := c.place.place(newLog(slog.LevelWarn)), newBar("drill")
	r, err := where.Drill(ctx, c.source(), bar.show)
	bar.end()
	if err != nil {
		return outcome(ctx, err)
	}
	fmt.Printf("%s can be restored: %d rows of %d tables, as of %s, were loaded into a database of their own, and each is equal to the backup's.\n",
		c.File, r.Head.Rows, len(r.Tables), r.Head.Made.Format(time.RFC3339))
	return nil
}

type rollbackCmd struct{ place }

// Run goes back to the state before the last upgrade.
func (c *rollbackCmd) Run() error {
	ctx, stop := interruptible()
	defer stop()
	where, bar := c.place.place(newLog(slog.LevelWarn)), newBar("rollback")
	r, err := where.Rollback(ctx, bar.show)
	bar.end()
	if err != nil {
		return outcome(ctx, err)
	}
	report(r)
	fmt.Printf("This is the state before muster %s changed the database. Start the version that was used until then.\n", r.Head.Version)
	return nil
}

// report prints what was restored.
func report(r *server.Restored) {
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "TABLE\tROWS")
	for _, t := range r.Tables {
		fmt.Fprintf(w, "%s\t%d\n", t.Table, t.Rows)
	}
	_ = w.Flush() // as other output
	fmt.Printf("Restored the state of %s. Every row was read again and is equal to the backup's.\n",
		r.Head.Made.Format(time.RFC3339))
	for _, kept := range r.Kept {
		fmt.Printf("What was there before is kept as %s.\n", kept)
	}
}
