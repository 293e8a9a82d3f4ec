package web

import (
	"path"
	"strings"
	"sync"
	"time"
)

// A moment is a time as people read it.
type moment struct {
	ISO   string // for machines
	Full  string
	Short string // relative up to ten days, then the date
}

// moment returns a time as it is read now, nil for no time.
func (c *call) moment(at time.Time) *moment {
	if at.IsZero() {
		return nil
	}
	now, at := c.now(), at.In(c.zone())
	return &moment{ISO: at.UTC().Format(time.RFC3339), Full: c.dayTime(at) + " " + at.Format("MST"), Short: c.relative(now, at)}
}

// relativeDays is up to how many days times are told by how long ago they are.
const relativeDays = 10

// relative tells a time by how long ago it is, or until when.
func (c *call) relative(now, at time.Time) string {
	ago, ahead := now.Sub(at), false
	if ago < 0 {
		ago, ahead = -ago, true
	}
	minutes, hours, days := max(1, int(ago.Minutes())), int(ago.Hours()), int(ago.Hours()/24)
	switch {
	case ago < time.Minute && !ahead:
		return c.t("just now")
	case ago < time.Hour && ahead:
		return c.tn(minutes, "in %s min", "in %s min")
	case ago < time.Hour:
		return c.tn(minutes, "%s min ago", "%s min ago")
	case ago < 24*time.Hour && ahead:
		return c.tn(hours, "in %s h", "in %s h")
	case ago < 24*time.Hour:
		return c.tn(hours, "%s h ago", "%s h ago")
	case ago < relativeDays*24*time.Hour && ahead:
		return c.tn(days, "in %s day", "in %s days")
	case ago < relativeDays*24*time.Hour:
		return c.tn(days, "%s day ago", "%s days ago")
	}
	return c.date(at)
}

// today returns the day that it is for the person, as records have dates.
func (c *call) today() time.Time { return dateOf(c.now()) }

// dateOf returns the date of a time, as in UTC, so that days can be counted.
func dateOf(at time.Time) time.Time {
	year, month, day := at.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// date writes a day: with the name of the month where the texts are in the
// language of the locale, else in digits, so that two languages do not mix.
func (t *tongue) date(at time.Time) string {
	if base(t.locale.name) != t.name {
		return at.Format(t.locale.digits)
	}
	before, after, _ := strings.Cut(t.locale.day, "Jan")
	return at.Format(before) + t.in("month", months[at.Month()-1]) + at.Format(after)
}

// clock writes the time of a day.
func (t *tongue) clock(at time.Time) string { return at.Format(t.locale.clock) }

// dayTime writes a time with its day.
func (t *tongue) dayTime(at time.Time) string { return t.date(at) + ", " + t.clock(at) }

// weekday writes a day with its name.
func (t *tongue) weekday(at time.Time) string {
	return t.in("weekday and date", "%s %s", t.t(weekdays[at.Weekday()]), t.date(at))
}

// months are the short names of all months.
var months = [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}

// weekdays are the names of all days of the week.
var weekdays = [...]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}

// zone returns the time zone of the person, which their browser tells.
func (c *call) zone() *time.Location {
	if c.zoned == nil {
		c.zoned = zoneNamed(c.cookieValue("zone"))
	}
	return c.zoned
}

// zones are those that were asked for, by their names: to find one takes a look
// at a file.
var zones sync.Map

// zoneNamed returns a time zone, that of the world when there is none such.
func zoneNamed(name string) *time.Location {
	if known, ok := zones.Load(name); ok {
		return known.(*time.Location)
	}
	if name != path.Clean(name) {
		return time.UTC // another spelling of one that may be known
	}
	zone, err := time.LoadLocation(name)
	if err != nil || zone == time.Local {
		return time.UTC
	}
	zones.Store(name, zone) // there are a few hundred
	return zone
}
