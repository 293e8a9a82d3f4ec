package store

import (
	"fmt"
	"slices"
	"strings"

	"muster/internal/kind"
	"muster/internal/store/sqldb"
)

// people is the table of the users that persons refer to.
const people = "users"

// Columns that are no field's begin with an underscore, which no field does.
const (
	versionColumn = "_version"
	partsColumn   = "_parts"
	uniqueColumn  = "_unique"
)

// A role says what a column holds.
type role uint8

const (
	isValue  role = iota // a field's value
	isFolded             // a text as it is compared
	isRef                // the id of a user or another record
	isParts              // the nested collections
	isUnique             // what no other record has, as a hash
	isVersion
	isCreated
	isUpdated
	isHash
)

// A column is a column of a kind's table.
type column struct {
	name  string
	role  role
	field *kind.Field // of the first three roles
}

// A table is how a kind is stored: its columns and the statements on them.
type table struct {
	kind    *kind.Schema
	name    string
	columns []column      // without the id
	changed []column      // that a change of a record writes
	asIs    []*kind.Field // that it does not
	values  []*valueTable
	links   []*linkTable
	apart   *apartTable // nil unless the kind has fields that are apart
	ties    []*kind.Field
	chain   *chain // nil unless the kind is chained
	search  *searchTable
	single  selection
	listed  selection
	insert  string
	update  string
	remove  string
	byIDs   map[int]string // reads listed fields of so many ids
	layout  int64          // number of the layout in which parts are written
	unpack  map[int64]*kind.Unpacker
}

// A valueTable holds the values of a nested field that a filter looks at.
type valueTable struct {
	name  string
	list  *kind.Field
	field *kind.Field
}

// valuesName returns the name of the table of a nested field's values.
func valuesName(k *kind.Schema, list, f *kind.Field) string {
	return k.Path() + "_" + list.Column() + "_" + f.Column()
}

func newTable(k *kind.Schema) *table {
	t := &table{kind: k, name: k.Path(), unpack: map[int64]*kind.Unpacker{}, byIDs: map[int]string{}, search: newSearchTable(k)}
	t.columns = append(t.columns, column{name: versionColumn, role: isVersion})
	for _, f := range k.Fields {
		t.addField(f)
	}
	t.apart = newApartTable(k)
	if k.HasParts() {
		t.columns = append(t.columns, column{name: partsColumn, role: isParts})
	}
	if k.Together != nil {
		t.columns = append(t.columns, column{name: uniqueColumn, role: isUnique})
	}
	for _, f := range k.Fields {
		if f.Tied {
			t.ties = append(t.ties, f)
		}
		for _, target := range f.Targets {
			if slices.ContainsFunc(t.links, func(lt *linkTable) bool { return lt.target == target }) {
				panic(fmt.Sprintf("store: %s: two fields link to %s", k.Item, target.Plural))
			}
			t.links = append(t.links, newLinkTable(k, f, target))
		}
	}
	for _, filter := range k.Filters {
		if filter.In == nil {
			continue
		}
		if filter.Field.Type != kind.Text {
			panic(fmt.Sprintf("store: %s: filter %s looks at nested values that are no text", k.Item, filter.Param))
		}
		t.values = append(t.values, &valueTable{valuesName(k, filter.In, filter.Field), filter.In, filter.Field})
	}
	t.single = newSelection(k, t.name, func(*kind.Field) bool { return true })
	t.listed = newSelection(k, t.name, func(f *kind.Field) bool { return !f.Detail && (!f.Hidden || f.InLists) || f == k.Parent() })
	t.statements()
	if k.Chained {
		t.chain = newChain(t)
	}
	return t
}

// addField adds the columns of one field.
func (t *table) addField(f *kind.Field) {
	switch {
	case !f.Stored() || f.Apart:
	case f.Type == kind.PersonRef || f.Type == kind.RecordRef:
		t.columns = append(t.columns, column{f.Column() + "_id", isRef, f})
	case f.Name == "created-at":
		t.columns = append(t.columns, column{f.Column(), isCreated, f})
	case f.Name == "updated-at":
		t.columns = append(t.columns, column{f.Column(), isUpdated, f})
	default:
		t.columns = append(t.columns, column{f.Column(), isValue, f})
		if f.Folded() {
			t.columns = append(t.columns, column{f.Column() + "_folded", isFolded, f})
		}
	}
}

// stored returns all columns of the table but the id.
func (t *table) stored() []column {
	if t.chain == nil {
		return t.columns
	}
	return append(slices.Clone(t.columns), column{name: hashColumn, role: isHash})
}

// create returns the statement that makes a table whose key, the id, is of the
// given type.
func create(name, key string, columns []column) string {
	lines := "id " + key
	for _, c := range columns {
		lines += ", " + c.name + " " + c.definition()
	}
	return fmt.Sprintf("CREATE TABLE %s (%s)", name, lines)
}

