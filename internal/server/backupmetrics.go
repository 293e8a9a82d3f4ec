package server

import (
	"context"
	"sync"
	"time"

	"muster/internal/desk/backup"
)

// A backupWatch caches what became of backups, as a census does records.
type backupWatch struct {
	service *backup.Service
	now     func() time.Time

	mu    sync.Mutex
	taken time.Time
	state backup.State
	known bool
}

// read returns a figure of the state, unknown where there is none.
func (w *backupWatch) read(figure func(*backup.State) float64) func() float64 {
	return func() float64 {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.take()
		if !w.known {
			return unknown
		}
		return figure(&w.state)
	}
}

// take reads the state, unless that was done a short while ago.
func (w *backupWatch) take() {
	if !w.taken.IsZero() && w.now().Sub(w.taken) < censusEvery {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), censusTime)
	defer cancel()
	state, err := w.service.State(ctx)
	w.taken = w.now()
	if err == nil {
		w.state, w.known = state, true
	}
}

// watchBackups adds what became of backups by schedule, on all nodes.
func (m *metrics) watchBackups(s *backup.Service, now func() time.Time) {
	w := &backupWatch{service: s, now: now}
	m.gauge("muster_backup_last_timestamp_seconds",
		"When the last backup by schedule was made, in seconds since 1970; 0 for never.",
		w.read(func(s *backup.State) float64 {
			return made(s.Last(), func(m *backup.Made) float64 { return float64(m.At.Unix()) })
		}))
	m.gauge("muster_backup_last_size_bytes", "Bytes of that backup.",
		w.read(func(s *backup.State) float64 {
			return made(s.Last(), func(m *backup.Made) float64 { return float64(m.Bytes) })
		}))
	m.gauge("muster_backup_last_drill_timestamp_seconds",
		"When a drill last proved such a backup, in seconds since 1970; 0 for never.",
		w.read(func(s *backup.State) float64 {
			return made(s.LastProven(), func(m *backup.Made) float64 { return float64(m.Drill.At.Unix()) })
		}))
	m.counter("muster_backup_failures_total", "Tries to make a backup by schedule and prove it that failed.",
		w.read(func(s *backup.State) float64 { return float64(s.Failures) }))
}

// made returns a figure of a backup, 0 where there is none.
func made(m *backup.Made, figure func(*backup.Made) float64) float64 {
	if m == nil {
		return 0
	}
	return figure(m)
}
