package server

import (
	"time"

	"muster/internal/archive"
)

// searchEvery is how often the progress of filling the search words is logged.
const searchEvery = 10 * time.Second

// logSearch returns a function that logs the progress when the search words of all
// records are made: after a restore, and when a new version makes them differently.
func (p *Place) logSearch() archive.Progress {
	var logged time.Time
	return func(table string, done, last int64) {
		if now := p.Now(); done == last || now.Sub(logged) >= searchEvery {
			logged = now
			p.Log.Info("building the search index", "table", table, "up_to_id", done,
				"last_id", last)
		}
	}
}
