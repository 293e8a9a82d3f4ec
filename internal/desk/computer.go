package desk

import (
	"context"
	"fmt"

	"muster/internal/inventory"
)

// assetCounter counts the asset ids that the service has given.
const assetCounter = "asset-id"

// assignAssetID gives a new computer without an asset id the next free one.
func assignAssetID(ctx context.Context, w *Work) error {
	c, tx := w.Rec.(*inventory.Computer), w.Tx
	if c.AssetID != "" {
		return nil
	}
	first, err := tx.Count(ctx, assetCounter)
	if err != nil {
		return err
	}
	n, err := nextFree(first, func(n int64) (bool, error) {
		k := inventory.Computers.Schema
		id, err := tx.Taken(ctx, k, k.Field("asset-id"), assetID(n), 0)
		return id != 0, err
	})
	if err == nil && n != first {
		err = tx.SetCounter(ctx, assetCounter, n)
	}
	c.AssetID = assetID(n)
	return err
}

func assetID(n int64) string { return fmt.Sprintf("MUS-%06d", n) }

// nextFree returns a number from n on that is free and, unless it is n, has a
// taken one before it. People may have taken a million in a row, so it does
// not try each: it doubles its steps, then halves what is between.
func nextFree(n int64, taken func(int64) (bool, error)) (int64, error) {
	is, err := taken(n)
	low, high := n, n
	for step := int64(1); is && err == nil; step *= 2 {
		low, high = high, high+step
		is, err = taken(high)
	}
	for high-low > 1 && err == nil {
		middle := low + (high-low)/2
		if is, err = taken(middle); is {
			low = middle
		} else {
			high = middle
		}
	}
	return high, err
}
