// Package fragment caches rendered records in memory, so that lists need not render them again.
//
// A fragment has what its reader needs to check that it is still valid: the clock value from before its record
// was read, the day, and the other records that it shows. The size of the cache is limited; the least recently
// used fragments are dropped. Rendering does not belong here, nor reading records.
package fragment

import (
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"muster/internal/kind"
)

// A Kept is a cached fragment with the state that it is valid for. It is never changed.
type Kept struct {
	*kind.Fragment
	Clock  int64       // value of the store's clock before the record was read
	Day    int64       // on which it was rendered, 0 when it does not depend on that
	Others []kind.Name // other records that it shows
	Share  int         // size in bytes that it was cut to, or kind.NoItems; 0 when it is whole
}

// size returns how much memory the fragment takes, with its place in a shard.
func (k *Kept) size() int64 {
	const fixed = int64(unsafe.Sizeof(Kept{})+unsafe.Sizeof(slot{})) + 64 // in the map
	return fixed + int64(k.Memory()) + int64(cap(k.Others))*int64(unsafe.Sizeof(kind.Name{}))
}

// copy returns a fragment that shares no memory with others.
func (k *Kept) copy() *Kept {
	own := *k
	own.Fragment, own.Others = k.Fragment.Copy(), slices.Clone(k.Others)
	return &own
}

// A key identifies a fragment: the form and the record.
type key struct {
	form *kind.Form
	id   int64
}

const (
	shards = 16
	// oneIn limits a fragment to this part of the memory, so that a few huge records do not displace all
	// others.
	oneIn = 256
)

// A Cache keeps fragments. It is safe for concurrent use; a nil one is always empty.
type Cache struct {
	shards       [shards]shard
	hits, misses atomic.Int64
}

// New returns a cache of at most so many bytes, nil for none.
func New(bytes int64) *Cache {
	if bytes <= 0 {
		return nil
	}
	c := &Cache{}
	for i := range c.shards {
		c.shards[i].most, c.shards[i].slots = bytes/shards, map[key]*slot{}
	}
	return c
}

// Get returns the fragment of a record in a form, nil when there is none.
func (c *Cache) Get(form *kind.Form, id int64) *Kept {
	if c == nil {
		return nil
	}
	return c.shard(id).get(key{form, id})
}

// Put stores a copy of a fragment, replacing a former one. A fragment that would displace others is stored when it is
// put for the second time within a while: who reads all pages of a list, each once, displaces nothing.
func (c *Cache) Put(form *kind.Form, k *Kept) {
	if c != nil {
		c.shard(k.ID).put(key{form, k.ID}, k)
	}
}

func (c *Cache) shard(id int64) *shard { return &c.shards[uint64(id)%shards] }

// Count adds to the numbers of valid and of missing or outdated fragments.
func (c *Cache) Count(hits, misses int) {
	if c != nil {
		c.hits.Add(int64(hits))
		c.misses.Add(int64(misses))
	}
}

// Stats are the metrics of a cache at one moment.
type Stats struct{ Hits, Misses, Bytes, Fragments int64 }

// Stats returns the present metrics.
func (c *Cache) Stats() (s Stats) {
	if c == nil {
		return s
	}
	s.Hits, s.Misses = c.hits.Load(), c.misses.Load()
	for i := range c.shards {
		c.shards[i].add(&s)
	}
	return s
}

// A shard is a part of a cache, with its own lock.
type shard struct {
	mu      sync.RWMutex
	slots   map[key]*slot
	ring    []*slot // searched by the hand for a slot to drop
	hand    int
	bytes   int64
	most    int64
	refused [refusals]key // what there was no room for lately, each in the place of its id
}

// refusals is how many keys a shard remembers that it had no room for: some pages of 1,000 records in all shards.
const refusals = 512

// A slot is the place of a fragment in the cache.
type slot struct {
	key  key
	kept *Kept
	used atomic.Bool // since the hand passed
}

func (s *shard) get(k key) *Kept {
	s.mu.RLock()
	defer s.mu.RUnlock()
	found := s.slots[k]
	if found == nil {
		return nil
	}
	if !found.used.Load() {
		found.used.Store(true)
	}
	return found.kept
}

func (s *shard) put(k key, kept *Kept) {
	size := kept.size()
	if size > s.most*shards/oneIn {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.slots[k]; old != nil {
		s.bytes -= old.kept.size()
		old.kept = kept.copy()
		s.bytes += old.kept.size()
		s.shrink(0)
		return
	}
	if s.bytes+size > s.most && s.refuses(k) {
		return
	}
	added := &slot{key: k, kept: kept.copy()}
	size = added.kept.size() // a copy may take more, and this is what an eviction takes away again
	s.shrink(size)
	s.bytes += size
	s.slots[k] = added
	s.ring = append(s.ring, added)
}

// refuses reports whether a key was not refused lately, and remembers it if so.
func (s *shard) refuses(k key) bool {
	at := &s.refused[uint64(k.id)/shards%refusals]
	if *at == k {
		*at = key{}
		return false
	}
	*at = k
	return true
}

// shrink drops fragments until there is room for so many bytes.
func (s *shard) shrink(room int64) {
	for s.bytes+room > s.most {
		s.evict()
	}
}

// evict drops the first fragment that was not used since the hand passed (the CLOCK algorithm).
func (s *shard) evict() {
	for {
		if s.hand >= len(s.ring) {
			s.hand = 0
		}
		at := s.ring[s.hand]
		if at.used.Swap(false) {
			s.hand++
			continue
		}
		s.bytes -= at.kept.size()
		delete(s.slots, at.key)
		last := len(s.ring) - 1
		s.ring[s.hand], s.ring[last] = s.ring[last], nil
		s.ring = s.ring[:last]
		s.hand++ // the slot that was moved here is the newest
		return
	}
}

func (s *shard) add(to *Stats) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	to.Bytes += s.bytes
	to.Fragments += int64(len(s.ring))
}
