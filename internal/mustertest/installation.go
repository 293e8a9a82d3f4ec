package mustertest

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"muster/internal/inventory"
	"muster/internal/server"
	"muster/internal/store"
	"muster/internal/witness"
)

// keyName is the file of the server's key.
const keyName = "server.key"

// An installation is kept to be copied: to make tables, to hash passwords and to invent an organisation takes longer
// than most tests.
type installation struct {
	keys     map[string][]byte // files of the data folder
	database func(t testing.TB, address string)
}

// A sample says what is in an installation.
type sample struct {
	database string // name of its kind
	content  string
}

// kept are the installations that were needed so far.
var kept = struct {
	mu sync.Mutex
	of map[sample]*installation
}{of: map[sample]*installation{}}

// keep returns an installation, which is filled for the first test that needs it.
func (db Database) keep(t testing.TB, content string, fill func(in *installation, address string)) *installation {
	t.Helper()
	kept.mu.Lock()
	defer kept.mu.Unlock()
	which := sample{db.Name, content}
	if found := kept.of[which]; found != nil {
		return found
	}
	in := &installation{keys: map[string][]byte{}}
	in.database = db.copies(t, func(address string) { fill(in, address) })
	kept.of[which] = in
	return in
}

// Made returns the address of a database that has the tables of the product and nothing in them, and is
// removed after the test.
func (db Database) Made(t testing.TB) string {
	t.Helper()
	from := db.keep(t, "tables", func(_ *installation, address string) {
		s, err := store.Open(context.Background(), store.Config{Database: address, Kinds: inventory.All()})
		if err == nil {
			err = s.Close()
		}
		if err != nil {
			t.Fatalf("make tables: %v", err)
		}
	})
	address := db.name(t)
	from.database(t, address)
	return address
}

// install makes the database of a server and its keys, as the server would have made them and Start would have left
// them, and reports whether it did: what is unusual, the server makes by itself.
func (o *Options) install(t testing.TB, cfg *server.Config) bool {
	t.Helper()
	if !o.usual(cfg) {
		o.On.create(t, o.Database)
		return false
	}
	content := "administrator"
	if cfg.Demo {
		content = "demo"
	}
	from := o.On.keep(t, content, func(in *installation, address string) { in.serve(t, address, cfg.Demo) })
	from.database(t, o.Database)
	files, err := os.ReadDir(o.Data)
	own := len(files) > 0 || cfg.CertFile != "" || cfg.PlainHTTP // it has a certificate of its own, or none
	for name, content := range from.keys {
		if err == nil && (name == keyName || name == witness.FileName || !own) {
			err = os.WriteFile(filepath.Join(o.Data, name), content, 0o600)
		}
	}
	if err != nil {
		t.Fatalf("copy an installation: %v", err)
	}
	return true
}

// usual reports whether nothing that a new installation depends on differs from those that are kept.
func (o *Options) usual(cfg *server.Config) bool {
	_, err := os.Stat(filepath.Join(o.Data, keyName))
	return errors.Is(err, fs.ErrNotExist) && o.Kinds == nil && o.Clock.Now().Equal(NewClock().Now()) &&
		cfg.Data == o.Data &&
		cfg.Database == o.Database && cfg.KeyFile == "" && cfg.Realm == realm && cfg.DemoSize == 0 &&
		cfg.Out == io.Discard
}

// serve lets a server make the installation.
func (in *installation) serve(t testing.TB, address string, demo bool) {
	t.Helper()
	s := Start(t, Options{Database: address, Change: func(cfg *server.Config) { cfg.Demo = demo }})
	s.Quit()
	for _, name := range []string{keyName, "ca.pem", "ca.key", "tls.pem", "tls.key", witness.FileName} {
		content, err := os.ReadFile(filepath.Join(s.Data, name))
		if err != nil {
			t.Fatalf("keep an installation: %v", err)
		}
		in.keys[name] = content
	}
}
