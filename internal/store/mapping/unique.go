package mapping

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"

	"muster/internal/kind"
	"muster/internal/store/sqldb"
)

// A UniqueHash is the result of UniqueHashOf.
type UniqueHash [sha256.Size]byte

// Folded returns the folded values of the nested field, without duplicates.
func (vt *ValueTable) Folded(k *kind.Schema, rec any) []string {
	var out []string
	seen := map[string]bool{}
	for text := range k.Values(rec).Nested(vt.List, vt.Field) {
		if text = Fold(vt.Field.Trim(text)); text != "" && !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}

// Follows reports whether a new column has a value in existing records, derived from the columns that they
// have. The folded form of a text that is new too has none.
func (c Column) Follows(have []string) bool {
	switch c.Role {
	case IsFolded:
		return slices.Contains(have, c.Field.Column())
	case isUnique:
		return true
	case isValue:
		return c.Field.Default != ""
	}
	return false
}

// UniqueHashOf returns the hash of the folded texts that are unique together. The texts themselves could be
// longer than an index allows.
func UniqueHashOf(k *kind.Schema, rec any) UniqueHash {
	b := make([]byte, 0, 256)
	for _, f := range k.Together {
		text := Fold(f.Trim(*k.Values(rec).Text(f)))
		b = append(strconv.AppendInt(b, int64(len(text)), 10), ':')
		b = append(b, text...)
	}
	return sha256.Sum256(b)
}

// ScanKept sets the fields that an update does not write, from the columns after the id.
func (t *Table) ScanKept(r sqldb.Row, rec any) {
	v := t.Kind.Values(rec)
	for i, f := range t.asIs {
		switch f.Type {
		case kind.Integer:
			*v.Int(f) = kind.Int{V: r.Int(i + 1), Valid: !r.Null(i + 1)}
		case kind.Boolean:
			*v.Bool(f) = kind.Bool{V: r.Int(i+1) != 0, Valid: !r.Null(i + 1)}
		case kind.Time:
			*v.Time(f) = TimeAt(r, i+1)
		default:
			panic(fmt.Sprintf("store: %s: %s cannot be kept", t.Name, f.Name))
		}
	}
}
