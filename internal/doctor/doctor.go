// Package doctor examines an installation and explains what it finds in plain
// words: certificate, permissions, disk, database, clock, and whether a server
// runs. It works beside a running server and without one. It repairs nothing
// itself: counts that differ are mended by the server, if that is asked for.
package doctor

import (
	"context"
	"crypto/x509"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"muster/internal/server"
	"muster/internal/store"
)

// A Config says which installation, and how its server is started.
type Config struct {
	server.Config
	Built       time.Time // when the program was made, zero when that is not known
	AddressFile string    // that --database-file names, "" for none
	Fix         bool      // counts that differ are mended
}

// Levels of findings.
const (
	OK      = "ok"
	Warning = "warning" // works, but should be looked at
	Problem = "problem" // does not work, or is not safe
)

// A Finding is one thing that was looked at.
type Finding struct {
	Level string `json:"level"`
	Check string `json:"check"` // what was looked at, in a word or two
	Text  string `json:"text"`  // what was found
	Do    string `json:"do,omitempty"`
}

// timeout is how long anything but the database's pages may take.
const timeout = 10 * time.Second

// An examiner is an examination under way.
type examiner struct {
	Config
	server.Files // whose names stand for those in Config: where things are in the end
	findings     []Finding
	shut         bool              // the data folder may not be looked into
	running      bool              // a server listens on the socket
	served       *x509.Certificate // that it shows to clients, nil when that is not known
	facts        *store.Facts      // of PostgreSQL, nil when it did not answer
	newest       time.Time         // record
}

// Examine looks at everything and returns what it found, in the order in which
// people should read it.
func Examine(ctx context.Context, cfg Config) []Finding {
	e := &examiner{Config: cfg, Files: cfg.Place.Files()}
	if file, err := filepath.Abs(e.Database); err == nil && !e.postgres() {
		e.Database = file
	}
	found := e.folder()
	if e.shut { // what is said of its files would be wrong
		e.space()
		e.clock()
		return e.findings
	}
	if found {
		e.files()
	}
	e.server(ctx)
	e.port(ctx)
	e.certificate()
	if e.Fix {
		e.mend(ctx)
	}
	if found || filepath.Dir(e.Database) != filepath.Clean(e.Data) { // else it is reported already
		e.database(ctx)
	}
	e.space()
	e.clock()
	return e.findings
}

// Count returns how many findings are of a level.
func Count(findings []Finding, level string) (n int) {
	for _, f := range findings {
		if f.Level == level {
			n++
		}
	}
	return n
}

func (e *examiner) ok(check, text string, args ...any) {
	e.add(OK, check, "", text, args...)
}

// warn and problem begin with what to do about it.
func (e *examiner) warn(check, do, text string, args ...any) {
	e.add(Warning, check, do, text, args...)
}

func (e *examiner) problem(check, do, text string, args ...any) {
	e.add(Problem, check, do, text, args...)
}

// add adds a finding, on one line whatever an error in it says.
func (e *examiner) add(level, check, do, text string, args ...any) {
	text = strings.Join(strings.Fields(fmt.Sprintf(text, args...)), " ")
	e.findings = append(e.findings, Finding{Level: level, Check: check, Text: text, Do: do})
}

// postgres reports whether the database is a PostgreSQL server's.
func (e *examiner) postgres() bool { return store.IsPostgres(e.Database) }
