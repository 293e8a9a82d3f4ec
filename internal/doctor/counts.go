package doctor

import (
	"context"
	"errors"
	"strings"
	"time"

	"muster/internal/desk/tally"
	"muster/internal/store"
)

// countsTime is how long counting may take, unless counts are to be mended.
const countsTime = time.Minute

// mostNamed is how many counts that differ are named.
const mostNamed = 5

// counts counts again what is counted beside records.
func (e *examiner) counts(ctx context.Context, s *store.Store) {
	const check = "counts"
	limit := countsTime
	if e.Fix {
		limit = 0
	}
	ctx, cancel := limited(ctx, limit)
	defer cancel()
	differences, err := tally.Find(ctx, s)
	switch {
	case ctx.Err() != nil:
		e.warn(check, "Look when there is less to do, or with --fix, which takes its time.",
			"Not everything could be counted again within %v.", countsTime)
	case errors.Is(err, store.ErrUnavailable):
		e.warn(check, "Look when there is less to do.", "Not everything could be counted again: %v.", err)
	case err != nil:
		e.problem(check, "", "The counts cannot be read: %v.", err)
	case len(differences) > 0:
		e.problem(check, "Mend them, also while the server runs: muster doctor --fix.",
			"Counts that differ from what they count: %d. %s.", len(differences), named(differences))
	default:
		e.ok(check, "Installed software, computers of licences and ticket numbers are as counted again.")
	}
}

// limited returns a context that ends after a time, 0 for never.
func limited(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}

// named names some of the counts that differ.
func named(differences []tally.Difference) string {
	var texts []string
	for _, d := range differences[:min(len(differences), mostNamed)] {
		texts = append(texts, d.String())
	}
	if len(differences) > mostNamed {
		texts = append(texts, "…")
	}
	return strings.Join(texts, "; ")
}

// mend mends counts that differ, through the server where one runs, and reports each.
func (e *examiner) mend(ctx context.Context) {
	const check = "counts"
	mended, err := e.Place.Mend(ctx)
	if mended != nil {
		for _, text := range mended.Counts {
			e.ok(check, "Mended: %s.", text)
		}
	}
	if err != nil {
		e.problem(check, "Its reason may be among the other findings; then try again.",
			"The counts could not be mended: %s.", strings.TrimSuffix(err.Error(), "."))
	}
}
