//go:build volume

package store_test

import (
	"fmt"
	"testing"

	"muster/internal/store"
)

// TestVolumeValues stores more nested values than a statement has parameters.
func TestVolumeValues(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		g := &gadget{Name: "g"}
		for i := range 70_000 {
			g.Cards = append(g.Cards, card{Name: fmt.Sprint("c", i)})
		}
		insert(t, s, gadgets, g)
		equal(t, "found", list(t, s, gadgets.Schema, "card=C69999").Total, 1)
	})
}
