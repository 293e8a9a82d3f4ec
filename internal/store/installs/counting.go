package installs

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"muster/internal/kind"
	"muster/internal/store"
	"muster/internal/store/sqldb"
)

// A licence that covers much is counted in steps, each in a transaction of its own, so that others wait little. Its row
// of licence_counts says how far that is; a licence without a row has the right count.
//
// While its computers are counted, by their ids, whoever changes what a computer has locks the licence and then looks
// at its row. A computer up to the row's mark was counted as it was before the change, so the change adds to the row.
// One above the mark is counted later, as it is then.
const (
	matching int64 = iota // its items are compared with software, up to an id
	matched               // all software was compared, but who began before may know less of it
	adding                // its computers are counted, up to an id
)

// What is little enough to be counted at once, in the transaction of the change that asks for it.
const (
	fewCompared = 1_000_000 // software records, times items that they are compared with
	fewCovered  = 2_000     // software records that a licence covers
	fewInstalls = 20_000    // of these
	fewAtOnce   = 10        // licences in one transaction
)

// firstOnes returns whether the transaction has counted so few licences that one more may be counted at once.
func firstOnes(tx *store.Tx) bool { return tx.Nth("licences counted at once") <= fewAtOnce }

// matchFew stores which software a licence with so many items covers, and reports whether it may be counted at once.
// What it stores of more is not all.
func matchFew(ctx context.Context, tx *store.Tx, id int64, items int) (few bool, err error) {
	few, err = comparesFew(ctx, tx, items)
	if err != nil || !few || !firstOnes(tx) {
		return false, err
	}
	had, err := number(ctx, tx,
		"SELECT count(*) FROM (SELECT 1 FROM licence_softwares WHERE contract_id = $1 LIMIT $2) l", id, int64(fewCovered+1))
	if err != nil || had > fewCovered {
		return false, err
	}
	if err := tx.Exec(ctx, "DELETE FROM licence_softwares WHERE contract_id = $1", id); err != nil {
		return false, err
	}
	if err := tx.Exec(ctx, matches+"WHERE l.contract_id = $1 LIMIT $2", id, int64(fewCovered+1)); err != nil {
		return false, err
	}
	return coversFew(ctx, tx, id)
}

// comparesFew reports whether so many items of a licence may be compared with all software at once.
func comparesFew(ctx context.Context, tx *store.Tx, items int) (few bool, err error) {
	titles, err := number(ctx, tx, "SELECT coalesce(max(id), 0) FROM softwares")
	return titles*int64(items) <= fewCompared, err
}

// CountsAtOnce reports whether a licence with so many items may be counted at once, by what it covers now.
func CountsAtOnce(ctx context.Context, tx *store.Tx, id int64, items int) (few bool, err error) {
	if few, err = comparesFew(ctx, tx, items); err != nil || !few {
		return false, err
	}
	return coversFew(ctx, tx, id)
}

// coversFew reports whether a licence may be counted at once, by the software that it covers.
func coversFew(ctx context.Context, tx *store.Tx, id int64) (few bool, err error) {
	err = tx.One(ctx, `SELECT count(*), coalesce(CAST(sum(l.installs) AS BIGINT), 0) FROM (SELECT s.installs
		FROM licence_softwares c JOIN softwares s ON s.id = c.software_id WHERE c.contract_id = $1 LIMIT $2) l`,
		[]any{id, int64(fewCovered + 1)},
		func(r sqldb.Row) error {
			few = r.Int(0) <= fewCovered && r.Int(1) <= fewInstalls
			return nil
		})
	return few, err
}

// number returns the number that a statement selects.
func number(ctx context.Context, tx *store.Tx, sql string, args ...any) (n int64, err error) {
	err = tx.One(ctx, sql, args, func(r sqldb.Row) error {
		n = r.Int(0)
		return nil
	})
	return n, err
}

// begin lets a licence be counted in steps, from a phase on. What was counted of it before is void. As everywhere, the
// record of the licence is locked before its count.
func begin(ctx context.Context, tx *store.Tx, id, phase int64) error {
	if err := tx.LockRows(ctx, "contracts", []int64{id}); err != nil {
		return err
	}
	tx.TouchCounted("contracts", id)
	err := tx.Exec(ctx, `INSERT INTO licence_counts (contract_id, phase, upto, counted) VALUES ($1, $2, 0, 0)
		ON CONFLICT (contract_id) DO UPDATE SET phase = excluded.phase, upto = 0, counted = 0`, id, phase)
	if err != nil {
		return err
	}
	return tx.Exec(ctx, "UPDATE contracts SET counting = 1 WHERE id = $1", id)
}

