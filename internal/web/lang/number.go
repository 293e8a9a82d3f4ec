package lang

import (
	"strconv"
	"strings"
)

// Number writes a number with its thousands apart.
func (t *Locale) Number(n int) string { return t.figure(strconv.Itoa(n)) }

// figure writes a number as the locale does that is given as programs write it,
// such as -1234.5.
func (t *Locale) figure(plain string) string { return t.Conventions.figure(plain) }

func (l *Conventions) figure(plain string) string {
	plain, negative := strings.CutPrefix(plain, "-")
	whole, part, broken := strings.Cut(plain, ".")
	var b strings.Builder
	if negative {
		b.WriteString("−")
	}
	for i, digit := range []byte(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteString(l.group)
		}
		b.WriteByte(digit)
	}
	if broken {
		b.WriteString(l.Decimal + part)
	}
	return b.String()
}

// Amount writes an amount of money, which has two decimals or more.
func (t *Locale) Amount(plain string) string {
	_, part, broken := strings.Cut(plain, ".")
	if !broken {
		plain += "."
	}
	return t.figure(plain + strings.Repeat("0", max(0, 2-len(part))))
}

// Percent writes a share of a hundred.
func (t *Locale) Percent(n int) string { return t.Number(n) + t.Conventions.percent + "%" }

// Megabytes writes a size in the unit in which people think of it.
func (t *Locale) Megabytes(n int64) string {
	switch {
	case n >= 1<<20:
		return t.short(float64(n)/(1<<20)) + " TB"
	case n >= 1<<10:
		return t.short(float64(n)/(1<<10)) + " GB"
	}
	return t.Number(int(n)) + " MB"
}

// short writes a number with one decimal at most.
func (t *Locale) short(n float64) string {
	if n >= 100 {
		return t.figure(strconv.FormatFloat(n, 'f', 0, 64))
	}
	return t.figure(strings.TrimSuffix(strconv.FormatFloat(n, 'f', 1, 64), ".0"))
}

// WholeUnit returns a number of megabytes in the largest unit in which it is a whole
// number.
func WholeUnit(n int64) (int64, string) {
	switch {
	case n != 0 && n%(1<<20) == 0:
		return n >> 20, "TB"
	case n != 0 && n%(1<<10) == 0:
		return n >> 10, "GB"
	}
	return n, "MB"
}
