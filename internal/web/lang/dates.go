package lang

import (
	"strings"
	"time"
)

// RelativeDays is up to how many days times are shown relative to now.
const RelativeDays = 10

// DateOf returns the date of a time, as in UTC, so that days can be counted.
func DateOf(at time.Time) time.Time {
	year, month, day := at.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// Date writes a day: with the name of the month where the texts are in the
// language of the locale, else in digits, so that two languages do not mix.
func (t *Locale) Date(at time.Time) string {
	if Base(t.Conventions.Name) != t.Name {
		return at.Format(t.Conventions.digits)
	}
	before, after, _ := strings.Cut(t.Conventions.day, "Jan")
	return at.Format(before) + t.In("month", months[at.Month()-1]) + at.Format(after)
}

// Clock writes the time of a day.
func (t *Locale) Clock(at time.Time) string { return at.Format(t.Conventions.clock) }

// DayTime writes a time with its day.
func (t *Locale) DayTime(at time.Time) string { return t.Date(at) + ", " + t.Clock(at) }

// Weekday writes a day with its name.
func (t *Locale) Weekday(at time.Time) string {
	return t.In("weekday and date", "%s %s", t.T(weekdays[at.Weekday()]), t.Date(at))
}

// months are the short names of all months.
var months = [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}

// weekdays are the names of all days of the week.
var weekdays = [...]string{
	Msg("Sunday"), Msg("Monday"), Msg("Tuesday"), Msg("Wednesday"), Msg("Thursday"), Msg("Friday"), Msg("Saturday"),
}
