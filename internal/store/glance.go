package store

import (
	"context"
	"slices"
	"sync"

	"muster/internal/index"
	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/plan"
)

// Numbers of a glance: the newest records that it looks at, the others, which are spread evenly over all, and from
// how many records on those with the words are many, so that they are not counted. To find and count so many takes
// some 10 ms of CPU time.
const (
	glanceNewest = 100
	glanceSpread = 400
	glanceMany   = 10_000
)

// glanceWords limits the bytes of words that a sample has of a record.
const glanceWords = 16 << 10

// Glance is List for people who watch while they type. When very many records have the words of a search without
// other conditions, it returns only some of them: the newest, as long as a sample of all records has enough. It
// does not count them then, and the page says that there are many.
func (s *Store) Glance(
	ctx context.Context, k *kind.Schema, q *kind.Query, with func(*Tx, []any) error,
) (page kind.Page, err error) {
	if x := s.toGlanceAt(ctx, k, q); x != nil {
		err = s.View(ctx, func(tx *Tx) error {
			ids, err := tx.glance(ctx, k, q, x)
			page = kind.Page{Many: ids != nil}
			if err != nil || ids == nil {
				return err
			}
			if page.Records, err = tx.rowsOf(ctx, k, q, ids); err != nil || with == nil {
				return err
			}
			return with(tx, page.Records)
		})
		if err != nil || page.Many {
			return page, err
		}
	}
	return s.List(ctx, k, q, with)
}

// toGlanceAt returns the index of a kind, if a list of it is a search without other conditions of so many records
// that a glance may save something; else nil.
func (s *Store) toGlanceAt(ctx context.Context, k *kind.Schema, q *kind.Query) *index.Index {
	if s.Plan(k, q, plan.NoDocument) != plan.ChosenByWords || !plan.MustFindAll(q) {
		return nil
	}
	snapshot := s.IndexSnapshot(ctx, k)
	if snapshot == nil {
		return nil
	}
	x := snapshot.indexes[k].Index
	if total, _, _ := x.Find(&kind.Query{Page: 1, PerPage: 1}); total <= s.samples.many {
		return nil
	}
	return x
}

// glance returns some records that have the words of a search, nil when they are to be found and counted.
func (tx *Tx) glance(ctx context.Context, k *kind.Schema, q *kind.Query, x *index.Index) ([]int64, error) {
	words := mapping.AskedOf(q.Search.Text)
	if tx.seen == nil || tx.store.searched.get(searchKey(k, q.Search, words)) != nil {
		return nil, nil
	}
	s := tx.store.samples.of(searchKey(k, q.Search, nil))
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.update(ctx, tx, k, q.Search.Beside, x); err != nil {
		return nil, err
	}
	return s.among(words, q.PerPage, tx.store.samples.many), nil
}

// A samples has the samples of all kinds.
type samples struct {
	many int // glanceMany
	mu   sync.Mutex
	all  map[string]*sample
}

// of returns the sample for a search of any words.
func (m *samples) of(key string) *sample {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.all == nil {
		m.all = map[string]*sample{}
	}
	if m.all[key] == nil {
		m.all[key] = &sample{}
	}
	return m.all[key]
}

// A sample has the words of some records of a kind.
type sample struct {
	mu     sync.Mutex
	asOf   int64   // the number of a state of the database
	total  int     // records of the kind
	newest []int64 // their ids, the newest first
	spread []int64
	spans  int // how many records there were when the others were chosen
	words  map[int64][]string
}

// update brings the sample up to date for a transaction.
func (s *sample) update(
	ctx context.Context, tx *Tx, k *kind.Schema, beside []kind.Beside, x *index.Index,
) error {
	t := tx.table(k)
	changed, ok := tx.store.recent.since(t, s.asOf, 10*mostMended)
	if !ok || s.words == nil {
		s.words = map[int64][]string{}
	}
	for _, id := range changed {
		delete(s.words, id)
	}
	s.choose(x)
	lacks := slices.DeleteFunc(s.ids(), func(id int64) bool { _, ok := s.words[id]; return ok })
	if len(lacks) > 0 {
		made, err := tx.wordsOf(ctx, t, beside, lacks)
		if err != nil {
			return err
		}
		for _, id := range lacks {
			s.words[id] = shortened(made[id])
		}
		s.forget()
	}
	s.asOf = tx.seen.number
	return nil
}

// choose chooses the records. The ones that are spread over all stay as long as they are.
func (s *sample) choose(x *index.Index) {
	var hits []index.Hit
	s.total, hits, _ = x.Find(&kind.Query{Desc: true, Page: 1, PerPage: glanceNewest})
	s.newest = s.newest[:0]
	for _, h := range hits {
		s.newest = append(s.newest, h.ID)
	}
	if s.total <= s.spans+s.spans/4 && s.total >= s.spans-s.spans/4 {
		return
	}
	s.spread, s.spans = s.spread[:0], s.total
	for i := range glanceSpread {
		_, hits, _ := x.Find(&kind.Query{Page: 1 + s.total*i/glanceSpread, PerPage: 1})
		for _, h := range hits {
			s.spread = append(s.spread, h.ID)
		}
	}
	slices.Reverse(s.spread)
}

// ids returns the ids of all records of the sample once, the newest first and then the others.
func (s *sample) ids() []int64 {
	ids := slices.Clone(s.newest)
	for _, id := range s.spread {
		if !slices.Contains(s.newest, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// forget drops the words of records that are no longer in the sample.
func (s *sample) forget() {
	ids := s.ids()
	if len(s.words) <= len(ids) {
		return
	}
	kept := make(map[int64][]string, len(ids))
	for _, id := range ids {
		kept[id] = s.words[id]
	}
	s.words = kept
}

// among returns up to n records of the sample that have all words, the newest first, if about so many records have
// them; else nil.
func (s *sample) among(words []mapping.Asked, n, many int) (ids []int64) {
	found := 0
	for _, id := range s.spread {
		if hasAll(s.words[id], words) {
			found++
		}
	}
	if len(s.spread) == 0 || found*s.total < many*len(s.spread) {
		return nil
	}
	for _, id := range s.ids() {
		if len(ids) < n && hasAll(s.words[id], words) {
			ids = append(ids, id)
		}
	}
	return ids
}

// shortened returns as much of texts as a sample has.
func shortened(texts []string) []string {
	room := glanceWords
	for i, text := range texts {
		texts[i] = text[:min(room, len(text))]
		room -= len(texts[i])
	}
	return texts
}
