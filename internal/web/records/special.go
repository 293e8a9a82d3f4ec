package records

import "muster/internal/web/page"

// A Term is the time of a contract from its start to its end.
type Term struct {
	From, To string
	Gone     string // how much of it is over, as a part of the width
	Left     string // in words
	Tone     string
}

// A Use is how many seats of a licence are used.
type Use struct {
	Seats, Installed int
	Known, Counting  bool   // whether a count is known, and whether a new one is under way
	Width            string // of the part that is used
	Compliance       page.Cell
}
