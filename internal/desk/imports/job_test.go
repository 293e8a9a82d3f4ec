package imports_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/imports"
	"muster/internal/desk/jobs"
	"muster/internal/disk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
	"muster/internal/store/queue"
)

// A works is an office that imports files by jobs.
type works struct {
	*mustertest.Office
	*imports.Service
	jobs *jobs.Service
}

func openWorks(t *testing.T, db mustertest.Database) *works {
	t.Helper()
	o := mustertest.OpenOffice(t, db)
	j := jobs.New(o.Desk)
	return &works{o, imports.New(o.Desk, j, func(jobs.Writing) imports.Spelling { return nil }), j}
}

// checked imports a file up to the preview, and returns the import.
func (w *works) checked(t *testing.T, who desk.Caller, k *kind.Schema, file string) (id int64) {
	t.Helper()
	ctx, i := context.Background(), read(t, k, file)
	choice := imports.Choice{Fields: make([]string, len(i.Fields)), Key: imports.UsualKey(k, i.Fields)}
	for at, f := range i.Fields {
		if f != nil {
			choice.Fields[at] = imports.Name(k, f)
		}
	}
	id, err := w.Open(ctx, who, k, "list.csv", []byte(file), i.Table, choice)
	if err == nil {
		err = w.at(who).Check(ctx, who, id, i, choice, jobs.Writing{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// written imports a file.
func (w *works) written(t *testing.T, who desk.Caller, k *kind.Schema, file string) (id int64) {
	t.Helper()
	id = w.checked(t, who, k, file)
	if err := w.at(who).Write(context.Background(), who, id, false); err != nil {
		t.Fatal(err)
	}
	return id
}

// at returns the service that has done what it is asked for when it returns.
func (w *works) at(who desk.Caller) *imports.Service { return w.Here(who, func(int, int) {}) }

// of returns how far an import is.
func (w *works) of(t *testing.T, id int64) *imports.State {
	t.Helper()
	st, err := w.Of(context.Background(), desk.Caller{}, id)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// job returns a job.
func (w *works) job(t *testing.T, id int64) queue.Job {
	t.Helper()
	j, err := w.jobs.Of(context.Background(), desk.Caller{}, id)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// finish does a job that is due.
func (w *works) finish(t *testing.T, id int64) queue.Job {
	t.Helper()
	if err := w.jobs.Finish(context.Background(), id); err != nil {
		t.Fatal(err)
	}
	return w.job(t, id)
}

// exec changes the database beside the program.
func (w *works) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	ctx := context.Background()
	if err := w.Store.Update(ctx, func(tx *store.Tx) error { return tx.Exec(ctx, sql, args...) }); err != nil {
		t.Fatal(err)
	}
}

// died puts a job that is done where it is when its process has died just before it was: another takes it now.
func (w *works) died(t *testing.T, id int64) {
	t.Helper()
	w.exec(t, "UPDATE jobs SET state = 'running', ended_at = NULL, due_at = $1 WHERE id = $2", w.Clock.Now().Unix(), id)
}

// waits is died of an import that has written all its rows, but not noted that these are all, and waits for its next try.
func (w *works) waits(t *testing.T, id int64) {
	t.Helper()
	w.died(t, id)
	w.exec(t, "UPDATE jobs SET state = 'waiting', note = NULL WHERE id = $1", id)
}

// change changes a record.
func (w *works) change(t *testing.T, who desk.Caller, k *kind.Schema, id int64, field, value string) {
	t.Helper()
	_, err := w.Update(context.Background(), who, desk.Target{Kind: k, ID: id}, func() (*kind.Patch, error) {
		return k.ReadForm(url.Values{field: {value}}), nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// told returns what the audit trail says of imports as wholes.
func (w *works) told(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, a := range w.AuditsOf(t, imports.Handler) {
		fmt.Fprintf(&b, "%s: %s\n", a.User.Name, a.Message)
	}
	return b.String()
}

// remain returns how many records of a kind there are.
func (w *works) remain(t *testing.T, k *kind.Schema) int {
	t.Helper()
	page, err := w.List(context.Background(), desk.Caller{}, k, &kind.Query{Page: 1, PerPage: 1})
	if err != nil {
		t.Fatal(err)
	}
	return int(page.Total)
}

// counts returns how many rows of an import there are of each fate.
func counts(st *imports.State) string {
	var said []string
	for fate, n := range st.Count {
		if n > 0 {
			said = append(said, fmt.Sprint(n, " ", imports.RowFate(fate)))
		}
	}
	return strings.Join(said, ", ")
}

const threeComputers = "Name,Asset ID\na,A-1\nb,A-2\nc,A-3\n"

var computers = inventory.Computers.Schema

// TestStoppedByAnother disables a person, and stops what they import: it is taken back, whatever they may do by now, and
// the audit trail says who stopped it.
func TestStoppedByAnother(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, w := context.Background(), openWorks(t, db)
		admin, tess := w.Administrator(t), w.User(t, "tess@example.com", inventory.Technician)
		id := w.written(t, tess, computers, threeComputers)
		w.waits(t, id)
		w.change(t, admin, inventory.Users.Schema, tess.User.ID, "disabled", "true")
		if err := w.jobs.Stop(ctx, admin, id); err != nil {
			t.Fatal(err)
		}
		if j := w.finish(t, w.of(t, id).Back); j.State != queue.Done || j.UserID != 0 {
			t.Fatalf("it is taken back: got %s of user %d: %s", j.State, j.UserID, j.Fault)
		}
		if n, st := w.remain(t, computers), w.of(t, id); n != 0 || counts(st) != "3 taken back" {
			t.Errorf("got %d computers and %s, want none", n, counts(st))
		}
		if told := w.told(t); !strings.Contains(told, "3 rows, 0 stay; it was stopped by "+admin.User.Email) {
			t.Errorf("the audit trail says %s, want who stopped it", told)
		}
	})
}

// TestUndoBegunAgain lets an administrator go on, in their own name, with an undo whose person has lost their rights.
func TestUndoBegunAgain(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, w := context.Background(), openWorks(t, db)
		admin, tess := w.Administrator(t), w.User(t, "tess@example.com", inventory.Technician)
		id := w.written(t, tess, computers, threeComputers)
		if err := w.Undo(ctx, tess, id); err != nil {
			t.Fatal(err)
		}
		w.change(t, admin, inventory.Users.Schema, tess.User.ID, "role", "requester")
		back := w.of(t, id).Back
		if j := w.finish(t, back); j.State != queue.Failed || w.remain(t, computers) != 3 {
			t.Fatalf("by a requester: got %s and %d computers, want it refused", j.State, w.remain(t, computers))
		}
		if st := w.of(t, id); !st.Undoable || counts(st) != "3 new" {
			t.Errorf("got %s, that can be taken back: %v, want 3 new ones that can", counts(st), st.Undoable)
		}
		if err := w.at(admin).Undo(ctx, admin, id); err != nil {
			t.Fatal(err)
		}
		if j := w.job(t, back); j.State != queue.Done || j.UserID != admin.User.ID || w.remain(t, computers) != 0 {
			t.Errorf("by an administrator: got %s of user %d and %d computers", j.State, j.UserID, w.remain(t, computers))
		}
		if err := w.Undo(ctx, admin, id); err == nil {
			t.Error("it was taken back twice")
		}
	})
}

// TestUndoByRecords takes licences back: what becomes of one, becomes of all rows about it.
func TestUndoByRecords(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, w, k := context.Background(), openWorks(t, db), inventory.Contracts.Schema
		admin := w.Administrator(t)
		const head = "Name,Type,Item name,Item version\n"
		w.written(t, admin, k, head+"Old,SoftwareLicense,Word,1\n")
		id := w.written(t, admin, k, head+"Old,SoftwareLicense,Word,1\nOld,,Excel,1\n"+
			"Changed,SoftwareLicense,A,1\nChanged,,B,1\nDeleted,SoftwareLicense,A,1\nDeleted,,B,1\nNew,SoftwareLicense,A,1\nChanged,,C,1\nNew,,B,1\n")
		if got := counts(w.of(t, id)); got != "3 new, 5 changed, 1 unchanged" {
			t.Fatalf("got %s", got)
		}
		w.change(t, admin, k, 2, "note", "mine")
		if _, err := w.Delete(ctx, admin, desk.Target{Kind: k, ID: 3}); err != nil {
			t.Fatal(err)
		}
		if err := w.at(admin).Undo(ctx, admin, id); err != nil {
			t.Fatal(err)
		}
		st := w.of(t, id)
		if got := counts(st); got != "1 unchanged, 3 taken back, 3 stays, 2 deleted since" {
			t.Errorf("got %s", got)
		}
		rows, err := w.Rows(ctx, st, nil, 0, 100)
		var made, why []int
		for _, row := range rows {
			if row.Made && row.Fate == imports.RowBack {
				made = append(made, row.At)
			}
			if len(row.Faults) > 0 {
				why = append(why, row.At)
			}
		}
		if err != nil || fmt.Sprint(made, why) != "[6 8] [2 3 7]" {
			t.Errorf("rows whose record was removed, and that have a reason: got %v, %v, %v", made, why, err)
		}
		if told := w.told(t); !strings.Contains(told, "3 rows, 3 stay; 2 rows deleted by others before") {
			t.Errorf("the audit trail says %s", told)
		}
		if n := w.remain(t, k); n != 2 {
			t.Errorf("got %d licences, want the old one and the changed one", n)
		}
		rec, err := w.Get(ctx, admin, k, 1)
		if err != nil || len(rec.(*inventory.Contract).Items) != 1 {
			t.Errorf("the old licence: got %+v, %v, want it with one item", rec, err)
		}
	})
}

// TestUndoLongRecord takes back what rows of several transactions, and in between of another process, have added to one
// record.
func TestUndoLongRecord(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, w, k := context.Background(), openWorks(t, db), inventory.Contracts.Schema
		admin := w.Administrator(t)
		const head = "Name,Type,Item name,Item version\n"
		w.written(t, admin, k, head+"Suite,SoftwareLicense,Part 0,1\n")
		var file strings.Builder
		file.WriteString(head)
		for n := range 170 {
			fmt.Fprintf(&file, "Suite,,Part %d,1\n", n)
		}
		id := w.written(t, admin, k, file.String())
		items := func() int {
			rec, err := w.Get(ctx, admin, k, 1)
			if err != nil {
				t.Fatal(err)
			}
			return len(rec.(*inventory.Contract).Items)
		}
		if n := items(); n != 170 {
			t.Fatalf("got %d items", n)
		}
		w.waits(t, id)
		if j := w.finish(t, id); j.State != queue.Done {
			t.Fatalf("once more: got %s: %s", j.State, j.Fault)
		}
		if err := w.at(admin).Undo(ctx, admin, id); err != nil {
			t.Fatal(err)
		}
		if n, got := items(), counts(w.of(t, id)); n != 1 || got != "1 unchanged, 169 taken back" {
			t.Errorf("taken back: got %d items and %s, want the first one alone", n, got)
		}
	})
}

