package merge

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// A Pair are two computers that may be one: an agent reported the newer one as
// new, though something of it was known from the older one.
type Pair struct{ Older, Newer *inventory.Computer }

// Of pairs: how many are returned at once, unless the last doubt is about more; how
// many doubts are read at a time, and how often.
const (
	maxPairs           = 25
	maxDuplicateAudits = 100
	maxReads           = 20
)

// What the formats of audit records say of duplicates. A person may say one of the last two.
const (
	duplicateOf  = "; possible duplicate of computer"
	noDuplicate  = "Not a duplicate of computer "
	stillDoubted = "May be a duplicate of computer "
)

// Duplicates returns pairs of computers that were doubted and that nobody has
// merged, deleted or said to be different since, the latest doubt first. They are
// those of doubts whose audit records come before one, or the latest for 0. It
// returns too before which to look for more, 0 when there are no older doubts.
func (s *Service) Duplicates(ctx context.Context, who desk.Caller,
	before int64) (pairs []Pair, older int64, err error) {
	for range maxReads {
		doubts, err := s.duplicateAudits(ctx, who, before)
		if err != nil {
			return nil, 0, err
		}
		open, err := s.openPairs(ctx, who, doubts)
		if err != nil {
			return nil, 0, err
		}
		for _, a := range doubts {
			if len(pairs) > 0 && len(pairs)+len(open[a.ID]) > maxPairs {
				return pairs, before, nil
			}
			if pairs, err = s.addPairs(ctx, who, pairs, open[a.ID]); err != nil {
				return nil, 0, err
			}
			before = a.ID
		}
		if len(doubts) < maxDuplicateAudits {
			return pairs, 0, nil
		}
	}
	return pairs, before, nil
}

// duplicateAudits returns the audit records of doubts before one, the latest first.
func (s *Service) duplicateAudits(ctx context.Context, who desk.Caller, before int64) ([]*inventory.Audit, error) {
	return s.auditsWith(ctx, who, "possible duplicate", before, maxDuplicateAudits)
}

// auditsWith returns audit records of computers that have some words, before one unless
// that is 0, the latest first and at most so many.
func (s *Service) auditsWith(ctx context.Context, who desk.Caller, words string, before int64, most int,
	conds ...kind.Cond) (audits []*inventory.Audit, err error) {
	k := inventory.Audits.Schema
	q := &kind.Query{Search: &kind.Search{Text: words}, Sort: k.Field("id"), Desc: true, Page: 1, PerPage: most,
		Today: kind.Today(s.desk.Now())}
	q.Conds = append(conds,
		kind.Cond{Field: k.Field("record-type"), Any: []kind.Test{{Text: []string{inventory.Computers.Item}}}})
	if before > 0 {
		q.Conds = append(q.Conds,
			kind.Cond{Field: k.Field("id"), Any: []kind.Test{{Range: true, Min: 0, Max: before - 1}}})
	}
	page, err := s.desk.List(ctx, who, k, q)
	for _, rec := range page.Records {
		audits = append(audits, rec.(*inventory.Audit))
	}
	return audits, err
}

