package sqldb

import (
	"regexp"
	"strings"
)

// The statements that create and change tables. A backup repeats them on another database, of either sort, and
// its file may contain no others, so their form is narrow. A statement that needs a wider form widens it here.
const (
	aName     = `[a-z_][a-z0-9_]*`
	someNames = `\(` + aName + `(, ` + aName + `)*\)`
	oneColumn = aName + ` (BIGINT|\{id\}|\{key\}|\{text\}|\{blob\})` +
		`( NOT NULL| PRIMARY KEY| UNIQUE| REFERENCES ` + aName + ` \(id\)| DEFAULT -?[0-9]+)*`
	oneKey  = `(PRIMARY KEY|UNIQUE) ` + someNames
	oneLine = `(` + oneColumn + `|` + oneKey + `)`
)

// Forms of these statements. DropsIndex captures the name of the index, MakesIndex that of its table.
var (
	dropsColumn = regexp.MustCompile(`^ALTER TABLE (` + aName + `) DROP COLUMN ` + aName + `$`)
	DropsIndex  = regexp.MustCompile(`^DROP INDEX (` + aName + `)$`)
	anyTable    = regexp.MustCompile(`^CREATE TABLE \w+`)
	ofTable     = regexp.MustCompile(`^(?:CREATE|ALTER) TABLE (\w+)`)
	reference   = regexp.MustCompile(` REFERENCES (\w+)`)
	makesTable  = regexp.MustCompile(`^CREATE TABLE (` + aName + `) \(` + oneLine + `(,\s+` + oneLine + `)*\)$`)
	addsColumn  = regexp.MustCompile(`^ALTER TABLE (` + aName + `) ADD COLUMN ` + oneColumn + `$`)
	MakesIndex  = regexp.MustCompile(`^CREATE (?:UNIQUE )?INDEX ` + aName + ` ON (` + aName + `) ` + someNames +
		`( WHERE ` + aName + ` IS NOT NULL)?$`)
)

// IsShape reports whether a statement creates or changes one of our tables; it rejects names of the databases'
// own tables.
func IsShape(sql string) bool {
	for _, form := range []*regexp.Regexp{makesTable, addsColumn, MakesIndex, dropsColumn, DropsIndex} {
		if m := form.FindStringSubmatch(sql); m != nil {
			return !strings.HasPrefix(m[1], "pg_") && !strings.HasPrefix(m[1], "sqlite_")
		}
	}
	return false
}

// ChangesRows reports whether a statement of a migration changes rows rather than tables.
func ChangesRows(sql string) bool {
	verb, _, _ := strings.Cut(sql, " ")
	return verb == "INSERT" || verb == "UPDATE" || verb == "DELETE"
}

// TablesMade returns the names of the tables that statements create, also statements of newer versions. Each
// comes after the tables that it refers to, otherwise in the order of the statements, so that rows can be
// loaded table by table.
func TablesMade(statements []string) (tables []string) {
	refers := map[string][]string{} // by each created table that was not added yet
	var names []string
	for _, sql := range statements {
		m := ofTable.FindStringSubmatch(sql)
		if m == nil {
			continue
		}
		if anyTable.MatchString(sql) {
			names = append(names, m[1])
			refers[m[1]] = []string{}
		}
		for _, to := range reference.FindAllStringSubmatch(sql, -1) {
			refers[m[1]] = append(refers[m[1]], to[1])
		}
	}
	var add func(string)
	add = func(name string) {
		others, ok := refers[name]
		if !ok {
			return
		}
		delete(refers, name)
		for _, other := range others {
			add(other)
		}
		tables = append(tables, name)
	}
	for _, name := range names {
		add(name)
	}
	return tables
}
