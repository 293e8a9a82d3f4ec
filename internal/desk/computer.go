package desk

import (
	"context"
	"fmt"

	"muster/internal/inventory"
	"muster/internal/store"
)

// assignAssetID gives a new computer without an asset id the next free one.
func assignAssetID(ctx context.Context, tx *store.Tx, c *inventory.Computer) error {
	k := inventory.Computers.Schema
	for c.AssetID == "" {
		n, err := tx.Count(ctx, "asset-id")
		if err != nil {
			return err
		}
		next := fmt.Sprintf("MUS-%06d", n)
		taken, err := tx.Taken(ctx, k, k.Field("asset-id"), next, 0)
		if err != nil {
			return err
		}
		if taken == 0 {
			c.AssetID = next
		}
	}
	return nil
}
