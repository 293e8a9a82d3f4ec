//go:build full

package main_test

import (
	"context"
	"crypto/rand"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"muster/internal/doctor"
	"muster/internal/mustertest"
)

// TestDoctorPostgresStopped: when PostgreSQL goes away under a running server,
// both are reported.
func TestDoctorPostgresStopped(t *testing.T) {
	t.Parallel()
	cable, address := mustertest.NewCable(t, mustertest.Postgres.New(t))
	f := patient(t)
	f.env = append(f.env, "MUSTER_DATABASE="+address)
	f.serve()
	f.doctor().healthy(t, "before")
	cable.Pull()
	d := f.doctor()
	d.says(t, "after it", doctor.Problem, "server", "not ready: the database is not available")
	d.says(t, "after it", doctor.Problem, "database", "cannot be reached", "PostgreSQL runs")
}

// TestDoctorPostgresKind: a database with wrong settings or tables is reported.
func TestDoctorPostgresKind(t *testing.T) {
	t.Parallel()
	f, s := installed(t, mustertest.Postgres)
	s.stop()
	f.sql(`ALTER TABLE hardwares ALTER COLUMN notes TYPE TEXT COLLATE "POSIX"`)
	f.doctor().says(t, "a changed column", doctor.Warning, "database", "1 columns", "by bytes")
	f.sql(`ALTER TABLE hardwares ALTER COLUMN notes TYPE TEXT COLLATE "C"`)

	name := "test_" + strings.ToLower(rand.Text())
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, f.address())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := conn.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Error(err)
		}
		_ = conn.Close(ctx)
	})
	if _, err := conn.Exec(ctx,
		"CREATE DATABASE "+name+" ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"); err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(f.address())
	if err != nil {
		t.Fatal(err)
	}
	u.Path, u.RawQuery = "/"+name, strings.Replace(u.RawQuery, "search_path", "application_name", 1)
	d := f.doctor("--database", u.String())
	d.says(t, "another encoding", doctor.Problem, "database", "SQL_ASCII", "UTF8")
	d.says(t, "no tables", doctor.Problem, "tables", "muster serve")
	f.must("backup", "a.backup")
	for _, command := range []string{"serve", "restore a.backup"} {
		f.refused(append(strings.Fields(command), "--database", u.String()),
			"the database has the encoding SQL_ASCII, in which not all text can be stored")
	}
}
