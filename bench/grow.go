package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"muster/internal/inventory"
	"muster/internal/store"
)

// grownFrom is the size of the database that larger ones are copies of: the
// product takes milliseconds for a computer with its software and audit records,
// SQLite alone can copy it in a small part of that.
var grownFrom = 10_000

// isGrown reports whether a database of so many computers is made of copies.
func isGrown(n int) bool { return n > grownFrom && n%grownFrom == 0 }

// A multiplied is a table whose rows are copied, and what is another in the
// copies. In its SQL $copy is the number of a copy, from 1, $base how many
// computers are copied, and $few how many there are of what there are few of;
// kept. stands before tables as they were.
type multiplied struct {
	table string
	where string // chooses rows, "" for all
	set   map[string]string
}

// near makes a text that is of one record alone differ in the copies.
func near(set map[string]string, columns ...string) map[string]string {
	for _, column := range columns {
		for _, c := range []string{column, column + "_folded"} {
			set[c] = c + " || '-' || $copy"
		}
	}
	return set
}

// multiplication is how a database grows. Of the audit records those of
// computers are left out, which are most of a database of 10,000. The hashes of
// the others do not fit, which only those find who verify them.
var multiplication = []multiplied{
	{"hardwares", "", near(map[string]string{
		"id": "id + $copy * $base", "created_at": created("(id + $copy * $base)"),
	}, "name", "asset_id", "serial_number", "ip")},
	{"hardwares_apart", "", map[string]string{"id": "id + $copy * $base"}},
	{"hardwares_printers_name", "", map[string]string{"id": "id + $copy * $base"}},
	{"hardwares_networks_mac_address", "", map[string]string{"id": "id + $copy * $base"}},
	{"installations", "", map[string]string{"hardware_id": "hardware_id + $copy * $base"}},
	{"softwares", "", near(map[string]string{
		"id": "id + $copy * $base", "installs": "0", "_unique": copiedUnique}, "version")},
	{"tickets", "", map[string]string{"id": "id + $copy * $base", "number": "number + $copy * $base"}},
	{"tickets_hardwares", "", map[string]string{"id": "id + $copy * $base", "linked_id": "linked_id + $copy * $base"}},
	{"risks", "", map[string]string{"id": "id + $copy * $base / 10"}},
	{"risks_hardwares", "", map[string]string{
		"id": "id + $copy * $base / 10", "linked_id": "linked_id + $copy * $base",
	}},
	{"audits", ofRows, map[string]string{
		"id": auditID, "record_id": "record_id + $copy * $base / CASE record_type WHEN 'risk' THEN 10 ELSE 1 END",
	}},
	{"audits_computers", "id IN (SELECT id FROM kept.audits WHERE " + ofRows + ")",
		map[string]string{"id": auditID, "tied_id": "tied_id + $copy * $base"}},
	{"vendors", "", near(map[string]string{"id": fewID}, "name")},
	{"printers", "", near(map[string]string{"id": fewID}, "asset_id", "serial_number")},
	{"other_assets", "", near(map[string]string{"id": fewID}, "name", "asset_id", "serial_number")},
	{"solutions", "", near(map[string]string{"id": fewID, "number": "number + $copy * $few"}, "name")},
	{"solutions_tickets", "", map[string]string{"id": fewID, "linked_id": "linked_id + $copy * $base"}},
	{"contracts", noLicence, near(map[string]string{"id": fewID, "vendor_id": "vendor_id + $copy * $few"}, "name")},
	{"contracts_hardwares", "", map[string]string{"id": fewID, "linked_id": "linked_id + $copy * $base"}},
	{"licence_softwares", "", map[string]string{"software_id": "software_id + $copy * $base"}},
}

// The id of a copy of what there are few of, and the contracts that are copied:
// a licence is about the copies of its software too.
const (
	fewID     = "id + $copy * $few"
	noLicence = "type <> 'SoftwareLicense'"
)

// copiedUnique is what no other software may have, of a copy.
const copiedUnique = "CAST(hex(_unique) || '-' || $copy AS BLOB)"

// The audit records that are copied, which follow each other, and the id of a
// copy: they come behind all others.
const (
	ofRows  = "record_type IN ('ticket', 'software', 'risk')"
	auditID = "id + $behind + $copy * $width"
)

// created returns when a computer has come in: all of them evenly, in the order
// of their ids, whatever the size.
func created(id string) string {
	return "$epoch - CAST($span * 1.0 * ($copies * $base - " + id + ") / ($copies * $base) AS INTEGER)"
}

// afterwards are changes of the records that were copied.
var afterwards = []string{
	"UPDATE hardwares SET created_at = " + created("id") + " WHERE id <= $base",
	"UPDATE softwares SET installs = installs * $copies WHERE id <= $base",
	"UPDATE contracts SET installed = installed * $copies WHERE installed IS NOT NULL",
	"UPDATE counters SET value = value * $copies WHERE name IN ('ticket-number', 'solution-number')",
}

// wordless makes the store index the records after these for the search when it is opened.
var wordless = []string{
	"UPDATE searches SET filled = $base WHERE kind IN ('hardware', 'software', 'ticket')",
	"UPDATE searches SET filled = $base / 10 WHERE kind = 'risk'",
	"UPDATE searches SET filled = $few WHERE kind IN ('vendor', 'printer', 'other-asset', 'solution', 'contract')",
	"UPDATE searches SET filled = (SELECT max(id) FROM kept.audits) WHERE kind = 'audit'",
}

