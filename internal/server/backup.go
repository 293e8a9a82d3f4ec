package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"muster/internal/archive"
	"muster/internal/desk/seal"
	"muster/internal/store"
	"muster/internal/store/copy"
)

// keyName is the server's key in a backup.
const keyName = "server.key"

// A keyFile is a file that belongs into a backup: the server's key, and those
// of the local certificate authority, which clients trust.
type keyFile struct {
	name string // in the backup
	path string
	mode fs.FileMode
}

func (p *Place) keyFiles() []keyFile {
	return []keyFile{
		{keyName, p.keyFile(), 0o600},
		{"ca.pem", p.path("ca.pem"), 0o644},
		{"ca.key", p.path("ca.key"), 0o600},
	}
}

// A Backup says what a backup has, and who may read it.
type Backup struct {
	WithoutKeys bool                // it lacks the keys of the installation
	For         []archive.PublicKey // that it is encrypted to, none for a plain one
	Progress    archive.Progress
}

// Backup writes all that an installation needs to be made again: its database in one state, and its keys. The server
// may be running.
func (p *Place) Backup(ctx context.Context, out io.Writer, b Backup) (head archive.Head, err error) {
	place, err := p.running(ctx)
	if err != nil {
		return head, err
	}
	err = archive.Encrypt(out, b.For, func(out io.Writer) error {
		head, err = place.export(ctx, out, b.WithoutKeys, b.Progress)
		return err
	})
	return head, err
}

// export writes a backup of the place as it is given.
func (p *Place) export(ctx context.Context, out io.Writer, withoutKeys bool,
	progress archive.Progress) (head archive.Head, err error) {
	c := copy.Export{
		Head: archive.Head{Version: p.Version, Made: p.Now().UTC(), Database: p.origin()}, Progress: progress,
	}
	if !withoutKeys {
		if c.Files, err = p.keys(); err != nil {
			return head, err
		}
		c.Check = func(ctx context.Context, tx *store.Tx) error { return p.hasKey(ctx, tx, c.Files) }
	}
	head, err = c.Run(ctx, p.database(), out)
	if errors.Is(err, store.ErrMissing) {
		err = fmt.Errorf("there is no database %s: name another with --data or --database", store.Public(p.database()))
	}
	return head, err
}

// origin names the database in a backup. An SQLite file may move with its
// folder.
func (p *Place) origin() string {
	if store.IsPostgres(p.database()) {
		return store.Public(p.database())
	}
	return "SQLite"
}

// keys reads the key files that exist.
func (p *Place) keys() (files []archive.File, err error) {
	for _, key := range p.keyFiles() {
		data, err := os.ReadFile(key.path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		files = append(files, archive.File{Name: key.name, Data: data})
	}
	return files, nil
}

// hasKey returns an error if the keys lack that of the database, without which a backup
// cannot be restored. A database that no server has used yet has none.
func (p *Place) hasKey(ctx context.Context, tx *store.Tx, files []archive.File) error {
	i := slices.IndexFunc(files, func(f archive.File) bool { return f.Name == keyName })
	if i < 0 {
		if isNew, err := seal.IsUnclaimed(ctx, tx); isNew || err != nil {
			return err
		}
		return fmt.Errorf("the server's key %s is missing, without which a backup cannot be restored: "+
			"put it back, name it with --key-file, or leave out all keys with --without-keys", p.keyFile())
	}
	key, err := parseKey(p.keyFile(), files[i].Data)
	if err == nil {
		err = seal.CheckKey(ctx, tx, key)
	}
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}
