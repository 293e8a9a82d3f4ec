package store_test

import (
	"fmt"
	"testing"
	"time"

	"muster/internal/mustertest"
	"muster/internal/store"
)

// aSession returns a session of a user that lasts an hour.
func aSession(userID int64, secret string, begun time.Time) *store.Session {
	return &store.Session{
		UserID: userID, Hash: []byte(secret), Stay: true, CreatedAt: begun, Expires: begun.Add(time.Hour),
		LastUsed: begun,
		Agent:    "Firefox", Address: "192.0.2.7",
	}
}

// addSessions stores sessions.
func addSessions(t *testing.T, s *store.Store, all ...*store.Session) {
	t.Helper()
	update(t, s, func(tx *store.Tx) error {
		for _, one := range all {
			if err := tx.AddSession(ctx, one); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestSessions stores sessions, finds them, notes their use and ends them.
func TestSessions(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		start := now.UTC().Truncate(time.Second)
		one, two, other := aSession(7, "one", start), aSession(7, "two", start), aSession(8, "other", start)
		two.Stay, two.Due = false, true
		addSessions(t, s, one, two, other)
		view(t, s, func(tx *store.Tx) error {
			got, err := tx.Session(ctx, []byte("two"))
			equal(t, "by hash", got, *two)
			_, none := tx.Session(ctx, []byte("three"))
			is(t, "an unknown hash", none, store.ErrNotFound)
			return err
		})
		if err := s.Update(ctx,
			func(tx *store.Tx) error { return tx.AddSession(ctx, aSession(9, "one", start)) }); err == nil {
			t.Error("a second session of one secret: got no error")
		}
		for _, c := range []struct{ now, want time.Duration }{
			{4 * time.Minute, 0}, {5 * time.Minute, 5 * time.Minute},
		} {
			now := start.Add(c.now)
			update(t, s, func(tx *store.Tx) error {
				return tx.UseSession(ctx, one.ID, "192.0.2.8", now, now.Add(-5*time.Minute))
			})
			equal(t, "last use after "+c.now.String(), sessionsOf(t, s, 7)[0].LastUsed, start.Add(c.want))
		}
		equal(t, "from where", sessionsOf(t, s, 7)[0].LastAddress, "192.0.2.8")
		is(t, "a session of another",
			s.Update(ctx, func(tx *store.Tx) error { return tx.RemoveSession(ctx, 7, other.ID) }), store.ErrNotFound)
		update(t, s, func(tx *store.Tx) error { return tx.RemoveSessionsOf(ctx, 7, two.ID) })
		equal(t, "all but one", sessionsOf(t, s, 7), []store.Session{*two})
		update(t, s, func(tx *store.Tx) error { return tx.RemoveSession(ctx, 7, two.ID) })
		equal(t, "none", len(sessionsOf(t, s, 7)), 0)
		equal(t, "of another", sessionsOf(t, s, 8), []store.Session{*other})
	})
}

// TestEndedSessionsGo: those that have ended are forgotten little by little when
// others begin.
func TestEndedSessionsGo(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		for i := range 30 {
			addSessions(t, s, aSession(7, fmt.Sprint("old", i), now))
		}
		addSessions(t, s, aSession(8, "in time", now.Add(time.Hour-time.Second)))
		equal(t, "before they end", len(sessionsOf(t, s, 7)), 30)
		addSessions(t, s, aSession(8, "later", now.Add(time.Hour)))
		equal(t, "after the first", len(sessionsOf(t, s, 7)), 10)
		addSessions(t, s, aSession(8, "last", now.Add(time.Hour)))
		equal(t, "after the second", len(sessionsOf(t, s, 7)), 0)
		equal(t, "that have not ended", len(sessionsOf(t, s, 8)), 3)
	})
}

// TestSessionsStayBehind: no copy of a database has sessions, and a database
// that is made of it gives no id again.
func TestSessionsStayBehind(t *testing.T) {
	t.Parallel()
	eachPair(t, func(t *testing.T, from, to mustertest.Database) {
		source, target := from.New(t), to.New(t)
		s := open(t, source, allKinds()...)
		addSessions(t, s, aSession(7, "one", now), aSession(7, "two", now))
		update(t, s, func(tx *store.Tx) error { return tx.SetSetting(ctx, "page-size", "7") })
		mustReplace(t, target, export(t, source))
		made := open(t, target, allKinds()...)
		equal(t, "sessions", len(sessionsOf(t, made, 7)), 0)
		next := aSession(7, "one", now)
		addSessions(t, made, next)
		equal(t, "id of the next", next.ID, int64(3))
		view(t, made, func(tx *store.Tx) error {
			return tx.Settings(ctx, func(name, value string) error {
				equal(t, "what is beside them", name+"="+value, "page-size=7")
				return nil
			})
		})
	})
}

func sessionsOf(t *testing.T, s *store.Store, userID int64) (found []store.Session) {
	t.Helper()
	view(t, s, func(tx *store.Tx) (err error) {
		found, err = tx.SessionsOf(ctx, userID)
		return err
	})
	return found
}
