package page

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strconv"
	"strings"
	"time"

	"muster/internal/kind"
)

// A HistoryDiff is a changed field.
type HistoryDiff struct{ Label, From, To string }

// Joined returns two texts with a comma between them, if both say something.
func Joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ", " + b
}

// EventValue returns a value of an audit record as people read it.
func (c *Call) EventValue(f *kind.Field, text string) string {
	switch {
	case f.Type == kind.Time:
		if at, err := time.Parse(time.RFC3339, text); err == nil {
			return c.DayTime(at.In(c.Zone()))
		}
	case f.Type == kind.Date:
		if day, err := time.Parse(time.DateOnly, text); err == nil {
			return c.Date(day)
		}
	case f.Type == kind.Boolean && text != "":
		return c.Yes(text == "true")
	case f.Type == kind.PersonRef:
		return PersonTitle(text)
	case f.Unit != "":
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return c.precisely(f, n)
		}
	case f.OneOf != nil:
		return c.Value(text)
	}
	return text
}

// PersonTitle returns the name of a person from the text of an audit record, without
// the e-mail address.
func PersonTitle(text string) string {
	if name, _, ok := strings.Cut(text, " ("); ok {
		return name
	}
	return text
}

// Literal returns a value as a filter takes it.
func Literal(value string) string { return strings.ReplaceAll(value, "*", `\*`) }

// Fingerprint returns a short hash of a text, enough to see that the text has changed.
func Fingerprint(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// Number returns the number that a form has under a name, 0 for none.
func Number(form url.Values, name string) int64 {
	n, err := strconv.ParseInt(form.Get(name), 10, 64)
	if err != nil {
		return 0
	}
	return n
}
