package kind

import "time"

// appendTime appends a timestamp or a date.
func (f *Field) appendTime(b []byte, t time.Time) []byte {
	if f.Type == Date {
		return appendDate(b, t.UTC())
	}
	return appendTimestamp(b, t)
}

// appendTimestamp appends t as 2026-01-31T09:30:00Z.
func appendTimestamp(b []byte, t time.Time) []byte {
	t = t.UTC()
	hour, minute, second := t.Clock()
	b = append(appendDate(b, t), 'T')
	b = append(appendDigits(b, hour), ':')
	b = append(appendDigits(b, minute), ':')
	return append(appendDigits(b, second), 'Z')
}

// appendDate appends t as 2026-01-31. Years have four digits: the reader
// takes no others.
func appendDate(b []byte, t time.Time) []byte {
	year, month, day := t.Date()
	if year < 0 || year > 9999 {
		return t.AppendFormat(b, time.DateOnly)
	}
	b = appendDigits(appendDigits(b, year/100), year%100)
	b = appendDigits(append(b, '-'), int(month))
	return appendDigits(append(b, '-'), day)
}

// appendDigits appends n, less than 100, as two digits.
func appendDigits(b []byte, n int) []byte { return append(b, byte('0'+n/10), byte('0'+n%10)) }
