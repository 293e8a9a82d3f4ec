package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// A Walk says how a chain is verified.
type Walk struct {
	Expect   *Head // the head of an earlier time, nil when none is known
	Last     int64 // verify so many records at the end only, 0 for all
	Progress func(part string, done, total int64)
}

// A Verified is the result for a chain in which every record fits.
type Verified struct {
	Head    Head
	Pending int64     // records that are not in the chain yet
	Guarded bool      // triggers protect it from changes
	Newest  time.Time // creation time of the last record, zero without one
}

// A Misfit is the error for a chain that is not intact.
type Misfit struct {
	Kind *kind.Schema
	ID   int64 // of the first record that does not fit, 0 when there is none
	Text message.Text
}

// Error returns the message in English.
func (m *Misfit) Error() string { return m.Message().String() }

// Message says what is wrong.
func (m *Misfit) Message() message.Text {
	if m.ID == 0 {
		return m.Text
	}
	return message.New("%s %d does not fit: %s", message.Word(m.Kind.Noun), m.ID, m.Text)
}

// verifiedAtOnce is how many records are read in one transaction. A longer one would keep SQLite from
// shortening its -wal file.
const verifiedAtOnce = 1000

// Verify checks the chain of a kind. Its error is a *Misfit when a record does not fit, or the chain does not
// contain the expected head. Records may be added in the meantime.
func (s *Store) Verify(ctx context.Context, k *kind.Schema, w Walk) (Verified, error) {
	v := &verifier{table: s.tables[k], walk: w}
	err := s.View(ctx, func(tx *Tx) error { return v.begin(ctx, tx) })
	for n := verifiedAtOnce; err == nil && n == verifiedAtOnce; {
		err = s.View(ctx, func(tx *Tx) (err error) {
			n, err = v.some(ctx, tx)
			return err
		})
		if w.Progress != nil {
			w.Progress(k.Plural, v.Head.Count, v.total)
		}
	}
	if err == nil {
		err = v.reached()
	}
	return v.Verified, err
}

// A verifier is the state of a verification under way.
type verifier struct {
	Verified
	table *mapping.Table
	walk  Walk
	total int64
	last  int64 // the id of the record before
}

// begin determines the length of the chain, and where to start.
func (v *verifier) begin(ctx context.Context, tx *Tx) (err error) {
	if v.total, err = tx.Total(ctx, v.table.Kind); err != nil {
		return err
	}
	if v.Guarded, err = tx.isGuarded(ctx, v.table); err != nil {
		return err
	}
	err = tx.One(ctx, "SELECT count(*) FROM "+v.table.Chain.Pending, nil, func(r sqldb.Row) error {
		v.Pending = r.Int(0)
		return nil
	})
	if err != nil || v.walk.Last == 0 || v.walk.Last >= v.total {
		return err
	}
	v.Head.Count = v.total - v.walk.Last
	sql := fmt.Sprintf("SELECT id, %s FROM %s ORDER BY id DESC LIMIT 1 OFFSET $1", mapping.HashColumn, v.table.Name)
	return tx.One(ctx, sql, []any{v.walk.Last}, func(r sqldb.Row) error {
		v.last = r.Int(0)
		copy(v.Head.Hash[:], r.Bytes(1, nil))
		return nil
	})
}

// some verifies the next records, and returns how many.
func (v *verifier) some(ctx context.Context, tx *Tx) (n int, err error) {
	before := *v // the transaction may be run again
	defer func() {
		if err != nil {
			*v = before
		}
	}()
	first := v.last
	ties := make([][]pair, len(v.table.Ties))
	s := mapping.Scanner{Table: v.table, Selection: &v.table.Chain.Whole}
	err = tx.Query(ctx, s.Selection.Sql+"r.id > $1 ORDER BY r.id LIMIT $2", []any{v.last, int64(verifiedAtOnce)},
		func(r sqldb.Row) error {
			n++
			rec := v.table.Kind.Empty(1)[0]
			if err := s.Scan(r, rec); err != nil {
				return v.misfit(r.Int(0), "it cannot be read: %v", err)
			}
			for i, f := range v.table.Ties {
				for _, other := range mapping.TiedIDs(v.table.Kind, f, rec) {
					ties[i] = append(ties[i], pair{r.Int(0), other})
				}
			}
			return v.fits(r, rec)
		})
	for i, f := range v.table.Ties {
		if err == nil {
			err = v.tied(ctx, tx, f.TieTable(), first, n < verifiedAtOnce, ties[i])
		}
	}
	return n, err
}

