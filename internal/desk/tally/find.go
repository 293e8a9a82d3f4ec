// Package tally counts again what the program counts beside records: how many computers have a software, how many a
// licence counts, and which number the next ticket gets. What differs is found in short looks at the database, and mended
// one count at a time, so that nobody who works meanwhile notices. How changes keep the counts belongs in package
// store/installs.
package tally

import (
	"context"
	"fmt"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/store"
	"muster/internal/store/installs"
	"muster/internal/store/sqldb"
)

// A Difference is a count that is not the one that is kept.
type Difference struct {
	Of            Counted
	ID            int64  // of the record, 0 for none
	Name          string // of the record
	Kept, Counted int64
}

// Counted is what is counted.
type Counted string

// What is counted.
const (
	Installs Counted = "installs"      // computers that have a software
	Covered  Counted = "covered"       // software that a licence covers
	Licensed Counted = "installed"     // computers that a licence counts
	Tickets  Counted = "ticket number" // the last one that was given
)

// String says what differs.
func (d Difference) String() string {
	switch d.Of {
	case Installs:
		return fmt.Sprintf("software %d (%s): installs is %d, counted %d", d.ID, d.Name, d.Kept, d.Counted)
	case Covered:
		return fmt.Sprintf("licence %d (%s): covers %d software records, counted %d", d.ID, d.Name, d.Kept, d.Counted)
	case Licensed:
		return fmt.Sprintf("licence %d (%s): installed is %d, counted %d", d.ID, d.Name, d.Kept, d.Counted)
	}
	return fmt.Sprintf("ticket numbers: the last one is %d, the highest of a ticket is %d", d.Kept, d.Counted)
}

// atOnce is how many software records one look counts.
const atOnce = 200

// Find returns what differs. Each look sees one state of the database, in which a count and what is counted fit.
func Find(ctx context.Context, s *store.Store) (all []Difference, err error) {
	var some []Difference
	for after, more := int64(0), true; more; {
		err := s.View(ctx, func(tx *store.Tx) (err error) {
			some, after, more, err = installsAfter(ctx, tx, after)
			return err
		})
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	ids, err := licences(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		err := s.Snapshot(ctx, func(tx *store.Tx) error { // a large one takes longer than other transactions may
			some, err = ofLicence(ctx, tx, id)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("count licence %d: %w", id, err)
		}
		all = append(all, some...)
	}
	err = s.View(ctx, func(tx *store.Tx) (err error) {
		some, err = ofTickets(ctx, tx)
		return err
	})
	return append(all, some...), err
}

// installsAfter counts the computers of the next software records after an id. It returns the last id, and whether there
// may be more.
func installsAfter(ctx context.Context, tx *store.Tx, after int64) (some []Difference, last int64, more bool, err error) {
	n := 0
	some, err = differing(ctx, tx, Installs, `SELECT s.id, s.name, coalesce(s.installs, 0),
		(SELECT count(*) FROM installations i WHERE i.software_id = s.id) FROM softwares s
		WHERE s.id > $1 ORDER BY s.id LIMIT $2`, []any{after, int64(atOnce)}, func(id int64) {
		last = id
		n++
	})
	return some, last, n == atOnce, err
}

// licences returns the ids of all licences but those whose computers are being counted.
func licences(ctx context.Context, s *store.Store) (ids []int64, err error) {
	err = s.Read(ctx, func(tx *store.Tx) error {
		return tx.Query(ctx, "SELECT id FROM contracts WHERE type = $1 AND coalesce(counting, 0) = 0 ORDER BY id", []any{inventory.SoftwareLicense},
			func(r sqldb.Row) error {
				ids = append(ids, r.Int(0))
				return nil
			})
	})
	return ids, err
}

// ofLicence counts what a licence covers, and the computers that have some of it.
func ofLicence(ctx context.Context, tx *store.Tx, id int64) ([]Difference, error) {
	const covers = "SELECT software_id FROM licence_softwares WHERE contract_id = c.id"
	const matches = `SELECT s.id FROM licence_items l JOIN softwares s ON s.name_folded LIKE l.pattern ESCAPE '\'
		AND (l.version IS NULL OR substr(s.version_folded, 1, length(l.version)) = l.version) WHERE l.contract_id = c.id`
	var covered []Difference
	err := tx.Query(ctx, `SELECT c.id, c.name, (SELECT count(*) FROM (`+covers+`) k), (SELECT count(*) FROM (`+covers+` EXCEPT `+
		matches+`) w), (SELECT count(*) FROM (`+matches+` EXCEPT `+covers+`) m) FROM contracts c WHERE c.id = $1`, []any{id},
		func(r sqldb.Row) error {
			if kept, wrong, missing := r.Int(2), r.Int(3), r.Int(4); wrong+missing > 0 {
				covered = []Difference{{Covered, r.Int(0), string(r.Bytes(1, nil)), kept, kept - wrong + missing}}
			}
			return nil
		})
	if err != nil || len(covered) > 0 {
		return covered, err
	}
	counted, err := installs.Counted(ctx, tx, id, inventory.Gone)
	if err != nil {
		return nil, err
	}
	return differing(ctx, tx, Licensed, "SELECT id, name, coalesce(installed, 0), CAST($2 AS BIGINT) FROM contracts WHERE id = $1",
		[]any{id, counted}, nil)
}

// ofTickets returns a difference when tickets have numbers above the last that was given.
func ofTickets(ctx context.Context, tx *store.Tx) ([]Difference, error) {
	all, err := differing(ctx, tx, Tickets, `SELECT CAST(0 AS BIGINT), '', coalesce((SELECT value FROM counters WHERE name = $1), 0),
		coalesce((SELECT max(number) FROM tickets), 0)`, []any{desk.TicketCounter}, nil)
	if len(all) > 0 && all[0].Kept > all[0].Counted {
		return nil, err // the last ticket was deleted, and its number is not given again
	}
	return all, err
}

// differing runs a query for ids, names, kept and counted numbers, and returns those that differ. It calls each, if not
// nil, with every id.
func differing(ctx context.Context, tx *store.Tx, of Counted, sql string, args []any, each func(int64)) (all []Difference,
	err error) {
	err = tx.Query(ctx, sql, args, func(r sqldb.Row) error {
		d := Difference{Of: of, ID: r.Int(0), Name: string(r.Bytes(1, nil)), Kept: r.Int(2), Counted: r.Int(3)}
		if d.Kept != d.Counted {
			all = append(all, d)
		}
		if each != nil {
			each(d.ID)
		}
		return nil
	})
	return all, err
}
