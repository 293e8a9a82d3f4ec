package lang

import "muster/internal/kind"

func (t *Locale) Yes(truth bool) string {
	if truth {
		return t.T("Yes")
	}
	return t.T("No")
}

// IsSize reports whether a field is a size, which people write in several units.
func IsSize(f *kind.Field) bool { return f.Unit == "MB" }
