package limit

import (
	"sync"
	"time"
)

// How many times more wrong passwords than of one user from one address there may
// be of one user, in an hour, and from one address.
const (
	userFactor    = 5
	addressFactor = 15
)

// Guesses bound how many wrong passwords are looked at: of a user from one address in
// a quarter of an hour; of a user from all addresses that are new to them in an hour;
// and from one address, of users who are new to it, in a quarter of an hour. So
// passwords cannot be guessed, and nobody shuts out a person who comes from where they
// were let in before.
type Guesses struct {
	limit     int
	mu        sync.Mutex // of those who count
	pairs     *Windows[pair]
	users     *Windows[string]
	addresses *Windows[string]
}

// A pair is a user at a place.
type pair struct{ user, place string }

// A Try is a password that somebody gives for a user.
type Try struct {
	User    string
	Address string
	// Browser is a mark of one in which the user was let in before, "" for none: it
	// is counted apart from its address.
	Browser string
	// Known reports whether the user was let in from the address before. It is asked
	// when that matters; for Forgive it must say what it said for Take.
	Known func() bool
}

func (t *Try) pair() pair {
	if t.Browser != "" {
		return pair{t.User, "browser " + t.Browser}
	}
	return pair{t.User, t.Address}
}

func (t *Try) known() bool { return t.Browser != "" || t.Known() }

// A Reason says why no more passwords are looked at.
type Reason int

// Reasons.
const (
	None      Reason = iota
	OfPair           // too many of the user from the address
	OfUser           // too many of the user from addresses that are new to them
	OfAddress        // too many from the address, of users who are new to it
)

// NewGuesses returns the bounds by that of one user from one address, 0 for none.
func NewGuesses(limit int, now func() time.Time) *Guesses {
	const quarter = 15 * time.Minute
	return &Guesses{
		limit: limit, pairs: NewWindows[pair](quarter, now), users: NewWindows[string](time.Hour, now),
		addresses: NewWindows[string](quarter, now),
	}
}

// Blocked returns why a password is not looked at, and how long that lasts.
func (g *Guesses) Blocked(t Try) (Reason, time.Duration) {
	if g.limit <= 0 {
		return None, 0
	}
	if wait := g.pairs.Full(t.pair(), g.limit); wait > 0 {
		return OfPair, wait
	}
	reason, wait := OfUser, g.users.Full(t.User, g.limit*userFactor)
	if wait == 0 {
		reason, wait = OfAddress, g.addresses.Full(t.Address, g.limit*addressFactor)
	}
	if wait == 0 || t.known() {
		return None, 0
	}
	return reason, wait
}

// Take counts a password that is wrong, or may be so, unless it is Blocked. Of many at
// once no more are looked at than of one after the other.
func (g *Guesses) Take(t Try) (Reason, time.Duration) {
	if g.limit <= 0 {
		return None, 0
	}
	if wait := g.pairs.Full(t.pair(), g.limit); wait > 0 {
		return OfPair, wait
	}
	known := t.known() // which may take its time
	g.mu.Lock()
	defer g.mu.Unlock()
	if reason, wait := g.Blocked(t); reason != None {
		return reason, wait
	}
	g.count(t, known, 1)
	return None, 0
}

// Forgive takes a password back that was counted and is right.
func (g *Guesses) Forgive(t Try) {
	if g.limit > 0 {
		g.count(t, t.known(), -1)
	}
}

func (g *Guesses) count(t Try, known bool, n int) {
	g.pairs.Add(t.pair(), n)
	if !known {
		g.users.Add(t.User, n)
		g.addresses.Add(t.Address, n)
	}
}

// Left returns how many more passwords are looked at, -1 for any number.
func (g *Guesses) Left(t Try) int {
	if g.limit <= 0 {
		return -1
	}
	left := g.pairs.Left(t.pair(), g.limit)
	if !t.known() {
		left = min(left, g.users.Left(t.User, g.limit*userFactor), g.addresses.Left(t.Address, g.limit*addressFactor))
	}
	return left
}
