package page

import (
	"time"

	"muster/internal/desk/jobs"
	"muster/internal/web/lang"
)

// A Moment is a time as people read it.
type Moment struct {
	ISO   string // for machines
	Full  string
	Short string // relative up to ten days, then the date
}

// Moment returns a time as it is read now, nil for no time.
func (c *Call) Moment(at time.Time) *Moment {
	if at.IsZero() {
		return nil
	}
	now, at := c.Now(), at.In(c.Zone())
	return &Moment{
		ISO: at.UTC().Format(time.RFC3339), Full: c.DayTime(at) + " " + at.Format("MST"), Short: c.relative(now, at),
	}
}

// relative formats a time relative to now, such as "3 hours ago" or "in 2 days".
func (c *Call) relative(now, at time.Time) string {
	ago, ahead := now.Sub(at), false
	if ago < 0 {
		ago, ahead = -ago, true
	}
	minutes, hours, days := max(1, int(ago.Minutes())), int(ago.Hours()), int(ago.Hours()/24)
	switch {
	case ago < time.Minute && !ahead:
		return c.T("just now")
	case ago < time.Hour && ahead:
		return c.TN(minutes, "in %s min", "in %s min")
	case ago < time.Hour:
		return c.TN(minutes, "%s min ago", "%s min ago")
	case ago < 24*time.Hour && ahead:
		return c.TN(hours, "in %s h", "in %s h")
	case ago < 24*time.Hour:
		return c.TN(hours, "%s h ago", "%s h ago")
	case ago < lang.RelativeDays*24*time.Hour && ahead:
		return c.TN(days, "in %s day", "in %s days")
	case ago < lang.RelativeDays*24*time.Hour:
		return c.TN(days, "%s day ago", "%s days ago")
	}
	return c.Date(at)
}

// Writing says how the person writes, for a job of theirs.
func (c *Call) Writing() jobs.Writing {
	return jobs.Writing{Language: c.Locale.Name, Country: c.Locale.Conventions.Name, Zone: c.Zone().String()}
}

// Today returns the day that it is for the person, as records have dates.
func (c *Call) Today() time.Time { return lang.DateOf(c.Now()) }

// Zone returns the time zone of the person, as their browser reports it.
func (c *Call) Zone() *time.Location {
	if c.zoned == nil {
		c.zoned = lang.ZoneNamed(c.CookieValue("zone"))
	}
	return c.zoned
}

// DaysSoon is how many days before its end a contract is marked as ending soon.
const DaysSoon = 90

// DaysUntil returns how many days a date is ahead, which is negative for one that
// is over. Dates have no zone: today is the day that the person has.
func (c *Call) DaysUntil(date time.Time) int { return int(date.Sub(c.Today()).Hours() / 24) }
