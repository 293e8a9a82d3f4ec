//go:build full

// Package doctor_test sets the time; the tests of cmd/muster break
// installations and run the program.
package doctor_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/internal/acme"
	"muster/internal/desk/jobs"
	"muster/internal/doctor"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/store"
	"muster/internal/store/queue"
)

// examine examines the installation of a running server at another time.
func examine(s *mustertest.Server, now func() time.Time, built time.Time) []doctor.Finding {
	return doctor.Examine(context.Background(), doctor.Config{Built: built, Config: server.Config{
		Place: server.Place{Data: s.Data, Database: s.Database, Realm: "Muster", Now: now}, Listen: s.Address(),
	}})
}

// says reports whether there is a finding of a level with a text.
func says(findings []doctor.Finding, level, check, text string) bool {
	return slices.ContainsFunc(findings, func(f doctor.Finding) bool {
		return f.Level == level && f.Check == check && strings.Contains(f.Text+" "+f.Do, text)
	})
}

// TestTime looks at an installation in the past and in the future.
func TestTime(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	const day = 24 * time.Hour
	made := s.Clock.Now()
	for _, test := range []struct {
		name               string
		ahead, built       time.Duration
		level, check, text string
	}{
		{"now", 0, -day, doctor.OK, "clock", "can be right"},
		{"now", 0, -day, doctor.OK, "certificate", "renewed by itself"},
		{"before the program was made", 0, day, doctor.Problem, "clock", "this program was made on"},
		{"before the last record", -3 * day, -9 * day, doctor.Problem, "clock", "newest record"},
		{"before the authority", -3 * day, -9 * day, doctor.Problem, "authority", "valid only from"},
		{"after the certificate", 400 * day, -day, doctor.Warning, "certificate", "and not now"},
		{"before the end of the authority", 10*365*day - 30*day, -day, doctor.Warning, "authority", "ends on"},
		{"after the authority", 11 * 365 * day, -day, doctor.Problem, "authority", "ended on"},
	} {
		now := made.Add(test.ahead)
		got := examine(s, func() time.Time { return now }, made.Add(test.built))
		if !says(got, test.level, test.check, test.text) {
			t.Errorf("%s: got %+v, want a %s of the %s with %q", test.name, got, test.level, test.check, test.text)
		}
		if problem := doctor.Count(got, doctor.Problem) > 0; test.level == doctor.OK && problem {
			t.Errorf("%s: got %+v, want no problem", test.name, got)
		}
	}
}

// TestSkew compares the clock with PostgreSQL's.
func TestSkew(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		for ahead, want := range map[time.Duration]string{
			0: "", 20 * time.Second: doctor.Warning, -20 * time.Second: doctor.Warning, 2 * time.Hour: doctor.Problem,
			-2 * time.Hour: doctor.Problem,
		} {
			got := examine(s, func() time.Time { return time.Now().Add(ahead) }, time.Time{})
			text := "ahead of the one of PostgreSQL"
			if ahead < 0 {
				text = "behind the one of PostgreSQL"
			}
			if want == "" || db.Name == "sqlite" {
				want, text = doctor.OK, "can be right"
			}
			if !says(got, want, "clock", text) {
				t.Errorf("%v ahead: got %+v, want a %s of the clock with %q", ahead, got, want, text)
			}
		}
	})
}

// TestJobs warns of jobs that nobody does, that have failed, or that are held.
func TestJobs(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db, Change: func(cfg *server.Config) { cfg.Jobs = 0 }})
		ctx, now, ahead := context.Background(), s.Clock.Now(), time.Duration(0)
		look := func(level, text string) {
			t.Helper()
			got := examine(s, func() time.Time { return now.Add(ahead) }, time.Time{})
			if !says(got, level, "jobs", text) {
				t.Errorf("got %+v, want a %s of jobs with %q", got, level, text)
			}
		}
		update := func(f func(tx *store.Tx) error) {
			t.Helper()
			if err := s.Store().Update(ctx, f); err != nil {
				t.Fatal(err)
			}
		}
		waiting := func() (n int64) { // the server that made the database may have planned what happens by itself, or not
			t.Helper()
			update(func(tx *store.Tx) (err error) {
				n, err = queue.Count(ctx, tx, queue.Filter{State: queue.Waiting})
				return err
			})
			return n
		}
		planned := waiting()
		look(doctor.OK, fmt.Sprintf("No job has failed; %d wait", planned))
		late := queue.Job{Handler: "tidy", Payload: []byte("null"), Created: now, DueAt: now}
		update(func(tx *store.Tx) error {
			_, err := queue.Add(ctx, tx, &late)
			return err
		})
		look(doctor.OK, fmt.Sprintf("No job has failed; %d wait", planned+1))
		ahead = 10 * time.Minute
		look(doctor.Warning, "No process does any jobs")
		update(func(tx *store.Tx) error { return jobs.Hold(ctx, tx) })
		look(doctor.Warning, "are held since")
		update(func(tx *store.Tx) error { return queue.End(ctx, tx, &late, queue.Failed, nil, now) })
		look(doctor.Warning, "failed: 1")
	})
}

// TestACME warns of a certificate that should have been renewed by now, however
// long it lives.
func TestACME(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	start := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
	for _, test := range []struct {
		life, age time.Duration
		level     string
	}{
		{90 * day, 62 * day, doctor.OK}, {90 * day, 70 * day, doctor.Warning}, {90 * day, 91 * day, doctor.Problem},
		{6 * day, 4 * day, doctor.OK}, {6 * day, 5 * day, doctor.Warning}, {6 * day, 7 * day, doctor.Problem},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "acme", "acme.test_directory.pem"), certificate(t, start, start.Add(test.life)))
		got := doctor.Examine(context.Background(), doctor.Config{Config: server.Config{
			Place:  server.Place{Data: dir, Realm: "Muster", Now: func() time.Time { return start.Add(test.age) }},
			Listen: "127.0.0.1:0",
			ACME:   acme.Config{Names: []string{"assets.test"}, Directory: "https://acme.test/directory"},
		}})
		if !says(got, test.level, "certificate", "The certificate of https://acme.test/directory") {
			t.Errorf("%v of %v: got %+v, want a %s of the certificate", test.age, test.life, got, test.level)
		}
	}
}

// certificate returns a certificate and its key.
func certificate(t *testing.T, from, to time.Time) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"assets.test"}, NotBefore: from, NotAfter: to,
	}
	leaf, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return append(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}),
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: leaf})...)
}

// write writes a file and its folder.
func write(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, data, 0o600)); err != nil {
		t.Fatal(err)
	}
}
