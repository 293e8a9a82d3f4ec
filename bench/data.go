package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"muster/internal/demo"
	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/server"
	"muster/internal/store"
)

// epoch is when the databases are made, for them, so that they are the same in
// every run.
var epoch = time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)

// span is how long their computers have been coming in.
const span = 2 * 365 * 24 * time.Hour

// batch is how many computers are stored at once. In larger transactions each
// statement takes longer: SQLite walks through all pages that they have
// touched.
const batch = 25

// passing begins the names of folders that do not outlive a run.
const passing = "tmp-"

// openRoot makes the folder in which databases are kept, if there is none, and
// removes what runs that were killed have left in it.
func openRoot(root string) error {
	if err := os.MkdirAll(root, 0o700); err != nil {
		return err
	}
	left, err := filepath.Glob(filepath.Join(root, passing+"*"))
	for _, folder := range left {
		info, statErr := os.Stat(folder)
		if statErr == nil && time.Since(info.ModTime()) > time.Hour {
			err = errors.Join(err, os.RemoveAll(folder))
		}
	}
	return err
}

// sqliteData returns a data folder with a database of a size to work on, below
// root, and a function that removes it. The database is a copy of one that is
// kept for the next run, or that one itself for who only reads: a million
// computers take gigabytes.
func sqliteData(ctx context.Context, root string, n int, reading bool) (data string, remove func(), err error) {
	kept, err := keptData(ctx, root, n)
	if err != nil {
		return "", nil, err
	}
	if data, err = os.MkdirTemp(root, passing+"run-"); err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(data) } // a rest does no harm
	take := copyData
	if reading {
		take = linkData
	}
	if err := take(kept, data); err != nil {
		remove()
		return "", nil, fmt.Errorf("copy the database: %w", err)
	}
	return data, remove, nil
}

// copyData copies a data folder.
func copyData(kept, data string) error { return os.CopyFS(data, os.DirFS(kept)) }

// linkData gives a data folder the database of another, and a copy of its key.
func linkData(kept, data string) error {
	file, err := filepath.Abs(filepath.Join(kept, "muster.db"))
	if err != nil {
		return err
	}
	key, err := os.ReadFile(filepath.Join(kept, "server.key"))
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(data, "server.key"), key, 0o600),
		os.Symlink(file, filepath.Join(data, "muster.db")))
}

