package api

import (
	"net/url"
	"strings"
	"sync"
	"time"

	"muster/internal/kind"
)

// A listing is what the query of a list call means: the records that are wanted,
// and how the queries of other pages of their list read. Calls share it, so it
// is never changed.
type listing struct {
	kind.Query
	linker
}

// newListing reads a query at a time.
func newListing(k *kind.Schema, text string, now time.Time) (*listing, error) {
	q, err := k.ParseQuery(text, now)
	if err != nil {
		return nil, err
	}
	values, err := url.ParseQuery(text)
	return &listing{*q, newLinker(values, q.ByID)}, err
}

// maxListings is how many listings are kept.
const maxListings = 256

// listings caches the queries that were parsed within the present second, so that under
// load a frequent query is parsed once. It does not last longer, since queries relative
// to now change with each second. Entries depend on nothing but kind and text: the desk
// decides what the caller may see.
type listings struct {
	mu     sync.RWMutex
	second int64
	known  map[query]*listing
}

// A query is one of a kind, as it was sent.
type query struct {
	kind *kind.Schema
	text string
}

// read returns what a query means at a time.
func (l *listings) read(q query, now time.Time) (*listing, error) {
	if known := l.get(q, now.Unix()); known != nil {
		return known, nil
	}
	q.text = strings.Clone(q.text) // which is a part of the request's header
	read, err := newListing(q.kind, q.text, now)
	if err == nil {
		l.keep(q, now.Unix(), read)
	}
	return read, err
}

func (l *listings) get(q query, second int64) *listing {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.second != second {
		return nil
	}
	return l.known[q]
}

func (l *listings) keep(q query, second int64, read *listing) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.second != second || l.known == nil {
		l.second, l.known = second, map[query]*listing{}
	}
	if len(l.known) < maxListings {
		l.known[q] = read
	}
}
