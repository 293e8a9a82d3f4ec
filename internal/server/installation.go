// Package server runs the product: it opens the data folder and the database,
// creates what a first run lacks, and serves the applications over TLS until it is
// stopped. Commands that run beside it reach it through a socket in the data
// folder. How requests are answered belongs in the packages front, api, web and
// intake; flags and output of commands belong in cmd/muster.
package server

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"muster/internal/argon"
	"muster/internal/atomicfile"
	"muster/internal/desk"
	"muster/internal/desk/access"
	"muster/internal/desk/agents"
	"muster/internal/desk/backup"
	"muster/internal/desk/bulk"
	"muster/internal/desk/exports"
	"muster/internal/desk/imports"
	"muster/internal/desk/jobs"
	"muster/internal/desk/licences"
	"muster/internal/desk/merge"
	"muster/internal/desk/seal"
	"muster/internal/desk/trail"
	"muster/internal/disk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
	webimports "muster/internal/web/imports"
	"muster/internal/web/records"
	"muster/internal/witness"
)

// Place says where an installation keeps its records.
type Place struct {
	Data     string // folder, made when it is missing
	Database string // postgres:// address or path of an SQLite file, "" for the one in the data folder
	KeyFile  string // "" for the one in the data folder
	Realm    string
	Version  string          // of the program
	Kinds    []*kind.Schema  // besides the product's own, for tests
	Handlers []*jobs.Handler // of jobs, besides the product's own, for tests
	Now      func() time.Time
	Log      *slog.Logger
	HashCost argon.Cost              // of sign-in passwords, zero for the usual
	observe  func(store.Transaction) // called after each transaction, nil for none
	cache    int64                   // bytes at most of what is kept of documents
}

// kinds returns all kinds that are stored.
func (p *Place) kinds() []*kind.Schema { return append(inventory.All(), p.Kinds...) }

// path returns the path of a file in the data folder.
func (p *Place) path(name string) string { return filepath.Join(p.Data, name) }

// database returns what the store opens.
func (p *Place) database() string {
	if p.Database == "" {
		return p.path("muster.db")
	}
	return p.Database
}

// absolute makes the path of an SQLite file the same from every folder.
func absolute(database string) string {
	if abs, err := filepath.Abs(database); err == nil && database != "" && !store.IsPostgres(database) {
		return abs
	}
	return database
}

// missing reports whether the SQLite file is not there yet.
func (p *Place) missing() bool {
	_, err := os.Stat(p.database())
	return !store.IsPostgres(p.database()) && errors.Is(err, fs.ErrNotExist)
}

// keyFile returns the path of the server's key.
func (p *Place) keyFile() string {
	if p.KeyFile == "" {
		return p.path("server.key")
	}
	return p.KeyFile
}

// An installation is an open one: its store, its desk and what works on them.
type installation struct {
	data     string // folder
	desk     *desk.Desk
	access   *access.Service
	agents   *agents.Service
	merges   *merge.Service
	jobs     *jobs.Service
	bulks    *bulk.Service
	imports  *imports.Service
	exports  *exports.Service
	verifier *trail.Verifier
	backups  *backup.Service
	store    *store.Store
	cache    int64    // bytes at most of what is kept of documents
	lock     *os.File // nil on PostgreSQL
	hold     *hold    // of a server, nil of a command

	keeper *witness.Keeper
}

var errLocked = errors.New("another process has the database open")