// keptData returns the folder of the kept database, which it makes when there
// is none for this schema.
func keptData(ctx context.Context, root string, n int) (string, error) {
	mark, err := fingerprint(ctx, root)
	if err != nil {
		return "", fmt.Errorf("find out the schema: %w", err)
	}
	kept := filepath.Join(root, fmt.Sprintf("sqlite-%d-%s", n, mark))
	if _, err := os.Stat(kept); !errors.Is(err, fs.ErrNotExist) {
		return kept, err
	}
	if err := removeOutdated(root, n); err != nil {
		return "", err
	}
	fresh, err := os.MkdirTemp(root, passing+"new-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(fresh)
	if err := makeData(ctx, root, fresh, n); err != nil {
		return "", err
	}
	return kept, os.Rename(fresh, kept)
}

// makeData makes a database of a size in a new folder.
func makeData(ctx context.Context, root, fresh string, n int) error {
	if !isGrown(n) {
		return fillDatabase(ctx, placeOf(fresh, filepath.Join(fresh, "muster.db")), n)
	}
	smaller, err := keptData(ctx, root, grownFrom)
	if err != nil {
		return err
	}
	if err := copyData(smaller, fresh); err != nil {
		return fmt.Errorf("copy the smaller database: %w", err)
	}
	return growDatabase(ctx, smaller, fresh, n)
}

// removeOutdated removes the databases of this size that have another schema.
func removeOutdated(root string, n int) error {
	old, err := filepath.Glob(filepath.Join(root, fmt.Sprintf("sqlite-%d-*", n)))
	for _, folder := range old {
		err = errors.Join(err, os.RemoveAll(folder))
	}
	return err
}

// fingerprint returns a text that changes with the tables, the layout of nested
// parts and the demo data.
func fingerprint(ctx context.Context, root string) (string, error) {
	folder, err := os.MkdirTemp(root, passing+"schema-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "empty.db")
	s, err := store.Open(ctx, store.Config{Database: file, Kinds: inventory.All()})
	if err != nil {
		return "", err
	}
	if err := s.Close(); err != nil {
		return "", err
	}
	h := sha256.New()
	if err := eachTable(file, func(sql string) { fmt.Fprintln(h, sql) }); err != nil {
		return "", err
	}
	fmt.Fprintln(h, inventory.Computers.Parts.Layout(), multiplication, afterwards, wordless, few(listSize))
	for i := range listSize {
		h.Write(inventory.Computers.AppendRecord(nil, kind.XML, base, sampleComputer(i)))
		h.Write(inventory.Tickets.AppendRecord(nil, kind.XML, base, sampleTicket(i, make([]kind.Person, 2), listSize)))
		h.Write(inventory.Risks.AppendRecord(nil, kind.XML, base, sampleRisk(i)))
		h.Write(inventory.Softwares.AppendRecord(nil, kind.XML, base, demo.Software(i)))
		h.Write(inventory.Vendors.AppendRecord(nil, kind.XML, base, sampleVendor(i)))
		h.Write(inventory.Printers.AppendRecord(nil, kind.XML, base, samplePrinter(i)))
		h.Write(inventory.OtherAssets.AppendRecord(nil, kind.XML, base, sampleAsset(i, make([]kind.Person, 2))))
		h.Write(inventory.Solutions.AppendRecord(nil, kind.XML, base, sampleArticle(i, listSize)))
		h.Write(inventory.Contracts.AppendRecord(nil, kind.XML, base, sampleContract(i, listSize)))
		for _, s := range demo.InstalledOn(i, sampleComputer(i), epoch) {
			h.Write(inventory.Installations.AppendRecord(nil, kind.XML, base, &s))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// eachTable calls each with the definitions of an SQLite file, its page size
// first.
func eachTable(file string, each func(sql string)) error {
	conn, err := sqlite.OpenConn(file, sqlite.OpenReadOnly)
	if err != nil {
		return err
	}
	const query = "SELECT page_size FROM pragma_page_size UNION ALL " +
		"SELECT * FROM (SELECT coalesce(sql, name) FROM sqlite_master ORDER BY name)"
	err = sqlitex.Execute(conn, query, &sqlitex.ExecOptions{ResultFunc: func(stmt *sqlite.Stmt) error {
		each(stmt.ColumnText(0))
		return nil
	}})
	return errors.Join(err, conn.Close())
}

// fillDatabase makes an installation with the benchmark's user and records.
func fillDatabase(ctx context.Context, place *server.Place, n int) error {
	began := time.Now()
	place.Now = func() time.Time { return epoch }
	add := server.UserCommand{Do: "add", Email: user, Role: inventory.Administrator, Password: password}
	if _, err := place.Do(ctx, add); err != nil {
		return fmt.Errorf("add a user: %w", err)
	}
	s, err := store.Open(ctx, store.Config{Database: place.Database, Kinds: inventory.All()})
	if err != nil {
		return err
	}
	err = errors.Join(fillStore(ctx, place, s, n), s.Close())
	if err != nil {
		return fmt.Errorf("fill the database: %w", err)
	}
	progress("made %d computers, as many tickets and as much software in %.1f s", n, time.Since(began).Seconds())
	return nil
}

// fillStore fills a store through the desk, as everything that writes does.
func fillStore(ctx context.Context, place *server.Place, s *store.Store, n int) error {
	text, err := os.ReadFile(filepath.Join(place.Data, "server.key"))
	if err != nil {
		return err
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil {
		return err
	}
	d, err := desk.Open(ctx, desk.Config{Store: s, Key: key, Realm: place.Realm, Now: place.Now, Log: place.Log})
	if err != nil {
		return err
	}
	defer d.Close()
	who := desk.Caller{Origin: "import"}
	people, err := addPeople(ctx, d, who)
	if err != nil {
		return err
	}
	for first := 0; first < n; first += batch {
		var computers []any
		for i := first; i < min(first+batch, n); i++ {
			c := demo.Computer(i, people, epoch)
			c.CreatedAt = epoch.Add(-span / time.Duration(n) * time.Duration(n-i)).Truncate(time.Second)
			computers = append(computers, c)
		}
		if err := d.Add(ctx, who, inventory.Computers.Schema, computers); err != nil {
			return err
		}
	}
	if err := fillRows(ctx, d, who, people, n); err != nil {
		return err
	}
	if err := fillInstalled(ctx, d, who, n); err != nil {
		return err
	}
	return fillOthers(ctx, d, who, people, n)
}

// addPeople stores the people of the demo organisation.
func addPeople(ctx context.Context, d *desk.Desk, who desk.Caller) ([]kind.Person, error) {
	var users []any
	for _, u := range demo.Users() {
		users = append(users, u)
	}
	if err := d.Add(ctx, who, inventory.Users.Schema, users); err != nil {
		return nil, err
	}
	people := make([]kind.Person, len(users))
	for i, u := range users {
		people[i] = u.(*inventory.User).Person()
	}
	return people, nil
}
