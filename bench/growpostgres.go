package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

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
	{"contracts_search", "rowid IN (SELECT id FROM kept.contracts WHERE " + noLicence + ")", map[string]string{
		"rowid": "row" + fewID,
	}},
	{"audits_search", "rowid IN (SELECT id FROM kept.audits WHERE " + ofRows + ")", map[string]string{
		"rowid": "row" + auditID,
	}},
}

// grow turns a schema with grownFrom computers into one with so many.
func (p *postgres) grow(ctx context.Context, n int) error {
	s, err := store.Open(ctx, store.Config{Database: p.address, Kinds: inventory.All()})
	if err != nil {
		return fmt.Errorf("give words to what is copied: %w", err)
	}
	if err := s.Close(); err != nil {
		return err
	}
	g := p.growth(ctx, n/grownFrom)
	// Triggers would look at each row and what it refers to, which is there.
	err = g.exec("SET search_path = "+p.schema, "SET session_replication_role = replica",
		"SET maintenance_work_mem = '256MB'")
	if err != nil {
		return err
	}
	sequences := slices.Clone(afterwards)
	for _, m := range g.tables { // all of them are kept before the first grows
		if err := g.exec(fmt.Sprintf("CREATE TEMP TABLE kept_%s AS SELECT * FROM %s", m.table, m.table)); err != nil {
			return err
		}
		found, err := g.query("SELECT pg_get_serial_sequence(table_name, 'id') FROM information_schema.columns " +
			"WHERE table_schema = current_schema() AND column_name = 'id' AND table_name = '" + m.table + "'")
		if err != nil {
			return err
		}
		if len(found) > 0 && found[0][0] != "" { // which is to give ids behind the copies
			sequences = append(sequences, fmt.Sprintf("SELECT setval('%s', (SELECT max(id) FROM %s))", found[0][0],
				m.table))
		}
	}
	return g.run(sequences)
}

// growth returns how a schema grows, whose tables have their words beside them.
// Indexes of constraints stay.
func (p *postgres) growth(ctx context.Context, copies int) *growth {
	return &growth{
		copies: copies, tables: slices.Concat(multiplication, searchMultiplication),
		query: func(sql string) ([][]string, error) {
			rows, err := p.admin.Query(ctx, sql)
			if err != nil {
				return nil, err
			}
			return pgx.CollectRows(rows, func(row pgx.CollectableRow) (texts []string, err error) {
				values, err := row.Values()
				for _, value := range values {
					if value == nil {
						value = ""
					}
					texts = append(texts, fmt.Sprint(value))
				}
				return texts, err
			})
		},
		columns: "SELECT column_name::text FROM information_schema.columns " +
			"WHERE table_schema = current_schema() AND table_name = '$table' ORDER BY ordinal_position",
		indexes: "SELECT 'INDEX ' || indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema() AND tablename = '$table' " +
			"AND indexname NOT IN (SELECT conname FROM pg_constraint WHERE conrelid = to_regclass('$table'))",
		words: strings.NewReplacer(copiedUnique, "_unique || convert_to('-$copy', 'UTF8')", "kept.", "kept_"),
	}
}
