package exports_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"strings"
	"testing"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/exports"
	"muster/internal/desk/jobs"
	"muster/internal/disk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
	"muster/internal/store/queue"
)

var vendors = inventory.Vendors.Schema

// An office is a desk that exports.
type office struct {
	*mustertest.Office
	t    *testing.T
	jobs *jobs.Service
	*exports.Service
	written func() // is called for each value that is written, nil for nothing
}

func openOffice(t *testing.T, db mustertest.Database) *office {
	o := &office{Office: mustertest.OpenOffice(t, db), t: t}
	o.use(o.Desk)
	return o
}

// use lets jobs be done on a desk, as another process has it.
func (o *office) use(d *desk.Desk) {
	o.jobs = jobs.New(d)
	o.Service = exports.New(d, o.jobs, func(jobs.Writing) exports.Spelling {
		return func(v kind.Values, f *kind.Field) any {
			if o.written != nil {
				o.written()
			}
			return v.Format(f)
		}
	})
}

// add stores vendors.
func (o *office) add(n int) {
	o.t.Helper()
	recs := make([]any, n)
	for i := range recs {
		v := inventory.Vendors.New()
		v.Name, v.Note = fmt.Sprintf("vendor %04d", i), strings.Repeat("note ", 100)
		recs[i] = v
	}
	if err := o.Add(context.Background(), desk.Caller{Origin: "import"}, vendors, recs); err != nil {
		o.t.Fatal(err)
	}
}

// begin begins the export of all vendors.
func (o *office) begin(who desk.Caller, f *exports.Format) (queue.Job, error) {
	return o.Begin(context.Background(), who, exports.Order{Kind: vendors, Query: "sort_by=name&sort_order=DESC", Rows: 1200,
		Name: "vendors", Format: f, Sheet: exports.Sheet{Title: "Vendors", Heads: []string{"Name", "Note"},
			Fields: []*kind.Field{vendors.Field("name"), vendors.Field("note")}}})
}

// finish does a job, and returns how it ended.
func (o *office) finish(who desk.Caller, id int64) queue.Job {
	o.t.Helper()
	ctx := context.Background()
	if err := o.jobs.Finish(ctx, id); err != nil {
		o.t.Fatal(err)
	}
	j, err := o.jobs.Of(ctx, who, id)
	if err != nil {
		o.t.Fatal(err)
	}
	return j
}

// content returns the file of a job.
func (o *office) content(who desk.Caller, id int64) []byte {
	o.t.Helper()
	var b bytes.Buffer
	f, err := o.Open(context.Background(), who, id)
	if err == nil {
		err = f.WriteTo(context.Background(), &b)
	}
	if err != nil {
		o.t.Fatal(err)
	}
	if f.Bytes != int64(b.Len()) {
		o.t.Errorf("got %d bytes, want the %d that were said", b.Len(), f.Bytes)
	}
	return b.Bytes()
}

// refused checks that the file of a job is refused.
func (o *office) refused(who desk.Caller, id int64, why string) {
	o.t.Helper()
	_, err := o.Open(context.Background(), who, id)
	if err == nil || !strings.Contains(err.Error(), why) {
		o.t.Errorf("got %v, want a refusal: %s", err, why)
	}
}

// TestExportGoesOn ends a process in the middle of an export; another one begins it anew, and the file has each record once.
func TestExportGoesOn(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		o.add(1200)
		who, first := o.User(t, "tech@example.com", inventory.Technician), o.Desk
		j, err := o.begin(who, exports.Formats[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := o.begin(who, exports.Formats[0]); err == nil {
			t.Error("two at once were begun")
		}
		o.refused(who, j.ID, "not done yet")
		rows, ctx := 0, context.Background()
		ctx, leave := context.WithCancel(ctx)
		o.written = func() {
			if rows++; rows == 2*1100 { // after parts of the file were stored
				leave()
			}
		}
		if err := o.jobs.Finish(ctx, j.ID); err != nil {
			t.Fatal(err)
		}
		if j, err = o.jobs.Of(context.Background(), who, j.ID); err != nil || j.State != queue.Waiting || j.Done != 1000 {
			t.Fatalf("got %+v, %v, want it left at 1000 rows", j, err)
		}
		o.written = nil
		o.use(o.NewDesk(t))
		first.Close()
		if j = o.finish(who, j.ID); j.State != queue.Done || j.Done != 1200 {
			t.Fatalf("got %+v, want it done", j)
		}
		lines, err := csv.NewReader(bytes.NewReader(o.content(who, j.ID))).ReadAll()
		if err != nil || len(lines) != 1201 || lines[1][0] != "vendor 1199" || lines[1200][0] != "vendor 0000" {
			t.Errorf("got %d lines, %v, want 1201 from the last name to the first", len(lines), err)
		}
	})
}

