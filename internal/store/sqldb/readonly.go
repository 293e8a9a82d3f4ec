package sqldb

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"zombiezen.com/go/sqlite"
)

// ErrLeft is returned for an SQLite file whose last changes are still in its -wal file, which no process has
// open. Applying them would change both files.
var ErrLeft = errors.New("the last changes are still in the file -wal beside the database")

// lookSQLite opens an SQLite file read-only.
func lookSQLite(path string) (Database, error) {
	address, err := lookAddress(path)
	if err != nil {
		return nil, err
	}
	db := &SQLite{readers: make(chan *SQLiteConn, 1)}
	for range cap(db.readers) + 1 {
		c, err := sqlite.OpenConn(address, sqlite.OpenReadOnly, sqlite.OpenURI)
		if err != nil {
			_ = db.closeConns() // the first error says more
			return nil, err
		}
		c.SetBusyTimeout(connectTimeout)
		db.all = append(db.all, &SQLiteConn{conn: c, statements: map[string]*sqlite.Stmt{}})
	}
	db.writer = newWriter(db.all[0]) // it can write nothing
	db.readers <- db.all[1]
	db.closed = sync.OnceValue(db.end)
	return db, nil
}

// lookAddress returns the address by which SQLite opens a file without creating others beside it: as an
// immutable file when no process has it open, otherwise with the shared memory of its users, read-only.
func lookAddress(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err != nil {
		return "", err
	}
	wal, walErr := os.Stat(path + "-wal")
	_, shmErr := os.Stat(path + "-shm")
	query := "mode=ro&readonly_shm=1"
	switch {
	case errors.Is(walErr, fs.ErrNotExist) || shmErr != nil && walErr == nil && wal.Size() == 0:
		query = "mode=ro&immutable=1"
	case errors.Is(shmErr, fs.ErrNotExist):
		return "", ErrLeft
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: query}).String(), nil
}

// IsDamaged reports whether an error means that an SQLite file is damaged.
func IsDamaged(err error) bool {
	code := sqlite.ErrCode(err).ToPrimary()
	return code == sqlite.ResultCorrupt || code == sqlite.ResultNotADB
}