// growDatabase makes a database of a size in a folder, which has a copy of the
// kept one of grownFrom.
func growDatabase(ctx context.Context, kept, fresh string, n int) error {
	began := time.Now()
	file := filepath.Join(fresh, "muster.db")
	conn, err := sqlite.OpenConn(file, sqlite.OpenReadWrite)
	if err != nil {
		return err
	}
	conn.SetInterrupt(ctx.Done())
	err = errors.Join(growSQLite(conn, filepath.Join(kept, "muster.db"), n), conn.Close())
	if err != nil {
		return fmt.Errorf("copy computers: %w", err)
	}
	progress("made %d computers of %d in %.1f s; now their words", n, grownFrom, time.Since(began).Seconds())
	s, err := store.Open(ctx, store.Config{Database: file, Kinds: inventory.All()})
	if err != nil {
		return fmt.Errorf("give words to the copies: %w", err)
	}
	progress("made %d computers, as many tickets and as much software in %.1f s", n, time.Since(began).Seconds())
	return s.Close()
}

// growSQLite makes the copies in an SQLite file. Its triggers are dropped with
// the indexes.
func growSQLite(conn *sqlite.Conn, kept string, n int) error {
	g := &growth{
		copies: n / grownFrom, tables: multiplication,
		query: func(sql string) (rows [][]string, err error) {
			err = sqlitex.ExecuteTransient(conn, sql, &sqlitex.ExecOptions{ResultFunc: func(stmt *sqlite.Stmt) error {
				row := make([]string, stmt.ColumnCount())
				for i := range row {
					row[i] = stmt.ColumnText(i)
				}
				rows = append(rows, row)
				return nil
			}})
			return rows, err
		},
		columns: "SELECT name FROM pragma_table_info('$table')",
		indexes: "SELECT type || ' ' || name, sql FROM sqlite_master " +
			"WHERE type IN ('index', 'trigger') AND sql IS NOT NULL AND tbl_name = '$table' ORDER BY type, name",
		words: strings.NewReplacer(),
	}
	err := g.exec("PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA cache_size = -131072",
		"PRAGMA temp_store = FILE", "ATTACH '"+strings.ReplaceAll(kept, "'", "''")+"' AS kept")
	if err != nil {
		return err
	}
	return errors.Join(g.run(slices.Concat(afterwards, wordless)), g.exec("PRAGMA journal_mode = WAL"))
}

// A growth is a database that grows.
type growth struct {
	copies  int // of all that is there, the first included
	tables  []multiplied
	query   func(sql string) ([][]string, error)
	columns string            // SQL that names those of $table
	indexes string            // SQL that returns what to drop of $table, and how it is made
	words   *strings.Replacer // what the database says otherwise
	figures *strings.Replacer // in the place of names
}

// run makes all copies, and then changes. Indexes are made when the rows are
// there, which takes a small part of the time.
func (g *growth) run(changes []string) error {
	if err := g.measure(); err != nil {
		return err
	}
	made, err := g.dropIndexes()
	if err != nil {
		return err
	}
	for _, m := range g.tables {
		if err := g.multiply(m); err != nil {
			return fmt.Errorf("table %s: %w", m.table, err)
		}
	}
	return g.exec(slices.Concat(changes, made)...)
}

// measure finds out the figures that statements name.
func (g *growth) measure() error {
	found, err := g.query(g.words.Replace("SELECT (SELECT max(id) FROM kept.audits) - max(id), max(id) - min(id) + 1 FROM kept.audits WHERE " + ofRows))
	if err != nil {
		return err
	}
	g.figures = strings.NewReplacer(
		"$copies", fmt.Sprint(g.copies), "$base", fmt.Sprint(grownFrom), "$few", fmt.Sprint(few(grownFrom)),
		"$epoch", fmt.Sprint(epoch.Unix()), "$span", fmt.Sprint(int64(span.Seconds())), "$behind", found[0][0],
		"$width", found[0][1],
	)
	return nil
}

// exec runs statements.
func (g *growth) exec(statements ...string) error {
	for _, sql := range statements {
		if g.figures != nil {
			sql = g.figures.Replace(g.words.Replace(sql))
		}
		if _, err := g.query(sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return nil
}

// dropIndexes drops the indexes of tables that grow, and returns the statements
// that make them.
func (g *growth) dropIndexes() (made []string, err error) {
	for _, m := range g.tables {
		all, err := g.query(strings.ReplaceAll(g.indexes, "$table", m.table))
		if err != nil {
			return nil, err
		}
		for _, index := range all {
			if _, err := g.query("DROP " + index[0]); err != nil {
				return nil, err
			}
			made = append(made, index[1])
		}
	}
	return made, nil
}

// multiply makes the copies of a table's rows.
func (g *growth) multiply(m multiplied) error {
	names, err := g.query(strings.ReplaceAll(g.columns, "$table", m.table))
	if err != nil {
		return err
	}
	began, sql := time.Now(), m.insertion(slices.Concat(names...))
	for number := 1; number < g.copies; number++ {
		if err := g.exec(strings.ReplaceAll(g.figures.Replace(g.words.Replace(sql)), "$copy",
			fmt.Sprint(number))); err != nil {
			return err
		}
	}
	progress("copied %s %d times in %.1f s", m.table, g.copies, time.Since(began).Seconds())
	return nil
}

// insertion returns the statement that makes a copy of the rows of a table with
// these columns, in their order.
func (m multiplied) insertion(columns []string) string {
	values := slices.Clone(columns)
	for i, name := range columns {
		if value := m.set[name]; value != "" {
			values[i] = value
		}
	}
	sql := fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM kept.%s", m.table, strings.Join(columns, ", "),
		strings.Join(values, ", "), m.table)
	if m.where != "" {
		sql += " WHERE " + m.where
	}
	return sql + " ORDER BY 1"
}
