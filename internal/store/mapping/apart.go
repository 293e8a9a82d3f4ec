package mapping

import (
	"fmt"
	"strings"

	"muster/internal/kind"
	"muster/internal/store/sqldb"
)

// An apartTable has the apart fields of a kind: one narrow row per record. Its key is its only index, so that
// PostgreSQL can update a row without updating an index.
type apartTable struct {
	Name    string
	Owner   *kind.Schema
	Columns []Column
	Insert  string
}

// ApartName returns the name of the table of a kind's apart fields.
func ApartName(k *kind.Schema) string { return k.Path() + "_apart" }

// newApartTable returns nil for a kind without apart fields.
func newApartTable(k *kind.Schema) *apartTable {
	at := &apartTable{Name: ApartName(k), Owner: k}
	var names []string
	for _, f := range k.Fields {
		if !f.Apart {
			continue
		}
		if k.Chained || !f.Stored() || ShownColumns(f) != nil || f.Folded() || f.Unique || f.Default != "" {
			panic(fmt.Sprintf("store: %s: %s cannot be apart", k.Item, f.Name))
		}
		at.Columns = append(at.Columns, Column{f.Column(), isValue, f})
		names = append(names, f.Column())
	}
	if names == nil {
		return nil
	}
	at.Insert = fmt.Sprintf("INSERT INTO %s (%s, id) VALUES (%s)",
		at.Name, strings.Join(names, ", "), sqldb.Placeholders(len(names)+1))
	return at
}

// ColumnOf returns the column of a field, in the record r or in its apart row a.
func ColumnOf(f *kind.Field) string {
	if f.Apart {
		return "a." + f.Column()
	}
	return "r." + f.Column()
}

// selected returns the expression that reads a field of the record r that refers to no other record. Apart
// fields are read by a subquery on the key, not by a join, for which PostgreSQL would rather scan the whole
// table than read 250 rows.
func selected(k *kind.Schema, f *kind.Field) string {
	if f.Apart {
		return fmt.Sprintf("(SELECT a.%s FROM %s a WHERE a.id = r.id)", f.Column(), ApartName(k))
	}
	return ColumnOf(f)
}

// JoinApart returns the join of all records r with their apart rows, for a list that filters or sorts by them.
func JoinApart(k *kind.Schema) string { return " LEFT JOIN " + ApartName(k) + " a ON a.id = r.id" }
