// Package installs keeps which software computers have, and how many computers software and licences count. It runs in
// the transactions of those who change something; the rules of the product do not belong here.
package installs

import (
	"cmp"
	"context"
	"slices"
	"time"

	"muster/internal/kind"
	"muster/internal/store"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// An Installation is software that a computer has.
type Installation struct {
	ComputerID, SoftwareID int64
	Date                   time.Time // zero when it is not known
	Path                   string
	Reported               bool // by an agent
}

// SoftwareOf is the tie of software to a computer that has it.
func SoftwareOf(computer int64) kind.Tie {
	return kind.Tie{Table: "installations", Own: "software_id", Other: "hardware_id", ID: computer}
}

// ComputersWith is the tie of computers to a software that they have.
func ComputersWith(software int64) kind.Tie {
	return kind.Tie{
		Table: "installations", Own: "hardware_id", Other: "software_id", ID: software, Counted: "softwares",
	}
}

// Of returns the installations on up to 1000 computers, of up to 1000 software records or of all
// when none is given, sorted by computer and software.
func Of(ctx context.Context, tx *store.Tx, computers, softwares []int64) (all []Installation, err error) {
	if len(computers) == 0 {
		return nil, nil
	}
	computerIDs, args := sqldb.InBatch(nil, computers)
	sql := "SELECT hardware_id, software_id, install_date, install_path, reported FROM installations WHERE hardware_id IN (" + computerIDs + ")"
	if len(softwares) > 0 {
		var softwareIDs string
		softwareIDs, args = sqldb.InBatch(args, softwares)
		sql += " AND software_id IN (" + softwareIDs + ")"
	}
	err = tx.Query(ctx, sql+" ORDER BY hardware_id, software_id", args, func(r sqldb.Row) error {
		all = append(all, installation(r))
		return nil
	})
	return all, err
}

// Each calls each with all installations.
func Each(ctx context.Context, tx *store.Tx, each func(Installation)) error {
	return tx.Query(ctx,
		"SELECT hardware_id, software_id, install_date, install_path, reported FROM installations", nil,
		func(r sqldb.Row) error {
			each(installation(r))
			return nil
		})
}

func installation(r sqldb.Row) Installation {
	return Installation{r.Int(0), r.Int(1), mapping.TimeAt(r, 2), string(r.Bytes(3, nil)), r.Int(4) != 0}
}

// Add adds software that a computer did not have before, see Change.
func Add(ctx context.Context, tx *store.Tx, computer int64, counts bool, added []Installation, now time.Time) error {
	return Change(ctx, tx, computer, counts, nil, added, now)
}

// Remove removes software from a computer that has it, see Change.
func Remove(ctx context.Context, tx *store.Tx, computer int64, counts bool, removed []int64) error {
	return Change(ctx, tx, computer, counts, removed, nil, time.Time{})
}

// Change removes software from a computer that has it, adds software that it did not have before, and
// updates the counts of software and, if the computer counts there, of licences. The caller has locked the
// computer, and has called ShareLicences. All software is locked in one order before the licences, so that two
// computers that exchange software do not deadlock.
func Change(ctx context.Context, tx *store.Tx, computer int64, counts bool, removed []int64, added []Installation,
	now time.Time) error {
	if len(removed) == 0 && len(added) == 0 {
		return nil
	}
	added = slices.Clone(added)
	// as the columns store them
	slices.SortFunc(added, func(a, b Installation) int { return cmp.Compare(a.SoftwareID, b.SoftwareID) })
	gained := make([]int64, len(added))
	for i, a := range added {
		gained[i] = a.SoftwareID
	}
	changed := slices.Concat(removed, gained)
	return keepInstalled(ctx, tx, computer, counts, changed, func() error {
		if err := lockSoftware(ctx, tx, changed); err != nil {
			return err
		}
		if err := remove(ctx, tx, computer, removed); err != nil {
			return err
		}
		if err := raise(ctx, tx, gained, "installs = installs + 1, first_detected_at = coalesce(first_detected_at, $1)",
			now.UTC().Truncate(time.Second).Unix()); err != nil {
			return err
		}
		for rest := added; len(rest) > 0; {
			size := sqldb.FittingRows(len(rest))
			if err := insert(ctx, tx, computer, rest[:size]); err != nil {
				return err
			}
			rest = rest[size:]
		}
		return nil
	})
}

// insert stores as many installations on one computer as one statement takes.
func insert(ctx context.Context, tx *store.Tx, computer int64, added []Installation) error {
	args := make([]any, 0, 6*len(added))
	for _, a := range added {
		args = append(args, computer, a.SoftwareID, mapping.TimeArg(a.Date), mapping.TextArg(a.Path),
			mapping.TextArg(mapping.Fold(a.Path)), mapping.BoolArg(a.Reported))
	}
	return tx.Exec(ctx, inserts[len(added)], args...)
}

// inserts are the INSERT statements by their number of installations.
var inserts = func() map[int]string {
	all := map[int]string{}
	for _, size := range sqldb.Batches {
		if size <= sqldb.MostRows {
			all[size] = "INSERT INTO installations (hardware_id, software_id, install_date, install_path, install_path_folded, reported) VALUES " + sqldb.Tuples(size, 6)
		}
	}
	return all
}()

// Renew updates the details of installations that exist.
func Renew(ctx context.Context, tx *store.Tx, renewed []Installation) error {
	for _, i := range renewed {
		err := tx.Exec(ctx, `UPDATE installations SET install_date = $1, install_path = $2, install_path_folded = $3, reported = $4
			WHERE hardware_id = $5 AND software_id = $6`,
			mapping.TimeArg(i.Date), mapping.TextArg(i.Path), mapping.TextArg(mapping.Fold(i.Path)),
			mapping.BoolArg(i.Reported), i.ComputerID, i.SoftwareID)
		if err != nil {
			return err
		}
	}
	return nil
}

// remove removes locked software from a computer.
func remove(ctx context.Context, tx *store.Tx, computer int64, removed []int64) error {
	if err := raise(ctx, tx, removed, "installs = installs - 1"); err != nil {
		return err
	}
	for chunk := range slices.Chunk(removed, sqldb.Batches[len(sqldb.Batches)-1]) {
		params, args := sqldb.InBatch([]any{computer}, chunk)
		if err := tx.Exec(ctx, "DELETE FROM installations WHERE hardware_id = $1 AND software_id IN ("+params+")",
			args...); err != nil {
			return err
		}
	}
	return nil
}

// lockSoftware locks software records. If one has been deleted in the meantime, the transaction is run again.
func lockSoftware(ctx context.Context, tx *store.Tx, ids []int64) error {
	slices.Sort(ids)
	for chunk := range slices.Chunk(ids, sqldb.Batches[len(sqldb.Batches)-1]) {
		if err := tx.LockRows(ctx, "softwares", chunk); err != nil {
			return err
		}
	}
	return nil
}

// raise changes the counts of locked software.
func raise(ctx context.Context, tx *store.Tx, ids []int64, set string, args ...any) error {
	tx.TouchCounted("softwares", ids...)
	for chunk := range slices.Chunk(ids, sqldb.Batches[len(sqldb.Batches)-1]) {
		params, all := sqldb.InBatch(args[:len(args):len(args)], chunk)
		if err := tx.Exec(ctx, "UPDATE softwares SET "+set+" WHERE id IN ("+params+")", all...); err != nil {
			return err
		}
	}
	return nil
}
