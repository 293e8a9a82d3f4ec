package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"muster/internal/inventory"
	"muster/internal/store"
)

// searchMultiplication are the tables with the words of records. A copy has the
// words of the record that it is of.
var searchMultiplication = []multiplied{
	{"hardwares_search", "", map[string]string{"rowid": "rowid + $copy * $base"}},
	{"softwares_search", "", map[string]string{"rowid": "rowid + $copy * $base"}},
	{"tickets_search", "", map[string]string{"rowid": "rowid + $copy * $base"}},
	{"risks_search", "", map[string]string{"rowid": "rowid + $copy * $base / 10"}},
	{"vendors_search", "", map[string]string{"rowid": "row" + fewID}},
	{"printers_search", "", map[string]string{"rowid": "row" + fewID}},
	{"other_assets_search", "", map[string]string{"rowid": "row" + fewID}},
	{"solutions_search", "", map[string]string{"rowid": "row" + fewID}},
	{"contracts_search", "rowid IN (SELECT id FROM kept.contracts WHERE " + noLicence + ")", map[string]string{"rowid": "row" + fewID}},
	{"audits_search", "rowid IN (SELECT id FROM kept.audits WHERE " + ofRows + ")", map[string]string{"rowid": "row" + auditID}},
}

// A postgresGrowth is a schema of PostgreSQL that grows.
type postgresGrowth struct {
	ctx    context.Context
	admin  *pgx.Conn
	copies int // of all that is there, the first included
	behind int64
	width  int64
}

// grow makes a schema that holds grownFrom computers one of so many.
func (p *postgres) grow(ctx context.Context, n int) error {
	s, err := store.Open(ctx, store.Config{Database: p.address, Kinds: inventory.All()})
	if err != nil {
		return fmt.Errorf("give words to what is copied: %w", err)
	}
	if err := s.Close(); err != nil {
		return err
	}
	g := &postgresGrowth{ctx: ctx, admin: p.admin, copies: n / grownFrom}
	// Triggers would look at each row and what it refers to, which is there.
	if err := g.exec("SET search_path = "+p.schema, "SET session_replication_role = replica", "SET maintenance_work_mem = '256MB'"); err != nil {
		return err
	}
	return g.run(slices.Concat(multiplication, searchMultiplication))
}

// run makes all copies. Indexes are made when the rows are there.
func (g *postgresGrowth) run(tables []multiplied) error {
	err := g.admin.QueryRow(g.ctx, "SELECT (SELECT max(id) FROM audits) - max(id), max(id) - min(id) + 1 FROM audits WHERE "+ofRows).Scan(&g.behind, &g.width)
	if err != nil {
		return err
	}
	indexes, err := g.dropIndexes(tables)
	if err != nil {
		return err
	}
	for _, m := range tables { // all of them before the first grows
		if err := g.exec(fmt.Sprintf("CREATE TEMP TABLE kept_%s AS SELECT * FROM %s", m.table, m.table)); err != nil {
			return err
		}
	}
	for _, m := range tables {
		if err := g.multiply(m); err != nil {
			return fmt.Errorf("table %s: %w", m.table, err)
		}
	}
	return g.exec(slices.Concat(afterwards, indexes)...)
}

// exec runs statements, with figures in the place of the names of parameters.
func (g *postgresGrowth) exec(statements ...string) error {
	for _, sql := range statements {
		if _, err := g.admin.Exec(g.ctx, g.complete(sql, 0)); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return nil
}

// complete returns a statement for one of the copies as PostgreSQL says it.
func (g *postgresGrowth) complete(sql string, copy int) string {
	return strings.NewReplacer(
		copiedUnique, fmt.Sprintf("_unique || convert_to('-%d', 'UTF8')", copy), "kept.", "kept_",
		"$copies", fmt.Sprint(g.copies), "$copy", fmt.Sprint(copy), "$base", fmt.Sprint(grownFrom), "$few", fmt.Sprint(few(grownFrom)),
		"$epoch", fmt.Sprint(epoch.Unix()), "$span", fmt.Sprint(int64(span.Seconds())),
		"$behind", fmt.Sprint(g.behind), "$width", fmt.Sprint(g.width),
	).Replace(sql)
}

// dropIndexes drops the indexes of tables that are no constraint's, and returns
// the statements that make them.
func (g *postgresGrowth) dropIndexes(tables []multiplied) (made []string, err error) {
	var drop []string
	for _, m := range tables {
		rows, err := g.admin.Query(g.ctx, `SELECT indexname::text, indexdef FROM pg_indexes WHERE schemaname = current_schema() AND tablename = $1
			AND indexname NOT IN (SELECT conname FROM pg_constraint WHERE conrelid = to_regclass($1))`, m.table)
		if err != nil {
			return nil, err
		}
		var name, sql string
		if _, err := pgx.ForEachRow(rows, []any{&name, &sql}, func() error {
			drop, made = append(drop, "DROP INDEX "+name), append(made, sql)
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return made, g.exec(drop...)
}

// multiply makes the copies of a table's rows, and lets it give ids behind them.
func (g *postgresGrowth) multiply(m multiplied) error {
	rows, err := g.admin.Query(g.ctx, `SELECT column_name::text FROM information_schema.columns
		WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position`, m.table)
	if err != nil {
		return err
	}
	columns, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	began, sql := time.Now(), m.insertion(columns, "kept."+m.table)
	for number := 1; number < g.copies; number++ {
		if _, err := g.admin.Exec(g.ctx, g.complete(sql, number)); err != nil {
			return err
		}
	}
	progress("copied %s %d times in %.1f s", m.table, g.copies, time.Since(began).Seconds())
	var sequence *string
	if slices.Contains(columns, "id") {
		err = g.admin.QueryRow(g.ctx, "SELECT pg_get_serial_sequence($1, 'id')", m.table).Scan(&sequence)
	}
	if err != nil || sequence == nil {
		return err
	}
	return g.exec(fmt.Sprintf("SELECT setval('%s', (SELECT max(id) FROM %s))", *sequence, m.table))
}
