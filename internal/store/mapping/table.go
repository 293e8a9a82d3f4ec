// Package mapping maps kinds to tables: columns, statements, conditions, and rows to records.
//
// It generates SQL and reads rows, for any kind. Running transactions does not belong here, but in package
// store above; nor do connections, which are in package sqldb below.
package mapping

import (
	"fmt"
	"slices"
	"strings"

	"muster/internal/kind"
	"muster/internal/store/sqldb"
)

// PeopleTable is the table of the users that persons refer to.
const PeopleTable = "users"

// Columns that belong to no field begin with an underscore, which no field does.
const (
	VersionColumn = "_version"
	partsColumn   = "_parts"
	UniqueColumn  = "_unique"
)

// A role says what a column contains.
type role uint8

const (
	isValue  role = iota // a field's value
	IsFolded             // a folded text
	isRef                // the id of a user or another record
	isParts              // the nested collections
	isUnique             // the hash of what is unique together
	isVersion
	isCreated
	isUpdated
	isHash
)

// A Column is a column of a kind's table.
type Column struct {
	Name  string
	Role  role
	Field *kind.Field // for the first three roles
}

// A Table is how a kind is stored: its columns and the statements on them.
type Table struct {
	Kind    *kind.Schema
	Name    string
	Columns []Column      // without the id
	Changed []Column      // written by an update
	asIs    []*kind.Field // fields that an update does not write
	Values  []*ValueTable
	Links   []*LinkTable
	Apart   *apartTable // nil unless the kind has apart fields
	Ties    []*kind.Field
	Chain   *chain // nil unless the kind is chained
	Search  *searchTable
	Single  Selection
	Listed  Selection
	Insert  string
	Update  string
	Remove  string
	ByIDs   map[int]string // reads listed fields of so many ids
	Layout  int64          // number of the layout in which nested collections are written
	Unpack  map[int64]*kind.Unpacker
}

// A ValueTable has the values of a nested field that can be filtered.
type ValueTable struct {
	Name  string
	List  *kind.Field
	Field *kind.Field
}

// valuesName returns the name of the table of a nested field's values.
func valuesName(k *kind.Schema, list, f *kind.Field) string {
	return k.Path() + "_" + list.Column() + "_" + f.Column()
}

// New returns the tables and statements of a kind. It panics when the kind cannot be stored.
func New(k *kind.Schema) *Table {
	t := &Table{
		Kind: k, Name: k.Path(), Unpack: map[int64]*kind.Unpacker{}, ByIDs: map[int]string{}, Search: newSearchTable(k),
	}
	t.Columns = append(t.Columns, Column{Name: VersionColumn, Role: isVersion})
	for _, f := range k.Fields {
		t.addField(f)
	}
	t.Apart = newApartTable(k)
	if len(k.Parts.Lists) > 0 {
		t.Columns = append(t.Columns, Column{Name: partsColumn, Role: isParts})
	}
	if k.Together != nil {
		t.Columns = append(t.Columns, Column{Name: UniqueColumn, Role: isUnique})
	}
	for _, f := range k.Fields {
		if f.Tied {
			t.Ties = append(t.Ties, f)
		}
		for _, target := range f.Targets {
			if slices.ContainsFunc(t.Links, func(lt *LinkTable) bool { return lt.Target == target }) {
				panic(fmt.Sprintf("store: %s: two fields link to %s", k.Item, target.Plural))
			}
			t.Links = append(t.Links, newLinkTable(k, f, target))
		}
	}
	for _, filter := range k.Filters {
		if filter.In == nil {
			continue
		}
		if filter.Field.Type != kind.Text {
			panic(fmt.Sprintf("store: %s: filter %s looks at nested values that are no text", k.Item, filter.Param))
		}
		t.Values = append(t.Values, &ValueTable{valuesName(k, filter.In, filter.Field), filter.In, filter.Field})
	}
	t.Single = newSelection(k, t.Name, func(*kind.Field) bool { return true })
	t.Listed = newSelection(k, t.Name, func(f *kind.Field) bool {
		return !f.Detail && (!f.Hidden || f.InLists) ||
			f == k.Parent()
	})
	t.statements()
	if k.Chained {
		t.Chain = newChain(t)
	}
	return t
}

// addField adds the columns of one field.
func (t *Table) addField(f *kind.Field) {
	switch {
	case !f.Stored() || f.Apart:
	case f.Type == kind.PersonRef || f.Type == kind.RecordRef:
		t.Columns = append(t.Columns, Column{f.Column() + "_id", isRef, f})
	case f.Name == "created-at":
		t.Columns = append(t.Columns, Column{f.Column(), isCreated, f})
	case f.Name == "updated-at":
		t.Columns = append(t.Columns, Column{f.Column(), isUpdated, f})
	default:
		t.Columns = append(t.Columns, Column{f.Column(), isValue, f})
		if f.Folded() {
			t.Columns = append(t.Columns, Column{f.Column() + "_folded", IsFolded, f})
		}
	}
}

// AllColumns returns all columns of the table except the id.
func (t *Table) AllColumns() []Column {
	if t.Chain == nil {
		return t.Columns
	}
	return append(slices.Clone(t.Columns), Column{Name: HashColumn, Role: isHash})
}

// RecordTables returns the tables that contain records of the kind.
func (t *Table) RecordTables() []string {
	if t.Chain == nil {
		return []string{t.Name}
	}
	return []string{t.Name, t.Chain.Pending}
}

// CreateTable returns the statement that creates a table, with an id of the given type as its key.
func CreateTable(name, key string, columns []Column) string {
	lines := "id " + key
	for _, c := range columns {
		lines += ", " + c.Name + " " + c.Definition()
	}
	return fmt.Sprintf("CREATE TABLE %s (%s)", name, lines)
}

