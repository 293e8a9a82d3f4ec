package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"

	"muster/internal/archive"
	"muster/internal/atomicfile"
	"muster/internal/desk/jobs"
	"muster/internal/desk/seal"
	"muster/internal/store"
	"muster/internal/store/copy"
)

// A Restored is the outcome of a restore.
type Restored struct {
	Head   archive.Head
	Tables []copy.Loaded // each proved equal to the backup's
	Kept   []string      // what was replaced
}

// Verify reads a whole backup and returns what it says of itself, or what is
// wrong with it.
func Verify(ctx context.Context, from Source, progress archive.Progress) (archive.Contents, error) {
	plain, file, err := from.open()
	if err != nil {
		return archive.Contents{}, err
	}
	defer file.Close()
	contents, err := archive.Verify(ctx, plain, progress)
	if err != nil {
		err = fmt.Errorf("%s: %w", from.File, err)
	}
	return contents, err
}

// Restore replaces the installation by the contents of a backup. The backup is
// verified first, and what is replaced is kept. It is an error if a server runs.
func (p *Place) Restore(ctx context.Context, from Source, progress archive.Progress) (*Restored, error) {
	contents, err := Verify(ctx, from, progress)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(p.Data, 0o700); err != nil {
		return nil, fmt.Errorf("make the data folder: %w", err)
	}
	defer adopt(p.Data)
	unlock, err := p.alone(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	stamp := p.stamp()
	replaced, err := p.replace(ctx, from, contents.Files, stamp, progress)
	if err != nil {
		return nil, err
	}
	r := &Restored{Head: contents.Head, Tables: replaced.Tables}
	if replaced.Kept != "" {
		r.Kept = []string{replaced.Kept}
	}
	kept, err := p.putKeys(contents.Files, stamp)
	if err != nil {
		return nil, fmt.Errorf("the database is restored, but its keys are not, without which it is of no use: fix this and restore again: %w", err)
	}
	r.Kept = append(r.Kept, kept...)
	former, err := p.restoredHead(ctx, contents.Head, stamp)
	if err != nil {
		return nil, fmt.Errorf("everything is restored, but the head of the audit trail could not be written: %w", err)
	}
	if former != "" {
		r.Kept = append(r.Kept, former)
	}
	return r, nil
}

// stamp returns the present time as a part of names, which one command after
// another may need within a second.
func (p *Place) stamp() string {
	return strings.Replace(p.Now().UTC().Format("20060102_150405.000"), ".", "_", 1)
}

// alone returns an error if a server runs on the data folder. With an SQLite file it
// also keeps servers from starting until unlock is called.
func (p *Place) alone(ctx context.Context) (unlock func(), err error) {
	resp, err := p.knock(ctx, http.MethodGet, "/database", nil)
	if err == nil {
		_ = resp.Body.Close()
		err = fmt.Errorf("a server is running on the data folder %s: stop it first", p.Data)
	}
	if !errors.Is(err, errNoServer) {
		return nil, err
	}
	if store.IsPostgres(p.database()) {
		return func() {}, nil
	}
	lock, err := lockFile(p.database() + ".lock")
	if errors.Is(err, errLocked) {
		err = fmt.Errorf("%w: stop it first", err)
	}
	return func() { _ = lock.Close() }, err
}

// replace replaces the database.
func (p *Place) replace(ctx context.Context, from Source, files []archive.File, stamp string,
	progress archive.Progress) (copy.Replaced, error) {
	key, err := p.keyFor(files)
	if err != nil {
		return copy.Replaced{}, err
	}
	plain, file, err := from.open()
	if err != nil {
		return copy.Replaced{}, err
	}
	defer file.Close()
	in, err := archive.NewReader(plain)
	if err != nil {
		return copy.Replaced{}, err
	}
	defer in.Close()
	return copy.Import{
		Stamp: stamp, Progress: progress,
		Finish: func(ctx context.Context, tx *store.Tx) error {
			if err := seal.CheckKey(ctx, tx, key); err != nil {
				return err
			}
			return jobs.Hold(ctx, tx) // what has been sent since the backup would be sent again
		},
	}.Run(ctx, p.database(), in)
}

// keyFor returns the key that a backup's database needs: its own, or the one
// that is there.
func (p *Place) keyFor(files []archive.File) ([]byte, error) {
	for _, f := range files {
		if f.Name == keyName {
			return parseKey("in the backup", f.Data)
		}
	}
	key, err := ReadKey(p.keyFile())
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("the backup was made without keys, so the server's key must be in place first: %w", err)
	}
	return key, err
}

// putKeys writes the key files of a backup, and keeps copies of those that differed.
func (p *Place) putKeys(files []archive.File, stamp string) (kept []string, err error) {
	for _, key := range p.keyFiles() {
		i := slices.IndexFunc(files, func(f archive.File) bool { return f.Name == key.name })
		if i < 0 {
			continue
		}
		former, err := key.put(files[i].Data, stamp)
		if err != nil {
			return kept, err
		}
		if former != "" {
			kept = append(kept, former)
		}
	}
	return kept, nil
}

// put writes a key file, and keeps a copy of the former one if it differs.
func (k keyFile) put(data []byte, stamp string) (kept string, err error) {
	present, err := os.ReadFile(k.path)
	if err == nil && bytes.Equal(present, data) {
		return "", nil
	}
	if err == nil {
		kept = k.path + ".before-" + stamp
		err = os.Link(k.path, kept)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return kept, atomicfile.Replace(k.path, data, k.mode)
}