// TestExportFiles gives a file to the person who asked for it, as long as they have the rights that they had and the file
// is kept.
func TestExportFiles(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		o.add(3)
		admin, who := o.Administrator(t), o.User(t, "tech@example.com", inventory.Technician)
		done := func() int64 {
			t.Helper()
			j, err := o.begin(who, exports.Formats[1])
			if err != nil {
				t.Fatal(err)
			}
			if j = o.finish(who, j.ID); j.State != queue.Done {
				t.Fatalf("got %+v, want it done", j)
			}
			return j.ID
		}
		first := done()
		if got := o.content(who, first); !bytes.HasPrefix(got, []byte("PK")) {
			t.Errorf("got %q, want a workbook", got[:4])
		}
		o.refused(admin, first, "only the person who asked")
		o.refused(o.User(t, "other@example.com", inventory.Technician), first, "there is no job")
		less := who
		user := *who.User
		user.Role, less.User = inventory.Requester, &user
		o.refused(less, first, "your role was technician")
		for range exports.MostKept {
			done()
		}
		o.refused(who, first, "no longer kept")
		o.content(who, first+1)
		o.Clock.Advance(exports.KeptFor)
		o.refused(who, first+exports.MostKept, "no longer kept")
	})
}

// TestExportEnds: what comes to nothing says why, and leaves no file behind.
func TestExportEnds(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, o := context.Background(), openOffice(t, db)
		o.add(1200)
		admin, who := o.Administrator(t), o.User(t, "tech@example.com", inventory.Technician)
		ends := func(what, why string, state queue.State) {
			t.Helper()
			j, err := o.begin(who, exports.Formats[0])
			if err != nil {
				t.Fatal(err)
			}
			rows := 0
			o.written = func() {
				if rows++; rows == 2*1100 {
					o.change(who, what, j.ID)
				}
			}
			j = o.finish(admin, j.ID)
			if got := jobs.Fault(&j).String(); j.State != state || !strings.Contains(got, why) {
				t.Errorf("%s: got %s, %q, want %s, %q", what, j.State, got, state, why)
			}
			if _, err := o.jobs.File(ctx, j.ID); err == nil {
				t.Errorf("%s: the file is still there", what)
			}
		}
		o.Limit(500 << 10)
		ends("nothing", "larger than 0 MB", queue.Failed)
		o.Limit(exports.MostSize)
		ends("stop", "", queue.Stopped)
		ends("demote", "your role was technician when you asked for this export, and is requester", queue.Failed)
		who = o.User(t, "other@example.com", inventory.Technician)
		ends("disable", "the user other@example.com is disabled", queue.Failed)
	})
}

// change does something while an export is written.
func (o *office) change(who desk.Caller, what string, job int64) {
	o.t.Helper()
	ctx := context.Background()
	var err error
	set := func(fields string) {
		k := inventory.Users.Schema
		_, err = o.Update(ctx, o.Administrator(o.t), desk.Target{Kind: k, ID: who.User.ID},
			func() (*kind.Patch, error) { return k.Decode([]byte("<user>" + fields + "</user>")) })
	}
	switch what {
	case "stop":
		err = o.jobs.Stop(ctx, who, job)
	case "demote":
		set("<role>Requester</role>")
	case "disable":
		set("<disabled>true</disabled>")
	}
	if err != nil {
		o.t.Error(err)
	}
}

// TestExportTidied: the daily tidying removes the files that are no longer kept, and leaves the jobs.
func TestExportTidied(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		ctx, o := context.Background(), openOffice(t, db)
		o.add(3)
		who := o.User(t, "tech@example.com", inventory.Technician)
		var ids []int64
		for range 2 {
			j, err := o.begin(who, exports.Formats[0])
			if err != nil {
				t.Fatal(err)
			}
			o.finish(who, j.ID)
			ids = append(ids, j.ID)
			o.Clock.Advance(20 * time.Hour)
		}
		j, err := o.jobs.RunNow(ctx, desk.Caller{Origin: "command"}, "tidy")
		if err != nil {
			t.Fatal(err)
		}
		o.finish(desk.Caller{}, j.ID)
		if _, err := o.jobs.File(ctx, ids[0]); err != store.ErrNotFound {
			t.Errorf("of 40 hours ago: got %v, want no file", err)
		}
		if _, err := o.jobs.File(ctx, ids[1]); err != nil {
			t.Errorf("of 20 hours ago: %v", err)
		}
		if _, err := o.jobs.Of(ctx, who, ids[0]); err != nil {
			t.Errorf("the job: %v", err)
		}
	})
}

// TestExportRoom writes no file into the room that is to stay free, and begins none where that is used up.
func TestExportRoom(t *testing.T) {
	t.Parallel()
	o := openOffice(t, mustertest.SQLite)
	who, space := o.Administrator(t), disk.Space{Free: 65 << 20, Total: 1 << 30}
	o.jobs.HasRoom(func() (disk.Space, error) { return space, nil })
	o.add(1200)
	j, err := o.begin(who, exports.Formats[0])
	if err != nil {
		t.Fatal(err)
	}
	space.Free = 64<<20 + 1000
	if j = o.finish(who, j.ID); j.State != queue.Failed || !strings.Contains(string(j.Fault), "MB free") {
		t.Errorf("while the disk fills: got %s: %s", j.State, j.Fault)
	}
	space.Free = 60 << 20
	if _, err := o.begin(who, exports.Formats[0]); !jobs.IsRefusal(err) {
		t.Errorf("on a full disk: got %v", err)
	}
}
