//go:build volume && full

package api_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"muster/internal/mustertest"
	"muster/internal/store"
	"muster/internal/store/sqldb"
)

// What TestVolumeLicence counts: computers with programs of so many titles each.
const (
	manyComputers = 50_000
	manyTitles    = 20_000
	eachHas       = 150
	busyReporters = 60 // computers that agents report
)

// TestVolumeLicence saves a licence that covers 20,000 titles on 50,000 computers: that answers at once, the count is
// right soon, and reports take about as long as ever meanwhile.
func TestVolumeLicence(t *testing.T) {
	o := mustertest.Options{On: mustertest.Postgres}
	s := mustertest.Start(t, o)
	c, secret := s.Admin(), agentToken(t, s, "agents")
	madeAt(t, c, "/softwares", software("<name>Acme 1</name><version>1</version>"))
	multiply(t, s, "softwares", manyTitles, titleColumns)
	reportTitles(t, s, secret, 0, 1)
	multiply(t, s, "hardwares", manyComputers-busyReporters+1, map[string]string{
		"asset_id": "'many-' || n", "asset_id_folded": "'many-' || n"})
	multiply(t, s, "hardwares_apart", manyComputers-busyReporters+1, nil)
	execute(t, s, fmt.Sprintf(`INSERT INTO installations (hardware_id, software_id, reported)
		SELECT h, 1 + (h * 7 + p * 133) %% %d, 1
		FROM generate_series(2, %d) h, generate_series(0, %d) p`, manyTitles, manyComputers-busyReporters+1, eachHas-1))
	execute(t, s, `UPDATE softwares s SET installs = (SELECT count(*) FROM installations i WHERE i.software_id = s.id)`)
	execute(t, s, "SELECT setval(pg_get_serial_sequence('softwares', 'id'), (SELECT max(id) FROM softwares))")
	execute(t, s, "SELECT setval(pg_get_serial_sequence('hardwares', 'id'), (SELECT max(id) FROM hardwares))")
	execute(t, s, "ANALYZE")
	s.Quit()

	o.Database, o.Data, o.Clock = s.Database, s.Data, s.Clock
	s = mustertest.Start(t, o)
	c = s.Admin()
	reportTitles(t, s, secret, 0, busyReporters)
	number := func(sql string) (n int64) {
		t.Helper()
		mustRead(t, s, sql, func(r sqldb.Row) { n = r.Int(0) })
		return n
	}
	t.Logf("%d computers, %d installations of %d titles", number("SELECT count(*) FROM hardwares"),
		number("SELECT count(*) FROM installations"), number("SELECT count(*) FROM softwares"))
	usual := reportTitles(t, s, secret, 1, busyReporters)

	begun := time.Now()
	id := madeAt(t, c, "/contracts", licence(10, "Acme*", ""))
	saved := time.Since(begun)
	if got := value(t, c.Get("/contracts/"+id).Body, "counting"); got != "true" {
		t.Errorf("counting: got %s, want true", got)
	}
	meanwhile := reportTitles(t, s, secret, 2, busyReporters)
	still := value(t, c.Get("/contracts/"+id).Body, "counting")
	for value(t, c.Get("/contracts/"+id).Body, "counting") == "true" && time.Since(begun) < 2*time.Minute {
		reportTitles(t, s, secret, 3+int(time.Since(begun)/time.Second), 1)
	}
	counted := time.Since(begun)
	installed, _ := strconv.ParseInt(value(t, c.Get("/contracts/"+id).Body, "installed"), 10, 64)
	want := number(`SELECT count(DISTINCT i.hardware_id) FROM installations i JOIN softwares s ON s.id = i.software_id
		WHERE s.name LIKE 'Acme%'`)
	t.Logf("saved in %v, at most 1s; counted after %v, at most 1m", saved, counted)
	t.Logf("%d reports in %v, at most twice the usual %v; still counting after them: %s", busyReporters, meanwhile, usual,
		still)
	if installed != want || saved > time.Second || counted > time.Minute || meanwhile > 2*usual {
		t.Errorf("got %d computers, want %d, and within the bounds above", installed, want)
	}
}

// reportTitles lets agents report computers with titles that change with each round, and returns how long that takes.
func reportTitles(t *testing.T, s *mustertest.Server, secret string, round, agents int) time.Duration {
	t.Helper()
	begun := time.Now()
	for a := range agents {
		var names []string
		for p := range eachHas {
			if p == 0 {
				p = eachHas + round
			}
			names = append(names, fmt.Sprint("Acme ", 1+(a*7+p*133)%manyTitles))
		}
		reportPrograms(t, s, secret, fmt.Sprint("busy-", a), names...)
	}
	return time.Since(begun)
}

// titleColumns are how titles differ, as the program would store them: the last one is what no two have.
var titleColumns = map[string]string{
	"name": "'Acme ' || n", "name_folded": "'acme ' || n",
	"_unique": "sha256(convert_to(length('acme ' || n) || ':acme ' || n || '1:10:', 'UTF8'))",
}

// multiply copies the only row of a table until there are so many, n being the number of each.
func multiply(t *testing.T, s *mustertest.Server, table string, rows int, differ map[string]string) {
	t.Helper()
	var columns, values []string
	mustRead(t, s, "SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema() "+
		"AND table_name = '"+table+"'", func(r sqldb.Row) { columns = append(columns, string(r.Bytes(0, nil))) })
	if !slices.Contains(columns, "id") {
		t.Fatalf("got the columns %v of %s, want an id", columns, table)
	}
	for _, column := range columns {
		switch value := differ[column]; {
		case column == "id":
			values = append(values, "n")
		case value != "":
			values = append(values, value)
		default:
			values = append(values, "r."+column)
		}
	}
	execute(t, s, fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %[1]s r, generate_series(2, %[4]d) n", table,
		strings.Join(columns, ", "), strings.Join(values, ", "), rows))
}

// execute runs a statement on the server's database, however long it takes.
func execute(t *testing.T, s *mustertest.Server, sql string) {
	t.Helper()
	ctx := context.Background()
	on, err := pgx.Connect(ctx, s.Database)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = on.Close(ctx) }()
	for _, sql := range []string{"SET statement_timeout = 0", sql} {
		if _, err := on.Exec(ctx, sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}

// mustRead calls each with the rows that a statement selects.
func mustRead(t *testing.T, s *mustertest.Server, sql string, each func(sqldb.Row)) {
	t.Helper()
	ctx := context.Background()
	err := s.Store().View(ctx, func(tx *store.Tx) error {
		return tx.Query(ctx, sql, nil, func(r sqldb.Row) error {
			each(r)
			return nil
		})
	})
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}
