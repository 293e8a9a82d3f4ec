package store

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"

	"muster/internal/kind"
)

// together returns what no other record has: a hash of the texts that are unique
// together, as they are compared. The texts themselves could be longer than an
// index takes.
func together(k *kind.Schema, rec any) []byte {
	b := make([]byte, 0, 256)
	for _, f := range k.Together {
		text := fold(f.Trim(*k.Values(rec).Text(f)))
		b = append(strconv.AppendInt(b, int64(len(text)), 10), ':')
		b = append(b, text...)
	}
	sum := sha256.Sum256(b)
	return sum[:]
}

// TakenTogether returns the id of another record than rec that has the same
// values in all fields that are unique together, or 0.
func (tx *Tx) TakenTogether(ctx context.Context, k *kind.Schema, rec any) (id int64, err error) {
	sql := fmt.Sprintf("SELECT id FROM %s WHERE %s = $1 AND id <> $2", k.Path(), uniqueColumn)
	err = tx.conn.query(ctx, sql, []any{together(k, rec), k.Meta(rec).ID}, func(r row) error {
		id = r.int(0)
		return nil
	})
	return id, err
}

// FindTogether sets the ids of those records that are stored: by the fields that
// are unique together. The others have the id 0.
func (tx *Tx) FindTogether(ctx context.Context, k *kind.Schema, recs []any) error {
	for chunk := range slices.Chunk(recs, batches[len(batches)-1]) {
		hashes, ids := make([][]byte, len(chunk)), map[string]int64{}
		for i, rec := range chunk {
			hashes[i] = together(k, rec)
		}
		args := batched(hashes)
		sql := fmt.Sprintf("SELECT id, %s FROM %s WHERE %s IN (%s)", uniqueColumn, k.Path(), uniqueColumn, placeholders(len(args)))
		err := tx.conn.query(ctx, sql, args, func(r row) error {
			ids[string(r.bytes(1, nil))] = r.int(0)
			return nil
		})
		if err != nil {
			return err
		}
		for i, rec := range chunk {
			k.Meta(rec).ID = ids[string(hashes[i])]
		}
	}
	return nil
}

// scanKept sets what a change of a record does not write from behind its id.
func (t *table) scanKept(r row, rec any) {
	v := t.kind.Values(rec)
	for i, f := range t.asIs {
		switch f.Type {
		case kind.Integer:
			*v.Int(f) = kind.Int{V: r.int(i + 1), Valid: !r.null(i + 1)}
		case kind.Time:
			*v.Time(f) = timeAt(r, i+1)
		default:
			panic(fmt.Sprintf("store: %s: %s cannot be kept", t.name, f.Name))
		}
	}
}
