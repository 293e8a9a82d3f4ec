package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// audits is the chained kind.
var audits = inventory.Audits.Schema

// trailKinds are the kinds of an audit trail, with fewer tables than all have.
var trailKinds = []*kind.Schema{inventory.Users.Schema, audits}

// eachTrail runs a test on a new store of every database.
func eachTrail(t *testing.T, test func(t *testing.T, s *store.Store)) {
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) { test(t, open(t, db.New(t), trailKinds...)) })
}

// anAudit returns an audit record with every value set.
func anAudit(n int64, user kind.Person) *inventory.Audit {
	return &inventory.Audit{
		Action: inventory.Updated, Message: fmt.Sprintf("Name changed from a to b%d", n), RecordType: "hardware",
		RecordID:   kind.Some(n),
		RecordName: "PC", User: user, Origin: "api", Changes: []inventory.AuditChange{
			{Field: "name", From: "a", To: "b"}, {Field: "tag", To: "t\nü"},
		},
		Report: kind.Some(n), AgentToken: "Laptops", Address: "192.0.2.1", AgentID: kind.Some(n),
		Computers: []kind.Tied{{ID: kind.Some(n)}, {ID: kind.Some[int64](100)}},
	}
}

// addAudits stores audit records, each in a change of its own.
func addAudits(t testing.TB, s *store.Store, n int64) {
	t.Helper()
	user := addUser(t, s, fmt.Sprintf("u%d@example.com", n), "Ann", "B").Person()
	for i := range n {
		a := anAudit(i+1, user)
		a.Wording = `{"format":"Is one computer after all"}`
		insert(t, s, inventory.Audits, a)
	}
	is(t, "chain", s.Chain(ctx, audits), nil)
}

// verify walks the chain, which must fit, and returns its head.
func verify(t testing.TB, s *store.Store) store.Head {
	t.Helper()
	v, err := s.Verify(ctx, audits, store.Walk{})
	is(t, "verify", err, nil)
	equal(t, "pending records", v.Pending, int64(0))
	if !v.Guarded {
		t.Error("the chain is not guarded")
	}
	return v.Head
}

// TestChainPinned compares what is hashed, on both databases, with what it was when the first chains were made:
// those must verify for ever.
func TestChainPinned(t *testing.T) {
	t.Parallel()
	eachTrail(t, func(t *testing.T, s *store.Store) {
		equal(t, "the head of nothing", verify(t, s).String(), "0:"+strings.Repeat("0", 64))
		first := anAudit(1, addUser(t, s, "u1@example.com", "Ann", "B").Person())
		// which the first chains have not
		first.Report, first.AgentToken, first.Address, first.AgentID = kind.Int{}, "", "", kind.Int{}
		insert(t, s, inventory.Audits, first)
		insert(t, s, inventory.Audits, &inventory.Audit{Action: inventory.Deleted, Origin: "rule"})
		is(t, "chain", s.Chain(ctx, audits), nil)
		equal(t, "what is hashed", string(audits.AppendCanonical(nil, get(t, s, inventory.Audits, 1))), pinned)
		equal(t, "the head", verify(t, s).String(),
			"2:fd7af525b9881bfa6158e1c9c24d05d14158e0df114897a50824892ae391b84a")
	})
}

const pinned = "action=6:update\n" +
	"changes=57:29:field=4:name\n" +
	"from=1:a\n" +
	"to=1:b\n" +
	"22:field=3:tag\n" +
	"to=4:t\n" +
	"ü\n" +
	"\n" +
	"computers=20:7:id=1:1\n" +
	"9:id=3:100\n" +
	"\n" +
	"created-at=20:2026-01-31T09:30:00Z\n" +
	"id=1:1\n" +
	"message=25:Name changed from a to b1\n" +
	"origin=3:api\n" +
	"record-id=1:1\n" +
	"record-name=2:PC\n" +
	"record-type=8:hardware\n" +
	"user=1:1\n"

