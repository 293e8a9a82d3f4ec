package imports

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/imports"
	"muster/internal/desk/jobs"
	"muster/internal/kind"
	"muster/internal/sheet"
	"muster/internal/web/lang"
)

// A spelling is how a person writes: in a language, with the numbers of a country and
// the times of a zone.
type spelling struct {
	*lang.Locale
	zone    *time.Location
	allowed func(f *kind.Field) []string // values, with those that administrators have added
}

// Spellings returns how people write, for a desk.
func Spellings(d *desk.Desk) func(jobs.Writing) imports.Spelling {
	return func(w jobs.Writing) imports.Spelling {
		return &spelling{lang.Named(w.Language, w.Country), lang.ZoneNamed(w.Zone), d.Settings().Allowed}
	}
}

// Plain returns what documents have for what a table says as pages and exports do.
func (s *spelling) Plain(f *kind.Field, text string) string {
	bare := strings.TrimSpace(text)
	switch {
	case lang.IsSize(f) && lang.Size.MatchString(bare):
		return s.Conventions.ReadMegabytes(bare)
	case f.Type == kind.Integer, f.Type == kind.Amount:
		return s.Conventions.ReadNumber(bare)
	case f.Type == kind.Time:
		return lang.ReadTime(s.Conventions.ReadDay(bare), s.zone)
	case f.Type == kind.Date:
		return s.Conventions.ReadDay(bare)
	case f.Type == kind.Boolean:
		for _, truth := range []bool{true, false} {
			if strings.EqualFold(bare, s.Yes(truth)) {
				return strconv.FormatBool(truth)
			}
		}
	}
	same := func(value string) bool { return strings.EqualFold(bare, value) }
	if slices.ContainsFunc(s.allowed(f), same) {
		return text
	}
	for _, value := range f.OneOf {
		if same(s.Value(value)) {
			return value
		}
	}
	return text
}

// Says reports whether a table says of a value what exports say.
func (s *spelling) Says(v kind.Values, f *kind.Field, text string) bool {
	text = strings.TrimSpace(text)
	switch value := s.Exported(v, f, s.zone).(type) {
	case string:
		return strings.TrimSpace(value) == text
	case time.Time:
		return text != "" && (text == sheet.CSVTime(value) || text == value.Format(lang.LocalSeconds))
	}
	return false
}