// recount counts the computers of a licence anew, whose software has changed otherwise than by its items. It reports
// whether it has begun to do so in steps. The caller has called LockLicences.
func recount(ctx context.Context, tx *store.Tx, id int64, gone []string) (begun bool, err error) {
	state, err := stateOf(ctx, tx, id)
	if err == nil { // it is being counted
		if state.phase == adding {
			err = begin(ctx, tx, id, adding)
		}
		return false, err
	}
	if !errors.Is(err, store.ErrNotFound) {
		return false, err
	}
	few, err := coversFew(ctx, tx, id)
	if err == nil && few && firstOnes(tx) {
		_, err = count(ctx, tx, id, gone)
		return false, err
	}
	if err != nil {
		return false, err
	}
	return true, begin(ctx, tx, id, adding)
}

// A countState is how far the count of a licence is: up to which record, and what was counted up to there; while
// software is matched, the record up to which the database knows how much that is.
type countState struct{ phase, upto, counted int64 }

// stateOf returns how far the count of a licence is, or store.ErrNotFound for one that is not being counted.
func stateOf(ctx context.Context, tx *store.Tx, id int64) (s countState, err error) {
	err = tx.One(ctx, "SELECT phase, upto, counted FROM licence_counts WHERE contract_id = $1", []any{id},
		func(r sqldb.Row) error {
			s = countState{r.Int(0), r.Int(1), r.Int(2)}
			return nil
		})
	return s, err
}

// NextCounted returns a licence that is being counted, or store.ErrNotFound.
func NextCounted(ctx context.Context, tx *store.Tx) (int64, error) {
	return number(ctx, tx, "SELECT contract_id FROM licence_counts ORDER BY contract_id LIMIT 1")
}

// A Step is what a step of the count of a licence came to.
type Step struct {
	Done     bool     // the licence is not being counted any more
	Counted  kind.Int // because of this step, which has found so many computers
	Was      kind.Int // what was known of it before
	Full     bool     // the step had as much to do as it was given
	NewPhase bool     // the next step is of another sort
}

// StepLicence does a step of the count of a licence, with at most so many software records or computers. It is a
// transaction of its own. Computers with a status in gone are left out.
func StepLicence(ctx context.Context, tx *store.Tx, id int64, size int, gone []string) (step Step, err error) {
	s, err := stateOf(ctx, tx, id)
	if errors.Is(err, store.ErrNotFound) {
		return Step{Done: true}, nil
	}
	switch {
	case err != nil:
	case s.phase == matching:
		return matchStep(ctx, tx, id, s, size)
	case s.phase == matched:
		return Step{NewPhase: true}, barrier(ctx, tx, id)
	default:
		return addStep(ctx, tx, id, size, gone)
	}
	return step, err
}

// matchStep stores what a licence covers of the software above an id.
func matchStep(ctx context.Context, tx *store.Tx, id int64, s countState, size int) (step Step, err error) {
	if err := ShareLicences(ctx, tx); err != nil { // the licence's items and the names of software stay as they are
		return step, err
	}
	above := s.upto
	upto, n, err := next(ctx, tx, "softwares", above, size)
	if err != nil {
		return step, err
	}
	if n == 0 {
		if err := tx.Analyze(ctx, "licence_softwares"); err != nil {
			return step, err
		}
		return Step{NewPhase: true}, advance(ctx, tx, id, s, countState{matched, 0, 0})
	}
	for _, sql := range []string{
		"DELETE FROM licence_softwares WHERE contract_id = $1 AND software_id > $2 AND software_id <= $3",
		matches + "WHERE l.contract_id = $1 AND s.id > $2 AND s.id <= $3 ON CONFLICT DO NOTHING",
	} {
		if err := tx.Exec(ctx, sql, id, above, upto); err != nil {
			return step, err
		}
	}
	step.Full = n == int64(size)
	analyzed := s.counted
	if upto >= 2*analyzed {
		if err := tx.Analyze(ctx, "licence_softwares"); err != nil {
			return step, err
		}
		analyzed = upto
	}
	return step, advance(ctx, tx, id, s, countState{matching, upto, analyzed})
}

// barrier waits for those who have looked at what the licence covers before all of it was stored, and lets its
// computers be counted.
func barrier(ctx context.Context, tx *store.Tx, id int64) error {
	if err := LockLicences(ctx, tx); err != nil {
		return err
	}
	return advance(ctx, tx, id, countState{matched, 0, 0}, countState{adding, 0, 0})
}

