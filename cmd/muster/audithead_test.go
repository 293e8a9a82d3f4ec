//go:build full

package main_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"muster/internal/doctor"
	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// vouched runs `muster audit verify`, which must find a trail whose end is vouched for, and returns the head.
func (f *folder) vouched(what string) string {
	f.t.Helper()
	out := f.must("audit", "verify")
	if !strings.Contains(out, f.data("audit.head")+" of 2") || !strings.Contains(out, " vouches for ") {
		f.t.Errorf("%s: got %q, want that audit.head vouches for the end", what, out)
	}
	return strings.Split(out, "\n")[1]
}

// doubted runs `muster audit verify`, which must find a whole trail whose end nothing vouches for.
func (f *folder) doubted(what string, texts ...string) {
	f.t.Helper()
	got := f.run("audit", "verify")
	if got.status != 3 || !strings.HasPrefix(got.out, "All ") ||
		!strings.HasPrefix(got.err, "muster: nothing vouches for the end of the audit trail: ") {
		f.t.Errorf("%s: got %+v, want a whole trail and status 3", what, got)
	}
	for _, text := range texts {
		if !strings.Contains(got.err, text) {
			f.t.Errorf("%s: got %q, want a text with %q", what, got.err, text)
		}
	}
	f.doctor().says(f.t, what, doctor.Warning, "audit head", append(texts, "Nothing vouches for the end")...)
}

// accused runs `muster audit verify` and `muster doctor`, which must find the end of the trail wrong.
func (f *folder) accused(what string, texts ...string) {
	f.t.Helper()
	f.refused([]string{"audit", "verify"}, append(texts, "verify the audit trail: ")...)
	said := []string{"muster audit accept"}
	for _, text := range texts {
		said = append(said, text[1:]) // a sentence begins with a capital letter
	}
	f.doctor().says(f.t, what, doctor.Problem, "audit head", said...)
}

// fill makes changes.
func (f *folder) fill(s *service, n int) {
	f.t.Helper()
	for i := range n {
		create(f.t, s, s.password, fmt.Sprint("computer ", i))
	}
}

// messages returns the messages of the audit trail of a running server.
func messages(s *service, password string) string {
	s.f.t.Helper()
	got := s.client(admin, password).Get("/audits.xml?per_page=1000")
	if got.Status != 200 {
		s.f.t.Fatalf("the audit records: got %d", got.Status)
	}
	return got.Body
}

// trail opens the database of a stopped server, as the program does.
func (f *folder) trail(use func(ctx context.Context, s *store.Store) error) {
	f.t.Helper()
	s, err := store.Open(f.t.Context(), store.Config{Database: f.address(), Kinds: inventory.All()})
	if err == nil {
		err = errors.Join(use(f.t.Context(), s), s.Close())
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

// rewrite rewrites the audit trail from a record on, with the program's own hashes, and other texts.
func (f *folder) rewrite(postgres bool, from int64) {
	f.t.Helper()
	var recs []any
	f.trail(func(ctx context.Context, s *store.Store) error {
		return s.View(ctx, func(tx *store.Tx) error {
			ids, err := tx.IDs(ctx, inventory.Audits.Schema)
			for _, id := range ids {
				a, err := store.Get(ctx, tx, inventory.Audits, id)
				if err != nil {
					return err
				}
				if id >= from {
					again := *a
					again.ID, again.Version, again.Message = 0, 0, a.Message+", they say"
					recs = append(recs, &again)
				}
			}
			return err
		})
	})
	f.unguard(postgres)
	f.cut(from)
	f.trail(func(ctx context.Context, s *store.Store) error {
		err := s.Update(ctx, func(tx *store.Tx) error {
			return tx.Append(ctx, inventory.Audits.Schema, recs, time.Now())
		})
		return errors.Join(err, s.Chain(ctx, inventory.Audits.Schema))
	})
	f.unguard(postgres)
}

// cut removes the audit records from one on.
func (f *folder) cut(from int64) {
	f.t.Helper()
	f.sql(fmt.Sprint("DELETE FROM audits_computers WHERE id >= ", from))
	f.sql(fmt.Sprint("DELETE FROM audits WHERE id >= ", from))
}

// TestAuditHead does to the database of a stopped server what its owner can, and finds all of it by the data folder,
// which is as it was.
func TestAuditHead(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		postgres := db.Name != "sqlite"
		f, s := installed(t, db)
		f.fill(s, 4)
		s.stop()
		head := f.vouched("as it was")
		f.doctor().says(t, "as it was", doctor.OK, "audit head", "audit.head", "vouches for the end of the audit trail")
		f.unguard(postgres)
		f.sql("CREATE TABLE kept AS SELECT * FROM audits")
		f.sql("CREATE TABLE kept_ties AS SELECT * FROM audits_computers")
		restore := func() {
			f.cut(0)
			f.sql("INSERT INTO audits SELECT * FROM kept")
			f.sql("INSERT INTO audits_computers SELECT * FROM kept_ties")
		}
		for _, test := range []struct {
			what string
			do   func()
			want string
		}{
			{"the last record cut off", func() { f.cut(5) },
				"1 record that this node saw is missing from the audit trail: it saw 5 until 2"},
			{"more cut off", func() { f.cut(3) },
				"3 records that this node saw are missing from the audit trail: it saw 5 until 2"},
			{"all cut off", func() { f.cut(0) },
				"5 records that this node saw are missing from the audit trail: it saw 5 until 2"},
			{"written anew", func() { f.rewrite(postgres, 1) },
				"the audit trail was written anew: record number 5 is not the one that this node saw"},
			{"the end written anew", func() { f.rewrite(postgres, 4) },
				"up to 4 records that this node saw are missing from the audit trail: it is as this node saw it until record number 1"},
		} {
			test.do()
			f.accused(test.what, test.want)
			restore()
		}
		f.sql("UPDATE audits SET message = 'nothing' WHERE id = 5")
		f.refused([]string{"audit", "verify"}, "verify the audit trail: audit record 5 does not fit")
		restore()
		if got := f.vouched("as it was again"); got != head {
			t.Errorf("got the head %s, want %s", got, head)
		}
	})
}

