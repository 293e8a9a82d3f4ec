package doctor

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"

	"muster/internal/desk/seal"
	"muster/internal/server"
	"muster/internal/store"
)

// pagesTime is how long the pages of an SQLite file may take to read: a server
// that runs meanwhile cannot shorten its -wal file.
const pagesTime = time.Minute

// oldestPostgres is the least version of PostgreSQL that is supported.
const oldestPostgres = 15_00_00

const restore = "Stop the server, keep a copy of the file, and restore the last good backup."

// database examines the database, which it opens for reading only.
func (e *examiner) database(ctx context.Context) {
	if !e.postgres() && strings.Contains(e.Place.Database, "://") {
		e.problem("database", "Give a postgres:// address, or the path of an SQLite file.",
			"--database names no database that Muster knows.")
		return
	}
	s, err := store.Look(ctx, store.Config{Database: e.Database, Kinds: e.Kinds})
	if err != nil {
		e.closed(err)
		return
	}
	defer s.Close()
	if e.postgres() {
		e.serverFacts(ctx, s)
	} else if !e.pages(ctx) {
		return // what is in a damaged file means little
	}
	if !e.tables(ctx, s) {
		return
	}
	e.key(ctx, s)
	e.trail(ctx, s)
	e.counts(ctx, s)
	e.jobs(ctx, s)
	e.backups(ctx, s)
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if e.newest, err = s.Newest(limited); err != nil {
		e.problem("database", "", "The records cannot be read: %v.", err)
	}
}

// closed reports why a database cannot be opened.
func (e *examiner) closed(err error) {
	const check = "database"
	name := store.Public(e.Database)
	switch {
	case e.postgres():
		e.problem(check, "See that PostgreSQL runs, that this machine may reach it, and that user, password and name in --database are right.",
			"The database %s cannot be reached: %v.", name, err)
	case errors.Is(err, fs.ErrNotExist):
		e.problem(check, "For a new installation start muster serve, which makes it. For another, name it with --data or --database.",
			"There is no database %s.", name)
	case errors.Is(err, store.ErrLeft):
		e.warn(check, "Start muster serve once: it applies them.",
			"The database %s was not checked: %v, as after copying the file of a running server.", name, store.ErrLeft)
	case errors.Is(err, fs.ErrPermission):
		e.problem(check, "Run muster doctor as the user that the server runs as, or as root.",
			"The database %s may not be read: %v.", name, err)
	default:
		e.problem(check, restore, "The database %s cannot be opened: %v.", name, err)
	}
}

// pages looks for damage in an SQLite file, and reports whether there is none.
func (e *examiner) pages(ctx context.Context) bool {
	const check = "database"
	ctx, cancel := context.WithTimeout(ctx, pagesTime)
	defer cancel()
	faults, err := e.faults(ctx)
	if err == nil && len(faults) > 0 { // a server that started meanwhile would look like damage
		faults, err = e.faults(ctx)
	}
	switch {
	case ctx.Err() != nil:
		e.warn(check, "Look at a copy of it, or when there is less to do.",
			"The pages of the database could not all be read within %v.", pagesTime)
	case err != nil:
		e.problem(check, restore, "The database %s cannot be read: %v.", e.Database, err)
	case len(faults) > 0:
		e.problem(check, restore, "The database %s is damaged: %s.", e.Database, faults[0])
	default:
		e.ok(check, "The database %s is undamaged.", e.Database)
	}
	return err == nil && len(faults) == 0
}

// faults opens the file once more and returns what is wrong with it.
func (e *examiner) faults(ctx context.Context) ([]string, error) {
	s, err := store.Look(ctx, store.Config{Database: e.Database})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.Faults(ctx)
}

// serverFacts looks at what PostgreSQL says of itself.
func (e *examiner) serverFacts(ctx context.Context, s *store.Store) {
	const check = "database"
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	facts, err := s.Facts(ctx, e.Now)
	if err != nil {
		e.problem(check, "See PostgreSQL's log.", "The version and settings of PostgreSQL cannot be read: %v.", err)
		return
	}
	e.facts = &facts
	before := len(e.findings)
	if facts.Version < oldestPostgres {
		e.problem(check, "Install PostgreSQL 15 or newer.", "PostgreSQL %s is too old.", facts.Name)
	}
	if facts.Encoding != "UTF8" {
		e.problem(check, "Make a database with: createdb --encoding UTF8 --template template0.",
			"The database has the encoding %s, in which not all text can be stored.", facts.Encoding)
	}
	if facts.Standby {
		e.problem(check, "Name the primary server in --database, or all of them with target_session_attrs=read-write.",
			"This PostgreSQL follows another one, and takes no changes.")
	}
	if facts.Columns > 0 {
		e.warn(check, "Restore the tables from a backup, without changing them.",
			`%d columns of Muster do not compare text by bytes (COLLATE "C"): lists may be sorted and filtered wrongly.`, facts.Columns)
	}
	if len(e.findings) == before {
		e.ok(check, "PostgreSQL %s at %s answers, with the encoding %s and the collation %s, which Muster does not depend on.",
			facts.Name, store.Public(e.Database), facts.Encoding, facts.Collation)
	}
}

// tables looks how old the tables are, and reports whether they can be used.
func (e *examiner) tables(ctx context.Context, s *store.Store) bool {
	const check = "tables"
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := s.Tables(ctx)
	switch {
	case err == nil:
		e.ok(check, "The tables are those of this version.")
	case errors.Is(err, store.ErrMissing):
		e.problem(check, "Start muster serve, which makes them.", "The database has no tables of Muster yet.")
	case errors.Is(err, store.ErrOutdated):
		e.warn(check, "Make a backup, then start muster serve of this version, which brings them up to date.",
			"The tables are those of an older version.")
	case errors.Is(err, store.ErrNewer):
		e.problem(check, "Install that version, or restore a backup that was made before it.",
			"The tables are those of a newer version of Muster: %v.", err)
	default:
		e.problem(check, "", "The tables cannot be read: %v.", err)
	}
	return err == nil
}

// key looks whether the server's key is the one of the database.
func (e *examiner) key(ctx context.Context, s *store.Store) {
	const check = "key"
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	isNew, err := seal.IsNew(ctx, s)
	if err == nil && isNew {
		e.ok(check, "The database has no key yet; the first start of the server makes it.")
		return
	}
	key, err := server.ReadKey(e.Key)
	if err == nil {
		err = seal.Check(ctx, s, key, e.Realm)
	}
	const back = "Put the key of this database back from where you keep a copy, or name it with --key-file. " +
		"A backup has one, unless it was made without keys: muster restore it to another --data folder, and take server.key from there."
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.problem(check, back, "The server's key %s is missing; without it nobody's password can be checked.", e.Key)
	case err != nil:
		e.problem(check, back, "%s.", sentence(err))
	default:
		e.ok(check, "The server's key %s is the one of the database.", e.Key)
	}
}

// sentence makes an error the beginning of a sentence.
func sentence(err error) string {
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:]
}