// TestChainOfLongTexts verifies a record whose message is longer than what lists
// are sorted by, and finds out when that is not its beginning.
func TestChainOfLongTexts(t *testing.T) {
	t.Parallel()
	eachTrail(t, func(t *testing.T, s *store.Store) {
		insert(t, s, inventory.Audits,
			&inventory.Audit{Action: inventory.Updated, Origin: "api", Message: strings.Repeat("Größer ", 100)})
		is(t, "chain", s.Chain(ctx, audits), nil)
		equal(t, "records that fit", verify(t, s).Count, int64(1))
		is(t, "unguard", s.Unguard(ctx, audits), nil)
		update(t, s, func(tx *store.Tx) error { return tx.Exec(ctx, "UPDATE audits SET message_folded = 'x'") })
		_, err := s.Verify(ctx, audits, store.Walk{})
		if misfit, ok := errors.AsType[*store.Misfit](err); !ok || misfit.ID != 1 {
			t.Errorf("verify: got %v, want record 1", err)
		}
	})
}

// TestAppendOnly tries to change what is in a chain.
func TestAppendOnly(t *testing.T) {
	t.Parallel()
	eachTrail(t, func(t *testing.T, s *store.Store) {
		addAudits(t, s, 3)
		head := verify(t, s)
		for _, test := range []struct{ sql, want string }{
			{"UPDATE audits SET message = 'x' WHERE id = 2", "rows of audits are never changed"},
			{"UPDATE audits SET message = message", "rows of audits are never changed"},
			{"DELETE FROM audits WHERE id = 3", "rows of audits are never"},
			{"UPDATE audits_computers SET tied_id = 7 WHERE id = 1", "rows of audits_computers are never changed"},
			{"DELETE FROM audits_computers", "rows of audits_computers are never"},
			{"TRUNCATE audits", "rows of audits are never"},
			{"TRUNCATE audits_computers", "rows of audits_computers are never"},
			{"INSERT OR REPLACE INTO audits (id, message) VALUES (3, 'x')",
				"rows of audits are added at the end alone"},
			{"INSERT OR REPLACE INTO audits (id, message) VALUES (1, 'x')",
				"rows of audits are added at the end alone"},
			{"INSERT INTO audits_computers (id, tied_id) VALUES (1, 9)",
				"rows of audits_computers are added at the end alone"},
		} {
			if strings.HasPrefix(test.sql, "TRUNCATE") && !s.Shared() || strings.HasPrefix(test.sql, "INSERT") &&
				s.Shared() {
				continue
			}
			err := s.Update(ctx, func(tx *store.Tx) error { return tx.Exec(ctx, test.sql) })
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: got error %v, want %q in it", test.sql, err, test.want)
			}
		}
		equal(t, "the head", verify(t, s), head)
	})
}

