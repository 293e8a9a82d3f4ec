package doctor

import (
	"context"
	"time"

	"muster/internal/desk/jobs"
	"muster/internal/store"
	"muster/internal/store/queue"
)

// lateTime is for how long a job may be due before somebody should have begun it.
const lateTime = 5 * time.Minute

// jobs looks at the jobs of the database, and whether somebody does them. Without its server nobody does any on SQLite,
// which is said already.
func (e *examiner) jobs(ctx context.Context, s *store.Store) {
	const check = "jobs"
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var state jobs.State
	err := s.View(ctx, func(tx *store.Tx) (err error) {
		state, err = jobs.StateOf(ctx, tx, e.Now())
		return err
	})
	if err != nil {
		e.problem(check, "", "The jobs cannot be read: %v.", err)
		return
	}
	before := len(e.findings)
	if state.Held {
		e.warn(check, "When this is the database to work with from now on: muster job resume.",
			"Jobs that reach outside are held since the database was restored.")
	} else if late := state.Latest(); late > lateTime && state.Taken == 0 && (e.running || e.postgres()) {
		e.warn(check, "Start muster serve, on one node at least without --jobs 0.",
			"No process does any jobs: one has been due for %v.", late.Round(time.Minute))
	}
	if failed := state.Count(queue.Failed); failed > 0 {
		e.warn(check, "muster job list --failed says why; muster job retry tries them again, muster job stop gives them up.",
			"Jobs that have failed: %d.", failed)
	}
	if len(e.findings) == before {
		e.ok(check, "No job has failed; %d wait for their time, and %d run.", state.Count(queue.Waiting),
			state.Count(queue.Running))
	}
}
