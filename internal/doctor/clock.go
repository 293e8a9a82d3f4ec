package doctor

import "time"

// By how much clocks may differ: nodes accept each other's nonces for minutes,
// and times in records are whole seconds.
const (
	skewSeen = 5 * time.Second
	skewBad  = time.Minute
)

// clock looks whether the time of this machine can be right.
func (e *examiner) clock() {
	const check = "clock"
	const set = "Set the clock, and have it kept by a time service such as systemd-timesyncd or chrony."
	now := e.Now().UTC()
	before := len(e.findings)
	if now.Before(e.Built) {
		e.problem(check, set, "The clock is wrong: it says %s, and this program was made on %s.",
			now.Format(time.DateTime), e.Built.UTC().Format(time.DateTime))
	}
	if e.newest.Sub(now) > skewBad {
		e.problem(check, set+" If it was ahead before, records have times of the future until then.",
			"The clock says %s, and the newest record is of %s.", now.Format(time.DateTime),
			e.newest.UTC().Format(time.DateTime))
	}
	if e.facts != nil {
		e.skew(set)
	}
	if len(e.findings) == before {
		e.ok(check, "The clock says %s UTC, which can be right.", now.Format(time.DateTime))
	}
}

// skew compares the clock with PostgreSQL's.
func (e *examiner) skew(set string) {
	ahead := e.facts.Ahead.Round(100 * time.Millisecond)
	level := Problem
	switch off := ahead.Abs(); {
	case off < skewSeen:
		return
	case off < skewBad:
		level = Warning
	}
	word := "behind"
	if ahead < 0 {
		word = "ahead of"
	}
	e.add(level, "clock", set, "The clock of this machine is %v %s the one of PostgreSQL.", ahead.Abs(), word)
}
