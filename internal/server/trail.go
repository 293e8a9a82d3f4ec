package server

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"muster/internal/archive"
	"muster/internal/desk/trail"
	"muster/internal/inventory"
	"muster/internal/store"
	"muster/internal/witness"
)

// Of the audit trail's head: how often it is logged, how often is checked whether that
// is due, and how long it may take.
const (
	headEvery = time.Hour
	headLook  = time.Second
	headTime  = 30 * time.Second
)

// logHeads logs the head of the audit trail now, and each hour. A log that is kept
// elsewhere shows whether the end of the trail was cut off, or the whole trail was
// rewritten.
func (s *Server) logHeads(now func() time.Time) {
	tick := time.NewTicker(headLook)
	defer tick.Stop()
	var logged time.Time
	for {
		if now().Sub(logged) >= headEvery {
			s.logHead()
			logged = now()
		}
		select {
		case <-s.stopping:
			return
		case <-tick.C:
		}
	}
}

func (s *Server) logHead() {
	ctx, cancel := context.WithTimeout(context.Background(), headTime)
	defer cancel()
	head, err := trail.Head(ctx, s.installation.desk)
	if err != nil {
		s.log.Warn("the head of the audit trail cannot be read", "error", err)
		return
	}
	s.log.Info("audit head", "count", head.Count, "hash", hex.EncodeToString(head.Hash[:]))
}

// An Audited is what is known of an audit trail in which every record fits.
type Audited struct {
	store.Verified
	witness.Vouched
}

// VerifyAudits walks the audit trail, which changes nothing; the server may be
// running. Expect is a head that it had once, nil when none is known. Its end is
// compared with what the node saw.
func (p *Place) VerifyAudits(ctx context.Context, expect *store.Head,
	progress archive.Progress) (v Audited, err error) {
	testimony := p.Testimony() // first: the trail goes on meanwhile
	place, err := p.running(ctx)
	if err != nil {
		return v, err
	}
	if place.missing() {
		return v, fmt.Errorf("there is no database %s: name another with --data or --database", place.database())
	}
	s, err := store.Look(ctx, store.Config{Database: place.database(), Kinds: place.kinds()})
	if errors.Is(err, store.ErrLeft) {
		err = fmt.Errorf("%w: start muster serve once, which takes them over", err)
	}
	if err != nil {
		return v, err
	}
	defer s.Close()
	if err := s.Tables(ctx); err != nil {
		return v, err
	}
	if v.Verified, err = s.Verify(ctx, inventory.Audits.Schema,
		store.Walk{Expect: expect, Progress: progress}); err != nil {
		return v, err
	}
	v.Vouched, err = testimony.Judge(ctx, s, v.Verified)
	return v, err
}
