package mapping

import (
	"slices"

	"muster/internal/kind"
)

// Kept returns the tables of a kind that have guards.
func (t *Table) Kept() []string {
	if t.Chain == nil {
		return nil
	}
	return append(t.TieTables(), t.Name)
}

// TieTables returns the names of the tables of a kind's ties.
func (t *Table) TieTables() (names []string) {
	for _, f := range t.Ties {
		names = append(names, f.TieTable())
	}
	return names
}

// TiedIDs returns the ids that a record is tied to, sorted and without duplicates.
func TiedIDs(k *kind.Schema, f *kind.Field, rec any) (ids []int64) {
	for _, tie := range *k.Values(rec).Tied(f) {
		ids = append(ids, tie.ID.V)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
