package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"muster/bench/result"
)

// drive has drivers like one make their requests and returns what each cost the
// server, and how many there were.
func (a *arena) drive(ctx context.Context, p *process, like driver) (out result.Sample, n int, err error) {
	drivers := make([]*driver, cmp.Or(like.connections, connections))
	for i := range drivers {
		c, err := dial(ctx, p)
		if err != nil {
			return out, 0, err
		}
		defer c.close()
		d := like
		c.cookie, c.basic = like.cookie, like.basic
		d.client, drivers[i] = c, &d
		if d.fresh {
			d.connect = func() (*client, error) { return dial(ctx, p) }
		}
	}
	if like.count > 0 {
		return a.measured(ctx, p, drivers, func(d *driver, _ time.Time) error { return d.make(ctx, d.count) })
	}
	if err := together(drivers, func(d *driver) error { return d.warmUp(ctx, time.Now().Add(d.window)) }); err != nil {
		return out, 0, err
	}
	return a.measured(ctx, p, drivers,
		func(d *driver, began time.Time) error { return d.makeUntil(ctx, began.Add(d.window)) })
}

// measured has drivers make their requests at the same time and returns what
// each cost the server, and how many there were.
func (a *arena) measured(ctx context.Context, p *process, drivers []*driver, requests func(d *driver,
	began time.Time) error) (out result.Sample, n int, err error) {
	before, err := a.use(ctx, p)
	if err != nil {
		return out, 0, err
	}
	beside := drivers[0].beside
	began, made := time.Now(), beside.count()
	err = together(drivers, func(d *driver) error { return requests(d, began) })
	elapsed := time.Since(began)
	if err != nil {
		return out, 0, err
	}
	made = beside.count() - made
	after, err := a.use(ctx, p)
	if err != nil {
		return out, 0, err
	}
	used := after.since(before)
	if beside != nil {
		used.CPU -= beside.cost.CPU * time.Duration(made)
		used.Database -= beside.cost.Database * time.Duration(made)
	}
	out, n = summary(drivers, used)
	out.PerSecond = float64(n) / elapsed.Seconds()
	return out, n, nil
}

// summary returns what the requests of all drivers cost each.
func summary(drivers []*driver, used use) (out result.Sample, n int) {
	var times []float64
	bytes := 0
	for _, d := range drivers {
		times = append(times, d.times...)
		bytes += d.bytes
	}
	n = len(times)
	slices.Sort(times)
	out = used.per(n)
	out.Bytes = float64(bytes) / float64(n)
	out.P50, out.P99 = result.Quantile(times, 0.5), result.Quantile(times, 0.99)
	out.Resident = float64(used.Resident) / (1 << 20)
	return out, n
}

// together runs f for all drivers at once.
func together(drivers []*driver, f func(*driver) error) error {
	errs := make([]error, len(drivers))
	var group sync.WaitGroup
	for i, d := range drivers {
		group.Go(func() { errs[i] = f(d) })
	}
	group.Wait()
	return errors.Join(errs...)
}

// A driver makes requests on one connection, the next when one is answered.
type driver struct {
	client *client
	status int    // that answers must have
	cookie string // of a session, "" for none
	basic  string // credentials of an agent, "" for none; without both it is digest authentication
	next   func() request
	count  int           // how many it makes, without any that do not count; 0 for as many as there is time for
	window time.Duration // how long requests are made
	beside *writers      // who write meanwhile, nil for nobody
	fresh  bool          // it makes each request over a connection of its own, which is connect's
	times  []float64     // of answers, in milliseconds
	bytes  int           // of their bodies

	connections int // how many drivers like this there are, 0 for as many as usual
	connect     func() (*client, error)
}

// warmUp makes some requests that do not count, fewer when they are slow.
func (d *driver) warmUp(ctx context.Context, end time.Time) (err error) {
	for i := 0; i < warmUp && err == nil && time.Now().Before(end); i++ {
		err = d.make(ctx, 1)
	}
	d.times, d.bytes = d.times[:0], 0
	return err
}

// make makes so many requests.
func (d *driver) make(ctx context.Context, n int) error {
	for range n {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := d.one(); err != nil {
			return err
		}
	}
	return nil
}

// makeUntil makes requests until the end, at least one.
func (d *driver) makeUntil(ctx context.Context, end time.Time) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := d.one(); err != nil {
			return err
		}
		if !time.Now().Before(end) {
			return nil
		}
	}
}

// one makes a request, whose making is not part of its time.
func (d *driver) one() error {
	r := d.next()
	began := time.Now()
	if err := d.send(r); err != nil {
		return fmt.Errorf("%s %s: %w", r.method, r.target, err)
	}
	d.times = append(d.times, float64(time.Since(began).Nanoseconds())/1e6)
	d.bytes += len(d.client.body)
	if d.client.status != d.status && d.cookie != "" { // the body is compressed
		return fmt.Errorf("%s %s: got status %d, want %d", r.method, r.target, d.client.status, d.status)
	}
	if d.client.status != d.status {
		return fmt.Errorf("%s %s: got status %d, want %d: %s", r.method, r.target, d.client.status, d.status,
			d.client.body)
	}
	return nil
}
