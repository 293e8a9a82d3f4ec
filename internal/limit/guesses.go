package limit

import (
	"sync"
	"time"
)

// How many times the limit for one user from one address applies to one user from all addresses, and to one
// address.
const (
	userFactor    = 5
	addressFactor = 15
)

// Guesses limit how many wrong passwords are checked: for a user from one address in a quarter of an hour; for
// a user from all addresses that are new to them in an hour; and from one address, for users who are new to it,
// in a quarter of an hour. So passwords cannot be guessed, and nobody can lock out a person who comes from an
// address of an earlier sign-in.
type Guesses struct {
	limit     int
	mu        sync.Mutex // of those who count
	pairs     *Windows[pair]
	users     *Windows[string]
	addresses *Windows[string]
}

// A pair is a user at an address or browser.
type pair struct{ user, place string }

// A Try is an attempt to sign in as a user with a password.
type Try struct {
	User    string
	Address string
	// Browser identifies a browser in which the user has signed in before, "" for none. It is counted
	// separately from its address.
	Browser string
	// Known reports whether the user has signed in from the address before. It is only called when that
	// matters; for Forgive it must return the same as for Take.
	Known func() bool
}

func (t *Try) pair() pair {
	if t.Browser != "" {
		return pair{t.User, "browser " + t.Browser}
	}
	return pair{t.User, t.Address}
}

func (t *Try) known() bool { return t.Browser != "" || t.Known() }

// A Reason says why no more passwords are checked.
type Reason int

// The reasons.
const (
	None      Reason = iota
	OfPair           // too many of the user from the address
	OfUser           // too many of the user from addresses that are new to them
	OfAddress        // too many from the address, of users who are new to it
)

// NewGuesses returns limits based on that for one user from one address, 0 for none.
func NewGuesses(limit int, now func() time.Time) *Guesses {
	const quarter = 15 * time.Minute
	return &Guesses{
		limit: limit, pairs: NewWindows[pair](quarter, now), users: NewWindows[string](time.Hour, now),
		addresses: NewWindows[string](quarter, now),
	}
}

// Blocked returns why a password is not checked, and for how long.
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

// Take counts a password that is wrong, or has yet to be checked, unless it is Blocked. Parallel attempts get
// no more checks than successive ones.
func (g *Guesses) Take(t Try) (Reason, time.Duration) {
	if g.limit <= 0 {
		return None, 0
	}
	if wait := g.pairs.Full(t.pair(), g.limit); wait > 0 {
		return OfPair, wait
	}
	known := t.known() // this may take long
	g.mu.Lock()
	defer g.mu.Unlock()
	if reason, wait := g.Blocked(t); reason != None {
		return reason, wait
	}
	g.count(t, known, 1)
	return None, 0
}

// Forgive removes a password from the count that turned out to be right.
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

// Left returns how many more passwords are checked, -1 for no limit.
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