// statements generates the statements that change the table.
func (t *Table) statements() {
	var names, sets []string
	kept := ""
	for _, c := range t.Columns {
		names = append(names, c.Name)
		if c.Role == isValue && c.Field.Kept {
			t.asIs = append(t.asIs, c.Field)
			kept += ", " + c.Name
			continue
		}
		t.Changed = append(t.Changed, c)
		sets = append(sets, fmt.Sprintf("%s = $%d", c.Name, len(t.Changed)))
	}
	n := len(t.Changed)
	t.Insert = fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s) RETURNING id",
		t.Name, strings.Join(names, ", "), sqldb.Placeholders(len(t.Columns)))
	t.Update = fmt.Sprintf("UPDATE %s SET %s WHERE id = $%d AND %s = $%d RETURNING id%s",
		t.Name, strings.Join(sets, ", "), n+1, VersionColumn, n+2, kept)
	for _, size := range sqldb.Batches {
		t.ByIDs[size] = t.Listed.Sql + "r.id IN (" + sqldb.Placeholders(size) + ")"
	}
	t.Remove = fmt.Sprintf("DELETE FROM %s WHERE id = $1 AND %s = $2 RETURNING id", t.Name, VersionColumn)
}

// Definition returns the type of a column, to be completed by a dialect.
func (c Column) Definition() string {
	switch c.Role {
	case IsFolded:
		return "{text}"
	case isParts, isHash, isUnique:
		return "{blob}"
	case isRef:
		return "BIGINT REFERENCES " + Referred(c.Field) + " (id)"
	case isValue:
		if c.Field.Type == kind.Text {
			return "{text}"
		}
	}
	return "BIGINT"
}

// An Indexing is a sort of index on a column.
type Indexing uint8

const (
	unindexed Indexing = iota
	allValues
	someValues // without nulls
	uniqueValues
)

// Indexings are all sorts.
var Indexings = []Indexing{allValues, someValues, uniqueValues}

// Indexing returns the sort of index that the column needs. Where lists come from memory, only rare values and
// references need one.
func (c Column) Indexing(d *sqldb.Dialect) Indexing {
	filtered := false
	switch c.Role {
	case isUnique:
		return uniqueValues
	case IsFolded:
		if c.Field.Unique {
			return uniqueValues
		}
		filtered = c.Field.Filtered && (c.Field.Rare || !d.Memory)
	case isRef:
		if d.Memory {
			return someValues
		}
		filtered = true
	case isCreated, isUpdated:
		filtered = !d.Memory
	case isValue:
		filtered = c.Field.Filtered && c.Field.Type != kind.Text && !d.Memory
	}
	if filtered {
		return allValues
	}
	return unindexed
}

// Suffix returns the end of the names of such indexes.
func (i Indexing) Suffix() string {
	return [...]string{allValues: "", someValues: "_some", uniqueValues: "_unique"}[i]
}

// Create returns the statement that creates such an index.
func (i Indexing) Create(name, table, column string) string {
	switch i {
	case someValues:
		return fmt.Sprintf("CREATE INDEX %s ON %s (%[3]s) WHERE %[3]s IS NOT NULL", name, table, column)
	case uniqueValues:
		return fmt.Sprintf("CREATE UNIQUE INDEX %s ON %s (%s)", name, table, column)
	}
	return fmt.Sprintf("CREATE INDEX %s ON %s (%s)", name, table, column)
}

// Referred returns the table that a field refers to.
func Referred(f *kind.Field) string {
	if f.Type == kind.PersonRef {
		return PeopleTable
	}
	return f.Target.Path()
}

// A Selection is a set of fields, and the statement that reads them.
type Selection struct {
	fields []*kind.Field // stored ones, in the order of their columns
	parts  bool
	Extra  int    // the first column that is no part of the record
	Sql    string // up to WHERE
}

// personColumns are the columns that are read of a person, in the order of scan.
var personColumns = []string{"email", "name", "first_name", "last_name", "phone", "last_login"}

// ShownColumns returns the columns that are read of the record that a field refers to, nil when it refers to
// none.
func ShownColumns(f *kind.Field) []string {
	switch f.Type {
	case kind.PersonRef:
		return personColumns
	case kind.RecordRef:
		return []string{"name"}
	}
	return nil
}

// newSelection returns the selection of the wanted fields from a table, with further columns after them.
func newSelection(k *kind.Schema, table string, wanted func(*kind.Field) bool, further ...string) Selection {
	s := Selection{parts: slices.ContainsFunc(k.Fields, func(f *kind.Field) bool { return f.Packed() && wanted(f) })}
	columns, joins := []string{"r.id", "r." + VersionColumn, "r.created_at", "r.updated_at"}, ""
	if s.parts {
		columns = append(columns, "r."+partsColumn)
	}
	for _, f := range k.Fields {
		if !f.Stored() || !wanted(f) || f.Name == "created-at" || f.Name == "updated-at" {
			continue
		}
		s.fields = append(s.fields, f)
		shown := ShownColumns(f)
		if shown == nil {
			columns = append(columns, selected(k, f))
			continue
		}
		alias := "p_" + f.Column()
		columns = append(columns, "r."+f.Column()+"_id")
		for _, name := range shown {
			columns = append(columns, alias+"."+name)
		}
		joins += fmt.Sprintf(" LEFT JOIN %s %s ON %s.id = r.%s_id", Referred(f), alias, alias, f.Column())
	}
	s.Extra = len(columns)
	s.Sql = fmt.Sprintf("SELECT %s FROM %s r%s WHERE ", strings.Join(append(columns, further...), ", "), table, joins)
	return s
}
