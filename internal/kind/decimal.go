package kind

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"muster/internal/message"
)

// places is how many digits a decimal has behind the point at most.
const places = 4

// unit is the number of a decimal's smallest parts in one.
const unit = 10_000

// A Decimal is an amount with up to four places, or null. It is kept exactly.
type Decimal struct {
	V     int64 // in ten-thousandths, 0 when null
	Valid bool
}

// Decimal declares an amount that is not negative.
func (fs *Fields) Decimal(name string, p *Decimal) Option {
	f := fs.add(name, Amount, p)
	f.assign, f.same = assign[Decimal], same[Decimal]
	return Option{f}
}

// append appends the amount without needless zeros, nothing when it is null.
func (d Decimal) append(b []byte) []byte {
	if !d.Valid {
		return b
	}
	b = strconv.AppendInt(b, d.V/unit, 10)
	if rest := d.V % unit; rest != 0 {
		b = append(b, '.')
		b = append(b, strings.TrimRight(fmt.Sprintf("%0*d", places, rest), "0")...)
	}
	return b
}

// parseDecimal reads an amount. The fault is what is wrong with it.
func parseDecimal(value string) (d Decimal, fault message.Predicate) {
	amount, minus := strings.CutPrefix(value, "-")
	whole, fraction, point := strings.Cut(amount, ".")
	if !isDigits(whole) || point && !isDigits(fraction) {
		return d, notNumber(value)
	}
	fraction = strings.TrimRight(fraction, "0")
	if minus && strings.Trim(whole+fraction, "0") != "" {
		return d, negative()
	}
	if len(fraction) > places {
		return d, message.Says("has more than %d places: %s", places, short(value))
	}
	n, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", places-len(fraction)), 10, 64)
	if err != nil {
		return d, message.Says("must be less than or equal to %s", string(Decimal{math.MaxInt64, true}.append(nil)))
	}
	return Decimal{n, true}, fault
}

// isDigits reports whether a text is digits of ASCII, at least one.
func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
