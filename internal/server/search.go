package server

import (
	"time"

	"muster/internal/archive"
)

// searchEvery is how long records get words for the search without a line in
// the log.
const searchEvery = 10 * time.Second

// tellSearch logs how far the words for the search are made, where they are made
// of all records: after a restore, and when a new version makes them in another
// way.
func (p *Place) tellSearch() archive.Progress {
	var told time.Time
	return func(table string, done, last int64) {
		if now := p.Now(); done == last || now.Sub(told) >= searchEvery {
			told = now
			p.Log.Info("words for the search are made of all records", "table", table, "up_to_id", done,
				"last_id", last)
		}
	}
}
