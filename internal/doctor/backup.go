package doctor

import (
	"context"
	"time"

	"muster/internal/desk/backup"
	"muster/internal/store"
)

// oldBackup is how old the last proved backup may be before its lack is a problem.
const oldBackup = 72 * time.Hour

// backups looks whether backups are made by themselves, and whether they are proved.
func (e *examiner) backups(ctx context.Context, s *store.Store) {
	const check = "backups"
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var found backup.Overview
	err := s.View(ctx, func(tx *store.Tx) (err error) {
		found, err = backup.Look(ctx, tx)
		return err
	})
	if err != nil {
		e.problem(check, "", "It is not known when the last backup was made: %v.", err)
		return
	}
	last := found.Last()
	switch found.Judge(e.Now()) {
	case backup.Off:
		e.warn(check, "Run muster setting set backup-hour 03:00, unless you make backups in another way.",
			"No backups are made by themselves.")
	case backup.Failing:
		e.failing(&found)
	case backup.Late:
		e.problem(check, "See that a server runs with --jobs above 0, and look into its log.",
			"No backup has been made since %s.", since(&found).UTC().Format(time.RFC3339))
	case backup.None:
		e.ok(check, "No backup has been made yet; a running server makes one each day at %s.", found.Hour)
	case backup.Fine:
		e.ok(check, "The last backup, %s of %s, has %s, and %s.", last.Name, last.At.UTC().Format(time.RFC3339),
			size(uint64(last.Bytes)), proof(last))
	}
}

// failing says why the last backup failed.
func (e *examiner) failing(found *backup.Overview) {
	say, proven := e.problem, found.LastProven()
	if proven != nil && e.Now().Sub(proven.At) < oldBackup {
		say = e.warn
	}
	what := "made"
	if found.Fault.Drill {
		what = "proved"
	}
	say("backups", "It is tried again by itself. Mend the reason, or change the settings backup-folder and backup-hour.",
		"The backup of %s could not be %s: %s.", found.Fault.At.UTC().Format(time.RFC3339), what, found.Fault.Text)
}

// since returns since when there has been no backup.
func since(found *backup.Overview) time.Time {
	if last := found.Last(); last != nil {
		return last.At
	}
	return found.Since
}

// proof says in words whether a backup is proved.
func proof(m *backup.Made) string {
	if m.Proven() {
		return "a drill has proved that it can be restored"
	}
	return "its drill is under way"
}
