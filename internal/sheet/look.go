package sheet

import (
	"encoding/xml"
	"math"
	"strconv"
	"strings"
	"time"
)

// A look says what a number means, by how it is shown.
type look uint8

const (
	plain    look = iota
	day           // a date
	moment        // a date with a time
	clock         // a time without a date
	duration      // hours that may be more than a day has
)

// A styles is what a workbook says about how cells are shown.
type styles struct {
	Formats []struct {
		ID   int    `xml:"numFmtId,attr"`
		Code string `xml:"formatCode,attr"`
	} `xml:"numFmts>numFmt"`
	Cells []struct {
		Format int `xml:"numFmtId,attr"`
	} `xml:"cellXfs>xf"`
}

// readStyles reads how numbers are shown.
func (w *workbook) readStyles(d *xml.Decoder) error {
	var s styles
	if err := d.Decode(&s); err != nil {
		return err
	}
	own := map[int]look{}
	for _, f := range s.Formats {
		own[f.ID] = lookOf(f.Code)
	}
	for _, c := range s.Cells {
		l, ok := own[c.Format]
		if !ok {
			l = builtIn(c.Format)
		}
		w.looks = append(w.looks, l)
	}
	return nil
}

// builtIn returns the look of a format that every workbook has.
func builtIn(format int) look {
	switch {
	case format == 22:
		return moment
	case format >= 14 && format <= 17, format >= 27 && format <= 31, format == 36, format >= 50 && format <= 58:
		return day
	case format >= 18 && format <= 21, format >= 32 && format <= 35, format == 45, format == 47:
		return clock
	case format == 46:
		return duration
	}
	return plain
}

// lookOf returns the look of a format by its code, such as dd.mm.yyyy hh:mm. Only
// its first part counts, that of positive numbers.
func lookOf(code string) look {
	letters, elapsed := formatLetters(strings.ToLower(code))
	hasDay, hasClock := strings.ContainsAny(letters, "yd"), strings.ContainsAny(letters, "hs")
	switch {
	case elapsed:
		return duration
	case hasDay && hasClock:
		return moment
	case hasDay, strings.Contains(letters, "m") && !hasClock && !strings.ContainsAny(letters, "0#"):
		return day
	case hasClock:
		return clock
	}
	return plain
}

// formatLetters returns a code without what it shows as it is, and whether it
// shows elapsed time, such as [h]:mm.
func formatLetters(code string) (letters string, elapsed bool) {
	if strings.HasPrefix(code, "general") {
		return "", false
	}
	var b strings.Builder
	for i := 0; i < len(code); i++ {
		switch c := code[i]; c {
		case ';':
			return b.String(), elapsed
		case '\\', '_', '*':
			i++
		case '"':
			if end := strings.IndexByte(code[i+1:], '"'); end >= 0 {
				i += end + 1
			}
		case '[':
			end := strings.IndexByte(code[i:], ']')
			if end < 0 {
				return b.String(), elapsed
			}
			inside := strings.Trim(code[i+1:i+end], "hms")
			elapsed = elapsed || inside == "" && end > 1
			i += end
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), elapsed
}

// number returns the text of a number in a cell.
func (w *workbook) number(text string, style int) string {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return text
	}
	l := plain
	if style >= 0 && style < len(w.looks) {
		l = w.looks[style]
	}
	if l != plain && n >= 0 && n < maxDay {
		return w.time(n, l)
	}
	if size := math.Abs(n); size != 0 && (size < 1e-9 || size >= 1e21) {
		return strconv.FormatFloat(n, 'g', -1, 64)
	}
	if r := strconv.FormatFloat(n, 'g', 15, 64); r != "" { // as many digits as spreadsheets have
		n, _ = strconv.ParseFloat(r, 64)
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// maxDay is the day after 9999-12-31.
const maxDay = 2_958_466

// time returns the text of a number that is a time in days.
func (w *workbook) time(n float64, l look) string {
	seconds := int64(math.Round(n * 86400))
	if l == duration {
		return strconv.FormatInt(seconds/3600, 10) + ":" + twoDigits(seconds/60%60) + ":" + twoDigits(seconds%60)
	}
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case w.is1904:
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case n < 60: // spreadsheets believe in a 29th of February 1900
		first = first.AddDate(0, 0, 1)
	}
	t := first.Add(time.Duration(seconds) * time.Second)
	if days := seconds / 86400; days > 100_000 { // more than a Duration holds in nanoseconds
		t = first.AddDate(0, 0, int(days)).Add(time.Duration(seconds%86400) * time.Second)
	}
	switch {
	case l == clock && n < 1:
		return t.Format(time.TimeOnly)
	case l == day && seconds%86400 == 0:
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02T15:04:05")
}

func twoDigits(n int64) string {
	if n < 10 {
		return "0" + strconv.FormatInt(n, 10)
	}
	return strconv.FormatInt(n, 10)
}