// TestAuditHeadAccept starts a server on a trail that is not the one of its data folder: it serves, says so
// and keeps the evidence, until an administrator accepts it.
func TestAuditHeadAccept(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f, s := installed(t, db)
		f.fill(s, 3)
		f.refused([]string{"audit", "accept"}, "there is nothing to accept")
		s.stop()
		f.refused([]string{"audit", "accept"}, "there is nothing to accept")
		evidence := read(t, f.data("audit.head"))
		f.unguard(db.Name != "sqlite")
		f.cut(3)

		again := f.serve()
		again.password = s.password
		again.await(again.log, `"the audit trail is not the one that this node saw"`)
		f.fill(again, 1)
		messages(again, s.password) // so that all are in the trail
		f.accused("a running server", "1 record that this node saw is missing")
		f.must("user", "add", "later@example.com", "--role", "technician")
		messages(again, s.password)
		f.accused("as many records as before",
			"up to 3 records that this node saw are missing from the audit trail: it is as this node saw it until record number 1")
		again.stop()
		f.accused("after its end", "up to 3 records")
		last := f.serve()
		if got := read(t, f.data("audit.head")); got != evidence {
			t.Errorf("the file: got\n%s\nwant it as it was:\n%s", got, evidence)
		}
		out := f.must("audit", "accept")
		kept, err := filepath.Glob(f.data("audit.head.before-*"))
		if len(kept) != 1 || err != nil || read(t, kept[0]) != evidence ||
			!strings.Contains(out, "Accepted: up to 3 records") ||
			!strings.Contains(out, "The former file is kept as "+kept[0]+".") {
			t.Errorf("accept: got %q, and kept %v, %v, want the evidence there", out, kept, err)
		}
		if got := messages(last, s.password); strings.Count(got, "as it is, at the head 4:") != 1 ||
			!strings.Contains(got, "<record-type>audit-head</record-type>") {
			t.Errorf("the audit records: got %s, want one that tells what was accepted", got)
		}
		f.vouched("accepted")
		f.doctor().says(t, "accepted", doctor.OK, "audit head", "vouches for")
		last.stop()
		f.vouched("accepted, after the end")
	})
}

