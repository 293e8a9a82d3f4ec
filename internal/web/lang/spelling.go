package lang

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// InEnglish returns the locale for people of whom no language is known.
func InEnglish() *Locale { return &Locale{Language: Languages()[0], Conventions: Locales[English]} }

// Named returns how people write in a language with the conventions of a country; in English where they are not known.
func Named(language, country string) *Locale {
	t := InEnglish()
	if l := LanguageNamed(language); l != nil {
		t.Language = l
	}
	if at := LocaleOf(country); at != nil {
		t.Conventions = at
	}
	return t
}

// clocks are layouts of what stands behind a day, nothing at all among them.
var clocks = []string{"", " 15:04", " 15:04:05", " 3:04 PM", " 3:04:05 PM"}

// ReadDay returns a day, or a time, that is written as people of a country and their
// spreadsheets do as documents have it, any other text as it is. Of days with slashes
// nobody knows what comes first unless they know the country.
func (l *Conventions) ReadDay(text string) string {
	layouts := []string{l.day}
	if l.Name != English {
		layouts = append(layouts, strings.NewReplacer("01", "1", "02", "2").Replace(l.digits))
	}
	for _, layout := range layouts {
		for _, clock := range clocks {
			at, err := time.Parse(layout+clock, text)
			switch {
			case err != nil:
			case clock == "":
				return at.Format(time.DateOnly)
			default:
				return at.Format(time.DateTime)
			}
		}
	}
	return text
}

// Layouts of times, and of days without a time, as people and programs write them.
var (
	times = []string{
		LocalTime, LocalSeconds, "2006-01-02 15:04", "2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00",
		"2.1.2006 15:04", "2.1.2006 15:04:05",
	}
	days = []string{time.DateOnly, "2.1.2006"}
)

// ReadTime returns a time that is written without its zone, or a day that begins then,
// as documents have it, any other text as it is.
func ReadTime(text string, zone *time.Location) string {
	for _, layout := range times {
		if at, err := time.ParseInLocation(layout, text, zone); err == nil {
			return at.UTC().Format(time.RFC3339)
		}
	}
	for _, layout := range days {
		if day, err := time.Parse(layout, text); err == nil {
			return Midnight(day.Year(), day.Month(), day.Day(), zone).UTC().Format(time.RFC3339)
		}
	}
	return text
}

// Midnight returns the moment when a day begins in a zone. Some days begin at one
// o'clock, and some have midnight twice, where clocks change then.
func Midnight(year int, month time.Month, day int, zone *time.Location) time.Time {
	at := time.Date(year, month, day, 0, 0, 0, 0, zone)
	want := time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Day()
	if at.Day() != want {
		_, at = at.ZoneBounds()
	}
	if before := at.Add(-time.Hour); before.Day() == want {
		return before
	}
	return at
}

// Size matches a size that people write with its unit, decimal a number with what
// is less than one behind it, digits a number without anything else.
var (
	Size    = regexp.MustCompile(`(?i)^([0-9][^a-z]*?)[\s\p{Zs}]*(mb|gb|tb)$`)
	decimal = regexp.MustCompile(`^(?:0[.,][0-9]{1,6}|[0-9]+(?:[.,](?:[0-9]{1,2}|[0-9]{4,6}))?)$`)
	digits  = regexp.MustCompile(`^[0-9]+$`)
)

// ReadMegabytes returns a size that is written with its unit as a number of
// megabytes, any other text as it is. Three digits behind a mark that does not part
// thousands in the language are one of these: nobody knows what they mean.
func (l *Conventions) ReadMegabytes(text string) string {
	found := Size.FindStringSubmatch(text)
	if found == nil {
		return text
	}
	whole, _, _ := strings.Cut(found[1], l.Decimal)
	number := l.joined(whole) + found[1][len(whole):]
	n, err := strconv.ParseFloat(strings.ReplaceAll(number, ",", "."), 64)
	if err != nil || !decimal.MatchString(number) {
		return text
	}
	factor := map[string]float64{"mb": 1, "gb": 1 << 10, "tb": 1 << 20}[strings.ToLower(found[2])]
	return strconv.FormatFloat(math.Round(n*factor), 'f', 0, 64)
}

// ReadNumber returns a number that is written as in the language as documents have
// it, any other text as it is.
func (l *Conventions) ReadNumber(text string) string {
	whole, part, broken := strings.Cut(text, l.Decimal)
	plain := l.joined(whole)
	switch {
	case !digits.MatchString(plain) || broken && !digits.MatchString(part):
		return text
	case broken:
		return plain + "." + part
	}
	return plain
}

// joined returns a whole number without what parts its thousands, any other text as
// it is.
func (l *Conventions) joined(whole string) string {
	plain := strings.ReplaceAll(whole, l.group, "")
	if l.figure(plain) != whole || len(plain) > 3 && plain[0] == '0' {
		return whole
	}
	return plain
}
