package desk

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"muster/internal/inventory"
	"muster/internal/store"
)

// A Pair are two computers that may be one: an agent reported the newer one as
// new, though something of it was known from the older one.
type Pair struct{ Older, Newer *inventory.Computer }

// maxDoubts is how many audit records are looked at for pairs, the last first.
const maxDoubts = 200

// What audit records say of duplicates.
var (
	duplicateOf  = regexp.MustCompile(`possible duplicate of computers? (.*)$`)
	noDuplicate  = regexp.MustCompile(`^Not a duplicate of computer (\d+) `)
	duplicateIDs = regexp.MustCompile(`(?:^|, )(\d+) \(`)
)

// Duplicates returns the pairs of computers that were doubted lately and that
// nobody has merged, deleted or said to be different since.
func (d *Desk) Duplicates(ctx context.Context, who Caller) (pairs []Pair, err error) {
	q, err := inventory.Audits.ParseQuery(url.Values{
		"q": {"duplicate"}, "record_type": {inventory.Computers.Item}, "sort_by": {"id"}, "sort_order": {"DESC"}, "per_page": {strconv.Itoa(maxDoubts)},
	}.Encode(), d.now())
	if err != nil {
		return nil, err
	}
	found, err := d.List(ctx, who, inventory.Audits.Schema, q)
	if err != nil {
		return nil, err
	}
	different := map[[2]int64]bool{}
	for _, rec := range found.Records { // who said so did it after the doubt, so it comes first
		a := rec.(*inventory.Audit)
		if m := noDuplicate.FindStringSubmatch(a.Message); m != nil {
			other, _ := strconv.ParseInt(m[1], 10, 64)
			different[pairOf(a.RecordID.V, other)] = true
			continue
		}
		for _, other := range doubted(a.Message) {
			pair := pairOf(a.RecordID.V, other)
			if different[pair] {
				continue
			}
			different[pair] = true // once is enough
			if pairs, err = d.addPair(ctx, who, pairs, pair); err != nil {
				return nil, err
			}
		}
	}
	return pairs, nil
}

// addPair adds a pair, if both computers are there.
func (d *Desk) addPair(ctx context.Context, who Caller, pairs []Pair, ids [2]int64) ([]Pair, error) {
	var both [2]*inventory.Computer
	for i, id := range ids {
		rec, err := d.Get(ctx, who, inventory.Computers.Schema, id)
		if refused, ok := errors.AsType[*Error](err); ok && refused.Code == NotFound {
			return pairs, nil
		}
		if err != nil {
			return nil, err
		}
		both[i] = rec.(*inventory.Computer)
	}
	return append(pairs, Pair{both[0], both[1]}), nil
}

func pairOf(a, b int64) [2]int64 { return [2]int64{min(a, b), max(a, b)} }

// doubted returns the computers of which a message says that the new one may be a
// duplicate.
func doubted(message string) (ids []int64) {
	m := duplicateOf.FindStringSubmatch(message)
	if m == nil {
		return nil
	}
	for _, one := range duplicateIDs.FindAllStringSubmatch(strings.TrimSpace(m[1]), -1) {
		if id, err := strconv.ParseInt(one[1], 10, 64); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// NoDuplicate notes in the history of a computer that it is not the same as
// another one. Administrators alone may do that.
func (d *Desk) NoDuplicate(ctx context.Context, who Caller, older, newer int64) error {
	return d.store.Update(ctx, func(tx *store.Tx) error {
		if err := d.administers(ctx, tx, who, "say that computers are different"); err != nil {
			return err
		}
		if older == newer {
			return refuse(Conflict, "a computer is the same as itself")
		}
		var both [2]*inventory.Computer
		for i, id := range []int64{older, newer} {
			c, err := store.Get(ctx, tx, inventory.Computers, id)
			if errors.Is(err, store.ErrNotFound) {
				return refuse(NotFound, "there is no computer with the id %d", id)
			}
			if err != nil {
				return err
			}
			both[i] = c
		}
		return d.write(ctx, tx, who, inventory.Computers.Schema, both[1], &inventory.Audit{
			Action: inventory.Updated, Message: fmt.Sprintf("Not a duplicate of computer %d (%s)", older, both[0].Name),
		})
	})
}