// open opens an installation, and makes it if there is none; a frozen one is
// used as it is, or not at all.
func (p *Place) open(ctx context.Context, frozen bool) (h *installation, err error) {
	if err := p.prepare(); err != nil {
		return nil, err
	}
	h = &installation{data: p.Data, cache: p.cache}
	defer func() {
		if err != nil {
			h.close()
		}
	}()
	if !store.IsPostgres(p.database()) {
		if h.lock, err = lockFile(p.database() + ".lock"); err != nil {
			return h, err
		}
	}
	h.store, err = store.Open(ctx, store.Config{
		Database: p.database(), Kinds: p.kinds(), Frozen: frozen, Observe: p.observe,
		BeforeUpgrade: p.copyBeforeUpgrade,
		Progress:      p.logSearch(), Log: p.Log,
	})
	if err != nil {
		return h, err
	}
	key, err := p.key(ctx, h.store)
	if err != nil {
		return h, err
	}
	h.desk, err = desk.Open(ctx,
		desk.Config{Store: h.store, Key: key, Realm: p.Realm, Now: p.Now, Log: p.Log, Cache: p.cache})
	if err != nil {
		return h, err
	}
	if h.access, err = access.Open(ctx, h.desk, access.Config{HashCost: p.HashCost}); err != nil {
		return h, err
	}
	if h.agents, err = agents.Open(ctx, h.desk); err != nil {
		return h, err
	}
	h.merges = merge.New(h.desk, h.agents)
	h.jobs = jobs.New(h.desk)
	if file := p.database(); !store.IsPostgres(file) {
		h.jobs.HasRoom(func() (disk.Space, error) { return disk.Room(filepath.Dir(file)) })
	}
	h.bulks = bulk.New(h.desk, h.jobs)
	h.imports = imports.New(h.desk, h.jobs, webimports.Spellings(h.desk))
	h.exports = exports.New(h.desk, h.jobs, records.ExportSpelling)
	h.verifier = trail.NewVerifier(h.desk, h.jobs, p.Testimony)
	licences.Count(h.desk, h.jobs)
	for _, handler := range p.Handlers {
		h.jobs.Handle(handler)
	}
	h.backups = backup.New(h.desk, h.jobs, p.backups())
	if h.keeper, err = p.keeper(h, key); err == nil {
		h.keeper.Begin(ctx)
	}
	return h, err
}

// close closes what is open.
func (h *installation) close() {
	if h.keeper != nil {
		h.lastHead()
	}
	if h.desk != nil {
		h.desk.Close()
	}
	if h.store != nil {
		_ = h.store.Close() // nothing is under way, and what was acknowledged is on disk
	}
	if h.lock != nil {
		_ = h.lock.Close()
	}
	h.hold.close()
	adopt(h.data)
}

// prepare refuses what can be no database, and makes the data folder, unless it is there.
func (p *Place) prepare() error {
	if !store.IsPostgres(p.database()) && strings.Contains(p.database(), "://") {
		return errors.New("the database must be a postgres:// address or the path of a file")
	}
	if err := os.MkdirAll(p.Data, 0o700); err != nil {
		return fmt.Errorf("make the data folder: %w", err)
	}
	return nil
}

// key reads the server's key. A new database gets a new one; for another its
// key must be there, or the passwords in it could not be read.
func (p *Place) key(ctx context.Context, s *store.Store) ([]byte, error) {
	file := p.keyFile()
	key, err := ReadKey(file)
	if errors.Is(err, fs.ErrNotExist) {
		isNew, err := seal.IsNew(ctx, s)
		if err != nil {
			return nil, err
		}
		if !isNew {
			return nil, fmt.Errorf("the server's key %s is missing, without which the passwords in the database cannot be read: "+
				"put it back, or name it with --key-file", file)
		}
		return p.makeKey(ctx, s)
	}
	if info, err := os.Stat(file); err == nil && info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		p.Log.Warn("other users can read the server's key; make it readable by its owner only", "file", file)
	}
	return key, err
}

// makeKey writes a new key. If another node was faster in the same folder, its key is
// returned.
func (p *Place) makeKey(ctx context.Context, s *store.Store) ([]byte, error) {
	key := make([]byte, seal.KeySize)
	rand.Read(key)
	err := atomicfile.Create(p.keyFile(), []byte(hex.EncodeToString(key)+"\n"), 0o600)
	if errors.Is(err, fs.ErrExist) {
		return p.key(ctx, s)
	}
	if err != nil {
		return nil, fmt.Errorf("write the server's key: %w", err)
	}
	return key, nil
}
