//go:build full

package store_test

import (
	"testing"

	"muster/internal/mustertest"
)

// TestIndexedManyNames is TestIndexedTogether with very many values of each
// text, by which the lists are sorted.
func TestIndexedManyNames(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		testIndexedTogether(t, db, openCrowded, "name=*%s*&per_page=%d&sort_by=name")
	})
}