// TestImportRecordedOnce ends processes between the last step of an import and its end, and so of its undo: the audit
// trail tells of each once.
func TestImportRecordedOnce(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, w := context.Background(), openWorks(t, db)
		admin := w.Administrator(t)
		id := w.written(t, admin, computers, threeComputers)
		w.died(t, id)
		if j := w.finish(t, id); j.State != queue.Done {
			t.Fatalf("got %s: %s", j.State, j.Fault)
		}
		if err := w.at(admin).Undo(ctx, admin, id); err != nil {
			t.Fatal(err)
		}
		back := w.of(t, id).Back
		w.died(t, back)
		if j := w.finish(t, back); j.State != queue.Done {
			t.Fatalf("got %s: %s", j.State, j.Fault)
		}
		if told := w.told(t); strings.Count(told, "\n") != 2 {
			t.Errorf("got %s, want one record of the import and one of its undo", told)
		}
	})
}

// tidies does what happens at night.
func (w *works) tidies(t *testing.T) {
	t.Helper()
	j, err := w.jobs.BeginHere(context.Background(), desk.Caller{}, jobs.Job{Handler: "tidy"}, nil, nil)
	if err != nil || j.State != queue.Done {
		t.Fatalf("tidy: got %s: %s, %v", j.State, j.Fault, err)
	}
}