// statements makes the texts of the statements that change the table.
func (t *table) statements() {
	var names, sets []string
	kept := ""
	for _, c := range t.columns {
		names = append(names, c.name)
		if c.role == isValue && c.field.Kept {
			t.asIs = append(t.asIs, c.field)
			kept += ", " + c.name
			continue
		}
		t.changed = append(t.changed, c)
		sets = append(sets, fmt.Sprintf("%s = $%d", c.name, len(t.changed)))
	}
	n := len(t.changed)
	t.insert = fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s) RETURNING id", t.name, strings.Join(names, ", "), sqldb.Placeholders(len(t.columns)))
	t.update = fmt.Sprintf("UPDATE %s SET %s WHERE id = $%d AND %s = $%d RETURNING id%s", t.name, strings.Join(sets, ", "), n+1, versionColumn, n+2, kept)
	for _, size := range sqldb.Batches {
		t.byIDs[size] = t.listed.sql + "r.id IN (" + sqldb.Placeholders(size) + ")"
	}
	t.remove = fmt.Sprintf("DELETE FROM %s WHERE id = $1 AND %s = $2 RETURNING id", t.name, versionColumn)
}

// definition returns the type of a column, for a dialect to complete.
func (c column) definition() string {
	switch c.role {
	case isFolded:
		return "{text}"
	case isParts, isHash, isUnique:
		return "{blob}"
	case isRef:
		return "BIGINT REFERENCES " + referred(c.field) + " (id)"
	case isValue:
		if c.field.Type == kind.Text {
			return "{text}"
		}
	}
	return "BIGINT"
}

// An indexing is how a database finds values of a column.
type indexing uint8

const (
	unindexed indexing = iota
	allValues
	someValues // without nulls
	uniqueValues
)

var indexings = []indexing{allValues, someValues, uniqueValues}

// indexing returns how the database finds values of the column. Where lists are
// answered from memory it looks for rare ones alone, and for those who refer to
// a record.
func (c column) indexing(d *sqldb.Dialect) indexing {
	filtered := false
	switch c.role {
	case isUnique:
		return uniqueValues
	case isFolded:
		if c.field.Unique {
			return uniqueValues
		}
		filtered = c.field.Filtered && (c.field.Rare || !d.Memory)
	case isRef:
		if d.Memory {
			return someValues
		}
		filtered = true
	case isCreated, isUpdated:
		filtered = !d.Memory
	case isValue:
		filtered = c.field.Filtered && c.field.Type != kind.Text && !d.Memory
	}
	if filtered {
		return allValues
	}
	return unindexed
}

// suffix returns how the name of such an index ends.
func (i indexing) suffix() string {
	return [...]string{allValues: "", someValues: "_some", uniqueValues: "_unique"}[i]
}

// create returns the statement that makes such an index.
func (i indexing) create(name, table, column string) string {
	switch i {
	case someValues:
		return fmt.Sprintf("CREATE INDEX %s ON %s (%[3]s) WHERE %[3]s IS NOT NULL", name, table, column)
	case uniqueValues:
		return fmt.Sprintf("CREATE UNIQUE INDEX %s ON %s (%s)", name, table, column)
	}
	return fmt.Sprintf("CREATE INDEX %s ON %s (%s)", name, table, column)
}

// referred returns the table that a field refers to.
func referred(f *kind.Field) string {
	if f.Type == kind.PersonRef {
		return people
	}
	return f.Target.Path()
}

// A selection is what is read of a record, and the statement that reads it.
type selection struct {
	fields []*kind.Field // stored ones, in the order of their columns
	parts  bool
	extra  int    // the first column that is no part of the record
	sql    string // up to WHERE
}

// personColumns are read of a person, in the order in which scan takes them.
var personColumns = []string{"email", "name", "first_name", "last_name", "phone", "last_login"}

// shownColumns returns what is read of the record that a field refers to, nil
// when it refers to none.
func shownColumns(f *kind.Field) []string {
	switch f.Type {
	case kind.PersonRef:
		return personColumns
	case kind.RecordRef:
		return []string{"name"}
	}
	return nil
}

// newSelection returns how the wanted fields are read from a table, with further
// columns behind them.
func newSelection(k *kind.Schema, table string, wanted func(*kind.Field) bool, further ...string) selection {
	s := selection{parts: slices.ContainsFunc(k.Fields, func(f *kind.Field) bool { return f.Packed() && wanted(f) })}
	columns, joins := []string{"r.id", "r." + versionColumn, "r.created_at", "r.updated_at"}, ""
	if s.parts {
		columns = append(columns, "r."+partsColumn)
	}
	for _, f := range k.Fields {
		if !f.Stored() || !wanted(f) || f.Name == "created-at" || f.Name == "updated-at" {
			continue
		}
		s.fields = append(s.fields, f)
		shown := shownColumns(f)
		if shown == nil {
			columns = append(columns, selected(k, f))
			continue
		}
		alias := "p_" + f.Column()
		columns = append(columns, "r."+f.Column()+"_id")
		for _, name := range shown {
			columns = append(columns, alias+"."+name)
		}
		joins += fmt.Sprintf(" LEFT JOIN %s %s ON %s.id = r.%s_id", referred(f), alias, alias, f.Column())
	}
	s.extra = len(columns)
	s.sql = fmt.Sprintf("SELECT %s FROM %s r%s WHERE ", strings.Join(append(columns, further...), ", "), table, joins)
	return s
}
