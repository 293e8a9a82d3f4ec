package agents

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/identity"
	"muster/internal/inventory"
	"muster/internal/message"
	"muster/internal/store"
)

// cleanStep is how many keys of computers are looked at in one step. Others write
// between the steps.
const cleanStep = 500

// cleanedMark is the name of what says which values were removed from the keys of
// computers.
const cleanedMark = "identities"

// cleaner is who removes keys.
var cleaner = desk.Caller{Origin: "rule"}

// CleanIdentities removes from what identifies computers what many share, as this
// version and the settings know it, apart from what calls it, and once for each
// version and setting. Computers that it has joined are said to be perhaps two.
func (s *Service) CleanIdentities() {
	s.serving.Store(true)
	s.desk.Background(func(ctx context.Context) {
		s.cleaning.Lock()
		defer s.cleaning.Unlock()
		for said := false; ; said = true {
			err := s.cleanIdentities(ctx)
			if err == nil || ctx.Err() != nil {
				return
			}
			if !said {
				s.desk.Log().Warn("what identifies computers could not be cleaned, and is tried again", "error", err)
			}
			select {
			case <-ctx.Done():
			case <-time.After(desk.FollowEvery):
			}
		}
	})
}

// cleanIdentities does that, unless it was done before.
func (s *Service) cleanIdentities(ctx context.Context) error {
	junk := sharedValues(s.desk)
	var done []byte
	err := s.desk.Store().Read(ctx, func(tx *store.Tx) (err error) {
		done, err = tx.Meta(ctx, cleanedMark)
		return err
	})
	if err != nil && !errors.Is(err, store.ErrNotFound) || string(done) == junk.mark() {
		return err
	}
	any, err := s.cleanAll(ctx, &junk)
	if !any || err != nil { // there is nothing to be marked
		return err
	}
	return s.desk.Store().Update(ctx,
		func(tx *store.Tx) error { return tx.SetMeta(ctx, cleanedMark, []byte(junk.mark())) })
}

// cleanAll looks at the keys of all computers, step by step, and reports whether
// there are any.
func (s *Service) cleanAll(ctx context.Context, junk *shared) (any bool, err error) {
	for last := (store.IdentityKey{}); ; any = true {
		var keys []store.IdentityKey
		err := s.desk.Store().Read(ctx, func(tx *store.Tx) (err error) {
			keys, err = tx.IdentityKeys(ctx, last, cleanStep)
			return err
		})
		if len(keys) == 0 || err != nil {
			return any, err
		}
		last = keys[len(keys)-1]
		keys = slices.DeleteFunc(keys, func(k store.IdentityKey) bool { return junk.good(k.Key) })
		if len(keys) == 0 {
			continue
		}
		if err := s.desk.Store().Update(ctx,
			func(tx *store.Tx) error { return s.removeKeys(ctx, tx, junk, keys) }); err != nil {
			return any, err
		}
	}
}

// mark returns what distinguishes these values from those of another version or setting.
func (s *shared) mark() string {
	parts := []string{identity.Version()}
	for _, list := range [][]string{s.serials, s.uuids, s.macs} {
		parts = append(parts, strings.Join(list, ","))
	}
	return strings.Join(parts, ";")
}

// cleanCounter counts the steps of cleaning, so that nodes take theirs one after the
// other.
const cleanCounter = "cleaned-identities"

// removeKeys takes keys from computers, and notes which of these may be two.
func (s *Service) removeKeys(ctx context.Context, tx *store.Tx, junk *shared, keys []store.IdentityKey) error {
	if _, err := tx.Count(ctx, cleanCounter); err != nil { // first: on PostgreSQL it orders these steps
		return err
	}
	byComputer := map[int64][]string{}
	for _, k := range keys {
		byComputer[k.Computer] = append(byComputer[k.Computer], k.Key)
	}
	for _, computer := range slices.Sorted(maps.Keys(byComputer)) {
		there, err := tx.IdentityOf(ctx, computer)
		if err != nil {
			return err
		}
		gone := slices.DeleteFunc(byComputer[computer], func(key string) bool { return !slices.Contains(there, key) })
		if len(gone) == 0 { // another node was here
			continue
		}
		if err := tx.SetIdentity(ctx, computer, gone, nil); err != nil {
			return err
		}
		if err := s.noteJoined(ctx, tx, junk, computer, gone); err != nil {
			return err
		}
	}
	return nil
}

// noteJoined says of a computer, from which keys were taken, that it may be two, if
// nothing else shows that its agents are on one.
func (s *Service) noteJoined(ctx context.Context, tx *store.Tx, junk *shared, computer int64, gone []string) error {
	agents, err := tx.AgentsOf(ctx, computer)
	if err != nil || len(agents) < 2 {
		return err
	}
	left, err := tx.IdentityOf(ctx, computer)
	if err != nil || !junk.joined(agents, gone, left) {
		return err
	}
	c, err := store.Get(ctx, tx, inventory.Computers, computer)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	var ids []string
	for _, a := range agents {
		ids = append(ids, a.DeviceID)
	}
	if err := tx.SetIdentity(ctx, computer, nil, []string{JoinedKey}); err != nil {
		return err
	}
	return s.desk.WriteAudit(ctx, tx, cleaner, inventory.Computers.Schema, c,
		desk.NewAudit(inventory.Updated, joinedMessage(strings.Join(ids, ", "), gone[0])))
}

// joined reports whether agents are of one computer for nothing better than keys
// that are gone: not all of them have reported the same good serial number or UUID,
// directly or through others. A good MAC that is left may have joined those that
// shared one that is not.
func (s *shared) joined(agents []store.Agent, gone, left []string) bool {
	macs := !slices.ContainsFunc(gone, func(key string) bool { return !strings.HasPrefix(key, macPrefix) })
	if macs && hasKey(left, macPrefix) {
		return false
	}
	var all []identity.Facts
	for _, a := range agents {
		var f identity.Facts
		if serial := s.serial(a.Serial); serial != "" {
			f.Serials = []string{serial}
		}
		if uuid := s.uuid(ownUUID(a.UUID)); uuid != "" {
			f.UUIDs = []string{uuid}
		}
		all = append(all, f)
	}
	return !identity.Linked(all)
}

// joinedMessage says of a computer that it may be two: its agents had a key in common alone that is none.
func joinedMessage(agents, key string) message.Text {
	value := key[len(serialPrefix):]
	switch key[:len(serialPrefix)] {
	case serialPrefix:
		return message.New("Perhaps two computers: its agents %s had nothing in common but the serial number %s, "+
			"which many computers have",
			agents, value[strings.LastIndexByte(value, '/')+1:])
	case uuidPrefix:
		return message.New("Perhaps two computers: its agents %s had nothing in common but the UUID %s, "+
			"which many computers have", agents, value)
	}
	return message.New("Perhaps two computers: its agents %s had nothing in common but the adapter %s, "+
		"which many computers have", agents, value)
}