// TestJournalKept takes an import back that waits for a database for days, while the nights remove what is old.
func TestJournalKept(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, w := context.Background(), openWorks(t, db)
		admin := w.Administrator(t)
		id, other := w.written(t, admin, computers, threeComputers), w.written(t, admin, computers, "Name\nd\n")
		w.Clock.Advance(23 * time.Hour)
		if err := w.Undo(ctx, admin, id); err != nil {
			t.Fatal(err)
		}
		w.Clock.Advance(5 * 24 * time.Hour)
		w.tidies(t)
		rows, err := w.Rows(ctx, w.of(t, other), nil, 0, 10)
		if _, refused := w.Plan(ctx, other, computers, imports.Choice{}, jobs.Writing{}); err != nil || len(rows) != 0 || refused == nil {
			t.Errorf("one that can no longer be taken back: got %d rows, %v, and its file: %v", len(rows), err, refused == nil)
		}
		if j := w.finish(t, w.of(t, id).Back); j.State != queue.Done || w.remain(t, computers) != 1 {
			t.Errorf("got %s: %s and %d computers, want it taken back", j.State, j.Fault, w.remain(t, computers))
		}
		w.tidies(t)
		if st := w.of(t, id); counts(st) != "3 taken back" {
			t.Errorf("what became of it is gone: got %s", counts(st))
		}
	})
}

