package main

import (
	"compress/zlib"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"muster/bench/result"
	"muster/internal/desk/agents"
	"muster/internal/server"
)

// agentCount is how many agents report at the same time, each on a connection of
// its own.
const agentCount = 64

// Goals of the intake: the CPU time of the server for a report, beside that of
// inflating and reading the body alone, or in microseconds.
const (
	unchangedWithin = 3
	typicalCPU      = 1000
	firstCPU        = 4000
)

// Goals of the intake on PostgreSQL, all beside inflating the body, its own processes included.
const (
	unchangedWithPostgres = 5.6
	typicalWithPostgres   = 22
	firstWithPostgres     = 175
)

// intake is where agents report.
const intake = "/ocsinventory"

// agentCredentials returns what agents sign in with, a token that is made when it is first asked for.
func (a *arena) agentCredentials(ctx context.Context) (string, error) {
	if a.basic != "" {
		return a.basic, nil
	}
	place := placeOf(a.db.order.Data, a.db.order.Database)
	made, err := place.AgentToken(ctx, server.AgentTokenCommand{Do: "add", New: agents.NewToken{Name: "bench"}})
	if err != nil {
		return "", fmt.Errorf("add an agent token: %w", err)
	}
	a.basic = base64.StdEncoding.EncodeToString([]byte("agent:" + made.Secret))
	return a.basic, nil
}

// An ingest measures how computers report themselves, on one database.
type ingest struct {
	*arena
	wanted                          *settings
	name                            string // of the database
	first, typical, unchanged, wire *result.Comparison
}

// bench measures reports if some of them are to be measured. They follow from
// each other, so all are made.
func (in *ingest) bench(ctx context.Context, a *arena) error {
	if len(in.chosen()) == 0 {
		return nil
	}
	in.arena = a
	progress("%s ingest of %d agents", in.name, agentCount)
	for round := range a.settings.rounds {
		if err := in.round(ctx, round); err != nil {
			return err
		}
	}
	return nil
}

// newIngest returns the comparisons without figures.
func newIngest(s *settings, name string) *ingest {
	const rival = "inflating it"
	in := &ingest{
		wanted: s, name: name,
		first:     s.comparison(name, "ingest of a first report", rival),
		typical:   s.comparison(name, "ingest of a typical report", rival),
		unchanged: s.comparison(name, "ingest of an unchanged report", rival),
		wire:      s.comparison(name, "ingest of an unchanged report", "fixed body"),
	}
	in.first.Goals = result.Goals{Aim: "first report", MaxCPU: firstCPU, WithPostgres: firstWithPostgres}.On(name)
	in.typical.Goals = result.Goals{Aim: "typical report", MaxCPU: typicalCPU, WithPostgres: typicalWithPostgres}.On(name)
	in.unchanged.Goals = result.Goals{
		Aim: "unchanged report", Within: unchangedWithin, WithPostgres: unchangedWithPostgres,
	}.On(name)
	return in
}

// chosen returns the comparisons that are to be measured.
func (in *ingest) chosen() (all []*result.Comparison) {
	for _, c := range []*result.Comparison{in.first, in.typical, in.unchanged, in.wire} {
		if in.wanted.only.MatchString(c.Name) {
			all = append(all, c)
		}
	}
	return all
}

// round brings new computers in, lets them report an update of two programs,
// and lets them report once more.
func (in *ingest) round(ctx context.Context, round int) error {
	number := func(agent, n int) int { return (round*agentCount+agent)*in.wanted.reports + n }
	for _, step := range []struct {
		*result.Comparison
		of func(agent, n int) reported
	}{
		{in.first, func(agent, n int) reported { return reported{number(agent, n), round, 0} }},
		{in.typical, func(agent, n int) reported { return reported{number(agent, n), round + 1, 1} }},
		{in.unchanged, func(agent, n int) reported { return reported{number(agent, n), round + 1, 2} }},
	} {
		if err := in.step(ctx, step.Comparison, step.of); err != nil {
			return fmt.Errorf("%s: %w", step.Name, err)
		}
	}
	return nil
}

// step has each agent send its reports, and inflates as many of them.
func (in *ingest) step(ctx context.Context, c *result.Comparison, of func(agent, n int) reported) error {
	bodies := make([][]string, agentCount)
	for agent := range bodies {
		for n := range in.wanted.reports {
			bodies[agent] = append(bodies[agent], of(agent, n).packed())
		}
	}
	ours, _, err := in.send(ctx, in.muster, intake, bodies)
	if err != nil {
		return err
	}
	add(c, ours, inflating(bodies))
	if c != in.unchanged {
		return nil
	}
	theirs, _, err := in.send(ctx, in.fixed, fmt.Sprintf("/%d", int(ours.Bytes)), bodies)
	add(in.wire, ours, theirs)
	return err
}

// send has all agents send their bodies at the same time.
func (in *ingest) send(ctx context.Context, p *process, target string,
	bodies [][]string) (out result.Sample, n int, err error) {
	basic, err := in.agentCredentials(ctx)
	if err != nil {
		return out, 0, err
	}
	drivers := make([]*driver, agentCount)
	for i := range drivers {
		c, err := dial(ctx, p)
		if err != nil {
			return out, 0, err
		}
		defer c.close()
		if p == in.muster {
			c.basic = basic
		}
		rest := bodies[i]
		drivers[i] = &driver{client: c, status: http.StatusOK, next: func() request {
			body := rest[0]
			rest = rest[1:]
			return request{http.MethodPost, target, body}
		}}
	}
	return in.measured(ctx, p, drivers, func(d *driver, _ time.Time) error { return d.make(ctx, in.wanted.reports) })
}

// inflating measures what it takes to inflate and read the bodies and nothing
// else, in this process.
func inflating(bodies [][]string) result.Sample {
	var z io.ReadCloser
	next := 0
	one := func() int {
		body := strings.NewReader(bodies[next%agentCount][next/agentCount%len(bodies[0])])
		next++
		var err error
		if z == nil {
			z, err = zlib.NewReader(body)
		} else {
			err = z.(zlib.Resetter).Reset(body, nil)
		}
		n, copyErr := io.Copy(io.Discard, z)
		if err := errors.Join(err, copyErr); err != nil {
			panic("unreachable: a report of the benchmark cannot be inflated: " + err.Error())
		}
		return int(n)
	}
	return loop(one, agentCount*len(bodies[0]))
}