// advance stores how far a count is now, unless it is not any more where it was.
func advance(ctx context.Context, tx *store.Tx, id int64, was, is countState) error {
	err := tx.One(ctx, `UPDATE licence_counts SET phase = $1, upto = $2, counted = $3
		WHERE contract_id = $4 AND phase = $5 AND upto = $6 RETURNING contract_id`,
		[]any{is.phase, is.upto, is.counted, id, was.phase, was.upto}, func(sqldb.Row) error { return nil })
	if errors.Is(err, store.ErrNotFound) {
		err = store.ErrAgain
	}
	return err
}

// next returns the id up to which there are so many records of a table above an id, and how many there are.
func next(ctx context.Context, tx *store.Tx, table string, above int64, size int) (upto, n int64, err error) {
	sql := "SELECT coalesce(max(id), 0), count(*) FROM (SELECT id FROM " + table + " WHERE id > $1 ORDER BY id LIMIT $2) r"
	err = tx.One(ctx, sql, []any{above, int64(size)}, func(r sqldb.Row) error {
		upto, n = r.Int(0), r.Int(1)
		return nil
	})
	return upto, n, err
}

// addStep counts the next computers. The lock of the licence comes before the statements that look at them, so what
// they see is what all have stored who did not find the mark of this step, see addInstalled.
func addStep(ctx context.Context, tx *store.Tx, id int64, size int, gone []string) (step Step, err error) {
	if err := tx.LockRows(ctx, "contracts", []int64{id}); err != nil {
		return step, err
	}
	s, err := stateOf(ctx, tx, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && s.phase != adding {
		return step, store.ErrAgain // it was otherwise a moment ago
	}
	if err != nil {
		return step, err
	}
	upto, n, err := next(ctx, tx, "hardwares", s.upto, size)
	if err == nil && n == 0 {
		return finish(ctx, tx, id, s.counted)
	}
	if err != nil {
		return step, err
	}
	using, err := countUsing(ctx, tx, id, s.upto, upto, gone)
	if err != nil {
		return step, err
	}
	step.Full = n == int64(size)
	return step, advance(ctx, tx, id, s, countState{adding, upto, s.counted + using})
}

// countUsing counts the computers with ids in a range that have software of a licence. The limits have no other effect
// than that PostgreSQL asks in this order, computer by computer: it knows too little of what a licence covers, and
// otherwise begins with all installations of all that.
func countUsing(ctx context.Context, tx *store.Tx, id, above, upto int64, gone []string) (int64, error) {
	args := []any{id, above, upto}
	var statuses []string
	for _, status := range gone {
		args = append(args, status)
		statuses = append(statuses, fmt.Sprintf("$%d", len(args)))
	}
	return number(ctx, tx, fmt.Sprintf(`SELECT count(*) FROM hardwares h
		WHERE h.id > $2 AND h.id <= $3 AND h.status NOT IN (%s)
		AND EXISTS (SELECT 1 FROM installations i WHERE i.hardware_id = h.id
			AND EXISTS (SELECT 1 FROM licence_softwares l
				WHERE l.contract_id = $1 AND l.software_id = i.software_id LIMIT 1 OFFSET 0) LIMIT 1 OFFSET 0)`, strings.Join(statuses, ", ")), args...)
}

// finish stores the count of a licence, and removes what was stored for software that was deleted while it was
// compared.
func finish(ctx context.Context, tx *store.Tx, id, installed int64) (step Step, err error) {
	step = Step{Done: true, Counted: kind.Some(installed)}
	err = tx.One(ctx, "SELECT installed FROM contracts WHERE id = $1", []any{id}, func(r sqldb.Row) error {
		step.Was = kind.Int{V: r.Int(0), Valid: !r.Null(0)}
		return nil
	})
	if err == nil && tx.Shared() {
		err = tx.Exec(ctx, `DELETE FROM licence_softwares l WHERE l.contract_id = $1
			AND NOT EXISTS (SELECT 1 FROM softwares s WHERE s.id = l.software_id)`, id)
	}
	if err != nil {
		return step, err
	}
	return step, setCounted(ctx, tx, id, installed)
}

// setCounted stores the count of a licence, which is not being counted any more.
func setCounted(ctx context.Context, tx *store.Tx, id, installed int64) error {
	tx.TouchCounted("contracts", id)
	if err := tx.Exec(ctx, "DELETE FROM licence_counts WHERE contract_id = $1", id); err != nil {
		return err
	}
	return tx.Exec(ctx, "UPDATE contracts SET installed = $1, counting = 0 WHERE id = $2", installed, id)
}
