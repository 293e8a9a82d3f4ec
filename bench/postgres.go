package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"muster/internal/server"
)

// postgresVariable names the variable with the address of a PostgreSQL cluster.
const postgresVariable = "MUSTER_TEST_POSTGRES"

// application is how the server that is measured is known to PostgreSQL.
const application = "muster-bench"

// A postgres is a cluster, with a schema in it that is the benchmark's.
type postgres struct {
	admin   *pgx.Conn
	schema  string
	address string     // for the server
	used    processCPU // of the server's connections
}

// openPostgres makes a new schema.
func openPostgres(ctx context.Context, address string) (*postgres, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", postgresVariable, err)
	}
	admin, err := pgx.Connect(ctx, address)
	if err != nil {
		return nil, err
	}
	p := &postgres{admin: admin, used: processCPU{}, schema: "bench_" + strings.ToLower(rand.Text())}
	if _, err := admin.Exec(ctx, "CREATE SCHEMA "+p.schema); err != nil {
		return nil, errors.Join(err, admin.Close(ctx))
	}
	q := u.Query()
	q.Set("search_path", p.schema)
	q.Set("application_name", application)
	u.RawQuery = q.Encode()
	p.address = u.String()
	return p, nil
}

// close removes the schema, also when the run was interrupted.
func (p *postgres) close() {
	ctx, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	if _, err := p.admin.Exec(ctx, "DROP SCHEMA "+p.schema+" CASCADE"); err != nil {
		progress("remove the PostgreSQL schema %s: %v", p.schema, err)
	}
	_ = p.admin.Close(ctx) // nothing is under way
}

// fill restores a backup of the kept SQLite database, which is several times
// faster than making its records again, and copies its records as often as there
// are to be more. The server's planner learns about them at once, not whenever it
// comes to it in the middle of a round.
func (p *postgres) fill(ctx context.Context, root, data string, n int) error {
	base := n
	if isGrown(n) {
		base = grownFrom
	}
	kept, err := keptData(ctx, root, base)
	if err != nil {
		return err
	}
	began, file := time.Now(), filepath.Join(data, "muster.backup")
	if err := backUp(ctx, kept, file); err != nil {
		return fmt.Errorf("back up the SQLite database: %w", err)
	}
	if _, err := placeOf(data, p.address).Restore(ctx, server.Source{File: file}, quietly); err != nil {
		return fmt.Errorf("restore it on PostgreSQL: %w", err)
	}
	if isGrown(n) {
		if err := p.grow(ctx, n); err != nil {
			return fmt.Errorf("copy computers: %w", err)
		}
	}
	progress("made %d computers on PostgreSQL in %.1f s", n, time.Since(began).Seconds())
	_, err = p.admin.Exec(ctx, "VACUUM ANALYZE")
	return err
}

// backUp writes a backup of an SQLite installation to a file.
func backUp(ctx context.Context, data, file string) error {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	_, err = placeOf(data, filepath.Join(data, "muster.db")).Backup(ctx, out, server.Backup{Progress: quietly})
	return errors.Join(err, out.Close())
}

// quietly is a progress function that ignores the progress.
func quietly(string, int64, int64) {}

// placeOf returns an installation of the benchmark.
func placeOf(data, database string) *server.Place {
	return &server.Place{
		Data: data, Database: database, Realm: realm, Now: time.Now, Log: slog.New(slog.DiscardHandler),
	}
}

// cpu returns the CPU time of the server's connections within PostgreSQL, 0 where it runs on another machine or
// the system does not report it. It never falls.
func (p *postgres) cpu(ctx context.Context) (time.Duration, error) {
	rows, err := p.admin.Query(ctx, "SELECT pid FROM pg_stat_activity WHERE application_name = $1", application)
	if err != nil {
		return 0, err
	}
	pids, err := pgx.CollectRows(rows, pgx.RowTo[int32])
	for _, pid := range pids {
		p.used.set(pid, cpuOfProcess(pid))
	}
	return p.used.sum(), err
}

// A processCPU is the CPU time of processes by their ids, also of those that have ended.
type processCPU map[int32]time.Duration

// set notes what a process has used so far, 0 if it has just ended.
func (p processCPU) set(pid int32, used time.Duration) { p[pid] = max(p[pid], used) }

// sum returns what all have used. It never falls.
func (p processCPU) sum() (sum time.Duration) {
	for _, used := range p {
		sum += used
	}
	return sum
}

// cpuOfProcess returns the CPU time of a process with one thread, or 0.
func cpuOfProcess(pid int32) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", pid))
	if err != nil {
		return 0
	}
	first, _, _ := bytes.Cut(text, []byte(" "))
	ns, err := strconv.ParseInt(string(first), 10, 64)
	if err != nil {
		return 0
	}
	return time.Duration(ns)
}
