package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// A Head is the end of a chain: how many records it has, and the hash of the last one.
type Head struct {
	Count int64
	Hash  [sha256.Size]byte
}

// String returns the head as ParseHead reads it.
func (h Head) String() string { return fmt.Sprintf("%d:%x", h.Count, h.Hash) }

// ParseHead reads a head, such as "12:" and 64 hexadecimal digits.
func ParseHead(text string) (h Head, err error) {
	count, hash, _ := strings.Cut(strings.TrimSpace(text), ":")
	h.Count, err = strconv.ParseInt(count, 10, 64)
	sum, bad := hex.DecodeString(hash)
	if err != nil || bad != nil || h.Count < 0 || len(sum) != len(h.Hash) {
		return h, fmt.Errorf("%.80q is not the head of a chain: it must be a count, a colon and a hash of 64 hexadecimal digits", text)
	}
	copy(h.Hash[:], sum)
	return h, nil
}

// next extends the head by a record.
func (h *Head) next(k *kind.Schema, rec any) {
	h.Count++
	mapping.Drafted(func(b []byte) []byte {
		b = k.AppendCanonical(append(b, h.Hash[:]...), rec)
		h.Hash = sha256.Sum256(b)
		return b
	})
}

// Head returns the head of a chained kind.
func (tx *Tx) Head(ctx context.Context, k *kind.Schema) (Head, error) {
	_, h, err := tx.last(ctx, tx.table(k))
	if err == nil {
		h.Count, err = tx.Total(ctx, k)
	}
	return h, err
}

// last returns the id and the hash of the last record of a chain.
func (tx *Tx) last(ctx context.Context, t *mapping.Table) (id int64, h Head, err error) {
	err = tx.Query(ctx, fmt.Sprintf("SELECT id, %s FROM %s ORDER BY id DESC LIMIT 1", mapping.HashColumn, t.Name),
		nil, func(r sqldb.Row) error {
			id = r.Int(0)
			copy(h.Hash[:], r.Bytes(1, nil))
			return nil
		})
	return id, h, err
}

// extend adds records to the end of a chain and assigns their ids. The caller has locked the chain.
func (tx *Tx) extend(ctx context.Context, t *mapping.Table, recs []any) error {
	id, head, err := tx.last(ctx, t)
	if err != nil {
		return err
	}
	for rest := recs; len(rest) > 0; {
		size := sqldb.FittingRows(len(rest))
		var args []any
		for _, rec := range rest[:size] {
			id++
			t.Kind.Meta(rec).ID = id
			tx.touch(t, id)
			head.next(t.Kind, rec)
			args = append(append(args, id, slices.Clone(head.Hash[:])), t.Args(rec, t.Columns)...)
		}
		if err := tx.Exec(ctx, t.Chain.Extend[size], args...); err != nil {
			return err
		}
		rest = rest[size:]
	}
	if tx.store.Shared() { // PostgreSQL does not register ids that a statement sets itself
		if err := tx.Exec(ctx, tx.Dialect().GiveID[0], t.Name, id); err != nil {
			return err
		}
	}
	if err := tx.appendSearch(ctx, t, recs); err != nil {
		return err
	}
	return tx.writeTies(ctx, t, recs)
}

// rehash chains records that were stored before their kind was chained, and stores their ties.
func (tx *Tx) rehash(ctx context.Context, t *mapping.Table) error {
	ids, err := tx.IDs(ctx, t.Kind)
	if err != nil {
		return err
	}
	sql := fmt.Sprintf("UPDATE %s SET %s = $1 WHERE id = $2", t.Name, mapping.HashColumn)
	var head Head
	for _, id := range ids {
		rec, err := tx.Get(ctx, t.Kind, id)
		if err != nil {
			return err
		}
		t.Kind.Settle(rec, nil)
		if err := tx.must(ctx, t.Update, append(t.Args(rec, t.Changed), id, t.Kind.Meta(rec).Version),
			nothing); err != nil {
			return err
		}
		if err := tx.writeTies(ctx, t, []any{rec}); err != nil {
			return err
		}
		head.next(t.Kind, rec)
		if err := tx.Exec(ctx, sql, slices.Clone(head.Hash[:]), id); err != nil {
			return err
		}
	}
	return nil
}