// TestAuditHeadFile finds files that cannot be believed, and says what is missing.
func TestAuditHeadFile(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f, s := installed(t, db)
		f.fill(s, 2)
		s.stop()
		other := newFolder(t)
		other.serve().stop()
		good, key := read(t, f.data("audit.head")), read(t, f.data("server.key"))
		for what, text := range map[string]string{
			"another installation's": read(t, other.data("audit.head")),
			"changed":                strings.Replace(good, " 2", " 3", 1),
		} {
			write(t, f.data("audit.head"), text)
			f.accused(what, f.data("audit.head")+
				" cannot be believed: it is not signed with the key of this installation, or was changed afterwards")
		}
		write(t, f.data("audit.head"), "x")
		f.accused("damaged", f.data("audit.head")+" cannot be believed: it is damaged, or no statement of this program")
		again := f.serve()
		again.await(again.log, `"the audit trail is not the one that this node saw"`)
		again.stop()
		if got := read(t, f.data("audit.head")); got != "x" {
			t.Errorf("after a start: got %q, want the damaged file as it was", got)
		}
		f.must("audit", "accept")
		f.vouched("accepted")

		remove(t, f.data("audit.head"))
		f.doubted("without the file", "there is no "+f.data("audit.head"))
		head := strings.Split(f.run("audit", "verify").out, "\n")[1]
		if out := f.must("audit", "verify", "--head", head); !strings.Contains(out,
			"The given head vouches for the first 4.\n") {
			t.Errorf("with a head: got %q, want that it vouches", out)
		}
		f.must("setting", "set", "page-size", "30")
		f.serve().stop() // which starts a new file, with a record in the trail
		remove(t, f.data("audit.head"))
		if got := f.run("audit", "verify", "--head", head); got.status != 3 ||
			!strings.Contains(got.err, "nothing vouches for the end") {
			t.Errorf("with a head from before: got %+v, want status 3", got)
		}
		write(t, f.data("audit.head"), good)
		remove(t, f.data("server.key"))
		if got := f.run("audit", "verify"); got.status != 3 ||
			!strings.Contains(got.err, "cannot be checked: read the server's key: ") {
			t.Errorf("without the key: got %+v, want status 3", got)
		}
		f.refused([]string{"audit", "key"}, "read the server's key")
		write(t, f.data("server.key"), key)
		if out := f.must("audit", "key"); !strings.HasPrefix(out, "-----BEGIN PUBLIC KEY-----\n") {
			t.Errorf("audit key: got %q, want a public key", out)
		}
	})
}

// remove removes a file.
func remove(t *testing.T, file string) {
	t.Helper()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
}

// TestAuditHeadRestore: a restore starts a new file, and the trail records it.
func TestAuditHeadRestore(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f, s := installed(t, db)
		f.fill(s, 1)
		for _, flags := range [][]string{nil, {"--without-keys"}} {
			f.must(append([]string{"backup", "a.backup", "--force"}, flags...)...)
			f.fill(s, 2)
			s.stop()
			evidence := read(t, f.data("audit.head"))
			out := f.must("restore", "a.backup")
			kept, err := filepath.Glob(f.data("audit.head.before-*"))
			if err != nil || len(kept) == 0 || read(t, kept[len(kept)-1]) != evidence ||
				!strings.Contains(out, "is kept as "+kept[len(kept)-1]+".") {
				t.Errorf("restore: got %q, and kept %v, %v, want the former file", out, kept, err)
			}
			f.vouched("restored")
			password := s.password
			s = f.serve()
			s.password = password
			if got := messages(s, password); strings.Count(got, "restored on ") != len(kept) ||
				!strings.Contains(got, ": the head of the audit trail was ") {
				t.Errorf("the audit records: got %s, want one of each restore", got)
			}
			f.vouched("started")
		}
	})
}

// TestNodesAuditHead has two nodes with a data folder each: one that stands still for a while sees that what it saw is
// there, and each reports by itself what is missing.
func TestNodesAuditHead(t *testing.T) {
	t.Parallel()
	f, s := installed(t, mustertest.Postgres)
	other := newFolder(t)
	other.env = []string{"MUSTER_DATABASE=" + f.address(), "MUSTER_LISTEN=localhost:" + freePort(t)}
	if err := os.Mkdir(other.data(""), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"server.key", "ca.pem", "ca.key"} {
		write(t, other.data(name), read(t, f.data(name)))
		if err := os.Chmod(other.data(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := f.must("audit", "key"), other.must("audit", "key"); a != b {
		t.Errorf("got the keys %s and %s, want the same", a, b)
	}
	other.doubted("before its first start", "there is no "+other.data("audit.head"))
	node := other.serve()
	if got := messages(node, s.password); strings.Count(got, "begun: there was none") != 1 {
		t.Errorf("the audit records: got %s, want one of the second node", got)
	}
	node.stop()
	f.fill(s, 3)
	s.stop()
	f.vouched("the node that went on")
	other.vouched("the node that stood")
	f.unguard(true)
	f.cut(4)
	f.accused("the node that went on", "2 records that this node saw are missing")
	other.vouched("the node that did not see them")
	f.cut(2)
	other.accused("the node that stood", "1 record that this node saw is missing")
}
