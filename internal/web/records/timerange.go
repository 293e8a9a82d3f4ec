package records

import (
	"net/url"
	"strings"
	"time"

	"muster/internal/kind"
	"muster/internal/web/lang"
	"muster/internal/web/page"
)

// localSuffix is behind the name of a filter in forms, whose days and times are those
// of the person's zone. Addresses have times as the API understands them, wherever
// they are read.
const localSuffix = ".local"

// absolute returns the address of a list with the times that a form has sent in the
// person's zone as the API understands them, "" when there are none.
func absolute(c *page.Call, path string) string {
	values, found := c.URL.Query(), false
	for name, given := range values {
		param, local := strings.CutSuffix(name, localSuffix)
		if !local {
			continue
		}
		found = true
		delete(values, name)
		if text := given[0]; text != "" {
			values.Set(param, boundary(c, param, text))
		}
	}
	if !found {
		return ""
	}
	return page.AddressAs(strings.ReplaceAll(c.URL.RawQuery, localSuffix+"=", "="), path, values)
}

// boundary returns what a parameter says for a day or a time of the person's zone: the
// day's first or last second, or the time. What is neither stays as it is. What the
// parameter then means is decided by Filter.span in internal/kind/filter.go.
func boundary(c *page.Call, param, text string) string {
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return lang.ReadTime(text, c.Zone())
	}
	at := lang.Midnight(day.Year(), day.Month(), day.Day(), c.Zone())
	if isEnd(param) {
		at = lang.Midnight(day.Year(), day.Month(), day.Day()+1, c.Zone()).Add(-time.Second)
	}
	if _, offset := at.Zone(); offset == 0 || at.UTC().Year() > 9999 {
		return text // the API means the same day, or all that come
	}
	return at.UTC().Format(time.RFC3339)
}

// isEnd reports whether a parameter is the end of a range of time.
func isEnd(param string) bool { return strings.HasSuffix(param, "_to") }

// A timeBound is an end of a range of time as people read it.
type timeBound struct {
	at    time.Time // in their zone
	whole bool      // the range begins or ends with the day
}

// newBound returns the end of a range of time that a parameter of an address sets, and
// reports whether its text is a time. It reads dates as Filter.span in
// internal/kind/filter.go does: as whole days in UTC.
func newBound(c *page.Call, f *facet, param, text string) (b timeBound, ok bool) {
	day, err := time.Parse(time.DateOnly, text)
	if f.field.Type == kind.Date {
		return timeBound{day, true}, err == nil
	}
	if err == nil { // as the API understands it
		b.at = day
		if isEnd(param) {
			b.at = day.AddDate(0, 0, 1).Add(-time.Second)
		}
	} else if b.at, err = time.Parse(time.RFC3339, lang.ReadTime(text, time.UTC)); err != nil {
		return b, false
	}
	b.at = b.at.In(c.Zone())
	begin := b.at
	if isEnd(param) {
		begin = begin.Add(time.Second)
	}
	b.whole = begin.Equal(lang.Midnight(begin.Year(), begin.Month(), begin.Day(), c.Zone()))
	return b, true
}

// text returns an end of a range as people read it.
func (b timeBound) text(c *page.Call) string {
	if b.whole {
		return c.Date(b.at)
	}
	return c.DayTime(b.at)
}

// bounds returns the inputs of a range of time, or of a single time.
func bounds(c *page.Call, f *facet, values url.Values) []bound {
	at := func(param, title string) bound {
		text := values.Get(param)
		if text == "" {
			text = values.Get(f.param) // both ends
		}
		in := bound{Name: param, Title: title, Value: text, Type: "date"}
		if f.field.Type != kind.Date {
			in.Name += localSuffix
		}
		if known, ok := newBound(c, f, param, text); ok && known.whole {
			in.Value = known.at.Format(time.DateOnly)
		} else if ok {
			in.Value, in.Type = known.at.Format(lang.LocalSeconds), "datetime-local"
		} else if text != "" {
			in.Type = "text" // what no input of times takes
		}
		return in
	}
	if f.look == "since" {
		return []bound{at(f.param, c.T("From"))}
	}
	return []bound{at(f.param+"_from", c.T("From")), at(f.param+"_to", c.T("To"))}
}

// rangeText returns a range of time as a chip shows it.
func rangeText(c *page.Call, f *facet, values url.Values) string {
	text := func(param string) string {
		given := values.Get(param)
		if given == "" && f.look == "range" {
			given = values.Get(f.param) // both ends
		}
		if known, ok := newBound(c, f, param, given); ok {
			return known.text(c)
		}
		if given == now {
			return c.T("now")
		}
		return given
	}
	if f.look == "since" {
		return text(f.param)
	}
	from, to := text(f.param+"_from"), text(f.param+"_to")
	switch {
	case from == "" && to == "" && values.Has(f.param):
		return c.In("filter", "None")
	case from == to:
		return from
	case from != "" && to != "":
		return c.T("%s to %s", from, to)
	case from != "":
		return c.T("from %s", from)
	}
	return c.T("to %s", to)
}