// openPairs returns the pairs of doubts that nobody has settled, by their audit
// records.
func (s *Service) openPairs(ctx context.Context, who desk.Caller,
	doubts []*inventory.Audit) (open map[int64][][2]int64, err error) {
	var ids []int64
	for _, a := range doubts {
		ids = append(append(ids, a.RecordID.V), duplicatesIn(a)...)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	there := map[int64]bool{}
	err = s.desk.Each(ctx, who, inventory.Computers.Schema, ids, func(recs []any) error {
		for _, rec := range recs {
			there[rec.(*inventory.Computer).ID] = true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	settled, err := s.settled(ctx, who, doubts)
	if err != nil {
		return nil, err
	}
	open = map[int64][][2]int64{}
	for _, a := range doubts {
		for _, other := range duplicatesIn(a) {
			pair := pairOf(a.RecordID.V, other)
			if there[pair[0]] && there[pair[1]] && !settled[pair] {
				open[a.ID], settled[pair] = append(open[a.ID], pair), true // once is enough
			}
		}
	}
	return open, nil
}

// settled returns the pairs of which somebody has said last that they are different,
// where the newer computer is that of one of these doubts.
func (s *Service) settled(ctx context.Context, who desk.Caller,
	doubts []*inventory.Audit) (settled map[[2]int64]bool, err error) {
	settled = map[[2]int64]bool{}
	if len(doubts) == 0 {
		return settled, nil
	}
	ids := kind.Test{Range: true, Min: doubts[0].RecordID.V, Max: doubts[0].RecordID.V}
	for _, a := range doubts { // of computers that were made one after another
		ids.Min, ids.Max = min(ids.Min, a.RecordID.V), max(ids.Max, a.RecordID.V)
	}
	k := inventory.Audits.Schema
	conds := []kind.Cond{{Field: k.Field("record-id"), Any: []kind.Test{ids}}, {
		Field: k.Field("action"), Any: []kind.Test{{Text: []string{inventory.Updated}}},
	}}
	for before := int64(0); ; {
		audits, err := s.auditsWith(ctx, who, "a duplicate of computer", before, kind.ReadAtOnce, conds...)
		if err != nil {
			return nil, err
		}
		for _, a := range audits {
			before = a.ID
			settle(settled, a)
		}
		if len(audits) < kind.ReadAtOnce {
			return settled, nil
		}
	}
}

// settle notes what an audit record says of a pair, unless a later one was noted.
func settle(settled map[[2]int64]bool, a *inventory.Audit) {
	for _, says := range []string{noDuplicate, stillDoubted} {
		if !strings.HasPrefix(formatOf(a), says) {
			continue
		}
		other := computerSaid(a, says)
		if _, known := settled[pairOf(a.RecordID.V, other)]; other != 0 && !known {
			settled[pairOf(a.RecordID.V, other)] = says == noDuplicate
		}
	}
}

// formatOf returns the format of an audit record's message, or the message where that is not known.
func formatOf(a *inventory.Audit) string {
	if said := a.Said(); !said.IsZero() {
		return said.Format
	}
	return a.Message
}

// computerSaid returns the computer that an audit record of a pair names, 0 for none. Those of former versions say it
// in words that follow a beginning.
func computerSaid(a *inventory.Audit, begin string) (id int64) {
	if said := a.Said(); !said.IsZero() {
		id, _ = said.Args[0].(int64)
		return id
	}
	number, _, _ := strings.Cut(strings.TrimPrefix(a.Message, begin), " ")
	id, _ = strconv.ParseInt(number, 10, 64)
	return id
}

// addPairs adds pairs of which both computers are there.
func (s *Service) addPairs(ctx context.Context, who desk.Caller, pairs []Pair, found [][2]int64) (_ []Pair, err error) {
	for _, ids := range found {
		if pairs, err = s.addPair(ctx, who, pairs, ids); err != nil {
			return nil, err
		}
	}
	return pairs, nil
}

// addPair adds a pair, if both computers are there still.
func (s *Service) addPair(ctx context.Context, who desk.Caller, pairs []Pair, ids [2]int64) ([]Pair, error) {
	var both [2]*inventory.Computer
	for i, id := range ids {
		rec, err := s.desk.Get(ctx, who, inventory.Computers.Schema, id)
		if refused, ok := errors.AsType[*desk.Error](err); ok && refused.Code == desk.NotFound {
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

// duplicatesIn returns the computers of which an audit record says that the new one may be a duplicate.
func duplicatesIn(a *inventory.Audit) (ids []int64) {
	said := a.Said()
	if said.IsZero() {
		return formerDuplicatesIn(a.Message)
	}
	if !strings.Contains(said.Format, duplicateOf) {
		return nil
	}
	others, _ := said.Args[1].(message.Text)
	for _, arg := range others.Args {
		if one, ok := arg.(message.Text); ok {
			id, _ := one.Args[0].(int64)
			ids = append(ids, id)
		}
	}
	return ids
}

// formerDuplicatesIn is doubted for the message of a former version, such as
// "…; possible duplicate of computers 7 (a), 8 (b)".
func formerDuplicatesIn(message string) (ids []int64) {
	_, others, found := strings.Cut(message, duplicateOf)
	if !found {
		return nil
	}
	for one := range strings.SplitSeq(strings.TrimPrefix(others, "s"), ", ") {
		number, _, named := strings.Cut(strings.TrimSpace(one), " (")
		if id, err := strconv.ParseInt(number, 10, 64); named && err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// ErrSame is the answer to who names one computer twice where two are meant.
var ErrSame = desk.Refuse(desk.Conflict, "a computer is the same as itself")

// NoDuplicate notes in the history of a computer that it is not the same as
// another one. Administrators alone may do that.
func (s *Service) NoDuplicate(ctx context.Context, who desk.Caller, older, newer int64) error {
	return s.notePair(ctx, who, older, newer, "a %s may not say that computers are different",
		func(c *inventory.Computer) message.Text {
			return message.New("Not a duplicate of computer %d (%s)", c.ID, c.Name)
		})
}

// MayBeDuplicate takes back that a computer is not the same as another one.
func (s *Service) MayBeDuplicate(ctx context.Context, who desk.Caller, older, newer int64) error {
	return s.notePair(ctx, who, older, newer, "a %s may not say that computers may be one",
		func(c *inventory.Computer) message.Text {
			return message.New("May be a duplicate of computer %d (%s) after all", c.ID, c.Name)
		})
}

// notePair notes in the history of a computer what another one is to it, if the
// caller may do such a thing.
func (s *Service) notePair(ctx context.Context, who desk.Caller, older, newer int64, forbidden string,
	says func(*inventory.Computer) message.Text) error {
	return s.desk.Store().Update(ctx, func(tx *store.Tx) error {
		if err := s.desk.Administers(ctx, tx, who, forbidden); err != nil {
			return err
		}
		if older == newer {
			return ErrSame
		}
		var both [2]*inventory.Computer
		for i, id := range pairOf(older, newer) { // the newer one has it, whichever was named first
			c, err := store.Get(ctx, tx, inventory.Computers, id)
			if errors.Is(err, store.ErrNotFound) {
				return desk.NoSuch(inventory.Computers.Schema, id)
			}
			if err != nil {
				return err
			}
			both[i] = c
		}
		return s.desk.WriteAudit(ctx, tx, who, inventory.Computers.Schema, both[1],
			desk.NewAudit(inventory.Updated, says(both[0])))
	})
}
