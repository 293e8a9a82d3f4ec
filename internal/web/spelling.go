package web

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/kind"
	"muster/internal/sheet"
)

// A spelling is how a person writes: in a language, with the numbers of a country and
// the times of a zone.
type spelling struct {
	*tongue
	zone    *time.Location
	allowed func(f *kind.Field) []string // values, with those that administrators have added
}

// English returns how tables are written in English, with the times of a zone, for a
// desk.
func English(d *desk.Desk, zone *time.Location) desk.Spelling {
	return &spelling{inEnglish(), zone, d.Allowed}
}

// inEnglish speaks to whom nothing else is known of.
func inEnglish() *tongue { return &tongue{language: languages()[0], locale: locales[english]} }

// Plain returns what documents have for what a table says as pages and exports do.
func (s *spelling) Plain(f *kind.Field, text string) string {
	bare := strings.TrimSpace(text)
	switch {
	case isSize(f) && size.MatchString(bare):
		return s.locale.readMegabytes(bare)
	case f.Type == kind.Integer, f.Type == kind.Amount:
		return s.locale.readNumber(bare)
	case f.Type == kind.Time:
		return readTime(s.locale.readDay(bare), s.zone)
	case f.Type == kind.Date:
		return s.locale.readDay(bare)
	case f.Type == kind.Boolean:
		for _, truth := range []bool{true, false} {
			if strings.EqualFold(bare, s.yes(truth)) {
				return strconv.FormatBool(truth)
			}
		}
	}
	same := func(value string) bool { return strings.EqualFold(bare, value) }
	if slices.ContainsFunc(s.allowed(f), same) {
		return text
	}
	for _, value := range f.OneOf {
		if same(s.value(value)) {
			return value
		}
	}
	return text
}

// Says reports whether a table says of a value what exports say.
func (s *spelling) Says(v kind.Values, f *kind.Field, text string) bool {
	text = strings.TrimSpace(text)
	switch value := s.exported(v, f, s.zone).(type) {
	case string:
		return strings.TrimSpace(value) == text
	case time.Time:
		return text != "" && (text == sheet.CSVTime(value) || text == value.Format(localSeconds))
	}
	return false
}

// clocks are layouts of what stands behind a day, nothing at all among them.
var clocks = []string{"", " 15:04", " 15:04:05", " 3:04 PM", " 3:04:05 PM"}

// readDay returns a day, or a time, that is written as people of a country and their
// spreadsheets do as documents have it, any other text as it is. Of days with slashes
// nobody knows what comes first unless they know the country.
func (l *locale) readDay(text string) string {
	layouts := []string{l.day}
	if l.name != english {
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

// Layouts of times, and of days alone, as people and their programs write them.
var (
	times = []string{
		localTime, localSeconds, "2006-01-02 15:04", "2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", "2.1.2006 15:04", "2.1.2006 15:04:05",
	}
	days = []string{time.DateOnly, "2.1.2006"}
)

// readTime returns a time that is written without its zone, or a day that begins then,
// as documents have it, any other text as it is.
func readTime(text string, zone *time.Location) string {
	for _, layout := range times {
		if at, err := time.ParseInLocation(layout, text, zone); err == nil {
			return at.UTC().Format(time.RFC3339)
		}
	}
	for _, layout := range days {
		if day, err := time.Parse(layout, text); err == nil {
			return midnight(day.Year(), day.Month(), day.Day(), zone).UTC().Format(time.RFC3339)
		}
	}
	return text
}

// midnight returns the moment when a day begins in a zone. Some days begin at one
// o'clock, and some have midnight twice, where clocks change then.
func midnight(year int, month time.Month, day int, zone *time.Location) time.Time {
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

// size matches a size that people write with its unit, decimal a number with what
// is less than one behind it, digits a number without anything else.
var (
	size    = regexp.MustCompile(`(?i)^([0-9][^a-z]*?)[\s\p{Zs}]*(mb|gb|tb)$`)
	decimal = regexp.MustCompile(`^(?:0[.,][0-9]{1,6}|[0-9]+(?:[.,](?:[0-9]{1,2}|[0-9]{4,6}))?)$`)
	digits  = regexp.MustCompile(`^[0-9]+$`)
)

// readMegabytes returns a size that is written with its unit as a number of
// megabytes, any other text as it is. Three digits behind a mark that does not part
// thousands in the language are one of these: nobody knows what they mean.
func (l *locale) readMegabytes(text string) string {
	found := size.FindStringSubmatch(text)
	if found == nil {
		return text
	}
	whole, _, _ := strings.Cut(found[1], l.decimal)
	number := l.joined(whole) + found[1][len(whole):]
	n, err := strconv.ParseFloat(strings.ReplaceAll(number, ",", "."), 64)
	if err != nil || !decimal.MatchString(number) {
		return text
	}
	factor := map[string]float64{"mb": 1, "gb": 1 << 10, "tb": 1 << 20}[strings.ToLower(found[2])]
	return strconv.FormatFloat(math.Round(n*factor), 'f', 0, 64)
}

// readNumber returns a number that is written as in the language as documents have
// it, any other text as it is.
func (l *locale) readNumber(text string) string {
	whole, part, broken := strings.Cut(text, l.decimal)
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
func (l *locale) joined(whole string) string {
	plain := strings.ReplaceAll(whole, l.group, "")
	if l.figure(plain) != whole || len(plain) > 3 && plain[0] == '0' {
		return whole
	}
	return plain
}