// TestTampered changes what is stored in every way past the guards, and sees
// the first record named that does not fit.
func TestTampered(t *testing.T) {
	t.Parallel()
	eachTrail(t, func(t *testing.T, s *store.Store) {
		addAudits(t, s, 6)
		addUser(t, s, "other@example.com", "O", "P")
		head := verify(t, s)
		is(t, "unguard", s.Unguard(ctx, audits), nil)
		run := func(statements ...string) {
			t.Helper()
			update(t, s, func(tx *store.Tx) error {
				for _, sql := range statements {
					if err := tx.Exec(ctx, sql); err != nil {
						return fmt.Errorf("%s: %w", sql, err)
					}
				}
				return nil
			})
		}
		run("CREATE TABLE kept AS SELECT * FROM audits", "CREATE TABLE kept_ties AS SELECT * FROM audits_computers")
		blob := "x'00'"
		if s.Shared() {
			blob = `'\x00'::bytea`
		}
		for _, test := range append(columnTests(t, s, blob), []tampering{
			{"a record is removed", "DELETE FROM audits WHERE id = 4", 5, "what was between them is missing"},
			{"the first record is removed", "DELETE FROM audits WHERE id = 1", 2,
				"the beginning: what was between them is missing"},
			{"two records change places",
				"UPDATE audits SET id = CASE id WHEN 3 THEN -4 WHEN 4 THEN -3 END WHERE id IN (3, 4); UPDATE audits SET id = -id WHERE id < 0", 3, "one of them was changed"},
			{"a copy is put in", "INSERT INTO audits SELECT * FROM kept WHERE id = -1; UPDATE audits SET id = id + 100 WHERE id > 2; INSERT INTO audits SELECT * FROM kept WHERE id = 3", 103, "missing"},
			{"a record gets another's hash",
				"UPDATE audits SET _hash = (SELECT _hash FROM kept WHERE id = 2) WHERE id = 4", 4,
				"one of them was changed"},
			{"a record is without a hash", "UPDATE audits SET _hash = NULL WHERE id = 4", 4, "it has no hash"},
			{"a tie is removed", "DELETE FROM audits_computers WHERE id = 4 AND tied_id = 100", 4,
				"the table audits_computers"},
			{"a tie is added", "INSERT INTO audits_computers (id, tied_id) VALUES (2, 77)", 2,
				"the table audits_computers"},
			{"a tie of nothing is added", "INSERT INTO audits_computers (id, tied_id) VALUES (99, 77)", 99,
				"it is missing, though the table audits_computers tells of it"},
			{"the end is cut", "DELETE FROM audits_computers WHERE id > 4; DELETE FROM audits WHERE id > 4", 0,
				"had 6 records and has 4: its end is missing"},
		}...) {
			run(strings.Split(test.sql, "; ")...)
			_, err := s.Verify(ctx, audits, store.Walk{Expect: &head})
			m, ok := errors.AsType[*store.Misfit](err)
			if !ok || m.ID != test.id || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: got %v, want a misfit of record %d with %q", test.what, err, test.id, test.want)
			}
			run("DELETE FROM audits_computers", "DELETE FROM audits", "INSERT INTO audits SELECT * FROM kept",
				"INSERT INTO audits_computers SELECT * FROM kept_ties")
		}
		v, err := s.Verify(ctx, audits, store.Walk{Expect: &head})
		is(t, "verify what was put back", err, nil)
		equal(t, "the head", v, store.Verified{Head: head, Newest: start})
		for last := range int64(8) {
			v, err := s.Verify(ctx, audits, store.Walk{Last: last})
			is(t, fmt.Sprint("verify the last ", last), err, nil)
			equal(t, "the head", v.Head, head)
		}
		run("UPDATE audits SET message = 'x' WHERE id = 4")
		_, err = s.Verify(ctx, audits, store.Walk{Last: 2})
		is(t, "verify what is behind a change", err, nil)
		if _, err = s.Verify(ctx, audits, store.Walk{Last: 3}); err == nil {
			t.Error("verify the last three: got no error")
		}
		run("UPDATE audits SET message = (SELECT message FROM kept WHERE id = 4) WHERE id = 4")
		for _, e := range []store.Head{
			{Count: 3, Hash: head.Hash}, {Count: 0, Hash: head.Hash}, {Count: 7, Hash: head.Hash},
		} {
			if _, err := s.Verify(ctx, audits, store.Walk{Expect: &e}); err == nil {
				t.Errorf("expected %v: got no error", e)
			}
		}
	})
}

// A tampering is a change past the guards, and what is found of it.
type tampering struct {
	what, sql string
	id        int64
	want      string
}

// columnTests changes each column of one record.
func columnTests(t *testing.T, s *store.Store, blob string) (tests []tampering) {
	sql := "SELECT name FROM pragma_table_info('audits')"
	if s.Shared() {
		sql = "SELECT column_name::text FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = 'audits'"
	}
	var columns []string
	view(t, s, func(tx *store.Tx) (err error) {
		columns, err = tx.Texts(ctx, sql)
		return err
	})
	texts := []string{"action", "message", "record_type", "record_name", "origin"}
	for _, c := range columns {
		value, id, want := "9", int64(4), "one of them was changed"
		switch {
		case c == "id":
			value, id, want = "99", 5, "missing"
		case c == "user_id":
			value = "2"
		case c == "_version" || c == "updated_at":
			want = "marked as changed"
		case c == "_parts":
			value, want = blob, "it cannot be read"
		case c == "_hash":
			value, want = blob, "it has no hash"
		case strings.HasSuffix(c, "_folded"):
			value, want = "'x'", "lists would find it by another "+strings.ReplaceAll(strings.TrimSuffix(c, "_folded"),
				"_", "-")
		case slices.Contains(texts, c):
			value = "'x'"
		}
		for _, value := range []string{value, "NULL"} {
			if value == "NULL" && c == "id" {
				continue
			}
			if value == "NULL" && c == "_parts" {
				want = "one of them was changed"
			}
			tests = append(tests, tampering{
				c + " is " + value, fmt.Sprintf("UPDATE audits SET %s = %s WHERE id = 4", c, value), id, want,
			})
		}
	}
	if len(tests) < 30 {
		t.Fatalf("got the columns %v, want more", columns)
	}
	return tests
}

