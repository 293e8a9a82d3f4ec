package limit

import "time"

// addressFactor is how many times more failures an address may have than one
// user from it.
const addressFactor = 5

// Failures bound failed logins by user and address, and by address. Never by
// user alone: that would lock people out.
type Failures struct {
	limit   int
	windows *Windows[loginKey]
}

// A loginKey is a user at an address, or the whole address when user is "".
type loginKey struct{ user, address string }

// NewFailures returns a limiter of so many failures a minute of one user from
// one address, 0 for any.
func NewFailures(perMinute int, now func() time.Time) *Failures {
	return &Failures{perMinute, NewWindows[loginKey](time.Minute, now)}
}

// Blocked returns how long a user at an address has to wait, or with "" the
// whole address.
func (l *Failures) Blocked(user, address string) time.Duration {
	if l.limit <= 0 {
		return 0
	}
	limit := l.limit
	if user == "" {
		limit *= addressFactor
	}
	return l.windows.Over(loginKey{user, address}, limit)
}

// Add counts a failed login, of a token without a user.
func (l *Failures) Add(user, address string) {
	if l.limit <= 0 {
		return
	}
	l.windows.Add(loginKey{"", address})
	if user != "" {
		l.windows.Add(loginKey{user, address})
	}
}

// Left returns how many more failures there may be of a user at an address until
// one of the two is blocked, -1 for any number.
func (l *Failures) Left(user, address string) int {
	if l.limit <= 0 {
		return -1
	}
	return min(l.windows.Left(loginKey{user, address}, l.limit), l.windows.Left(loginKey{"", address}, l.limit*addressFactor))
}
