package mapping

import (
	"fmt"

	"muster/internal/kind"
)

// A LinkTable is the table of links from the records of one kind to those of another.
type LinkTable struct {
	Name   string
	Owner  *kind.Schema
	Field  *kind.Field
	Target *kind.Schema
}

// LinkName returns the name of the table of links from one kind to another.
func LinkName(k, target *kind.Schema) string { return k.Path() + "_" + target.Path() }

func newLinkTable(k *kind.Schema, f *kind.Field, target *kind.Schema) *LinkTable {
	return &LinkTable{LinkName(k, target), k, f, target}
}

// Statements returns the statements that create the table.
func (lt *LinkTable) Statements() []string {
	return []string{
		fmt.Sprintf("CREATE TABLE %s (id BIGINT NOT NULL REFERENCES %s (id), "+
			"linked_id BIGINT NOT NULL REFERENCES %s (id), PRIMARY KEY (id, linked_id))",
			lt.Name, lt.Owner.Path(), lt.Target.Path()),
		fmt.Sprintf("CREATE INDEX %s_linked_id ON %s (linked_id)", lt.Name, lt.Name),
	}
}

// SideTables returns the names of the other tables with parts of each record.
func (t *Table) SideTables() (names []string) {
	for _, vt := range t.Values {
		names = append(names, vt.Name)
	}
	for _, lt := range t.Links {
		names = append(names, lt.Name)
	}
	if t.Apart != nil {
		names = append(names, t.Apart.Name)
	}
	return names
}

// IDs returns the ids of the linked records.
func (lt *LinkTable) IDs(rec any) (ids []int64) {
	for _, l := range *lt.Owner.Values(rec).Links(lt.Field) {
		if l.Item == lt.Target.Item {
			ids = append(ids, l.ID.V)
		}
	}
	return ids
}