// fits checks one record against the one before, and takes its place.
func (v *verifier) fits(r sqldb.Row, rec any) error {
	meta, at := v.table.Kind.Meta(rec), v.table.Chain.Whole.Extra
	stored := r.Bytes(at, nil)
	before := v.last
	v.last, v.Newest = meta.ID, meta.CreatedAt
	v.Head.next(v.table.Kind, rec)
	switch {
	case len(stored) != sha256.Size:
		return v.misfit(meta.ID, "it has no hash")
	case !bytes.Equal(stored, v.Head.Hash[:]):
		return v.wrongHash(meta.ID, before)
	case meta.Version != 1 || !meta.UpdatedAt.Equal(meta.CreatedAt):
		return v.misfit(meta.ID, "it was marked as changed")
	}
	for _, c := range v.table.Columns {
		if c.Role != mapping.IsFolded {
			continue
		}
		at++
		want := c.Fold(*v.table.Kind.Values(rec).Text(c.Field))
		if got := string(r.Bytes(at, nil)); got != want {
			return v.misfit(meta.ID, "lists would find it by another %s than it has", message.Word(c.Field.Name))
		}
	}
	if e := v.walk.Expect; e != nil && e.Count == v.Head.Count && e.Hash != v.Head.Hash {
		return v.misfit(meta.ID, "record number %d had the hash %x, and has %x: the chain was written anew", e.Count,
			e.Hash, v.Head.Hash)
	}
	return nil
}

// wrongHash returns the error for a record whose hash does not follow from the record before, whose id is 0 for
// the first.
func (v *verifier) wrongHash(id, before int64) error {
	noun, gap := message.Word(v.table.Kind.Noun), id != before+1
	switch {
	case before == 0 && gap:
		return v.misfit(id, "its hash does not follow from its content and the beginning: "+
			"what was between them is missing, or one of them was changed")
	case before == 0:
		return v.misfit(id, "its hash does not follow from its content and the beginning: one of them was changed")
	case gap:
		return v.misfit(id, "its hash does not follow from its content and %s %d: "+
			"what was between them is missing, or one of them was changed", noun, before)
	}
	return v.misfit(id, "its hash does not follow from its content and %s %d: one of them was changed", noun, before)
}

func (v *verifier) misfit(id int64, format string, args ...any) error {
	return &Misfit{v.table.Kind, id, message.New(format, args...)}
}

// A pair is a tie of a record to another.
type pair struct{ id, other int64 }

// tied compares a table of ties with the ties of the records that were read: those after first up to the last
// one, or to the end of the table.
func (v *verifier) tied(ctx context.Context, tx *Tx, table string, first int64, end bool, want []pair) error {
	sql, args := "SELECT id, tied_id FROM "+table+" WHERE id > $1", []any{first}
	if !end {
		sql, args = sql+" AND id <= $2", append(args, v.last)
	}
	var got []pair
	err := tx.Query(ctx, sql+" ORDER BY id, tied_id", args, func(r sqldb.Row) error {
		got = append(got, pair{r.Int(0), r.Int(1)})
		return nil
	})
	if err != nil || slices.Equal(got, want) {
		return err
	}
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	var ids []int64
	for _, pairs := range [][]pair{got, want} {
		if i < len(pairs) {
			ids = append(ids, pairs[i].id)
		}
	}
	if id := slices.Min(ids); id > v.last {
		return v.misfit(id, "it is missing, though the table %s tells of it", table)
	}
	return v.misfit(slices.Min(ids), "it is among other lists than those that it is about: see the table %s", table)
}

// reached checks that the chain still contains its earlier head.
func (v *verifier) reached() error {
	e := v.walk.Expect
	switch {
	case e == nil || e.Count > 0 && e.Count <= v.Head.Count:
		return nil
	case e.Count > v.Head.Count:
		return v.misfit(0, "the chain had %d records and has %d: its end is missing", e.Count, v.Head.Count)
	case e.Hash != Head{}.Hash:
		return v.misfit(0, "a chain without records has the head %s", Head{})
	}
	return nil
}