// TestChainMoves copies a chain, with records that are pending on PostgreSQL, to
// each database.
func TestChainMoves(t *testing.T) {
	t.Parallel()
	eachPair(t, func(t *testing.T, from, to mustertest.Database) {
		source, target := from.New(t), to.New(t)
		s := open(t, source, trailKinds...)
		addAudits(t, s, 3)
		head := verify(t, s)
		insert(t, s, inventory.Audits, anAudit(4, kind.Person{}))
		mustReplace(t, target, export(t, source))
		copied := func() *store.Store {
			s, err := store.Open(ctx, store.Config{Database: target, Kinds: trailKinds})
			is(t, "open the copy", err, nil)
			is(t, "chain", s.Chain(ctx, audits), nil)
			v, err := s.Verify(ctx, audits, store.Walk{Expect: &head})
			is(t, "verify the copy", err, nil)
			equal(t, "records", v.Head.Count, int64(4))
			equal(t, "guarded", v.Guarded, true)
			return s
		}
		is(t, "close", copied().Close(), nil)
		mustReplace(t, target, export(t, target))
		s = copied()
		addAudits(t, s, 2)
		equal(t, "records", verify(t, s).Count, int64(6))
		equal(t, "the last record", get(t, s, inventory.Audits, 6).RecordID.V, int64(2))
		is(t, "close", s.Close(), nil)
	})
}

// TestChainBegins opens a database whose audit records are older than the chain
// and their ties.
func TestChainBegins(t *testing.T) {
	t.Parallel()
	eachTrail(t, func(t *testing.T, s *store.Store) {
		addAudits(t, s, 3)
		head := verify(t, s)
		insert(t, s, inventory.Audits, &inventory.Audit{
			Action: inventory.Created, Origin: "api", RecordType: "hardware", RecordID: kind.Some[int64](3),
		},
			&inventory.Audit{
				Action: inventory.Created, Origin: "api", RecordType: "user", RecordID: kind.Some[int64](3),
			})
		is(t, "chain", s.Chain(ctx, audits), nil)
		is(t, "unguard", s.Unguard(ctx, audits), nil)
		update(t, s, func(tx *store.Tx) error {
			for _, sql := range []string{
				"ALTER TABLE audits DROP COLUMN _hash", "DROP TABLE audits_pending", "DROP TABLE audits_computers",
			} {
				if err := tx.Exec(ctx, sql); err != nil {
					return err
				}
			}
			return nil
		})
		is(t, "bring up to date", s.Migrate(ctx), nil)
		equal(t, "records", verify(t, s).Count, int64(5))
		_, err := s.Verify(ctx, audits, store.Walk{Expect: &head})
		is(t, "verify against the head of before", err, nil)
		tie := kind.Tie{Table: "audits_computers", Own: "id", Other: "tied_id", ID: 3}
		equal(t, "audits of a computer", found(t, s, &kind.Query{Page: 1, PerPage: 10, Ties: []kind.Tie{tie}}),
			[]int64{3, 4})
	})
}

// TestChainGrows gives audit records a new field: what was hashed before stays
// true, although every row is written again.
func TestChainGrows(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		s := open(t, address, trailKinds...)
		addAudits(t, s, 3)
		head := verify(t, s)
		insert(t, s, inventory.Audits, anAudit(4, kind.Person{}))
		is(t, "close", s.Close(), nil)
		s = open(t, address, inventory.Users.Schema, placedAudits.Schema)
		is(t, "chain", s.Chain(ctx, placedAudits.Schema), nil)
		insert(t, s, placedAudits, &placedAudit{Place: "Lyon"})
		is(t, "chain", s.Chain(ctx, placedAudits.Schema), nil)
		v, err := s.Verify(ctx, placedAudits.Schema, store.Walk{Expect: &head})
		is(t, "verify", err, nil)
		equal(t, "what was verified", store.Verified{Head: store.Head{Count: v.Head.Count}, Guarded: v.Guarded},
			store.Verified{Head: store.Head{Count: 5}, Guarded: true})
		equal(t, "the place", get(t, s, placedAudits, 5).Place, "Lyon")
	})
}

