package mapping

import (
	"fmt"
	"strings"

	"muster/internal/kind"
	"muster/internal/store/sqldb"
)

// An apartTable holds the fields of a kind that are apart: one narrow row for
// each record. Its key is its only index, so that PostgreSQL can write a new
// state of a row beside the old one, without a word to any index.
type apartTable struct {
	Name    string
	Owner   *kind.Schema
	Columns []Column
	Insert  string
}

// ApartName returns the name of the table of a kind's fields that are apart.
func ApartName(k *kind.Schema) string { return k.Path() + "_apart" }

// newApartTable returns nil for a kind without such fields.
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

// ColumnOf returns the column of a field, of the record r or of what is apart
// of it, a.
func ColumnOf(f *kind.Field) string {
	if f.Apart {
		return "a." + f.Column()
	}
	return "r." + f.Column()
}

// selected returns how a field of the record r is read that refers to no other
// record. What is apart is looked up by its key, not joined: PostgreSQL would
// rather read the whole table of some thousands than 250 rows of it.
func selected(k *kind.Schema, f *kind.Field) string {
	if f.Apart {
		return fmt.Sprintf("(SELECT a.%s FROM %s a WHERE a.id = r.id)", f.Column(), ApartName(k))
	}
	return ColumnOf(f)
}

// JoinApart adds what is apart of all records r, for a list that looks at it.
func JoinApart(k *kind.Schema) string { return " LEFT JOIN " + ApartName(k) + " a ON a.id = r.id" }
