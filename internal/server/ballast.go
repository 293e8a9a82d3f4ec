package server

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"muster/internal/disk"
	"muster/internal/message"
	"muster/internal/store"
)

// ballastName is the name of the ballast, beside the SQLite file. It does not
// begin like the database's own files, so that nobody removes one of these
// instead.
const ballastName = "ballast"

// How large a ballast is at most, as a part of the whole disk and of what is
// free on it, and how often it is looked at. One that was just removed from a
// full disk is not made again: what it freed is far less than what is asked.
const (
	ballastOfDisk = 16
	ballastOfFree = 8
	ballastEvery  = 5 * time.Second
)

// A ballast is an unused file that reserves room on the disk of an SQLite file.
// On a full disk deleting records fails too; an administrator removes the
// ballast, and has room to delete them.
type ballast struct {
	file  string
	size  int64 // 0 for none
	log   *slog.Logger
	fault string // that was logged last
}

// newBallast returns the ballast of an installation. It is empty with PostgreSQL, which
// has a disk of its own.
func (cfg *Config) newBallast() *ballast {
	b := &ballast{file: cfg.ballastFile(), log: cfg.Log}
	if !store.IsPostgres(cfg.database()) {
		b.size = int64(cfg.Ballast) << 20
	}
	return b
}

// ballastFile returns the path of the ballast, which is on the database's disk.
func (p *Place) ballastFile() string {
	return filepath.Join(filepath.Dir(absolute(p.database())), ballastName)
}

// keep makes the ballast when it is missing and there is room, until stopping
// is closed.
func (b *ballast) keep(stopping <-chan struct{}) {
	tick := time.NewTicker(ballastEvery)
	defer tick.Stop()
	for b.size > 0 {
		b.logOnce(b.provide())
		select {
		case <-stopping:
			return
		case <-tick.C:
		}
	}
}

// logOnce logs why there is no ballast, each reason once.
func (b *ballast) logOnce(err error) {
	fault := ""
	if err != nil {
		fault = err.Error()
	}
	if fault != "" && fault != b.fault {
		b.log.Warn("there is no ballast to remove when the disk is full", "file", b.file, "error", err)
	}
	b.fault = fault
}

var errNoSpace = errors.New("there is not enough room on the disk; it is created when there is")

// provide makes the ballast if it is not there and the disk has room.
func (b *ballast) provide() error {
	room, err := disk.Room(filepath.Dir(b.file))
	if err != nil {
		return err
	}
	size := min(b.size, int64(room.Total/ballastOfDisk))
	_, err = os.Stat(b.file)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case err == nil: // of whatever size
		return nil
	case size == 0 || int64(room.Free/ballastOfFree) < size:
		return errNoSpace
	}
	return b.make(size)
}

// make makes the file: it has its name when it is whole.
func (b *ballast) make(size int64) error {
	unfinished := b.file + ".new"
	f, err := os.OpenFile(unfinished, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = errors.Join(allocate(f, size), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(unfinished, b.file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(unfinished))
	}
	b.log.Debug("the ballast was created", "file", b.file, "bytes", size)
	return nil
}

// fill writes a file of noise, which no file system can make smaller.
func fill(f *os.File, size int64) error {
	var seed [32]byte
	_, err := io.CopyN(f, rand.NewChaCha8(seed), size)
	return err
}

// remedy says what an administrator can do about a full disk, in short for
// clients and exactly for the log.
func (p *Place) remedy() (short message.Text, exact string) {
	file := p.ballastFile()
	_, err := os.Stat(file)
	switch {
	case store.IsPostgres(p.database()):
		short = message.New("make room on the disk of the PostgreSQL server")
		return short, short.String()
	case err != nil:
		return message.New("make room on it"), "make room on the disk of " + filepath.Dir(file)
	}
	return message.New("make room on it at once by removing the file %s beside the database", ballastName),
		"make room on the disk of " + filepath.Dir(file) + ", at once by removing the file " + file
}

// withRemedy adds what to do to the error of a full disk.
func (p *Place) withRemedy(err error) error {
	if !errors.Is(err, store.ErrFull) {
		return err
	}
	_, exact := p.remedy()
	return fmt.Errorf("%w: %s", err, exact)
}
