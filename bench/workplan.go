package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"muster/internal/desk/agents"
	"muster/internal/server"
)

// planWork lets technicians sign in and computers be known, and returns what they all do while it is measured: the
// same in every run, in the order of its times.
func (a *arena) planWork(ctx context.Context, w *work) ([]step, error) {
	staff, err := a.staff(ctx, w)
	if err != nil {
		return nil, err
	}
	plan, err := a.planReports(ctx, w.Reports)
	if err != nil {
		return nil, err
	}
	length := a.settings.work
	for i, t := range staff {
		plan = append(plan, t.plan(rand.New(rand.NewPCG(5, uint64(i))), length)...)
	}
	plan = append(plan,
		step{at: length / 5, name: "import of 500 rows", do: func(ctx context.Context) error {
			return staff[0].importComputers(ctx, "work")
		}},
		step{at: 2 * length / 5, name: "export of all computers", do: func(ctx context.Context) error {
			_, err := staff[1%len(staff)].get(ctx, "/app/computers/export.csv")
			return err
		}},
		step{at: 3 * length / 5, name: "backup", do: a.backUp},
	)
	slices.SortStableFunc(plan, func(a, b step) int { return cmp.Compare(a.at, b.at) })
	return plan, nil
}

// backUp writes a backup beside the running server, as muster backup does.
func (a *arena) backUp(ctx context.Context) error {
	file := filepath.Join(a.folder, "muster.backup")
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer os.Remove(file)
	defer out.Close()
	_, err = a.db.place().Backup(ctx, out, server.Backup{Progress: quietly})
	return err
}

// Of so many reports there is one of a new computer, and some of computers whose software has changed.
const (
	reportsOfMix  = 50
	typicalOfMix  = 10
	firstReporter = 1_000_000 // the number of the first computer, which none of the other measurements uses
)

// planReports makes computers known and returns their reports, spread evenly, each over a connection of its own.
func (a *arena) planReports(ctx context.Context, perHour int) (plan []step, err error) {
	made, err := a.db.place().AgentToken(ctx,
		server.AgentTokenCommand{Do: "add", New: agents.NewToken{Name: "work"}})
	if err != nil {
		return nil, fmt.Errorf("add an agent token: %w", err)
	}
	transport := a.transport()
	transport.DisableKeepAlives = true
	client := &http.Client{Transport: transport}
	between := time.Hour / time.Duration(perHour)
	for i := range int(a.settings.work / between) {
		now, name := reported{firstReporter + i, 0, 1}, "report, unchanged"
		switch mix := i % reportsOfMix; {
		case mix == 0:
			name = "report, first"
		case mix <= typicalOfMix:
			now.revision, name = 1, "report, typical"
		}
		if i%reportsOfMix > 0 {
			if err := a.sendReport(ctx, client, made.Secret, reported{now.computer, 0, 0}.packed()); err != nil {
				return nil, fmt.Errorf("make a computer known: %w", err)
			}
		}
		body := now.packed()
		plan = append(plan, step{at: time.Duration(i) * between, name: name, do: func(ctx context.Context) error {
			return a.sendReport(ctx, client, made.Secret, body)
		}})
	}
	return plan, nil
}

// sendReport sends a report as an agent does.
func (a *arena) sendReport(ctx context.Context, client *http.Client, secret, body string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.origin()+"/ocsinventory", strings.NewReader(body))
	if err != nil {
		return err
	}
	r.SetBasicAuth("agent", secret)
	_, err = answer(client, r)
	return err
}

// place returns the installation that is measured.
func (db *databaseRun) place() *server.Place { return placeOf(db.order.Data, db.order.Database) }
