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
// computers are copied, and $few how many there are of what there are few of.
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
	{"hardwares", "", near(map[string]string{"id": "id + $copy * $base", "created_at": created("(id + $copy * $base)")}, "name", "asset_id", "serial_number", "ip")},
	{"hardwares_apart", "", map[string]string{"id": "id + $copy * $base"}},
	{"hardwares_printers_name", "", map[string]string{"id": "id + $copy * $base"}},
	{"hardwares_networks_mac_address", "", map[string]string{"id": "id + $copy * $base"}},
	{"installations", "", map[string]string{"hardware_id": "hardware_id + $copy * $base"}},
	{"softwares", "", near(map[string]string{
		"id": "id + $copy * $base", "installs": "0", "_unique": copiedUnique}, "version")},
	{"tickets", "", map[string]string{"id": "id + $copy * $base", "number": "number + $copy * $base"}},
	{"tickets_hardwares", "", map[string]string{"id": "id + $copy * $base", "linked_id": "linked_id + $copy * $base"}},
	{"risks", "", map[string]string{"id": "id + $copy * $base / 10"}},
	{"risks_hardwares", "", map[string]string{"id": "id + $copy * $base / 10", "linked_id": "linked_id + $copy * $base"}},
	{"audits", ofRows, map[string]string{"id": auditID, "record_id": "record_id + $copy * $base / CASE record_type WHEN 'risk' THEN 10 ELSE 1 END"}},
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

// wordless tells the store to give words to what comes behind these when it is
// opened.
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
	g := &growth{conn: conn, named: map[string]any{}}
	err = errors.Join(g.run(filepath.Join(kept, "muster.db"), n), conn.Close())
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

// A growth is a database that grows.
type growth struct {
	conn  *sqlite.Conn
	named map[string]any // parameters of its SQL
}

// run makes all copies. Indexes are made when the rows are there, and triggers,
// which takes a small part of the time.
func (g *growth) run(kept string, n int) error {
	g.named["$kept"] = kept
	for _, sql := range []string{
		"PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA cache_size = -131072", "PRAGMA temp_store = FILE", "ATTACH $kept AS kept",
	} {
		if err := g.exec(sql, nil); err != nil {
			return err
		}
	}
	if err := g.measures(n); err != nil {
		return err
	}
	dropped, err := g.dropIndexes()
	if err != nil {
		return err
	}
	for _, m := range multiplication {
		if err := g.multiply(m, n/grownFrom); err != nil {
			return fmt.Errorf("table %s: %w", m.table, err)
		}
	}
	for _, sql := range slices.Concat(afterwards, wordless, dropped) {
		if err := g.exec(sql, nil); err != nil {
			return err
		}
	}
	return g.exec("PRAGMA journal_mode = WAL", nil)
}

// measures sets the parameters.
func (g *growth) measures(n int) error {
	g.named["$base"], g.named["$few"], g.named["$copies"] = grownFrom, few(grownFrom), n/grownFrom
	g.named["$epoch"], g.named["$span"] = epoch.Unix(), int64(span.Seconds())
	return g.exec("SELECT (SELECT max(id) FROM kept.audits) - max(id), max(id) - min(id) + 1 FROM kept.audits WHERE "+ofRows, func(stmt *sqlite.Stmt) {
		g.named["$behind"], g.named["$width"] = stmt.ColumnInt64(0), stmt.ColumnInt64(1)
	})
}

// dropIndexes drops the indexes and triggers of tables that grow, and returns
// the statements that make them.
func (g *growth) dropIndexes() (made []string, err error) {
	var drop []string
	const all = "SELECT type || ' ' || name, sql, tbl_name FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY type, name"
	err = g.exec(all, func(stmt *sqlite.Stmt) {
		table := stmt.ColumnText(2)
		if slices.ContainsFunc(multiplication, func(m multiplied) bool { return m.table == table }) {
			drop, made = append(drop, "DROP "+stmt.ColumnText(0)), append(made, stmt.ColumnText(1))
		}
	})
	for _, sql := range drop {
		err = errors.Join(err, g.exec(sql, nil))
	}
	return made, err
}

// multiply makes the copies of a table's rows, so that there are so many times
// as many.
func (g *growth) multiply(m multiplied, times int) error {
	var columns []string
	err := g.exec("SELECT name FROM pragma_table_info('"+m.table+"')", func(stmt *sqlite.Stmt) {
		columns = append(columns, stmt.ColumnText(0))
	})
	if err != nil {
		return err
	}
	began, sql := time.Now(), m.insertion(columns, "kept."+m.table)
	for number := 1; number < times; number++ {
		g.named["$copy"] = number
		if err := g.exec(sql, nil); err != nil {
			return err
		}
	}
	progress("copied %s %d times in %.1f s", m.table, times, time.Since(began).Seconds())
	return nil
}

// insertion returns the statement that makes a copy of the rows of a table with
// these columns, in their order.
func (m multiplied) insertion(columns []string, from string) string {
	values := slices.Clone(columns)
	for i, name := range columns {
		if value := m.set[name]; value != "" {
			values[i] = value
		}
	}
	sql := fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %s", m.table, strings.Join(columns, ", "), strings.Join(values, ", "), from)
	if m.where != "" {
		sql += " WHERE " + m.where
	}
	return sql + " ORDER BY 1"
}

// exec runs a statement with the parameters that it names, and calls each, if
// not nil, with its rows.
func (g *growth) exec(sql string, each func(*sqlite.Stmt)) error {
	named := map[string]any{}
	for name, value := range g.named {
		if strings.Contains(sql, name) {
			named[name] = value
		}
	}
	if err := sqlitex.ExecuteTransient(g.conn, sql, &sqlitex.ExecOptions{Named: named, ResultFunc: func(stmt *sqlite.Stmt) error {
		if each != nil {
			each(stmt)
		}
		return nil
	}}); err != nil {
		return fmt.Errorf("%s: %w", sql, err)
	}
	return nil
}
