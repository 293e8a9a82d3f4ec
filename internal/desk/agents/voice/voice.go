// Package voice has the rules by which agents speak for computers: whose report is
// taken in and whose waits for a technician, and which of several agents of a computer
// is heard on which section of it. It knows no database.
package voice

import (
	"slices"
	"time"
)

// Times after which the rules change.
const (
	// Silence is how long the agent that speaks for a section may be silent until
	// another one that reports it is heard. Agents report daily.
	Silence = 72 * time.Hour
	// Recent is how long after its last report a computer is not given to a new
	// agent with another token.
	Recent = 30 * 24 * time.Hour
)

// An Agent is a program that reports a computer, as far as the rules need it.
type Agent struct {
	ID         int64 // 0 for one that was not seen before
	DeviceID   string
	Program    string
	Token      int64 // with which it reported last, 0 when that is not known
	HasKey     bool  // it reports with a key of its own
	Accepted   bool  // a technician lets it speak beside one that has a key
	ReportedAt time.Time
	// Speaks are the sections that are shown as it reports them, nil when that was
	// not noted yet.
	Speaks []string
	// Reported are the sections of which its last report had rows, nil when that is not
	// known. It counts while Speaks is nil.
	Reported []string
}

// reported reports whether an agent reported a section last, as far as that is known.
func (a *Agent) reported(section string) bool {
	return a.Reported == nil || slices.Contains(a.Reported, section)
}

// A Token is what agents report with that have no key of their own.
type Token struct {
	ID           int64
	Replaces     []int64 // tokens in whose place it is
	ForNewImages bool    // computers of other tokens come with it when they were set up anew
}

// replaces reports whether a token is another one, or is in its place.
func (t *Token) replaces(other int64) bool {
	return t.ID == other || slices.Contains(t.Replaces, other)
}

// brings reports whether a new agent with the token may speak for a computer that
// reported with another one.
func (t *Token) brings(other int64) bool { return t.ForNewImages || t.replaces(other) }
