package store

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"

	"muster/internal/kind"
	"muster/internal/store/sqldb"
)

// together returns what no other record has: a hash of the texts that are unique
// together, as they are compared. The texts themselves could be longer than an
// index takes.
func together(k *kind.Schema, rec any) uniqueHash {
	b := make([]byte, 0, 256)
	for _, f := range k.Together {
		text := fold(f.Trim(*k.Values(rec).Text(f)))
		b = append(strconv.AppendInt(b, int64(len(text)), 10), ':')
		b = append(b, text...)
	}
	return sha256.Sum256(b)
}

// TakenTogether returns the id of another record than rec that has the same
// values in all fields that are unique together, or 0.
func (tx *Tx) TakenTogether(ctx context.Context, k *kind.Schema, rec any) (id int64, err error) {
	sql := fmt.Sprintf("SELECT id FROM %s WHERE %s = $1 AND id <> $2", k.Path(), uniqueColumn)
	hash := together(k, rec)
	err = tx.conn.Query(ctx, sql, []any{hash[:], k.Meta(rec).ID}, func(r sqldb.Row) error {
		id = r.Int(0)
		return nil
	})
	return id, err
}

// FindTogether sets the ids of those records that are stored: by the fields that
// are unique together. The others have the id 0.
func (tx *Tx) FindTogether(ctx context.Context, k *kind.Schema, recs []any) error {
	known, sought := tx.recall(), map[uniqueHash][]any{}
	var hashes [][]byte
	for _, rec := range recs {
		hash := together(k, rec)
		if k.Meta(rec).ID = known.id(k, hash); k.Meta(rec).ID != 0 {
			continue
		}
		if sought[hash] == nil {
			hashes = append(hashes, slices.Clone(hash[:]))
		}
		sought[hash] = append(sought[hash], rec)
	}
	for chunk := range slices.Chunk(hashes, sqldb.Batches[len(sqldb.Batches)-1]) {
		args := sqldb.Batched(chunk)
		sql := fmt.Sprintf("SELECT id, %s FROM %s WHERE %s IN (%s)", uniqueColumn, k.Path(), uniqueColumn, sqldb.Placeholders(len(args)))
		err := tx.conn.Query(ctx, sql, args, func(r sqldb.Row) error {
			hash := uniqueHash(r.Bytes(1, nil))
			for _, rec := range sought[hash] {
				k.Meta(rec).ID = r.Int(0)
			}
			known.note(k, hash, r.Int(0))
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// scanKept sets what a change of a record does not write from behind its id.
func (t *table) scanKept(r sqldb.Row, rec any) {
	v := t.kind.Values(rec)
	for i, f := range t.asIs {
		switch f.Type {
		case kind.Integer:
			*v.Int(f) = kind.Int{V: r.Int(i + 1), Valid: !r.Null(i + 1)}
		case kind.Time:
			*v.Time(f) = timeAt(r, i+1)
		default:
			panic(fmt.Sprintf("store: %s: %s cannot be kept", t.name, f.Name))
		}
	}
}