// A placedAudit is an audit record of a later version.
type placedAudit struct {
	kind.Record
	Action, Message, RecordType, RecordName, Origin, Place string
	AgentToken, Address, Wording                           string
	RecordID, Report, AgentID                              kind.Int
	User                                                   kind.Person
	Changes                                                []inventory.AuditChange
	Computers                                              []kind.Tied
}

var placedAudits = kind.Define("audit", "audits", "", func(a *placedAudit, f *kind.Fields) {
	f.Chained()
	f.Record(&a.Record)
	f.Text("place", &a.Place).Filter()
	f.Text("action", &a.Action).Filter()
	f.LongText("message", &a.Message)
	f.Text("record-type", &a.RecordType).Filter()
	f.Int("record-id", &a.RecordID).Filter()
	f.Text("record-name", &a.RecordName)
	f.Person("user", &a.User).Filter()
	f.Text("origin", &a.Origin).Filter()
	kind.Many(f, "changes", "change", &a.Changes, func(c *inventory.AuditChange, f *kind.Fields) {
		f.Text("field", &c.Field)
		f.LongText("to", &c.To)
		f.LongText("from", &c.From)
	})
	f.Stamps(&a.Record)
	f.Int("report", &a.Report)
	f.Text("agent-token", &a.AgentToken)
	f.Text("remote-address", &a.Address)
	f.Int("agent-id", &a.AgentID).Hidden()
	kind.Ties(f, "computers", "computer", &a.Computers)
	f.LongText("wording", &a.Wording).Hidden()
})

// TestAuditsByTime filters audit records by when they were written, and by the
// computer that they are about.
func TestAuditsByTime(t *testing.T) {
	t.Parallel()
	eachTrail(t, func(t *testing.T, s *store.Store) {
		for i := range int64(4) {
			update(t, s, func(tx *store.Tx) error {
				return tx.Insert(ctx, audits, anAudit(i+1, kind.Person{}), start.Add(time.Duration(i)*time.Hour))
			})
		}
		is(t, "chain", s.Chain(ctx, audits), nil)
		for query, want := range map[string][]int64{
			"created_at=2026-01-31T10:30:00Z":                               {2},
			"created_at=2026-01-31":                                         {1, 2, 3, 4},
			"created_at_from=2026-01-31T10:30:00Z":                          {2, 3, 4},
			"created_at_to=2026-01-31T10:30:00Z":                            {1, 2},
			"created_at_from=2026-02-01":                                    nil,
			"created_at_from=2026-01-31T10:30:00Z&created_at_to=2026-01-31": {2, 3, 4},
		} {
			q, err := audits.ParseQuery(query, now)
			is(t, query, err, nil)
			equal(t, query, found(t, s, q), want)
		}
		q, err := audits.ParseQuery("", now)
		is(t, "a query", err, nil)
		q.Ties = []kind.Tie{audits.Field("computers").Tie(3)}
		equal(t, "about computer 3", found(t, s, q), []int64{3})
		q.Ties = []kind.Tie{audits.Field("computers").Tie(100)}
		equal(t, "about computer 100", found(t, s, q), []int64{1, 2, 3, 4})
	})
}

// found returns the ids that a query finds.
func found(t testing.TB, s *store.Store, q *kind.Query) (ids []int64) {
	t.Helper()
	view(t, s, func(tx *store.Tx) (err error) {
		_, ids, err = tx.Find(ctx, audits, q)
		return err
	})
	return ids
}

func TestParseHead(t *testing.T) {
	t.Parallel()
	zeros := strings.Repeat("0", 64)
	for text, ok := range map[string]bool{
		"0:" + zeros: true, " 12:" + zeros + "\n": true, "12:" + zeros[1:]: false, "12:" + zeros + "00": false,
		"-1:" + zeros: false, zeros: false, "": false, "x:" + zeros: false, "1:" + zeros[1:] + "g": false,
	} {
		if _, err := store.ParseHead(text); (err == nil) != ok {
			t.Errorf("%q: got error %v, want one: %v", text, err, !ok)
		}
	}
	h, err := store.ParseHead("12:" + zeros[2:] + "ff")
	is(t, "parse", err, nil)
	equal(t, "back again", h.String(), "12:"+zeros[2:]+"ff")
}