// TestJournalGone refuses to take an import back whose rows are not there any more, rather than to leave them in silence.
func TestJournalGone(t *testing.T) {
	t.Parallel()
	ctx, w := context.Background(), openWorks(t, mustertest.SQLite)
	admin := w.Administrator(t)
	id := w.written(t, admin, computers, threeComputers)
	if err := w.Undo(ctx, admin, id); err != nil {
		t.Fatal(err)
	}
	w.exec(t, "DELETE FROM job_steps WHERE number = 2")
	if j := w.finish(t, w.of(t, id).Back); j.State != queue.Failed || !strings.Contains(string(j.Fault), "no longer kept") {
		t.Errorf("got %s: %s", j.State, j.Fault)
	}
}

// refused checks that something is refused with some words.
func refused(t *testing.T, what string, err error, words string) {
	t.Helper()
	if !jobs.IsRefusal(err) || !strings.Contains(err.Error(), words) {
		t.Errorf("%s: got %v, want a refusal with %q", what, err, words)
	}
}

// TestOneImportAtATime lets a person have one import checked or written at a time, and others theirs.
func TestOneImportAtATime(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, w := context.Background(), openWorks(t, db)
		tess, theo := w.User(t, "tess@example.com", inventory.Technician), w.User(t, "theo@example.com", inventory.Technician)
		first, second := w.checked(t, tess, computers, threeComputers), w.checked(t, tess, computers, "Name\nd\n")
		others := w.checked(t, theo, computers, "Name\ne\n")
		if err := w.Write(ctx, tess, first, false); err != nil {
			t.Fatal(err)
		}
		refused(t, "a second one", w.Write(ctx, tess, second, false), "another import of yours is under way")
		if err := w.Write(ctx, theo, others, false); err != nil {
			t.Errorf("of another person: got %v", err)
		}
		if j := w.finish(t, first); j.State != queue.Done {
			t.Fatalf("got %s: %s", j.State, j.Fault)
		}
		if err := w.Write(ctx, tess, second, false); err != nil {
			t.Errorf("after the first: got %v", err)
		}
	})
}

// TestImportFilesKept keeps some bytes of a person's files: those that came to nothing go first, and those that can be
// taken back stay.
func TestImportFilesKept(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, w, file := context.Background(), openWorks(t, db), threeComputers+strings.Repeat("\n", 1000)
		tess := w.User(t, "tess@example.com", inventory.Technician)
		w.Limit(3*int64(len(file)) + 500)
		open := func(who desk.Caller) (int64, error) {
			i := read(t, computers, file)
			return w.Open(ctx, who, computers, "list.csv", []byte(file), i.Table, imports.Choice{Fields: make([]string, 2)})
		}
		written, stopped := w.written(t, tess, computers, file), w.checked(t, tess, computers, file)
		if err := w.Write(ctx, tess, stopped, false); err != nil {
			t.Fatal(err)
		}
		if err := w.jobs.Stop(ctx, tess, stopped); err != nil {
			t.Fatal(err)
		}
		third, err := open(tess)
		if err == nil {
			_, err = open(tess)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.jobs.Of(ctx, tess, stopped); err == nil || len(w.file(stopped)) > 0 {
			t.Errorf("the one that came to nothing is there, with %d bytes", len(w.file(stopped)))
		}
		_, err = open(tess)
		refused(t, "a further one", err, "the files of your imports")
		for _, id := range []int64{written, third} {
			if len(w.file(id)) == 0 {
				t.Errorf("the file of %d is gone", id)
			}
		}
		if _, err := open(w.Administrator(t)); err != nil {
			t.Errorf("of another person: got %v", err)
		}
	})
}

// file returns the file of a job, nil for none.
func (w *works) file(id int64) []byte {
	file, err := w.jobs.File(context.Background(), id)
	if err != nil {
		return nil
	}
	return file
}

// TestImportRoom takes no file for which the disk has no room.
func TestImportRoom(t *testing.T) {
	t.Parallel()
	ctx, w := context.Background(), openWorks(t, mustertest.SQLite)
	w.jobs.HasRoom(func() (disk.Space, error) { return disk.Space{Free: 60 << 20, Total: 1 << 30}, nil })
	i := read(t, computers, threeComputers)
	_, err := w.Open(ctx, w.Administrator(t), computers, "list.csv", []byte(threeComputers), i.Table, imports.Choice{})
	refused(t, "a file", err, "has only 60 MB free")
}
